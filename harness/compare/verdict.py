"""Expected outcome and what came → a judgement, with every difference. Pure; knows values and rules, no process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from harness.compare.canonical import canonical_bytes, digest
from harness.compare.fts5_check import refusal
from harness.compare.json_diff import differences, member
from harness.compare.unobservable import drop_paths, steps
from harness.model import (
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
    Verdict,
)

_ABSENT_SIGN: JsonObject = {"absent": True}

MAX_DIFFERENCES = 10_000
"""Differences of one answer that are looked for; a signature is of these."""


def judge(case: Case, operation: Operation, outcome: Outcome, unobservable: Sequence[str] = ()) -> Judgement:
    """The verdict on `outcome` for `case`; paths in `unobservable` (JSON Pointers) are left out of the comparison."""
    found = outcome_differences(case.expected, outcome, operation.rules, unobservable)
    difference = tuple(islice(found, MAX_DIFFERENCES))
    engine = refusals(case, operation, outcome)
    if not difference:
        return Judgement(Verdict.PASS, reading=case.adopted, outcome=outcome, engine=engine)
    if reading := _other_reading(case, operation, outcome, unobservable):
        return Judgement(Verdict.VARIANT, reading=reading, outcome=outcome, difference=difference, engine=engine)
    answered = isinstance(case.expected, Answered)
    if answered and isinstance(outcome, Raised):
        return _raised(outcome)
    stage, recovered = first_differing_stage(difference, operation.stages) if answered else ("", False)
    return Judgement(
        Verdict.FAIL,
        stage=stage,
        recovered=recovered,
        signature=signature(difference),
        outcome=outcome,
        difference=_marked(difference, case, operation, outcome, unobservable),
        engine=engine,
    )


def _other_reading(case: Case, operation: Operation, outcome: Outcome, unobservable: Sequence[str]) -> str:
    """The recorded reading by which the outcome is right; empty if there is none."""
    for reading, expected in case.readings.items():
        if not any(True for _ in outcome_differences(expected, outcome, operation.rules, unobservable)):
            return reading
    return ""


def _marked(
    difference: tuple[Difference, ...], case: Case, operation: Operation, outcome: Outcome, unobservable: Sequence[str]
) -> tuple[Difference, ...]:
    """The differences, those marked as undisputed that stand against every reading of a disputed case alike."""
    if not case.readings:
        return difference
    against = [
        {canonical_bytes(_row(part)) for part in outcome_differences(expected, outcome, operation.rules, unobservable)}
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
    wanted: Outcome, got: Outcome, rules: Rules, unobservable: Sequence[str] = ()
) -> Iterator[Difference]:
    """Every place where `got` is not what was `wanted`."""
    if isinstance(wanted, Answered) and isinstance(got, Answered):
        yield from differences(drop_paths(wanted.value, unobservable), got.value, rules)
    elif isinstance(wanted, Raised) and isinstance(got, Raised):
        if wanted.type != got.type:
            yield Difference("$.error.type", wanted.type, got.type)
    else:
        yield Difference("$", _shown(wanted), _shown(got))


def _shown(outcome: Outcome) -> Json:
    return {"answer": outcome.value} if isinstance(outcome, Answered) else {"error": {"type": outcome.type}}


def first_differing_stage(difference: Sequence[Difference], stages: Sequence[str]) -> tuple[str, bool]:
    """The first stage in which a difference lies, and whether the last stage is right all the same."""
    touched = [any(_touches(part.path, stage) for part in difference) for stage in stages]
    if True not in touched:
        return "", False
    return stages[touched.index(True)], not touched[-1]


def _touches(path: str, stage: str) -> bool:
    place = "$" + "".join(f"[{token}]" if token.isdigit() else member(token) for token in steps(stage))
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
