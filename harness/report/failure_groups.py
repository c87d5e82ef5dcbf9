"""Failing results → failure groups: results of one operation with the same place, whatever the index. Pure.

The place is the path of the first difference in the first stage that differs: later differences may only follow from it.
The place of an error is its kind, with the type of the raised error.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import takewhile

from msgspec import Struct

from ..compare.causes import first_difference, group_name, place_of
from ..compare.error_text import breach_finding, outcome_text
from ..model import Breach, Difference, Errored, ErrorKind, RecordedResult
from .run_summary import urgency

MAX_FIRST = 8
"""Groups that a report shows before the others, unless more groups are breaks of the adapter."""

BREAKS = frozenset({ErrorKind.CRASH, ErrorKind.TIMEOUT, ErrorKind.PROTOCOL, ErrorKind.START})


class FailureGroup(Struct, frozen=True):
    """Failing results of one operation that first differ at one place. The first result is the example."""

    operation: str
    place: str
    results: tuple[RecordedResult, ...]

    @property
    def name(self) -> str:
        """Operation and place in one printable line."""
        return group_name(self.operation, self.place)

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
        """The example's difference at the place; None for an error."""
        return first_difference(self.results[0])

    def uniform(self) -> bool:
        """Whether all results have the example's expected and actual value at the place."""
        sides = ((part.wanted, part.got) for result in self.results if (part := first_difference(result)) is not None)
        first = next(sides, None)
        return all(pair == first for pair in sides)


def failure_groups(failing: Iterable[RecordedResult]) -> list[FailureGroup]:
    """The groups of these results: errors first, crashes and timeouts before others, then the largest."""
    found: dict[tuple[str, str], list[RecordedResult]] = defaultdict(list)
    for result in failing:
        found[result.operation, place_of(result)].append(result)
    made = [FailureGroup(operation, place, tuple(results)) for (operation, place), results in found.items()]
    return sorted(made, key=lambda group: (urgency(group.results[0]), -len(group.results), group.name))


def count_first(groups: Sequence[FailureGroup]) -> int:
    """The number of groups that a report shows before the others: every leading crash, timeout and protocol error, and
    more until they are `MAX_FIRST`."""
    breaks = takewhile(lambda group: group.results[0].kind in BREAKS and not group.results[0].unsent_after, groups)
    return max(MAX_FIRST, sum(1 for _ in breaks))
