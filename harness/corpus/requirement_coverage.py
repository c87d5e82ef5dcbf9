"""Requirement coverage: the cases that cite a requirement, and the implementations that ran them. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct, field

from ..model import Case, ErrorKind, RecordedResult, Requirement, RunRecord, Verdict, supported
from .profiles import floors_of
from .provenance import Derivation, Provenance, provenance

MUST = "MUST"


class CoverageGap(StrEnum):
    """Kind of missing coverage of a requirement, the most important first."""

    NO_CASE = "no case"
    POSITIVE_ONLY = "only positive cases"
    UNREACHED = "reached by no implementation"
    CONTRADICTED = "cases for an unobservable requirement"


class CoveredRequirement(Struct, frozen=True):
    """A requirement, the cases that cite it, their verdicts by implementation, and the number of failures that charge it."""

    requirement: Requirement
    cases: tuple[Case, ...]
    verdicts: Mapping[str, Counter[Verdict]] = field(default_factory=dict)
    charged: Mapping[str, int] = field(default_factory=dict)

    @property
    def negative(self) -> tuple[Case, ...]:
        """The cases that show a refusal or an absent effect."""
        return tuple(case for case in self.cases if case.negative)

    def reached_by(self, name: str) -> int:
        """Number of cases that the implementation ran."""
        counts = self.verdicts.get(name, Counter())
        return supported(counts)

    def agreeing(self, name: str) -> int:
        """Number of cases that the implementation ran without a failure that charges the requirement."""
        return self.reached_by(name) - self.charged.get(name, 0)


class Proof(Struct, frozen=True):
    """Requirements that a kept mutation score shows as proven. `is_current`: the score is of this version of the corpus."""

    requirements: frozenset[str]
    is_current: bool


class Floor(Struct, frozen=True):
    """The share of an operation's cases, 0 to 1, that one constant answer passes."""

    system: str
    operation: str
    cases: int
    share: float


class Coverage(Struct, frozen=True):
    """All requirements with their cases, in catalogue order; `citing_nothing` has the cases without a requirement.

    `judges` are the implementations that count for `UNREACHED`: those of the record except the reference. `proof` is None
    without a mutation score.
    """

    rows: tuple[CoveredRequirement, ...]
    citing_nothing: tuple[Case, ...]
    implementations: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    proof: Proof | None = None
    provenance: tuple[Provenance, ...] = ()
    floors: tuple[Floor, ...] = ()

    def gap(self, row: CoveredRequirement) -> CoverageGap | None:
        """The most important gap of the requirement; None if it has none."""
        if row.requirement.unobservable:
            return CoverageGap.CONTRADICTED if row.cases else None
        if not row.cases:
            return CoverageGap.NO_CASE
        if not row.negative and not row.requirement.positive_only:
            return CoverageGap.POSITIVE_ONLY
        ran = any(counts.total() for counts in row.verdicts.values())
        return CoverageGap.UNREACHED if ran and not any(row.reached_by(name) for name in self.judges) else None

    def of(self, gap: CoverageGap) -> list[CoveredRequirement]:
        """The requirements with this gap."""
        return [row for row in self.rows if self.gap(row) is gap]

    def uncovered_musts(self) -> list[CoveredRequirement]:
        """The observable MUST requirements without a case."""
        return [row for row in self.of(CoverageGap.NO_CASE) if row.requirement.level == MUST]

    def unproven_musts(self) -> list[CoveredRequirement]:
        """The observable MUST requirements with cases that the mutation score does not prove; empty without a score."""
        proven = self.proof.requirements if self.proof else None
        covered = [row for row in self.rows if row.cases and not row.requirement.unobservable]
        return [
            row
            for row in covered
            if proven is not None and row.requirement.level == MUST and row.requirement.id not in proven
        ]


def cover(
    requirements: Iterable[Requirement],
    cases: Sequence[Case],
    record: RunRecord | None = None,
    reference: str = "",
    proof: Proof | None = None,
    derivation: Derivation | None = None,
) -> Coverage:
    """The coverage of `requirements` by `cases`, with a record also by implementation. An answer of the implementation
    named `reference` alone does not count as reached."""
    citing: dict[str, list[Case]] = {}
    for case in cases:
        for id_ in case.requirements:
            citing.setdefault(id_, []).append(case)
    names = record.implementations if record else ()
    results = {(result.case, result.implementation): result for result in (record.results if record else ())}
    covered = [
        CoveredRequirement(
            requirement,
            found := tuple(citing.get(requirement.id, ())),
            {name: _counted(found, results, name) for name in names},
            {name: sum(_charges(results.get((case.name, name)), requirement.id) for case in found) for name in names},
        )
        for requirement in requirements
    ]
    return Coverage(
        rows=tuple(covered),
        citing_nothing=tuple(case for case in cases if not case.requirements),
        implementations=tuple(names),
        judges=tuple(name for name in names if name != reference) or tuple(names),
        proof=proof,
        provenance=provenance(cases, derivation),
        floors=tuple(_floors(cases)),
    )


def _floors(cases: Sequence[Case]) -> Iterator[Floor]:
    """The floor of each operation, the highest first."""
    shares = floors_of(cases)
    counts = Counter((case.system, case.operation) for case in cases)
    found = (Floor(system, name, count, shares[name]) for (system, name), count in counts.items())
    yield from sorted(found, key=lambda operation: (-operation.share, operation.operation))


def _charges(result: RecordedResult | None, requirement: str) -> bool:
    """Whether a failure charges the requirement."""
    return result is not None and requirement in result.charged


def _counted(cases: Iterable[Case], results: Mapping[tuple[str, str], RecordedResult], name: str) -> Counter[Verdict]:
    """The verdicts on these cases. An implementation that never started counts as unsupported."""
    outcomes = (results[case.name, name] for case in cases if (case.name, name) in results)
    return Counter(Verdict.UNSUPPORTED if seen.kind is ErrorKind.START else seen.verdict for seen in outcomes)
