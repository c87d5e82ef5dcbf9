"""The front page: profiles by implementation and version, where implementations differ, and links to everything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...errors import one_line
from ...model import ConformanceProfile, Verdict
from ..conformance import AnsweredShare
from ..description import FailureCause
from ..phrases import floor_text, limits, percent, share
from ..suite_counts import failing, supported, system_of
from .agreement_pages import SiteAgreement, pair_rows
from .case_pages import reading_state
from .catalogue_pages import RulingSummary
from .contents import Column, Site
from .implementation_pages import bar
from .layout import Draft, draft
from .site_paths import INDEX, Linked, family_path, part_path, ruling_path

_MAX_RULINGS = 10
_MAX_CAUSES = 10


def front_page(site: Site, rulings: Sequence[RulingSummary], agreement: SiteAgreement) -> Draft:
    """The page `index.html`."""
    newest = {number: site.columns[number].family for number in agreement.newest}
    split = [one for one in rulings if one.is_split]
    systems = Counter(system_of(case.name) for case in site.cases.values())
    checked = [
        case.name
        for case in site.cases.values()
        if any(site.columns[number].covers(case.name) for number in case.results)
    ]
    return draft(
        INDEX,
        "front",
        title="Conformance of implementations",
        families=families(site),
        columns=[_column(one) for one in site.columns],
        not_started=site.not_started,
        not_tested=site.not_tested,
        profiles=_profiles(site),
        profile_labels=[one_line(column.label) for column in site.columns],
        rulings=[
            {
                "id": one.ruling.id,
                "title": one.ruling.title,
                "path": ruling_path(one.ruling.id),
                "readings": list(_split_readings(one)),
            }
            for one in split[:_MAX_RULINGS]
        ],
        split=len(split),
        compared=agreement.found.cases,
        differing=len(agreement.differing),
        pairs=pair_rows(site, agreement, newest) if agreement.found.cases else [],
        pair_labels=[*newest.values()],
        causes=_causes(site),
        systems=sorted(systems.items()),
        counts={
            "cases": len(site.cases),
            "operations": len({*site.by_operation, *site.given.operations}),
            "requirements": len(site.requirements),
            "rulings": len(site.rulings),
        },
        checked=len(checked),
        specifications=len({*map(system_of, checked)}),
        verdicts=sum(column.counts.total() for column in site.columns),
        dates=sorted({column.record.metadata.started_at[:10] for column in site.columns}),
        corpora=len({column.record.metadata.corpus_digest for column in site.columns}),
    )


def families(site: Site) -> list[dict[str, Any]]:
    """The implementations with their versions."""
    return [_family(site, name) for name in site.names]


def _family(site: Site, name: str) -> dict[str, Any]:
    """An implementation with its versions, the newest first."""
    versions = site.versions(name)
    several = len(versions) > 1
    path = family_path(name) if several else f"{versions[0].folder}.html"
    return {"name": name, "path": path, "several": several, "columns": [_column(one) for one in versions]}


def _column(column: Column) -> dict[str, Any]:
    counts, conformance = column.counts, column.summary.conformance.get(column.name)
    return {
        "name": column.family,
        "version": column.version,
        "path": f"{column.folder}.html",
        "what": column.entry.description,
        "date": column.record.metadata.started_at[:10],
        "complete": column.record.complete,
        "answered": percent(column.share) if column.share else "",
        "systems": ", ".join(conformance.systems) if conformance else "",
        "share": share(counts),
        "limits": limits(conformance.share) if conformance else [],
        "fail": failing(counts),
        "variant": counts[Verdict.VARIANT],
        "supported": supported(counts),
        "bar": bar(column),
    }


def _profiles(site: Site) -> list[dict[str, Any]]:
    """For each profile its floor, and the state of each version; a version that answers nothing of its system has none."""
    found: dict[tuple[str, str], ConformanceProfile] = {}
    states: dict[tuple[str, str], dict[str, AnsweredShare]] = {}
    floors: dict[str, float] = {}
    for column in site.columns:
        floors |= column.record.metadata.floors
        for one in column.record.metadata.profiles:
            found.setdefault((one.system, one.name), one)
        conformance = column.summary.conformance.get(column.name)
        for one, part in conformance.profiles if conformance else ():
            states.setdefault((one.system, one.name), {})[column.label] = part
    return [
        {
            "system": key[0],
            "name": key[1],
            "title": one.title,
            "cases": one.cases,
            "floor": _floor(one, floors),
            "cells": [_state(column, one, states.get(key, {}).get(column.label)) for column in site.columns],
        }
        for key, one in found.items()
        if key in states
    ]


def _state(column: Column, profile: ConformanceProfile, part: AnsweredShare | None) -> dict[str, Any]:
    cell: dict[str, Any] = {"label": column.label, "state": "", "path": f"{column.folder}.html"}
    if part is not None:
        operations = [each for each in column.summary.operations[column.name] if each.operation in profile.operations]
        counts = sum((each.counts for each in operations), Counter())
        cell |= {
            "state": part.state.value,
            "answered": percent(part),
            "rate": share(counts) if supported(counts) else "",
            "failing": part.failing,
            "limits": limits(part),
        }
    return cell


def _floor(profile: ConformanceProfile, floors: Mapping[str, float]) -> str:
    """The share of a profile's cases that one constant answer for each operation passes; empty if it is not known."""
    known = {name: count for name, count in profile.operations.items() if name in floors}
    if not known:
        return ""
    passed = sum(floors[name] * count for name, count in known.items())
    return floor_text(passed, sum(known.values()))


def _split_readings(summary: RulingSummary) -> Iterator[dict[str, str]]:
    """The readings that SDKs follow, each with its words, its state and the SDKs."""
    for name, who in summary.followed.items():
        state = reading_state(summary.ruling, name)
        yield {"name": name, "state": state, "who": ", ".join(who), "text": summary.ruling.readings[name].strip()}


def _causes(site: Site) -> list[dict[str, Any]]:
    """The causes with most failures, of the newest version of each implementation."""
    found: dict[str, list[tuple[Column, FailureCause]]] = {}
    for name in site.names:
        column = site.versions(name)[0]
        described = site.description(column)
        for one in described.causes if described else ():
            found.setdefault(one.name, []).append((column, one))
    ordered = sorted(found.items(), key=lambda item: -sum(len(one.results) for _, one in item[1]))
    return [
        {
            "name": name,
            "reason": max(causes, key=lambda item: len(item[1].results))[1].reason,
            "is_reading": causes[0][1].is_reading,
            "who": [
                Linked(f"{column.family} {len(one.results)}", part_path(column.folder, "cause", name))
                for column, one in causes
            ],
        }
        for name, causes in ordered[:_MAX_CAUSES]
    ]
