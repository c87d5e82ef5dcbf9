"""Which elements of a list may equal a given one under rules with tolerances, without a look at every pair. Pure.

Elements are sorted into groups by the parts that have to be equal, and in a group by their first number with a tolerance.
"""

from __future__ import annotations

import struct
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from ..model import EXACT, Json, Rules, Tolerance
from .canonical import equality_text

_NUMBER: Json = {"number with a tolerance": True}

Group = str
"""The text that equal elements share."""


class Neighbours:
    """The elements of one list by group and number."""

    def __init__(self, values: Sequence[Json], items: Rules) -> None:
        self._items = items
        groups: dict[Group, list[tuple[float, int]]] = {}
        for index, value in enumerate(values):
            groups.setdefault(group_of(value, items), []).append((number_of(value, items)[0], index))
        self._groups = {name: sorted(members) for name, members in groups.items()}

    def of(self, value: Json) -> list[int]:
        """The indices, ascending, of all elements that may equal `value`."""
        members = self._groups.get(group_of(value, self._items), [])
        number, width = number_of(value, self._items)
        first = bisect_left(members, (number - width, -1))
        last = bisect_right(members, (number + width, len(members) + members[-1][1] if members else 0))
        return sorted(index for _, index in members[first:last])


def group_of(value: Json, rules: Rules) -> Group:
    """A text that is the same for all values that are equal under the rules."""
    return equality_text(_exact_part(value, rules))


def _exact_part(value: Json, rules: Rules) -> Json:
    """The value without the parts that equal values may have differently."""
    if rules.ignored:
        return None
    if isinstance(value, dict):
        below = {key: rules.properties.get(key, EXACT) for key in value}
        return {
            key: _exact_part(item, below[key])
            for key, item in value.items()
            if not (below[key].ignored or below[key].if_expected)
        }
    if isinstance(value, list):
        parts = [_exact_part(item, rules.items or EXACT) for item in value]
        return sorted(parts, key=equality_text) if rules.unordered else parts
    return _NUMBER if _is_tolerant(value, rules) else value


def number_of(value: Json, rules: Rules) -> tuple[float, float]:
    """The first number with a tolerance, in an order that all values of a group share, and its greatest distance from an
    equal one. Units in the last place are counted. (0, 0) if there is no number."""
    for number, tolerance in _tolerant_numbers(value, rules):
        if tolerance.absolute is None:
            return rank(number), tolerance.ulps or 0
        return number, tolerance.absolute + (abs(number) + tolerance.absolute) * 1e-15  # rounding errors
    return 0, 0


def _tolerant_numbers(value: Json, rules: Rules) -> Iterator[tuple[float, Tolerance]]:
    if rules.ignored:
        return
    if isinstance(value, dict):
        for key in sorted(rules.properties):
            if key in value and not rules.properties[key].if_expected:
                yield from _tolerant_numbers(value[key], rules.properties[key])
    elif isinstance(value, list):
        for item in value if rules.items and not rules.unordered else ():
            yield from _tolerant_numbers(item, rules.items or EXACT)
    elif rules.tolerance and _is_tolerant(value, rules):
        yield float(value), rules.tolerance  # type: ignore[arg-type]


def _is_tolerant(value: Json, rules: Rules) -> bool:
    return rules.tolerance is not None and isinstance(value, int | float) and not isinstance(value, bool)


def rank(number: float) -> int:
    """The place of a double among all doubles, so that neighbours are 1 apart."""
    bits: int = struct.unpack("<q", struct.pack("<d", number))[0]
    return bits if bits >= 0 else -(bits & 0x7FFF_FFFF_FFFF_FFFF)
