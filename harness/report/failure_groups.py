"""Failing results → kinds of failure: those of one operation that part in one place, whatever the index. Pure.

The place is that of the first difference in the first stage that parted: what parts later may only follow from it. Of an
error it is the kind, with the type of what was raised.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from harness.compare.verdict import first_differing_stage
from harness.errors import one_line
from harness.model import Breach, Difference, Errored, Raised, RecordedResult, Verdict
from harness.report.error_text import breach_finding, outcome_text

MAX_FIRST = 8
"""Kinds that a reader is shown before the others, the commonest first."""

_LONGEST_NAME = 300
_INDEX = re.compile(r"\[\d+\]")


@dataclass(frozen=True, slots=True)
class FailureGroup:
    """Failing results of one operation that part in one place. The first of them is the example."""

    operation: str
    place: str
    results: tuple[RecordedResult, ...]

    @property
    def name(self) -> str:
        """Operation and place in one printable line."""
        return one_line(f"{self.operation} {self.place}", _LONGEST_NAME)

    @property
    def fault(self) -> str:
        """The text of the example's error; of a schema breach the place, expected and found."""
        match self.results[0].outcome:
            case Errored(Breach() as breach) if breach.schema:
                return f"{breach_finding(breach)} (schema)"
            case outcome:
                return outcome_text(outcome)

    @property
    def difference(self) -> Difference | None:
        """What the example shows at the place; None of an error."""
        return first_difference(self.results[0])

    def uniform(self) -> bool:
        """Whether all of them want and get at the place what the example does."""
        sides = ((part.wanted, part.got) for one in self.results if (part := first_difference(one)) is not None)
        first = next(sides, None)
        return all(pair == first for pair in sides)

    def counts(self) -> Mapping[str, int]:
        """How many, by implementation."""
        return Counter(result.implementation for result in self.results)


def kinds(failing: Iterable[RecordedResult]) -> list[FailureGroup]:
    """The kinds of these results, the commonest first."""
    found: dict[tuple[str, str], list[RecordedResult]] = defaultdict(list)
    for result in failing:
        found[result.operation, place(result)].append(result)
    made = [FailureGroup(operation, place, tuple(results)) for (operation, place), results in found.items()]
    return sorted(made, key=lambda kind: (-len(kind.results), kind.name))


def first_difference(result: RecordedResult) -> Difference | None:
    """The first difference in the first stage that parted; of an operation without stages, the first; none of an error."""
    if result.verdict is Verdict.ERROR:
        return None
    parted = (
        part for part in result.differences if not result.stage or first_differing_stage((part,), (result.stage,))[0]
    )
    return next(parted, next(iter(result.differences), None))


def place(result: RecordedResult) -> str:
    """Where a failing result parts: the path of its first difference, whatever the index, or the kind of its error."""
    part = first_difference(result)
    if part is not None:
        return _INDEX.sub("[*]", part.path)
    return " ".join(
        filter(None, (f"{result.verdict}/{result.kind}" if result.kind else result.verdict, _raised(result)))
    )


def _raised(result: RecordedResult) -> str:
    """The type of the error that came, if one came."""
    return result.response.type if isinstance(result.response, Raised) else ""
