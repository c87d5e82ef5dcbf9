"""Coverage → the page that `parity coverage` prints, or JSON: the cases of each requirement, then the gaps."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from ...corpus.provenance import Provenance
from ...corpus.requirement_coverage import MUST, Coverage, CoverageGap, CoveredRequirement, Floor
from ...corpus.text_changes import TextChanges
from ...errors import plural
from ...model import JsonObject
from ..document import Block, Item, Table, literal, sections
from ..document_terminal import Medium, render_document
from ..phrases import floor_text, percentage
from ..requirement_failures import RequirementShare
from .text_changes_page import change_sections, change_sums, changes_as_json

_HEADINGS = {
    CoverageGap.NO_CASE: "Observable requirements without a case:",
    CoverageGap.POSITIVE_ONLY: "Requirements with positive cases only, and no reason for it:",
    CoverageGap.UNREACHED: "Requirements without a case that {judges} supports:",
    CoverageGap.CONTRADICTED: "Unobservable requirements that cases cite:",
}
_HIGH_FLOOR = 0.35
_FEW_CASES = 2
"""An operation with more cases and a higher floor is named."""


def render(covering: Coverage, medium: Medium, changes: TextChanges | None = None, folder: str = "") -> str:
    """The whole page; with the changes of a text, which is in `folder`, also those."""
    judges = " or ".join(covering.judges)
    titled = [
        *_systems(covering),
        *((heading.format(judges=judges), _named(covering.of(gap))) for gap, heading in _HEADINGS.items()),
        ("Observable MUSTs with cases that no mutant proves:", _named(covering.unproven_musts())),
        *((_FAILING.format(name=name), _failing(covering, name)) for name in covering.implementations),
        ("Cases without a requirement:", [literal(case.name) for case in covering.citing_nothing]),
        ("Unobservable requirements, with the reason:", _unobservable(covering)),
        (_ORIGINS, _origins(covering.provenance)),
        ("Floor, the share of cases that one constant answer of each operation passes:", _floors(covering)),
        *(change_sections(changes, folder) if changes else ()),
        ("", map(Item, [*_sums(covering), *(change_sums(changes) if changes else ())])),
    ]
    return render_document(sections(titled), medium)


def _systems(covering: Coverage) -> Iterator[tuple[str, Iterable[Block]]]:
    """For each system a table of each section of its documents, with a row for each requirement."""
    for system, rows in groupby(covering.rows, key=lambda row: row.requirement.system):
        by_section: dict[str, list[CoveredRequirement]] = {}
        for row in rows:
            by_section.setdefault(f"{row.requirement.document}: {row.requirement.section}", []).append(row)
        yield system, [_section(covering, section, of_section) for section, of_section in by_section.items()]


def _section(covering: Coverage, section: str, rows: Sequence[CoveredRequirement]) -> Table:
    names = covering.implementations
    head = ["", "", section, "cases", "neg", *names]
    return Table(
        head,
        [
            [
                row.requirement.id,
                row.requirement.level,
                row.requirement.statement,
                *_numbers(row),
                *(_agreement(row, name) for name in names),
            ]
            for row in rows
        ],
        numbers=2 + len(names),
        is_cut=True,
    )


def _numbers(row: CoveredRequirement) -> tuple[str, str]:
    """The number of cases and of negative cases; `-` where none is possible."""
    if row.requirement.unobservable and not row.cases:
        return "-", "-"
    negative = f"{len(row.negative):,}" if row.negative or not row.requirement.positive_only else "-"
    return f"{len(row.cases):,}", negative


def _agreement(row: CoveredRequirement, name: str) -> str:
    reached = row.reached_by(name)
    return f"{row.agreeing(name)}/{reached}" if reached else "·"


def _named(rows: Sequence[CoveredRequirement]) -> Iterator[Block]:
    """The requirements of a gap."""
    if rows:
        yield Table([], [[row.requirement.id, row.requirement.statement] for row in rows], is_cut=True)


_FAILING = "{name}, requirements with failing cases (failing/cases), without a passing case first:"


def _failing(covering: Coverage, name: str) -> Iterator[Block]:
    """The requirements with failing cases of an implementation: those without a passing case, then by the share."""
    shares = sorted(
        (
            (RequirementShare(row.requirement.id, row.charged[name], row.reached_by(name)), row.requirement.statement)
            for row in covering.rows
            if row.charged.get(name)
        ),
        key=lambda shared: shared[0].rank,
    )
    if shares:
        yield Table([], [[share.text, share.requirement, statement] for share, statement in shares], is_cut=True)


def _unobservable(covering: Coverage) -> Iterator[Block]:
    for row in covering.rows:
        if row.requirement.unobservable:
            yield Item(f"{row.requirement.id}  {row.requirement.statement}")
            yield Item(row.requirement.unobservable, 1)


def _floors(covering: Coverage) -> Iterator[Block]:
    """The floor of each system, with its operations of a high floor."""
    ordered = sorted(covering.floors, key=lambda floor: floor.system)
    for system, floors in groupby(ordered, key=lambda floor: floor.system):
        of_system = list(floors)
        passes, cases = sum(floor.share * floor.cases for floor in of_system), sum(floor.cases for floor in of_system)
        high = ", ".join(f"{floor.operation} {floor_text(floor.share)}" for floor in of_system if _is_high(floor))
        yield Item(f"{system}  {floor_text(passes, cases)}{f'; high: {high}' if high else ''}")


def _is_high(floor: Floor) -> bool:
    """Whether an operation of several cases has too many with one answer."""
    return floor.share > _HIGH_FLOOR and floor.cases > _FEW_CASES


def _sums(covering: Coverage) -> Iterator[str]:
    """The totals."""
    observable = [row for row in covering.rows if not row.requirement.unobservable]
    shown = sum(bool(row.cases) for row in observable)
    yield f"{plural(len(covering.rows), 'requirement')}: {len(observable):,} observable, {shown:,} with cases."
    for gap in CoverageGap:
        if rows := covering.of(gap):
            yield f"{plural(len(rows), 'requirement')}: {gap.value}."
    musts = len(covering.uncovered_musts())
    yield f"{plural(musts, 'observable MUST')} without a case." if musts else "Every observable MUST has a case."
    if covering.proof:
        all_musts = [row for row in observable if row.requirement.level == MUST]
        unproven = len(covering.unproven_musts())
        proven = len(all_musts) - unproven - musts
        if not covering.proof.is_current:
            yield "The mutation score is of another corpus, so the next line is in doubt; to renew it: make mutants"
        yield f"Observable MUSTs: {proven} proven by mutants, {unproven} covered, {musts} uncovered."
        yield "Proven: a case notices a mistake in the reference; covered: no case does; uncovered: no case."


_ORIGINS = (
    "Origins of the expected answers; repository: facts that no text has; independent: confirmed without the reference and "
    "without such facts, for the adopted readings only:"
)


def _origins(systems: Sequence[Provenance]) -> Iterator[Block]:
    """A row for each system: the share of its cases by origin, and the share with independent confirmation, if that is
    known."""
    origins = sorted({origin for system in systems for origin in system.origins})
    rows = [
        [
            system.system,
            str(system.cases),
            *(_share(system.origins.get(origin, 0), system.cases) for origin in origins),
            _share(system.independent, system.cases),
        ]
        for system in systems
    ]
    if rows:
        yield Table(["system", "cases", *origins, "independent"], rows, numbers=2 + len(origins), is_cut=True)


def _share(count: int | None, of: int) -> str:
    if count is None:
        return "unknown"
    return percentage(count, of) if count else "·"


def as_json(covering: Coverage, changes: TextChanges | None = None) -> str:
    """The same as JSON."""
    value: JsonObject = {
        "schemaVersion": 1,
        "requirements": [_as_json(covering, row) for row in covering.rows],
        "citingNothing": [case.name for case in covering.citing_nothing],
        "uncoveredMusts": [row.requirement.id for row in covering.uncovered_musts()],
        "gaps": {gap.value: [row.requirement.id for row in covering.of(gap)] for gap in CoverageGap},
        "provenance": _provenance(covering.provenance),
        "floors": {floor.operation: floor.share for floor in covering.floors},
        **({"text": changes_as_json(changes)} if changes else {}),
    }
    return json.dumps(value, indent=1) + "\n"


def _as_json(covering: Coverage, row: CoveredRequirement) -> JsonObject:
    requirement, gap = row.requirement, covering.gap(row)
    members = ("id", "system", "level", "document", "section", "statement", "revision")
    value: JsonObject = {
        **{name: getattr(requirement, name) for name in members},
        "cases": [case.name for case in row.cases],
        "negativeCases": [case.name for case in row.negative],
        "implementations": {
            name: {verdict.value: count for verdict, count in sorted(counts.items())}
            for name, counts in row.verdicts.items()
        },
        "charged": {name: count for name, count in row.charged.items() if count},
    }
    for key, reason in (("unobservable", requirement.unobservable), ("positiveOnly", requirement.positive_only)):
        if reason:
            value[key] = reason
    if covering.proof:
        value["proven"] = requirement.id in covering.proof.requirements
    return {**value, "gap": gap.value} if gap else value


def _provenance(systems: Sequence[Provenance]) -> JsonObject:
    """The counts by system; null for what is not known."""
    return {
        system.system: {
            "cases": system.cases,
            "origins": dict(system.origins),
            "derived": system.derived,
            "independent": system.independent,
        }
        for system in systems
    }
