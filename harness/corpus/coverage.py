"""Requirements × cases × implementations: which cases show a statement, and who could be asked about it. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from harness.model import Case, ErrorKind, RecordedResult, Requirement, RunRecord, Verdict

MUST = "MUST"


class CoverageGap(StrEnum):
    """What is missing where a requirement is shown by too little; in the order of their weight."""

    NO_CASE = "no case"
    POSITIVE_ONLY = "only positive cases"
    UNREACHED = "reached by no implementation"
    CONTRADICTED = "cases for what cannot be observed"


@dataclass(frozen=True, slots=True)
class CoveredRequirement:
    """A requirement, the cases that cite it, and what became of them, by implementation."""

    requirement: Requirement
    cases: tuple[Case, ...]
    verdicts: Mapping[str, Counter[Verdict]] = field(default_factory=dict)

    @property
    def negative(self) -> tuple[Case, ...]:
        """The cases among them that show something refused or not done."""
        return tuple(case for case in self.cases if case.negative)

    def reached_by(self, name: str) -> int:
        """How many of the cases the implementation could be asked."""
        counts = self.verdicts.get(name, Counter())
        return counts.total() - counts[Verdict.UNSUPPORTED]

    def agreeing(self, name: str) -> int:
        """How many of the cases it answered by a reading that the corpus knows."""
        counts = self.verdicts.get(name, Counter())
        return counts[Verdict.PASS] + counts[Verdict.VARIANT]


@dataclass(frozen=True, slots=True)
class Coverage:
    """All requirements with their cases, in catalogue order; `citing_nothing` are the cases that cite none.

    `judges` are the implementations whose reach counts: those of the record that are not the reference, if there are.
    """

    rows: tuple[CoveredRequirement, ...]
    citing_nothing: tuple[Case, ...]
    implementations: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()

    def gap(self, row: CoveredRequirement) -> CoverageGap | None:
        """What is missing for this requirement; of several the weightiest."""
        if row.requirement.unobservable:
            return CoverageGap.CONTRADICTED if row.cases else None
        if not row.cases:
            return CoverageGap.NO_CASE
        if not row.negative and not row.requirement.positive_only:
            return CoverageGap.POSITIVE_ONLY
        asked = any(counts.total() for counts in row.verdicts.values())
        return CoverageGap.UNREACHED if asked and not any(row.reached_by(name) for name in self.judges) else None

    def of(self, gap: CoverageGap) -> list[CoveredRequirement]:
        """The requirements with this gap."""
        return [row for row in self.rows if self.gap(row) is gap]

    def uncovered_musts(self) -> list[CoveredRequirement]:
        """The statements with the level MUST that could be observed and that no case shows."""
        return [row for row in self.of(CoverageGap.NO_CASE) if row.requirement.level == MUST]


def cover(
    requirements: Iterable[Requirement], cases: Sequence[Case], record: RunRecord | None = None, reference: str = ""
) -> Coverage:
    """What `cases` show of the requirements; with a record also who answered them. `reference` is the name whose answer
    alone does not make a requirement reached."""
    citing: dict[str, list[Case]] = {}
    for case in cases:
        for id_ in case.requirements:
            citing.setdefault(id_, []).append(case)
    names = record.implementations if record else ()
    verdicts = _verdicts(record.results if record else ())
    rows = [
        CoveredRequirement(
            one, found := tuple(citing.get(one.id, ())), {name: _counted(found, verdicts, name) for name in names}
        )
        for one in requirements
    ]
    return Coverage(
        rows=tuple(rows),
        citing_nothing=tuple(case for case in cases if not case.requirements),
        implementations=tuple(names),
        judges=tuple(name for name in names if name != reference) or tuple(names),
    )


def _verdicts(results: Iterable[RecordedResult]) -> Mapping[tuple[str, str], Verdict]:
    """The verdict on each case and implementation; one that never started was asked nothing."""
    return {
        (one.case, one.implementation): Verdict.UNSUPPORTED if one.kind is ErrorKind.START else one.verdict
        for one in results
    }


def _counted(cases: Iterable[Case], verdicts: Mapping[tuple[str, str], Verdict], name: str) -> Counter[Verdict]:
    return Counter(verdicts[case.name, name] for case in cases if (case.name, name) in verdicts)
