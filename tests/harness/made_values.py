"""Outcomes, incidents and recorded implementations made by hand, from the members of a record's lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.model import (
    Answered,
    Breach,
    BreachCode,
    Crash,
    EngineRefusal,
    ErrorCause,
    Errored,
    ErrorKind,
    Failed,
    Implementation,
    ImplementationError,
    Incident,
    Outcome,
    OutOfReach,
    Passed,
    Raised,
    RecordedImplementation,
    Response,
    Rounds,
    Ruling,
    StartFailure,
    TimedOut,
    Unavailable,
    Unsupported,
    Variant,
    Verdict,
)

SIGNATURE = "ba9876543210"


def response(value: Any) -> Response:
    """`{answer: …}` or `{error: {type, message?}}` as a value."""
    if "error" in value:
        return Raised(value["error"]["type"], value["error"].get("message", ""))
    return Answered(value.get("answer", {}))


def cause(kind: ErrorKind, text: str = "", type_: str = "unclassified") -> ErrorCause:
    """A cause of this kind, with `text` in it."""
    match kind:
        case ErrorKind.CRASH:
            return Crash(signal=text) if text else Crash(9)
        case ErrorKind.TIMEOUT:
            return TimedOut(10, text)
        case ErrorKind.PROTOCOL:
            return Breach(BreachCode.NOT_JSON, found=text)
        case ErrorKind.IMPLEMENTATION:
            return ImplementationError(type_, text)
        case ErrorKind.START:
            return StartFailure(Unavailable("", text))


def outcome(
    verdict: Verdict,
    *,
    answer: Any = None,
    kind: ErrorKind | None = None,
    reason: str = "",
    difference: Sequence[Any] = (),
    engine: Sequence[Any] = (),
    signature: str = SIGNATURE,
    reading: str = "",
    ruling: str = "RUL-1",
    stage: str = "",
    recovered: bool = False,
    error: ErrorCause | None = None,
    charged: Sequence[str] = (),
) -> Outcome:
    """An outcome by the members of a record's line; `error` is a cause in place of kind and reason."""
    got = response(answer or {"answer": {}})
    followed = ((ruling, reading),) if reading else ()
    refused = tuple(EngineRefusal(**one) for one in engine)
    match verdict:
        case Verdict.PASS:
            return Passed(got, refused, readings=followed)
        case Verdict.VARIANT:
            return Variant(got, followed, tuple(difference), refused)
        case Verdict.FAIL:
            return Failed(got, tuple(difference), signature, stage, recovered, refused, tuple(charged))
        case Verdict.ERROR:
            type_ = got.type if isinstance(got, Raised) else "unclassified"
            return Errored(error or cause(kind or ErrorKind.CRASH, reason, type_), signature, tuple(charged))
        case Verdict.UNSUPPORTED:
            return Unsupported(OutOfReach(reason))


def passes(*rows: dict[str, Any]) -> tuple[Rounds, ...]:
    """Passes by the members that a record's line has."""
    return tuple(
        Rounds(
            tuple(row["passes"]),
            outcome(Verdict(row["verdict"]), **{k: v for k, v in row.items() if k not in ("passes", "verdict")}),
        )
        for row in rows
    )


def ruling(id_: str, text: str) -> Ruling:
    """A ruling with the adopted reading a and the other reading b."""
    return Ruling(
        id=id_, title="", requirements=(), question="", readings={"a": "", "b": ""}, adopted="a", basis="", why="",
        severity="low", evidence=(), wording="", revision="1.0", text=text,
    )  # fmt: skip


def incident(name: str, kind: ErrorKind, suspects: Sequence[str] = (), text: str = "", stderr: str = "") -> Incident:
    """An incident of this kind, with `text` in its cause."""
    return Incident(name, cause(kind, text), tuple(suspects), stderr)


def started(name: str, **more: Any) -> RecordedImplementation:
    """An implementation that started."""
    own: dict[str, Any] = {
        "implementation": f"the {name} singer",
        "version": "1.0",
        "language": "Solfège",
        "operations": frozenset({"song.sing", "organ.play"}),
    }
    return RecordedImplementation(name, name, Implementation(name=name, **{**own, **more}))


def mute(reason: str = "", log: str = "", adapter: str = "mute") -> RecordedImplementation:
    """An implementation that did not start."""
    return RecordedImplementation("mute", adapter, None, reason, log)
