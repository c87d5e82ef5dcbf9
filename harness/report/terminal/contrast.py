"""Failing cases beside passing ones: the nearest passing case, and the requirements without a passing case. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ...base.json_path import leaves
from ...compare.alignment import edits
from ...compare.edits import Changed, Edit, Missing, Unexpected
from ...compare.json_diff import differences
from ...model import EXPECTED, Json, RecordedResult, Verdict

MAX_PAIRED = 8
"""Failing cases of a group that are compared with the passing ones, to find the pair that differs least."""

MAX_EDITS = 2
"""Differences of two requests up to which the passing case is near: with more, no single one points at the cause."""

Leaf: TypeAlias = "tuple[str, str]"
"""The path and the text of a value without members."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """A failing result and the nearest passing result of its operation; None if no case of the operation passes.

    `edits` lead from the failing request to the passing one. An element that replaces another one has an edit for each
    member that differs.
    """

    failing: RecordedResult
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


@dataclass(frozen=True, slots=True)
class PassingCases:
    """The passing results of one implementation, for comparison with its failing ones."""

    by_operation: Mapping[str, Sequence[RecordedResult]]
    requirements: frozenset[str]
    _leaves: dict[str, frozenset[Leaf]] = field(default_factory=dict)

    def contrast(self, failing: Sequence[RecordedResult]) -> Contrast:
        """The pair whose requests differ least, then whose names are most alike, among the first failing results."""
        pairs = [
            (self._distance(one, other), one, other) for one in failing[:MAX_PAIRED] for other in self._nearest(one)
        ]
        if not pairs:
            return Contrast(failing[0])
        _, one, other = min(pairs, key=lambda pair: pair[0])
        found = list(differences(one.request, other.request))
        return Contrast(one, other, tuple(_by_member(edits(found, one.request, other.request))))

    def without_a_pass(self, failing: Iterable[RecordedResult]) -> list[tuple[str, int]]:
        """The requirements that these results charge and that no case meets, each with the number of results that charge
        it; the most frequent first."""
        counts = Counter(id_ for one in failing for id_ in one.charged)
        return [(id_, count) for id_, count in counts.most_common() if id_ not in self.requirements]

    def _nearest(self, failing: RecordedResult) -> list[RecordedResult]:
        """The passing results with the fewest differing leaves in the request."""
        wanted = self._of(failing)
        counted = [(len(wanted ^ self._of(one)), one) for one in self.by_operation.get(failing.operation, ())]
        least = min((count for count, _ in counted), default=0)
        return [one for count, one in counted if count == least]

    def _distance(self, one: RecordedResult, other: RecordedResult) -> tuple[int, int, int, int, str, str]:
        mine, theirs = self._of(one), self._of(other)
        before, after = dict(mine - theirs), dict(theirs - mine)
        length = sum(_text_distance(before.get(path, ""), after.get(path, "")) for path in {**before, **after})
        emptied = sum(1 for path, text in after.items() if not text and before.get(path))
        return len(mine ^ theirs), emptied, length, -_common(one.case, other.case), one.case, other.case

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
    for one in results:
        if one.implementation != name or one.verdict is Verdict.UNSUPPORTED or one.is_flaky:
            continue
        requirements.update(set(one.requirements).difference(one.charged))
        if one.verdict in EXPECTED:
            by_operation[one.operation].append(one)
    return PassingCases(by_operation, frozenset(requirements))


def _by_member(found: Sequence[Edit]) -> Iterator[Edit]:
    """The edits; a missing object and the one in its place in the same list become a change of each differing member."""
    added = {(edit.path, edit.index): edit for edit in found if isinstance(edit, Unexpected)}
    removed = {(edit.path, edit.index): edit for edit in found if isinstance(edit, Missing)}
    for edit in found:
        if isinstance(edit, Missing | Unexpected):
            old, new = removed.get((edit.path, edit.index)), added.get((edit.path, edit.index))
            if old and new and isinstance(old.value, dict) and isinstance(new.value, dict):
                if edit is old:
                    parts = list(differences(old.value, new.value, path=f"{old.path}[{old.index}]"))
                    yield from (Changed(part.path, part.wanted, part.got) for part in parts)
                continue
        yield edit


def _leaves(value: Json) -> Iterator[Leaf]:
    for path, leaf in leaves(value):
        yield path, leaf if isinstance(leaf, str) else repr(leaf)


def _text_distance(one: str, other: str) -> int:
    """Characters between the common beginning and the common end of two texts, on both sides."""
    start = _common(one, other)
    end = _common(one[start:][::-1], other[start:][::-1])
    return len(one) + len(other) - 2 * (start + end)


def _common(one: str, other: str) -> int:
    """The length of the common beginning of two texts."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (mine, theirs) in pairs if mine != theirs), min(len(one), len(other)))
