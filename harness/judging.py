"""Expected outcome and what came → a judgement, with every difference. Pure; knows values and rules, no process.

Equality is by JSON type: a boolean never equals a number, numbers are IEEE doubles compared exactly (0 equals -0), unless
the operation's schema states a tolerance.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from harness.canonical import canonical_bytes, canonical_text, digest
from harness.match_engine import refusal
from harness.matching import unmatched
from harness.model import (
    ABSENT,
    EXACT,
    Absent,
    Answered,
    Case,
    Difference,
    ErrorKind,
    Json,
    JsonObject,
    Judgement,
    Operation,
    Outcome,
    Raised,
    Rules,
    Tolerance,
    Verdict,
)

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ABSENT_SIGN: JsonObject = {"absent": True}

MOST_DIFFERENCES = 10_000
"""Differences of one answer that are looked for; a signature is of these."""


def judge(case: Case, operation: Operation, outcome: Outcome, untold: Sequence[str] = ()) -> Judgement:
    """The verdict on `outcome` for `case`; paths in `untold` (JSON Pointers) are left out of the comparison."""
    found = outcome_differences(case.expected, outcome, operation.rules, untold)
    difference = tuple(islice(found, MOST_DIFFERENCES))
    engine = refusals(case, operation, outcome)
    if not difference:
        return Judgement(Verdict.PASS, reading=case.adopted, outcome=outcome, engine=engine)
    if reading := _other_reading(case, operation, outcome, untold):
        return Judgement(Verdict.VARIANT, reading=reading, outcome=outcome, difference=difference, engine=engine)
    answered = isinstance(case.expected, Answered)
    if answered and isinstance(outcome, Raised):
        return _raised(outcome)
    stage, healed = parted_stage(difference, operation.stages) if answered else ("", False)
    return Judgement(
        Verdict.FAIL,
        stage=stage,
        healed=healed,
        signature=signature(difference),
        outcome=outcome,
        difference=_marked(difference, case, operation, outcome, untold),
        engine=engine,
    )


def _other_reading(case: Case, operation: Operation, outcome: Outcome, untold: Sequence[str]) -> str:
    """The recorded reading by which the outcome is right; empty if there is none."""
    for reading, expected in case.readings.items():
        if not any(True for _ in outcome_differences(expected, outcome, operation.rules, untold)):
            return reading
    return ""


def _marked(
    difference: tuple[Difference, ...], case: Case, operation: Operation, outcome: Outcome, untold: Sequence[str]
) -> tuple[Difference, ...]:
    """The differences, those marked as undisputed that stand against every reading of a disputed case alike."""
    if not case.readings:
        return difference
    against = [
        {canonical_bytes(_row(part)) for part in outcome_differences(expected, outcome, operation.rules, untold)}
        for expected in case.readings.values()
    ]
    return tuple(
        replace(part, undisputed=all(canonical_bytes(_row(part)) in rows for rows in against)) for part in difference
    )


def _raised(outcome: Raised) -> Judgement:
    """The judgement on an error where an answer is expected."""
    return Judgement(
        Verdict.ERROR,
        kind=ErrorKind.IMPLEMENTATION,
        reason=outcome.message,
        outcome=outcome,
        signature=error_signature(ErrorKind.IMPLEMENTATION, outcome.type),
    )


def outcome_differences(
    wanted: Outcome, got: Outcome, rules: Rules, untold: Sequence[str] = ()
) -> Iterator[Difference]:
    """Every place where `got` is not what was `wanted`."""
    if isinstance(wanted, Answered) and isinstance(got, Answered):
        yield from differences(pruned(wanted.value, untold), got.value, rules)
    elif isinstance(wanted, Raised) and isinstance(got, Raised):
        if wanted.type != got.type:
            yield Difference("$.error.type", wanted.type, got.type)
    else:
        yield Difference("$", _shown(wanted), _shown(got))


def _shown(outcome: Outcome) -> Json:
    return {"answer": outcome.value} if isinstance(outcome, Answered) else {"error": {"type": outcome.type}}


def differences(wanted: Json, got: Json, rules: Rules = EXACT, path: str = "$") -> Iterator[Difference]:
    """Every place where two values part, in the order of the wanted value."""
    if rules.ignored:
        return
    if isinstance(wanted, dict) and isinstance(got, dict):
        yield from _member_differences(wanted, got, rules, path)
    elif isinstance(wanted, list) and isinstance(got, list):
        items = rules.items or EXACT
        yield from (_unordered if rules.unordered else _ordered)(wanted, got, items, path)
    elif not _same(wanted, got, rules.tolerance):
        yield Difference(path, wanted, got)


def _member_differences(wanted: JsonObject, got: JsonObject, rules: Rules, path: str) -> Iterator[Difference]:
    for key, value in wanted.items():
        below = rules.properties.get(key, EXACT)
        if key in got:
            yield from differences(value, got[key], below, path + member(key))
        elif not below.ignored:
            yield Difference(path + member(key), in_order(value, below), ABSENT)
    for key, value in got.items():
        below = rules.properties.get(key, EXACT)
        if key not in wanted and not below.ignored:
            yield Difference(path + member(key), ABSENT, in_order(value, below))


def _ordered(wanted: list[Json], got: list[Json], items: Rules, path: str) -> Iterator[Difference]:
    for index in range(max(len(wanted), len(got))):
        place = f"{path}[{index}]"
        if index >= len(got):
            yield Difference(place, in_order(wanted[index], items), ABSENT)
        elif index >= len(wanted):
            yield Difference(place, ABSENT, in_order(got[index], items))
        else:
            yield from differences(wanted[index], got[index], items, place)


def _unordered(wanted: list[Json], got: list[Json], items: Rules, path: str) -> Iterator[Difference]:
    """What one list has and the other has not, each element counted as often as it stands there.

    Nothing of it hangs on the order of either list: elements are taken in one order, and have no index.
    """

    def same(one: Json, other: Json) -> bool:
        return not any(True for _ in differences(one, other, items))

    wanted, got = (sorted((in_order(item, items) for item in side), key=canonical_bytes) for side in (wanted, got))
    missing, extra = unmatched(wanted, got, same if items != EXACT else None)
    for index in missing:
        yield Difference(f"{path}[*]", wanted[index], ABSENT)
    for index in extra:
        yield Difference(f"{path}[*]", ABSENT, got[index])


def in_order(value: Json, rules: Rules) -> Json:
    """The value with every list in it whose order does not count in one order, the same for all that are equal."""
    if isinstance(value, dict) and rules.properties:
        return {key: in_order(item, rules.properties.get(key, EXACT)) for key, item in value.items()}
    if isinstance(value, list) and (rules.unordered or rules.items):
        items = [in_order(item, rules.items or EXACT) for item in value]
        return sorted(items, key=canonical_bytes) if rules.unordered else items
    return value


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


def member(key: str) -> str:
    """The step to a member in a path: `.name`, or `["odd name"]`."""
    return f".{key}" if _NAME.fullmatch(key) else f"[{canonical_text(key)}]"


def pruned(value: Json, pointers: Sequence[str]) -> Json:
    """`value` without the places that the JSON Pointers name; `*` stands for every element or member.

    A list of which every element goes, goes whole: an empty one in its place would say that nothing was found.
    """
    for pointer in pointers:
        value = _without(value, tuple(_tokens(pointer)))
    return value


def told_of(value: Json, pointers: Sequence[str]) -> list[str]:
    """Those of the pointers that lead to something in `value`."""
    return [
        pointer
        for pointer in pointers
        if canonical_text(_without(value, tuple(_tokens(pointer)))) != canonical_text(value)
    ]


def says_something(value: Json) -> bool:
    """Whether a value has any leaf left to compare; how long a list of emptied objects is, is none."""
    if isinstance(value, dict):
        return any(says_something(item) for item in value.values())
    return not value or any(says_something(item) for item in value) if isinstance(value, list) else True


def _tokens(pointer: str) -> list[str]:
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def _without(value: Json, tokens: tuple[str, ...]) -> Json:
    if not tokens:
        return value
    first, rest = tokens[0], tokens[1:]
    if isinstance(value, dict):
        return {
            key: _without(item, rest) if first in ("*", key) else item
            for key, item in value.items()
            if first not in ("*", key) or (rest and not (rest == ("*",) and isinstance(item, list)))
        }
    if isinstance(value, list):
        kept = ((index, item) for index, item in enumerate(value) if rest or first not in ("*", str(index)))
        return [_without(item, rest) if first in ("*", str(index)) else item for index, item in kept]
    return value


def parted_stage(difference: Sequence[Difference], stages: Sequence[str]) -> tuple[str, bool]:
    """The first stage in which a difference lies, and whether the last stage is right all the same."""
    touched = [any(_touches(part.path, stage) for part in difference) for stage in stages]
    if True not in touched:
        return "", False
    return stages[touched.index(True)], not touched[-1]


def _touches(path: str, stage: str) -> bool:
    place = "$" + "".join(f"[{token}]" if token.isdigit() else member(token) for token in _tokens(stage))
    return _below(path, place) or _below(place, path)


def _below(path: str, place: str) -> bool:
    return path == place or path.startswith((f"{place}.", f"{place}["))


def signature(difference: Sequence[Difference]) -> str:
    """The first 12 hex digits of SHA-256 over the sorted differences; a side without such a member is `{"absent": true}`."""
    rows: list[Json] = [_row(part) for part in difference]
    rows.sort(key=canonical_bytes)
    return _hashed(rows)


def _row(part: Difference) -> Json:
    return [part.path, _signed(part.wanted), _signed(part.got)]


def _signed(side: Json | Absent) -> Json:
    return _ABSENT_SIGN if isinstance(side, Absent) else side


def error_signature(kind: ErrorKind, type_: str = "") -> str:
    """The signature of an error: of its kind and the type of what was raised, never of a message."""
    return _hashed([kind.value, type_ or None])


def _hashed(value: Json) -> str:
    return digest(value)[:12]


def refusals(case: Case, operation: Operation, outcome: Outcome) -> tuple[JsonObject, ...]:
    """What a real engine refuses of the expressions that were wanted and that came (by `x-engine` of the schema)."""
    rules = operation.rules
    if not (rules.engine or rules.properties or rules.items):  # nothing is annotated, so nothing is looked for
        return ()
    found: dict[tuple[str, str], JsonObject] = {}
    for side, one in (("wanted", case.expected), ("got", outcome)):
        if not isinstance(one, Answered):
            continue
        for path, engine, text in _expressions(one.value, rules, "$"):
            message = refusal(text)
            if message and (path, text) not in found:
                found[path, text] = {"path": path, "side": side, "engine": engine, "match": text, "message": message}
    return tuple(found.values())


def _expressions(value: Json, rules: Rules, path: str) -> Iterator[tuple[str, str, str]]:
    if rules.engine and isinstance(value, str):
        yield path, rules.engine, value
    if isinstance(value, dict):
        for key, below in rules.properties.items():
            if key in value:
                yield from _expressions(value[key], below, path + member(key))
    if isinstance(value, list) and rules.items:
        for index, item in enumerate(value):
            yield from _expressions(item, rules.items, f"{path}[{index}]")
