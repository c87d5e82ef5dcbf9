"""Two values that differ → edits for a reader: elements inserted, removed or moved in a list, and changed values. Pure.

A verdict, a signature and a record hold differences by position. One element inserted at the front of a list then differs
at every position behind it, so readers get these edits instead. DeepDiff finds which elements are one, and what changed in
them; this module tells it what makes two elements one, and puts its report in order, in which a shift is no move.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, pairwise
from math import isclose

from ..base.json_path import Step, path_steps, path_text
from ..model import ABSENT, Absent, Answered, Difference, Json, RecordedResult, Response, Result
from .canonical import compact
from .causes import is_in
from .deepdiff_report import Report, distance, key_of, reported, token
from .edits import ByPosition, Changed, Edit, Missing, Move, Reordered, Unexpected, in_order_of, name_of
from .json_diff import MAX_DIFFERENCES
from .unobservable import drop_paths

MAX_ELEMENTS = 1_000
"""Elements of a list that is aligned; a longer one is compared by position.
DeepDiff aligns 1,000 shuffled elements in 0.2 s, and 5,000 in 3.5 s, measured 2026-11-23."""

_MAX_SIMILAR = 100
"""Product of the lengths of two stretches up to which elements are paired by similarity, and not by position."""

_Steps = tuple[Step, ...]
_Pair = tuple[int, int]


def recorded_edits(result: RecordedResult, unobservable: Sequence[str] = ()) -> tuple[Edit, ...]:
    """The edits of a recorded result, those in the first stage that differs first; `unobservable` are the JSON Pointers that
    were not compared."""
    edits = response_edits(result.differences, result.expected, result.response, unobservable)
    return _stage_first(edits, result.stage)


def result_edits(result: Result, unobservable: Sequence[str] = ()) -> tuple[Edit, ...]:
    """The same of a result in a run of this process."""
    edits = response_edits(result.differences, result.case.expected, result.response, unobservable)
    return _stage_first(edits, result.stage)


def _stage_first(edits: Sequence[Edit], stage: str) -> tuple[Edit, ...]:
    return tuple(sorted(edits, key=lambda edit: not is_in(edit.path, stage)))


def response_edits(
    found: Sequence[Difference], wanted: Response, got: Response | None, unobservable: Sequence[str] = ()
) -> tuple[Edit, ...]:
    """The edits between an expected and an actual response; by position unless both are answers. Elements of the actual
    answer have their members in the order of the expected one."""
    if isinstance(wanted, Answered) and isinstance(got, Answered):
        text = f"{compact([wanted.value, got.value, [*unobservable]])} {found!r}"
        return _answer_edits(_Answers(text, found, drop_paths(wanted.value, unobservable), got.value))
    return tuple(_by_position(found))


@dataclass(frozen=True, slots=True)
class _Answers:
    """An expected and an actual answer with their differences. Those with the same text have the same edits."""

    text: str
    found: Sequence[Difference] = field(compare=False)
    wanted: Json = field(compare=False)
    got: Json = field(compare=False)


@lru_cache(maxsize=1000)  # a failing answer is charged, and then shown in several places
def _answer_edits(one: _Answers) -> tuple[Edit, ...]:
    return edits(one.found, one.wanted, in_order_of(one.wanted, one.got))


def edits(found: Sequence[Difference], wanted: Json, got: Json) -> tuple[Edit, ...]:
    """The differences `found` between two values as edits, in their order. Where more differences exist than are searched,
    every list stays by position."""
    in_lists = any("[" in part.path for part in found)
    aligned = tuple(_Aligner(found).edits(_without_lines(wanted), _without_lines(got))) if in_lists else ()
    return aligned or tuple(_by_position(found))


def _without_lines(value: Json) -> Json:
    """The value of plain types: in a corpus that was just read, mappings and lists are of types with line numbers, and
    DeepDiff takes a value of another type for another value."""
    if isinstance(value, dict):
        return {key: _without_lines(item) for key, item in value.items()}
    return [_without_lines(item) for item in value] if isinstance(value, list) else value


def _by_position(found: Sequence[Difference]) -> Iterator[Edit]:
    """The differences as they are. An element of a list without order is missing or unexpected."""
    for part in found:
        if not part.path.endswith("[*]"):
            yield Changed(part.path, part.wanted, part.got)
        elif not isinstance(part.wanted, Absent):
            yield Missing(part.path.removesuffix("[*]"), None, part.wanted)
        elif not isinstance(part.got, Absent):
            yield Unexpected(part.path.removesuffix("[*]"), None, part.got)


class _Aligner:
    """Makes the edits of one answer, whose differences by position are known."""

    def __init__(self, found: Sequence[Difference]) -> None:
        self._most = MAX_ELEMENTS if len(found) < MAX_DIFFERENCES else 0
        self._ranks: dict[_Steps, int] = {}
        """The places that hold a difference, in the order of the first one."""
        self._without_order: dict[_Steps, list[Difference]] = {}
        """The differences of lists without order."""
        for part in found:
            steps = tuple(path_steps(part.path.removesuffix("[*]")))
            for length in range(len(steps) + 1):
                self._ranks.setdefault(steps[:length], len(self._ranks))
            if part.path.endswith("[*]"):
                self._without_order.setdefault(steps, []).append(part)

    def edits(self, wanted: Json, got: Json, at: _Steps = (), got_at: _Steps = ()) -> Iterator[Edit]:
        """The edits between the values of two places."""
        report = reported(wanted, self._allowed(wanted, got, at) if at == got_at else got, self._most)
        yield from self._edits(report, wanted, got, at, got_at)

    def _allowed(self, wanted: Json, got: Json, at: _Steps) -> Json:
        """The value `got` with the expected one wherever no difference lies: what the rules allow is no edit."""
        if at not in self._ranks:
            return wanted
        if isinstance(wanted, dict) and isinstance(got, dict):
            differing = {key for key in {**wanted, **got} if (*at, key) in self._ranks}
            both = {
                key: self._allowed(wanted[key], got[key], (*at, key)) for key in differing & wanted.keys() & got.keys()
            }
            alike = {key: value for key, value in wanted.items() if key not in differing}
            return {**{key: value for key, value in got.items() if key in differing}, **both, **alike}
        if isinstance(wanted, list) and isinstance(got, list):
            pairs = enumerate(zip(wanted, got, strict=False))
            return [*(self._allowed(*pair, (*at, index)) for index, pair in pairs), *got[len(wanted) :]]
        return got

    def _edits(
        self, report: Report, wanted: Json | Absent, got: Json | Absent, at: _Steps, got_at: _Steps
    ) -> Iterator[Edit]:
        if report.differs:
            if at == got_at or not _is_close(wanted, got):
                yield Changed(path_text(at), wanted, got, _elsewhere(at, got_at))
        elif isinstance(wanted, list) and isinstance(got, list):
            yield from self._list_edits(report, wanted, got, at, got_at)
        elif isinstance(wanted, dict) and isinstance(got, dict):
            names = (key for key in {**wanted, **got} if key in report.below)
            for key in sorted(names, key=lambda key: self._ranks.get((*at, key), len(self._ranks))):
                values = wanted.get(key, ABSENT), got.get(key, ABSENT)
                yield from self._edits(report.below[key], *values, (*at, key), (*got_at, key))

    def _list_edits(
        self, report: Report, wanted: list[Json], got: list[Json], at: _Steps, got_at: _Steps
    ) -> Iterator[Edit]:
        path, elsewhere = path_text(at), _elsewhere(at, got_at)
        if at in self._without_order and not elsewhere:
            yield from _by_position(self._without_order[at])
            return
        longest = max(len(wanted), len(got))
        removed = {*report.removed}
        if longest <= self._most:  # an element that another one replaces at its index is reported as a changed value
            removed |= {index for index, below in report.below.items() if below.differs and isinstance(index, int)}
        pairs = [(index, report.moved.get(index, index)) for index in range(len(wanted)) if index not in removed]
        replaced: list[_Pair] = []
        if longest > self._most:
            yield ByPosition(path, longest)
        else:
            kept = _longest_ascending(pairs)
            replaced = list(_replaced(wanted, got, pairs, kept))
            yield from _order([*pairs, *replaced], sorted({*pairs} - {*kept}), wanted, path, elsewhere)
        ours, theirs = {index for index, _ in (*pairs, *replaced)}, {other for _, other in (*pairs, *replaced)}
        yield from (Missing(path, index, value, elsewhere) for index, value in enumerate(wanted) if index not in ours)
        yield from (Unexpected(path, index, value, elsewhere) for index, value in enumerate(got) if index not in theirs)
        for index, got_index in sorted([*pairs, *replaced]):
            both = wanted[index], got[got_index], (*at, index), (*got_at, got_index)
            if (index, got_index) in replaced:
                yield from self.edits(*both)
            elif index in report.below:
                yield from self._edits(report.below[index], *both)


def _elsewhere(at: _Steps, got_at: _Steps) -> str:
    """The path in the answer, if it is another than in the expected value."""
    return path_text(got_at) if at != got_at else ""


def _is_close(wanted: Json | Absent, got: Json | Absent) -> bool:
    """Whether two numbers agree in nine digits: in an element out of place, the schema's tolerance is not known."""
    numbers = isinstance(wanted, int | float) and isinstance(got, int | float)
    return numbers and isclose(wanted, got, rel_tol=1e-9, abs_tol=1e-12)  # type: ignore[arg-type]


