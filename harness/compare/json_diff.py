"""Two values → every place where they differ. Pure.

Equality is by JSON type: a boolean never equals a number, numbers are IEEE doubles compared exactly (0 equals -0), unless
the operation's schema states a tolerance.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator, Sequence

from ..base.json_path import member
from ..model import ABSENT, EXACT, Difference, Json, JsonObject, Rules, Tolerance
from .canonical import canonical_bytes, equality_text

MAX_DIFFERENCES = 10_000
"""Differences of one answer that are searched; a signature covers these."""

_SCALARS = frozenset({str, float, int, bool, type(None)})


def differences(wanted: Json, got: Json, rules: Rules = EXACT, path: str = "$") -> Iterator[Difference]:
    """Every place where two values differ, in the order of the wanted value."""
    if rules.ignored:
        return
    if isinstance(wanted, dict) and isinstance(got, dict):
        yield from _member_differences(wanted, got, rules, path)
    elif isinstance(wanted, list) and isinstance(got, list):
        yield from (
            _unordered(wanted, got, path) if rules.unordered else _ordered(wanted, got, rules.items or EXACT, path)
        )
    elif not _same(wanted, got, rules.tolerance):
        yield Difference(path, wanted, got)


def _member_differences(wanted: JsonObject, got: JsonObject, rules: Rules, path: str) -> Iterator[Difference]:
    for key, value in wanted.items():
        below = rules.properties.get(key, EXACT)
        if key in got:
            if _identical(value, got[key]):
                continue
            yield from differences(value, got[key], below, path + member(key))
        elif not below.ignored:
            yield Difference(path + member(key), in_order(value, below), ABSENT)
    for key, value in got.items():
        below = rules.properties.get(key, EXACT)
        if key not in wanted and not (below.ignored or below.if_expected):
            yield Difference(path + member(key), ABSENT, in_order(value, below))


def _ordered(wanted: list[Json], got: list[Json], items: Rules, path: str) -> Iterator[Difference]:
    for index in range(max(len(wanted), len(got))):
        place = f"{path}[{index}]"
        if index >= len(got):
            yield Difference(place, in_order(wanted[index], items), ABSENT)
        elif index >= len(wanted):
            yield Difference(place, ABSENT, in_order(got[index], items))
        elif not _identical(wanted[index], got[index]):
            yield from differences(wanted[index], got[index], items, place)


def _unordered(wanted: list[Json], got: list[Json], path: str) -> Iterator[Difference]:
    """The difference of two multisets. It does not depend on the order of either list: elements are sorted first, and get
    no index. An equal element is equal without any rule, which `corpus/rules.py` ensures."""
    wanted, got = (sorted(side, key=canonical_bytes) for side in (wanted, got))
    yield from (Difference(f"{path}[*]", value, ABSENT) for value in _beyond(wanted, got))
    yield from (Difference(f"{path}[*]", ABSENT, value) for value in _beyond(got, wanted))


def _beyond(values: Sequence[Json], others: Sequence[Json]) -> Iterator[Json]:
    """The values without an equal one among the others, each of which counts once."""
    left = Counter(map(equality_text, others))
    for value in values:
        text = equality_text(value)
        if not left[text]:
            yield value
        left[text] -= left[text] > 0


def in_order(value: Json, rules: Rules) -> Json:
    """The value with every unordered list in it sorted, so that equal values are identical."""
    if isinstance(value, dict) and rules.properties:
        return {key: in_order(item, rules.properties.get(key, EXACT)) for key, item in value.items()}
    if isinstance(value, list) and rules.unordered:
        return sorted(value, key=canonical_bytes)
    if isinstance(value, list) and rules.items:
        return [in_order(item, rules.items) for item in value]
    return value


def _identical(wanted: Json, got: Json) -> bool:
    """Whether both are one value without members, so that no rule makes them differ."""
    return type(wanted) is type(got) and type(wanted) in _SCALARS and wanted == got


def _same(wanted: Json, got: Json, tolerance: Tolerance | None) -> bool:
    if isinstance(wanted, bool) or isinstance(got, bool):
        return wanted is got
    if isinstance(wanted, int | float) and isinstance(got, int | float):
        return _close(float(wanted), float(got), tolerance)
    if isinstance(wanted, str):
        return isinstance(got, str) and wanted == got
    return wanted is None and got is None


def _close(wanted: float, got: float, tolerance: Tolerance | None) -> bool:
    if wanted == got or tolerance is None:
        return wanted == got
    if tolerance.absolute is not None:
        return abs(wanted - got) <= tolerance.absolute
    return abs(_rank(wanted) - _rank(got)) <= (tolerance.ulps or 0)


def _rank(number: float) -> int:
    """The place of a double among all doubles, so that neighbours are 1 apart."""
    bits: int = struct.unpack("<q", struct.pack("<d", number))[0]
    return bits if bits >= 0 else -(bits & 0x7FFF_FFFF_FFFF_FFFF)
