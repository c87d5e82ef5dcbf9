"""Differences by position → edits for a reader: elements inserted, removed or moved in a list, and changed values. Pure.

A verdict, a signature and a record hold differences by position. One element inserted at the front of a list then differs
at every position behind it, so readers get these edits instead. A list without a difference by position has no edit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise
from math import isclose

from ..base.json_path import Step, member, path_step, path_steps
from ..model import Absent, Answered, Difference, Json, RecordedResult, Response, Result
from .edits import (
    KEYS,
    ByPosition,
    Changed,
    Edit,
    Missing,
    Move,
    Reordered,
    Unexpected,
    in_order_of,
    name_of,
)
from .json_diff import MAX_DIFFERENCES, differences
from .sequence_match import matched_pairs, similar_pairs, token
from .unobservable import drop_paths

MAX_ELEMENTS = 20_000
"""Elements of a list that is aligned; a longer one is compared by position.
Aligning 20,000 elements in any order took up to 1.4 s, measured 2026-11-22."""

MAX_SEARCHED = 100_000
"""Differences of one answer up to which its lists are aligned."""


def recorded_edits(result: RecordedResult, unobservable: Sequence[str] = ()) -> tuple[Edit, ...]:
    """The edits of a recorded result; `unobservable` are the JSON Pointers that were not compared."""
    return response_edits(result.differences, result.expected, result.response, unobservable)


def result_edits(result: Result, unobservable: Sequence[str] = ()) -> tuple[Edit, ...]:
    """The edits of a result in a run of this process."""
    return response_edits(result.differences, result.case.expected, result.response, unobservable)


def response_edits(
    found: Sequence[Difference], wanted: Response, got: Response | None, unobservable: Sequence[str] = ()
) -> tuple[Edit, ...]:
    """The edits between an expected and an actual response; by position unless both are answers. Elements of the actual
    answer have their members in the order of the expected one."""
    if isinstance(wanted, Answered) and isinstance(got, Answered):
        visible = drop_paths(wanted.value, unobservable)
        return edits(found, visible, in_order_of(visible, got.value))
    return edits(found, None, None)


def edits(found: Sequence[Difference], wanted: Json, got: Json) -> tuple[Edit, ...]:
    """The differences `found` between two values as edits, in the order of the expected value."""
    if len(found) >= MAX_DIFFERENCES:  # the rest is cut, so a position without a difference may still differ
        all_of_them = (part for part in differences(wanted, got) if not _is_close(part))
        searched = list(islice(all_of_them, MAX_SEARCHED + 1)) or found
        if len(searched) > MAX_SEARCHED:
            return tuple(_by_position(found, wanted, got))
        found = searched
    return tuple(_edits(_tree(found), wanted, got, "$", "$"))


def _by_position(found: Sequence[Difference], wanted: Json, got: Json) -> Iterator[Edit]:
    """The differences as they are, behind a note on each long list that they lie in."""
    for path, one, other in _long_lists(wanted, got, "$"):
        yield ByPosition(path, max(one, other))
    for part in found:
        yield from _edits(_Node([part]), None, None, "$", "$")


def _long_lists(wanted: Json, got: Json, path: str) -> Iterator[tuple[str, int, int]]:
    """Path and lengths of the lists at the same place of both values that are not aligned."""
    if isinstance(wanted, list) and isinstance(got, list):
        if max(len(wanted), len(got)) > MAX_ELEMENTS:
            yield path, len(wanted), len(got)
        return
    if isinstance(wanted, dict) and isinstance(got, dict):
        for key in (key for key in wanted if key in got):
            yield from _long_lists(wanted[key], got[key], path + member(key))


@dataclass(slots=True)
class _Node:
    """Differences by the step at which they lie: those of a place itself, and those below it."""

    own: list[Difference] = field(default_factory=list)
    below: dict[Step, _Node] = field(default_factory=dict)


def _tree(found: Sequence[Difference], base: str = "$") -> _Node:
    root = _Node()
    for part in found:
        node = root
        for step in path_steps(f"${part.path[len(base) :]}".removesuffix("[*]")):
            node = node.below.setdefault(step, _Node())
        node.own.append(part)
    return root


def _edits(node: _Node, wanted: Json, got: Json, path: str, got_path: str) -> Iterator[Edit]:
    elsewhere = got_path if got_path != path else ""
    for part in node.own:
        if not part.path.endswith("[*]"):
            yield Changed(part.path, part.wanted, part.got, elsewhere)
        elif isinstance(part.got, Absent) and not isinstance(part.wanted, Absent):
            yield Missing(part.path.removesuffix("[*]"), None, part.wanted, elsewhere)
        elif not isinstance(part.got, Absent):
            yield Unexpected(part.path.removesuffix("[*]"), None, part.got, elsewhere)
    if isinstance(wanted, list) and isinstance(got, list) and all(isinstance(step, int) for step in node.below):
        yield from _list_edits(node, wanted, got, path, got_path)
        return
    for step, below in node.below.items():
        name = path_step(step)
        yield from _edits(below, _member(wanted, step), _member(got, step), f"{path}{name}", f"{got_path}{name}")


def _member(value: Json, step: Step) -> Json:
    """The member of an object at a step; None if there is none."""
    if not isinstance(value, dict) or isinstance(step, int):
        return None
    return value.get(step)


def _list_edits(node: _Node, wanted: list[Json], got: list[Json], path: str, got_path: str) -> Iterator[Edit]:
    if not node.below:
        return
    elsewhere = got_path if got_path != path else ""
    if max(len(wanted), len(got)) > MAX_ELEMENTS:
        yield ByPosition(path, max(len(wanted), len(got)))
        pairs = [(index, index) for index in range(min(len(wanted), len(got)))]
    else:
        in_place, moved = _pairs(node, wanted, got)
        pairs = [*in_place, *moved]
        yield from _order(pairs, moved, wanted, path, elsewhere)
    ours, theirs = {one for one, _ in pairs}, {other for _, other in pairs}
    yield from (Missing(path, index, value, elsewhere) for index, value in enumerate(wanted) if index not in ours)
    yield from (Unexpected(path, index, value, elsewhere) for index, value in enumerate(got) if index not in theirs)
    for one, other in sorted(pairs):
        at, got_at = f"{path}[{one}]", f"{got_path}[{other}]"
        below = node.below.get(one) if one == other else _moved(wanted[one], got[other], at)
        if below:
            yield from _edits(below, wanted[one], got[other], at, got_at)


def _moved(wanted: Json, got: Json, path: str) -> _Node | None:
    """The differences of an element that changed its place; None if there is none.

    The schema's tolerance is not at hand here, so numbers that agree in nine digits count as equal.
    """
    if token(wanted) == token(got):
        return None
    return _tree([part for part in differences(wanted, got, path=path) if not _is_close(part)], path)


def _is_close(part: Difference) -> bool:
    one, other = part.wanted, part.got
    numbers = isinstance(one, int | float) and isinstance(other, int | float)
    return numbers and isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)  # type: ignore[arg-type]


def _pairs(node: _Node, wanted: list[Json], got: list[Json]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The pairs of elements (an index of either list) that are one element, equal or changed: in order, and moved."""
    key = _key(wanted, got)
    ours, theirs = (
        [token(item[key] if key and isinstance(item, dict) else item) for item in side] for side in (wanted, got)
    )
    for index in range(min(len(ours), len(theirs))):
        if index not in node.below:  # equal by the schema's rules, whatever its text is
            theirs[index] = ours[index]
    pairs = matched_pairs(ours, theirs)
    kept, taken = {one for one, _ in pairs}, {other for _, other in pairs}
    spare: dict[str, list[int]] = {}
    for index in reversed(range(len(theirs))):
        if index not in taken:
            spare.setdefault(theirs[index], []).append(index)
    moved = [(one, spare[text].pop()) for one, text in enumerate(ours) if one not in kept and spare.get(text)]
    return [*pairs, *_replaced(wanted, got, pairs, moved, key)], moved


