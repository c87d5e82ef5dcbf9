"""Edits: what a reader needs to know to turn one value into the other, and the places to mark for each. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct

from ..base.json_path import path_steps, path_text
from ..model import Absent, Json
from .deepdiff_report import KEYS

MAX_ORDER = 8
"""Names in an order that a reader sees whole."""


class Changed(Struct, frozen=True):
    """A value that differs; one side is `ABSENT` if an object lacks the member.

    In every edit `path` is the place in the expected value, and `got_path` the one in the answer if it is another.
    """

    path: str
    wanted: Json | Absent
    got: Json | Absent
    got_path: str = ""


class Unpaired(Struct, frozen=True):
    """An element that one of two lists at `path` has alone; `index` is its place there, None if order does not count."""

    path: str
    index: int | None
    value: Json
    got_path: str = ""


class Missing(Unpaired, frozen=True):
    """An element of the expected list that the answer lacks."""


class Unexpected(Unpaired, frozen=True):
    """An element of the answer's list that was not expected."""


class Move(Struct, frozen=True):
    """An element out of order: its name, its place in the expected list and its place in the answer."""

    name: Json
    index: int
    got_index: int


class Reordered(Struct, frozen=True):
    """Elements in both lists, in different orders.

    `wanted` and `got` are their names from the first to the last one out of place; `moves` are the fewest whose moving
    restores the order.
    """

    path: str
    wanted: tuple[Json, ...]
    got: tuple[Json, ...]
    moves: tuple[Move, ...]
    got_path: str = ""


class ByPosition(Struct, frozen=True):
    """Notice that the list at `path` is too long to be aligned; the edits behind it are by position."""

    path: str
    elements: int


Edit: TypeAlias = "Changed | Missing | Unexpected | Reordered | ByPosition"


class Marks(Struct, frozen=True):
    """Paths in one value: places that differ (with all below them), and containers that lack something."""

    differing: frozenset[str] = frozenset()
    lacking: frozenset[str] = frozenset()


def marks(found: Sequence[Edit]) -> tuple[Marks, Marks]:
    """The places to mark in the expected value and in the answer. A list without order is marked itself."""
    wanted, got = (_MarkedPaths() for _ in range(2))
    for edit in found:
        if isinstance(edit, ByPosition):
            continue
        got_path = edit.got_path or edit.path
        match edit:
            case Changed(path, one, other):
                wanted.add(path, one)
                got.add(got_path, other)
            case Missing(path, index):
                wanted.add_element(path, index)
                got.lacking.add(got_path)
            case Unexpected(path, index):
                wanted.lacking.add(path)
                got.add_element(got_path, index)
            case Reordered(path, moves=moves):
                for move in moves:
                    wanted.add_element(path, move.index)
                    got.add_element(got_path, move.got_index)
    return wanted.marks(), got.marks()


class _MarkedPaths:
    """Marks of one side while they are collected."""

    def __init__(self) -> None:
        self.differing: set[str] = set()
        self.lacking: set[str] = set()

    def add(self, path: str, value: Json | Absent) -> None:
        if isinstance(value, Absent):
            self.lacking.add(path_text(path_steps(path)[:-1]))
        else:
            self.differing.add(path)

    def add_element(self, path: str, index: int | None) -> None:
        if index is None:
            self.lacking.add(path)
        else:
            self.differing.add(f"{path}[{index}]")

    def marks(self) -> Marks:
        return Marks(frozenset(self.differing), frozenset(self.lacking))


def name_of(element: Json) -> Json:
    """What an element is called: its `id` or `path`; a scalar or an element without either is its own name."""
    if not isinstance(element, dict):
        return element
    return next((element[key] for key in KEYS if isinstance(element.get(key), str | int)), element)


def common_length(one: str, other: str) -> int:
    """The length of the common beginning of two texts."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (mine, theirs) in pairs if mine != theirs), min(len(one), len(other)))


def middles(one: str, other: str) -> tuple[str, str]:
    """Both texts without their common beginning and their common end."""
    start = common_length(one, other)
    end = common_length(one[start:][::-1], other[start:][::-1])
    return one[start : len(one) - end], other[start : len(other) - end]


def in_order_of(wanted: Json, got: Json) -> Json:
    """The value `got` with the members of its objects in the order of `wanted`, others behind them."""
    if isinstance(wanted, dict) and isinstance(got, dict):
        names = [*(key for key in wanted if key in got), *(key for key in got if key not in wanted)]
        return {key: in_order_of(wanted.get(key), got[key]) for key in names}
    if isinstance(wanted, list) and isinstance(got, list) and wanted:
        return [in_order_of(wanted[min(index, len(wanted) - 1)], item) for index, item in enumerate(got)]
    return got
