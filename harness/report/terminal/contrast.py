"""Failing cases beside passing ones: the nearest passing case, and the requirements without a passing case. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct, field

from ...base.json_path import leaves
from ...compare.alignment import edits
from ...compare.edits import Changed, Edit, Missing, Unexpected, common_length, middles
from ...compare.json_diff import differences
from ...model import ABSENT, EXPECTED, UNTESTED, Json, RecordedResult

MAX_EDITS = 2
"""Differences of two requests up to which the passing case is near: with more, no single one points at the cause."""

Leaf: TypeAlias = "tuple[str, str]"
"""The path and the text of a value without members."""


class Contrast(Struct, frozen=True):
    """The passing result of its operation that is nearest to a failing one; None if no case of the operation passes.

    `edits` lead from the failing request to the passing one. An element that only one of them has is a value that the other
    lacks; one that replaces another has an edit for each member that differs.
    """

    passing: RecordedResult | None = None
    edits: tuple[Edit, ...] = ()

    @property
    def is_near(self) -> bool:
        """Whether the requests differ so little that the difference is worth showing. A request whose text is empty is no
        neighbour of one with words."""
        emptied = any(
            isinstance(edit, Changed) and edit.got == "" and isinstance(edit.wanted, str) for edit in self.edits
        )
        return self.passing is not None and len(self.edits) <= MAX_EDITS and not emptied


class PassingCases(Struct, frozen=True):
    """The passing results of one implementation, for comparison with its failing ones."""

    by_operation: Mapping[str, Sequence[RecordedResult]]
    requirements: frozenset[str]
    _leaves: dict[str, frozenset[Leaf]] = field(default_factory=dict)

    def contrast(self, failing: RecordedResult) -> Contrast:
        """The passing result whose request differs least, then whose name is most alike."""
        nearest = min(self._nearest(failing), key=lambda passing: self._distance(failing, passing), default=None)
        if nearest is None:
            return Contrast()
        parts = list(differences(failing.request, nearest.request))
        return Contrast(nearest, tuple(_by_member(edits(parts, failing.request, nearest.request))))

    def without_a_pass(self, failing: Iterable[RecordedResult]) -> list[tuple[str, int]]:
        """The requirements that these results charge and that no case meets, each with the number of results that charge
        it; the most frequent first."""
        counts = Counter(id_ for result in failing for id_ in result.charged)
        return [(id_, count) for id_, count in counts.most_common() if id_ not in self.requirements]

    def _nearest(self, failing: RecordedResult) -> list[RecordedResult]:
        """The passing results with the fewest differing leaves in the request."""
        wanted = self._of(failing)
        counted = [
            (len(wanted ^ self._of(passing)), passing) for passing in self.by_operation.get(failing.operation, ())
        ]
        least = min((count for count, _ in counted), default=0)
        return [passing for count, passing in counted if count == least]

    def _distance(self, failing: RecordedResult, passing: RecordedResult) -> tuple[int, int, int, str]:
        mine, theirs = self._of(failing), self._of(passing)
        before, after = dict(mine - theirs), dict(theirs - mine)
        length = sum(
            len(part) for path in {**before, **after} for part in middles(before.get(path, ""), after.get(path, ""))
        )
        emptied = sum(1 for path, text in after.items() if not text and before.get(path))
        return emptied, length, -common_length(failing.case, passing.case), passing.case

    def _of(self, result: RecordedResult) -> frozenset[Leaf]:
        """The leaves of a request."""
        found = self._leaves.get(result.case)
        if found is None:
            found = self._leaves[result.case] = frozenset(_leaves(result.request))
        return found


def passing_cases(results: Iterable[RecordedResult], name: str) -> PassingCases:
    """The passing results of an implementation."""
    by_operation: dict[str, list[RecordedResult]] = defaultdict(list)
    requirements: set[str] = set()
    for result in results:
        if result.implementation != name or result.verdict in UNTESTED or result.is_flaky:
            continue
        requirements.update(set(result.requirements).difference(result.charged))
        if result.verdict in EXPECTED:
            by_operation[result.operation].append(result)
    return PassingCases(by_operation, frozenset(requirements))


def _by_member(found: Sequence[Edit]) -> Iterator[Edit]:
    """The edits; a missing object and the one in its place in the same list become a change of each differing member."""
    added = {(edit.path, edit.index): edit for edit in found if isinstance(edit, Unexpected)}
    removed = {(edit.path, edit.index): edit for edit in found if isinstance(edit, Missing)}
    for edit in found:
        if not isinstance(edit, Missing | Unexpected):
            yield edit
            continue
        old, new = removed.get((edit.path, edit.index)), added.get((edit.path, edit.index))
        place = f"{edit.path}[{edit.index}]"
        if not (old and new and isinstance(old.value, dict) and isinstance(new.value, dict)):
            sides = (edit.value, ABSENT) if edit is old else (ABSENT, edit.value)
            yield Changed(place, *sides)
        elif edit is old:
            parts = differences(old.value, new.value, path=place)
            yield from (Changed(part.path, part.wanted, part.got) for part in parts)


def _leaves(value: Json) -> Iterator[Leaf]:
    for path, leaf in leaves(value):
        yield path, leaf if isinstance(leaf, str) else repr(leaf)