def _longest_ascending(pairs: Sequence[_Pair]) -> list[_Pair]:
    """The longest subsequence whose second indices ascend (patience sorting)."""
    ends: list[int] = []
    chains: list[list[_Pair]] = []
    for pair in pairs:
        place = bisect_left(ends, pair[1])
        ends[place : place + 1] = [pair[1]]
        chains[place : place + 1] = [[*(chains[place - 1] if place else ()), pair]]
    return chains[-1] if chains else []


def _replaced(wanted: list[Json], got: list[Json], pairs: Sequence[_Pair], kept: Sequence[_Pair]) -> Iterator[_Pair]:
    """Pairs of an element and the one that replaces it, between two elements that are in place."""
    key, ours, theirs = key_of(wanted, got), {index for index, _ in pairs}, {other for _, other in pairs}
    for (before, got_before), (after, got_after) in pairwise([(-1, -1), *kept, (len(wanted), len(got))]):
        removed = [index for index in range(before + 1, after) if index not in ours]
        added = [index for index in range(got_before + 1, got_after) if index not in theirs]
        if key:  # elements with different keys are different elements, unless all else is equal
            rest = {_without(got[index], key): index for index in reversed(added)}
            yield from ((index, rest.pop(text)) for index in removed if (text := _without(wanted[index], key)) in rest)
        elif removed and added:
            yield from _similar(wanted, got, removed, added)


