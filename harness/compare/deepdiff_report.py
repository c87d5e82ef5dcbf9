"""What DeepDiff finds in two values: which elements of their lists are one, and what changed in them. Pure.

DeepDiff is imported with the first failure that is shown or charged: a run without one needs none of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from ..base.json_path import Step
from ..model import Json
from .canonical import equality_text

if TYPE_CHECKING:
    from deepdiff import DeepDiff

KEYS = ("id", "path")
"""Members that name an element of a list, the first that it has."""


class Report(Struct):
    """What DeepDiff finds at one place of the expected value, and below it. Of a list, `removed` are indices, and `moved`
    are indices with those in the answer, also where a shift alone makes them differ."""

    differs: bool = False
    removed: set[int] = field(default_factory=set)
    moved: dict[int, int] = field(default_factory=dict)
    below: dict[Step, Report] = field(default_factory=dict)


def reported(wanted: Json, got: Json, most: int) -> Report:
    """What differs between two values. Lists of more than `most` elements are compared by position."""
    root = Report()
    for kind, levels in _compared(wanted, got, most).items():
        for level in levels:
            report, above, last = root, level.all_up, root
            while above is not level:
                own, theirs = above.t1_child_rel, above.t2_child_rel
                last, report = report, report.below.setdefault((own or theirs).param, Report())
                above = above.down
            if kind == "iterable_item_removed":
                last.removed.add(own.param)
            elif kind == "iterable_item_moved":
                last.moved[own.param] = theirs.param
            elif kind != "iterable_item_added":  # these are the elements without a partner
                report.differs = True
    return root


def distance(wanted: Json, got: Json) -> float:
    """How far apart two values are, from 0 to 1."""
    return float(_compared(wanted, got, 0, with_distance=True).get("deep_distance", 0))


def _compared(wanted: Json, got: Json, most: int, *, with_distance: bool = False) -> DeepDiff:
    from deepdiff import DeepDiff

    return DeepDiff(
        wanted,
        got,
        view="tree",
        iterable_compare_func=_SameElement(most),
        ignore_type_in_groups=[(int, float)],
        ignore_private_variables=False,  # a member `__name` is one like others
        threshold_to_diff_deeper=0,  # an object with other members is no other object
        hasher=str,  # any other one fails at a lone surrogate
        get_deep_distance=with_distance,
    )


class _SameElement:
    """Says whether two elements of two lists are one, as DeepDiff asks it: by their `id` or `path`, else if equal."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._names: dict[tuple[int, int], dict[int, Json]] = {}

    def __call__(self, one: Json, other: Json, level: Any) -> bool:
        lists = id(level.t1), id(level.t2)
        names = self._names.get(lists)
        if names is None:
            names = self._names[lists] = self._names_in(level.t1, level.t2)
        return names[id(one)] == names[id(other)]

    def _names_in(self, wanted: list[Json], got: list[Json]) -> dict[int, Json]:
        """The name of each element, by the identity of its object."""
        from deepdiff.helper import CannotCompare

        if max(len(wanted), len(got)) > self._most:
            raise CannotCompare  # DeepDiff then compares by position
        key = key_of(wanted, got)
        return {id(item): item[key] if key and isinstance(item, dict) else token(item) for item in (*wanted, *got)}


def key_of(wanted: list[Json], got: list[Json]) -> str:
    """The member by which the elements of both lists are recognised; empty if none is in all of them and different."""
    return next((key for key in KEYS if _identifies(key, wanted) and _identifies(key, got)), "")


def _identifies(key: str, elements: list[Json]) -> bool:
    names = [item.get(key) for item in elements if isinstance(item, dict)]
    simple = all(isinstance(name, str | int) for name in names)
    return len(names) == len(elements) and simple and len(set(map(str, names))) == len(names)


def token(value: Json) -> str:
    """A text that is the same for values that a reader takes for equal: numbers agree in nine digits."""
    return equality_text(value, digits=9)