def _replaced(
    wanted: list[Json],
    got: list[Json],
    pairs: Sequence[tuple[int, int]],
    moved: Sequence[tuple[int, int]],
    key: str,
) -> Iterator[tuple[int, int]]:
    """Pairs of an element and the one that replaces it, between two elements that are in place."""
    ours, theirs = {one for one, _ in moved}, {other for _, other in moved}
    for (one, other), (next_one, next_other) in pairwise([(-1, -1), *pairs, (len(wanted), len(got))]):
        removed = [index for index in range(one + 1, next_one) if index not in ours]
        added = [index for index in range(other + 1, next_other) if index not in theirs]
        if key:  # elements with different keys are different elements, unless all else is equal
            rest = {_without(got[index], key): index for index in reversed(added)}
            yield from ((index, rest.pop(text)) for index in removed if (text := _without(wanted[index], key)) in rest)
        elif removed and added:
            yield from similar_pairs(wanted, got, removed, added)


def _without(value: Json, key: str) -> str:
    return token({name: item for name, item in value.items() if name != key} if isinstance(value, dict) else value)


def _key(wanted: list[Json], got: list[Json]) -> str:
    """The member by which the elements of both lists are recognised; empty if none is in all of them and different."""
    return next((key for key in KEYS if _identifies(key, wanted) and _identifies(key, got)), "")


def _identifies(key: str, elements: list[Json]) -> bool:
    names = [item.get(key) for item in elements if isinstance(item, dict)]
    simple = all(isinstance(name, str | int) for name in names)
    return len(names) == len(elements) and simple and len(set(map(str, names))) == len(names)


def _order(
    pairs: Sequence[tuple[int, int]], moved: Sequence[tuple[int, int]], wanted: list[Json], path: str, elsewhere: str
) -> Iterator[Reordered]:
    """The edit for elements out of order, if there are any."""
    ours = sorted(pairs)
    theirs = sorted(pairs, key=lambda pair: pair[1])
    apart = [place for place, (one, other) in enumerate(zip(ours, theirs, strict=True)) if one != other]
    if not apart:
        return
    first, last = apart[0], apart[-1] + 1
    yield Reordered(
        path,
        tuple(name_of(wanted[one]) for one, _ in ours[first:last]),
        tuple(name_of(wanted[one]) for one, _ in theirs[first:last]),
        tuple(Move(name_of(wanted[one]), one, other) for one, other in moved),
        elsewhere,
    )