def _without(value: Json, key: str) -> str:
    return token({name: item for name, item in value.items() if name != key} if isinstance(value, dict) else value)


def _similar(wanted: list[Json], got: list[Json], removed: list[int], added: list[int]) -> Iterator[_Pair]:
    """Pairs of a removed and an added element, in order: the most similar ones if their numbers differ, as many as
    possible."""
    if len(removed) == len(added) or len(removed) * len(added) > _MAX_SIMILAR:
        return zip(removed, added, strict=False)
    apart = {(index, other): distance(wanted[index], got[other]) for index in removed for other in added}
    least = min(len(removed), len(added))
    choices = (
        [*zip(ours, theirs, strict=True)]
        for ours in combinations(removed, least)
        for theirs in combinations(added, least)
    )
    return iter(min(choices, key=lambda chosen: sum(map(apart.__getitem__, chosen))))


def _order(
    pairs: Sequence[_Pair], moved: Sequence[_Pair], wanted: list[Json], path: str, elsewhere: str
) -> Iterator[Reordered]:
    """The edit for elements out of order, if there are any."""
    ours = sorted(pairs)
    theirs = sorted(pairs, key=lambda pair: pair[1])
    apart = [place for place, (pair, other_pair) in enumerate(zip(ours, theirs, strict=True)) if pair != other_pair]
    if not apart:
        return
    first, last = apart[0], apart[-1] + 1
    yield Reordered(
        path,
        tuple(name_of(wanted[index]) for index, _ in ours[first:last]),
        tuple(name_of(wanted[index]) for index, _ in theirs[first:last]),
        tuple(Move(name_of(wanted[index]), index, got_index) for index, got_index in moved),
        elsewhere,
    )
