"""The front page: profiles by implementation and version, where implementations differ, and links to everything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import one_line
from ...model import ConformanceProfile, replace, supported
from ..conformance import AnsweredShare
from ..description import shared_causes
from ..phrases import floor_text
from ..result_text import describe_skipped
from ..run_summary import VerdictCounts
from ..suite_counts import system_of
from .agreement_pages import SiteAgreement, parity_rows
from .contents import Column, Site
from .layout import Draft, draft
from .ruling_summaries import RulingSummary
from .site_paths import INDEX
from .suite_pages import ShareRow, section_rows

_MAX_CAUSES = 10


def front_page(site: Site, rulings: Sequence[RulingSummary], agreement: SiteAgreement) -> Draft:
    """The page `index.html`."""
    described = [one for column, *_ in site.families if (one := site.description(column))]
    systems = Counter(system_of(case.name) for case in site.cases.values())
    checked = [
        case.name
        for case in site.cases.values()
        if any(site.columns[number].covers(case.name) for number in case.results)
    ]
    answered = {*map(system_of, checked)}
    return draft(
        INDEX,
        "front",
        title="Conformance of implementations",
        families=site.families,
        columns=site.columns,
        not_started=site.not_started,
        not_tested=site.not_tested,
        describe_skipped=describe_skipped,
        profiles=_profiles(site),
        profile_labels=[one_line(column.label) for column in site.columns],
        matrix=[ruling for ruling in rulings if ruling.departing],
        sdks=site.newest_names,
        asked=sum(ruling.system in answered for ruling in site.rulings.values()),
        compared=agreement.found.cases,
        differing=len(agreement.differing),
        parity=[row for row in parity_rows(site, agreement) if row.compared],
        sections=_sections(site),
        causes=sorted(shared_causes(described), key=lambda one: -one.failures)[:_MAX_CAUSES],
        newest={column.name: column for column, *_ in site.families},
        systems=sorted(systems.items()),
        counts={
            "cases": len(site.cases),
            "operations": len({*site.by_operation, *site.given.operations}),
            "requirements": len(site.requirements),
            "rulings": len(site.rulings),
        },
        checked=len(checked),
        specifications=len(answered),
        verdicts=sum(column.counts.total() for column in site.columns),
        dates=sorted({column.record.metadata.started_at[:10] for column in site.columns}),
        corpora=len({column.record.metadata.corpus_digest for column in site.columns}),
    )


def _sections(site: Site) -> list[list[ShareRow]]:
    """The sections of the systems that an SDK supports, with the newest versions of the SDKs."""
    tables = [
        [replace(row, counts=[row.counts[number] for number in site.newest]) for row in rows]
        for rows in section_rows(site)
    ]
    return [rows for rows in tables if any(map(supported, rows[0].counts))]


def _profiles(site: Site) -> list[dict[str, Any]]:
    """For each profile its floor, and the share of each version; a version that answers nothing of its system has none."""
    found: dict[tuple[str, str], ConformanceProfile] = {}
    answered: dict[tuple[str, str], dict[str, AnsweredShare]] = {}
    floors: dict[str, float] = {}
    for column in site.columns:
        floors |= column.record.metadata.floors
        for profile in column.record.metadata.profiles:
            found.setdefault((profile.system, profile.name), profile)
        for profile, part in column.conformance.profiles if column.conformance else ():
            answered.setdefault((profile.system, profile.name), {})[column.label] = part
    return [
        {
            "profile": profile,
            "floor": _floor(profile, floors),
            "cells": [(column, answered[key].get(column.label), _counts(column, profile)) for column in site.columns],
        }
        for key, profile in found.items()
        if key in answered
    ]


def _counts(column: Column, profile: ConformanceProfile) -> VerdictCounts:
    """The verdicts of a version on the cases of a profile."""
    shares = column.summary.operations.get(column.name, ())
    return sum((share.counts for share in shares if share.operation in profile.operations), Counter())


def _floor(profile: ConformanceProfile, floors: Mapping[str, float]) -> str:
    """The share of a profile's cases that one constant answer for each operation passes; empty if it is not known."""
    known = {name: count for name, count in profile.operations.items() if name in floors}
    if not known:
        return ""
    passed = sum(floors[name] * count for name, count in known.items())
    return floor_text(passed, sum(known.values()))
