"""The page of each version of an implementation, with lists of its failures by cause and by failure group, and a page of
all versions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

from msgspec import Struct

from ...base.text_limits import MAX_STATEMENT, MAX_TEXT
from ...compare.causes import is_refuted
from ...compare.error_text import outcome_text
from ...compare.run_diff import Change, ChangedResult, cause_changes, changes_between
from ...errors import one_line
from ...gate.summary import status_of
from ...model import Status, Verdict
from ..cause_text import description_sentence
from ..description import FailureCause
from ..failure_groups import FailureGroup, failure_groups
from ..failure_spans import group_spans
from ..phrases import and_more, following_text, made_by_text, place_text, share_text
from ..result_text import describe_flaky, describe_incidents
from ..terminal.run_diff_text import MAX_SHOWN, causes_by_sort, tally
from .contents import Column, Site
from .layout import Draft, case_pages, draft
from .site_paths import INDEX, Linked, family_path, part_path, ruling_path

_MAX_CHANGED = 25
"""Cases that a page names for one sort of change."""

_MAX_GROUPS = 200
_MAX_REASONS = 60
_SHOWN_CHANGES = (Change.NEWLY_FAILING, Change.FIXED, Change.DIFFERENCE, Change.READING, Change.NO_LONGER_ANSWERED)


class CaseList(Struct, frozen=True):
    """Cases of one version that have something in common: the path of their list, and its words."""

    path: str
    title: str
    cases: Sequence[str]
    text: str = ""


def implementation_pages(site: Site) -> Iterator[Draft]:
    """The pages of every version, and a page of each implementation with several versions."""
    for family in site.names:
        versions = site.versions(family)
        if len(versions) > 1:
            yield draft(
                family_path(family),
                "versions",
                title=family,
                crumbs=[Linked("Overview", INDEX)],
                trend=_trend(site, versions, versions),
            )
    for column in site.columns:
        yield version_page(site, column)
        crumbs = [*_crumbs(site, column), Linked(f"{column.family} {column.version}", column.path)]
        for listed in version_lists(site, column):
            yield from case_pages(
                site, listed.path, "part", listed.cases, title=listed.title, crumbs=crumbs, text=listed.text
            )


def version_page(site: Site, column: Column) -> Draft:
    """The page of a version."""
    described = site.description(column)
    own, metadata = column.entry.identity, column.record.metadata
    flaky = column.summary.flaky.get(column.name, ())
    return draft(
        column.path,
        "implementation",
        title=f"{column.family} {column.version}",
        crumbs=_crumbs(site, column),
        column=column,
        facts=[
            ("implementation", column.entry.description),
            ("source", own.source if own else ""),
            ("versions", ", ".join(f"{key} {value}" for key, value in own.versions.items()) if own else ""),
            ("run", f"{metadata.started_at}{'' if column.record.complete else ', incomplete'}"),
            ("made with", made_by_text(metadata)),
            ("answered", share_text(column.share) if column.share else ""),
        ],
        doubts=[
            *([f"{describe_flaky(column.name, len(flaky))}."] if flaky else []),
            *describe_incidents(
                incident for incident in column.record.incidents if incident.implementation == column.name
            ),
        ],
        sentence=description_sentence(described) if described else "",
        causes=described.causes if described else (),
        place_text=place_text,
        rest=described.rest if described else {},
        rulings=described.departures if described else (),
        groups=[(group, group_spans(group, column.record)) for group in version_groups(column)],
        group_path=group_path,
        following_text=following_text,
        new_in=_new if column.summary.gate else (lambda _: 0),
        profiles=column.conformance.profiles if column.conformance else (),
        operations=column.summary.operations.get(column.name, ()),
        reasons=_reasons(site, column),
        trend=_trend(site, site.versions(column.family), [column]),
    )


def _crumbs(site: Site, column: Column) -> list[Linked]:
    several = len(site.versions(column.family)) > 1
    return [Linked("Overview", INDEX), *([Linked(column.family, family_path(column.family))] if several else [])]


def cause_path(site: Site, column: Column | None, cause: str) -> str:
    """The list of the cases of a column with this cause; without one the ruling of a reading; empty without a page."""
    described = site.description(column) if column else None
    if column and described and described.rest.get(cause):
        return part_path(column.folder, "rest", cause.replace(" ", "-"))
    if column and described and cause in {cause.name for cause in described.causes}:
        return part_path(column.folder, "cause", cause)
    ruling = cause.partition("=")[0]
    return ruling_path(ruling) if ruling in site.rulings else ""


def group_path(column: Column, group: FailureGroup) -> str:
    """The path of the list of a failure group."""
    digest = sha256(group.name.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return part_path(column.folder, "group", digest)


def version_groups(column: Column) -> Sequence[FailureGroup]:
    """The failure groups of a version, errors first; in a gate, groups with new failures come before the others, and the
    example of such a group is a new failure."""
    failures = column.summary.failures_of(column.name)
    if not column.summary.gate:
        return failure_groups(failures, column.record.metadata)[:_MAX_GROUPS]
    groups = failure_groups(sorted(failures, key=lambda one: status_of(one) is not Status.NEW), column.record.metadata)
    return sorted(groups, key=lambda group: not _new(group))[:_MAX_GROUPS]


def _new(group: FailureGroup) -> int:
    """The number of new failures in a group."""
    return sum(status_of(result) is Status.NEW for result in group.results)


def version_lists(site: Site, column: Column) -> Iterator[CaseList]:
    """A list of cases for each cause, for what no cause explains, and for each failure group."""
    if described := site.description(column):
        for cause in described.causes:
            text = " ".join((_refuted_text(site, cause), place_text(cause.place), cause.reason)).strip()
            path = part_path(column.folder, "cause", cause.name)
            yield CaseList(path, cause.name, [result.case for result in cause.results], one_line(text, MAX_TEXT))
        for name, results in described.rest.items():
            path = part_path(column.folder, "rest", name.replace(" ", "-"))
            if results:
                yield CaseList(path, name, [result.case for result in results])
    for group in version_groups(column):
        yield CaseList(group_path(column, group), group.name, [result.case for result in group.results])


def _refuted_text(site: Site, one: FailureCause) -> str:
    """`Reading b of RUL-B16, which the text refutes: its words.`; empty for a deviation."""
    id_, _, reading = one.name.partition("=")
    ruling = site.rulings.get(id_)
    if not one.is_reading or ruling is None or reading not in ruling.readings:
        return ""
    return f"Reading {reading} of {id_}, which the text refutes: {ruling.readings[reading].strip()}"


def _reasons(site: Site, column: Column) -> list[tuple[str, int]]:
    """The reasons of unsupported cases, with their numbers."""
    number = site.columns.index(column)
    cases = (case for case in site.cases.values() if number in case.results and column.covers(case.name))
    outcomes = (case.results[number] for case in cases)
    found = Counter(outcome_text(outcome.brief) for outcome in outcomes if outcome.verdict is Verdict.UNSUPPORTED)
    return [
        (one_line(reason or "no reason", MAX_STATEMENT), count) for reason, count in found.most_common(_MAX_REASONS)
    ]


def _trend(site: Site, versions: Sequence[Column], shown: Sequence[Column]) -> list[dict[str, Any]]:
    """The versions of an implementation, the newest first; those in `shown` have the changes from the one before."""
    return [
        {
            "column": column,
            "is_this": [column] == shown,
            "changes": _changes(site, before, column) if before and column in shown else None,
            "same_corpus": before is None
            or before.record.metadata.corpus_digest == column.record.metadata.corpus_digest,
        }
        for column, before in zip(versions, [*versions[1:], None], strict=True)
    ]


def _changes(site: Site, before: Column, after: Column) -> dict[str, Any]:
    """The changes from one version to the next."""
    return changes_of(site, before, after, changes_between(before.record, before.name, after.record, after.name))


def changes_of(
    site: Site, before: Column | None, after: Column | None, changed: Sequence[ChangedResult]
) -> dict[str, Any]:
    """Changes between two versions, those that the site has: a sentence, their causes, and the cases of each sort."""
    sorts = []
    for change in _SHOWN_CHANGES:
        cases = [edit.result.case for edit in changed if edit.change is change]
        if cases:
            links = [site.link(case) for case in cases[:_MAX_CHANGED]]
            sorts.append({"name": change.value, "count": len(cases), "cases": links})
    causes = []
    for sort, counts in causes_by_sort(cause_changes(changed, site.rulings)):
        sides = (before,) if sort == Change.FIXED else (before, after)
        listed = [
            ([_linked(site, column, name) for column, name in zip(sides[-len(names) :], names, strict=True)], count)
            for names, count in counts.items()
        ]
        causes.append((sort, listed[:MAX_SHOWN], and_more(len(listed) - MAX_SHOWN, "cause")))
    return {"since": before.version if before else "", "text": tally(changed), "causes": causes, "sorts": sorts}


def _linked(site: Site, column: Column | None, cause: str) -> list[Linked]:
    """The parts of a cause with links to their cases; a reading that the text refutes has a mark."""
    found = []
    for part in cause.split(" and "):
        id_, _, reading = part.partition("=")
        mark = "refuted by the text" if reading and is_refuted((id_, reading), site.rulings) else ""
        found.append(Linked(part, cause_path(site, column, part), mark))
    return found
