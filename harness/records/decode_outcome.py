"""The members of one recorded result → its outcome."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..model import (
    ABSENT,
    ADOPTED,
    Answered,
    Breach,
    BreachCode,
    BreakContext,
    Choice,
    Crash,
    Difference,
    EarlierStartFailure,
    EngineRefusal,
    ErrorCause,
    Errored,
    ErrorKind,
    Failed,
    ImplementationError,
    NothingObservable,
    NotOffered,
    Outcome,
    OutOfReach,
    Passed,
    Passes,
    Phase,
    Raised,
    Readings,
    Response,
    StartFailure,
    TimedOut,
    Unavailable,
    Undecided,
    Unsupported,
    UnsupportedReason,
    Variant,
    Verdict,
)
from .members import member, nonempty_text, objects, text, texts

_ONLY = {
    "kind": {Verdict.ERROR},
    "error": {Verdict.ERROR},
    "unsupported": {Verdict.UNSUPPORTED},
    "signature": {Verdict.FAIL, Verdict.ERROR},
    "stage": {Verdict.FAIL},
    "explainedBy": {Verdict.FAIL, Verdict.ERROR},
    "undecided": {Verdict.FAIL, Verdict.ERROR},
    "readings": {Verdict.PASS, Verdict.VARIANT},
    "difference": {Verdict.VARIANT, Verdict.FAIL},
}
"""Members that only results of these verdicts have."""


def read_outcome(value: Mapping[str, Any]) -> Outcome:
    """The outcome of a result, or of a pass (which has no differences)."""
    verdict = Verdict(value["verdict"])
    for key, verdicts in _ONLY.items():
        if key in value and verdict not in verdicts:
            raise ValueError(f"{key}: a result with the verdict {verdict} has none")
    engine = tuple(map(_refusal, objects(value, "engine"))) if "engine" in value else ()
    differences = tuple(map(_difference, objects(value, "difference"))) if "difference" in value else ()
    match verdict:
        case Verdict.PASS:
            return Passed(read_response(value["answer"], "answer"), engine, readings=_readings(value))
        case Verdict.VARIANT:
            readings = _readings(value)
            if not readings:
                raise ValueError("readings: a variant follows at least one")
            return Variant(read_response(value["answer"], "answer"), readings, differences, engine)
        case Verdict.FAIL:
            return Failed(
                read_response(value["answer"], "answer"),
                differences,
                signature=nonempty_text(value, "signature"),
                stage=text(value, "stage", ""),
                recovered=value.get("recovered") is True,
                engine=engine,
                charged=texts(value, "charged") if "charged" in value else (),
                explained_by=_explained_by(value),
                undecided=_undecided(value),
            )
        case Verdict.ERROR:
            return Errored(
                read_cause(ErrorKind(value["kind"]), member(value, "error", dict)),
                nonempty_text(value, "signature"),
                _explained_by(value),
                _undecided(value),
            )
        case Verdict.UNSUPPORTED:
            return Unsupported(_unsupported(member(value, "unsupported", dict)))


def _readings(value: Mapping[str, Any]) -> Readings:
    found = member(value, "readings", dict) if "readings" in value else {}
    return tuple(sorted((ruling, text(found, ruling)) for ruling in found))


def _explained_by(value: Mapping[str, Any]) -> Choice:
    if "explainedBy" not in value:
        return ADOPTED
    found = member(value, "explainedBy", dict)
    return Choice(_readings(found), tuple(sorted(texts(found, "deviations"))))


def _undecided(value: Mapping[str, Any]) -> Undecided | None:
    if "undecided" not in value:
        return None
    found = member(value, "undecided", dict)
    return Undecided(member(found, "readings", int), member(found, "size", int))


def read_response(value: Any, key: str) -> Response:
    """`{answer: …}` or `{error: {type, message?, stack?}}`; `key` is the member for messages."""
    match value:
        case {"answer": dict(answer)}:
            return Answered(answer)
        case {"error": dict(error)}:
            return Raised(text(error, "type"), text(error, "message", ""), text(error, "stack", ""))
    raise TypeError(key)


def read_cause(kind: ErrorKind, value: dict[str, Any]) -> ErrorCause:
    """The cause that a member `error` states."""
    match kind:
        case ErrorKind.CRASH | ErrorKind.TIMEOUT | ErrorKind.PROTOCOL:
            return _break(kind, value)
        case ErrorKind.IMPLEMENTATION:
            return ImplementationError(text(value, "type"), text(value, "message", ""), text(value, "stack", ""))
        case ErrorKind.START:
            return _start_failure(value)


def _break(kind: ErrorKind, value: dict[str, Any]) -> Crash | TimedOut | Breach:
    context = BreakContext(
        Phase(value.get("phase", Phase.REQUESTS)),
        text(value, "lastAnswered", ""),
        value.get("afterReply") is True,
        member(value, "unsentAfter", int) if "unsentAfter" in value else 0,
    )
    match kind:
        case ErrorKind.CRASH:
            status = member(value, "status", int) if "status" in value else None
            half = member(value, "partialLine", int) if "partialLine" in value else 0
            return Crash(status, text(value, "signal", ""), half, context)
        case ErrorKind.TIMEOUT:
            return TimedOut(member(value, "seconds", int | float), text(value, "method", ""), context)
        case ErrorKind.PROTOCOL:
            parts = {key: text(value, key, "") for key in ("path", "expected", "found", "schema")}
            return Breach(BreachCode(value["code"]), **parts, context=context)
    raise ValueError("kind")


def _start_failure(value: dict[str, Any]) -> StartFailure:
    start = text(value, "start")
    if start == "unavailable":
        return StartFailure(Unavailable(text(value, "adapter", ""), text(value, "message")))
    if start == "earlier":
        return StartFailure(EarlierStartFailure(text(value, "implementation"), text(value, "case")))
    return StartFailure(_break(ErrorKind(start), value))


def _unsupported(value: dict[str, Any]) -> UnsupportedReason:
    match value["cause"]:
        case "not-offered":
            return NotOffered(text(value, "reason", ""))
        case "out-of-reach":
            return OutOfReach(text(value, "reason"))
        case "nothing-observable":
            return NothingObservable(texts(value, "paths"))
    raise ValueError("cause")


def _refusal(value: Mapping[str, Any]) -> EngineRefusal:
    return EngineRefusal(*(text(value, key) for key in ("path", "side", "engine", "match", "message")))


def _difference(part: Mapping[str, Any]) -> Difference:
    wanted, got = part.get("wanted", ABSENT), part.get("got", ABSENT)
    return Difference(text(part, "path"), wanted, got, part.get("undisputed") is True)


def read_passes(value: dict[str, Any]) -> Passes:
    """One entry of a flaky result: the passes and their outcome."""
    numbers = member(value, "passes", list)
    if not all(isinstance(number, int) for number in numbers):
        raise TypeError("passes")
    return Passes(tuple(numbers), read_outcome(value))
