"""Results and incidents ↔ their lines.

A line that parity did not write is a `KeyError`, `TypeError`, `ValueError`, `AttributeError` or `msgspec.ValidationError`
that names the member; `reader` adds the place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, get_args

import msgspec
from msgspec import convert, to_builtins
from msgspec.structs import fields, force_setattr

from ..base.strict_json import MAX_DEPTH, read_json
from ..compare.canonical import compact, sorted_text
from ..compare.error_text import incident_text, outcome_text
from ..model import (
    ABSENT,
    Absent,
    Answered,
    Case,
    Difference,
    ErrorCause,
    Errored,
    Failed,
    Incident,
    Json,
    JsonObject,
    Listing,
    Outcome,
    Passed,
    Raised,
    Response,
    Result,
    ResultLine,
    Rounds,
    StartFailure,
    Unavailable,
    Unsupported,
    UnsupportedReason,
    Verdict,
    response_of,
)

_NAMED = ("verdict", "readings", "kind", "signature", "error", "unsupported", "reason", "answer")
"""The members that name an outcome, in order."""

_OUTCOME = (*_NAMED, "stage", "recovered", "difference", "charged", "explainedBy", "undecided", "engine")

_OWN = {kind.verdict.value: frozenset(kind.__struct_encode_fields__) for kind in get_args(Outcome)}
_FOREIGN = {verdict: frozenset(_OUTCOME) - own - {"verdict", "reason", "answer"} for verdict, own in _OWN.items()}
_FOREIGN[Verdict.ERROR.value] -= {"kind"}
"""The members that no result of a verdict has."""


_MAX_DEPTH = 2 * MAX_DEPTH
"""Levels of a line, which holds values of a message."""

_ONCE = (b'"case":', b'"implementation":', b'"verdict":', b'"expected":')
"""Members that decide what a line says and that hardly any value has inside."""

_MAX_DIGITS = 300
_DIGIT = re.compile(rb"[0-9]")
_LONG_NUMBER = re.compile(rb"[0-9]{%d}" % _MAX_DIGITS)


def json_object(line: bytes) -> dict[str, Any]:
    """The object that a line states. msgspec refuses lone surrogates, and takes whole numbers beyond every double and a
    member that occurs twice, so lines that may have one are read by the standard library."""
    value = None
    if not _needs_strict_reader(line):
        with suppress(msgspec.DecodeError):
            value = msgspec.json.decode(line)
    if value is None:
        value = read_json(line.decode("utf-8"), max_depth=_MAX_DEPTH)
    if not isinstance(value, dict):
        raise TypeError("object")
    return value


def _needs_strict_reader(line: bytes) -> bool:
    """Whether a number beyond every double can be in the line (one of these digits would be in it), or a member twice that
    names the result."""
    probed = _DIGIT.search(line[_MAX_DIGITS - 1 :: _MAX_DIGITS])
    if probed is not None and _LONG_NUMBER.search(line) is not None:
        return True
    return any(line.count(name) > 1 for name in _ONCE)


def line_text(members: Mapping[str, Json], texts: Mapping[str, str] | None = None) -> str:
    """The line of an object; `texts` has members that are rendered already."""
    rendered = texts or {}
    return "{" + ",".join(f'"{name}":{rendered.get(name) or compact(value)}' for name, value in members.items()) + "}"


class _PlainLine(ResultLine, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The line of a pass or of an unsupported case, without anything unusual, as msgspec reads it."""

    verdict: Verdict
    outcome: Any = None
    answer: Any = None
    unsupported: UnsupportedReason | None = None
    readings: Mapping[str, str] = msgspec.field(default_factory=dict)  # type: ignore[assignment]
    reason: str = ""


_PLAIN = msgspec.json.Decoder(_PlainLine)


def read_plain_result(line: bytes) -> ResultLine | None:
    """The result of a line as most lines are, in a third of the time; None for a line that `read_result` must read."""
    if _needs_strict_reader(line):
        return None
    outcome: Outcome
    try:
        found = _PLAIN.decode(line)
        if found.verdict is Verdict.PASS and found.unsupported is None:
            outcome = Passed(read_response(found.answer), readings=tuple(_pairs(found.readings)))
        elif found.verdict is Verdict.UNSUPPORTED and found.unsupported and not found.readings and found.answer is None:
            outcome = Unsupported(found.unsupported)
        else:
            return None
        force_setattr(found, "expected", read_response(found.expected))
    except (msgspec.DecodeError, RecursionError, KeyError, AttributeError):
        return None
    force_setattr(found, "outcome", outcome)
    return convert(found, ResultLine, from_attributes=True)


def read_result(values: dict[str, Any]) -> ResultLine:
    """The result of a line."""
    found = {**values, "outcome": read_outcome(values), "expected": read_response(values["expected"])}
    found["flaky"] = tuple(
        Rounds(convert(part["passes"], tuple[int, ...]), read_outcome(part)) for part in values.get("flaky", ())
    )
    return convert(found, ResultLine)


_OF_CASE = frozenset(ResultLine.__struct_fields__).intersection(dir(Case)) - {"request"}
"""The members of a line that a case has under the same name."""


def result_members(result: ResultLine) -> JsonObject:
    """The members of a result's line: those of the struct in its order, with those of the outcome in its place."""
    members: JsonObject = {"type": "result"}
    for member in _MEMBERS:
        value = getattr(result, member.name)
        if member.name == "outcome":
            members |= outcome_members(value)
        elif value != member.default:
            members[member.encode_name] = _FORMS.get(member.name, to_builtins)(value)
    return members


def result_line(result: Result, stderr: str, expectation: Listing | None, unobserved: int) -> tuple[ResultLine, str]:
    """The line of a result that has just arrived, as a value and as text."""
    case = result.case
    of_case = {name: getattr(case, name) for name in _OF_CASE}
    line = ResultLine(
        **{**of_case, "note": case.note.strip()},
        case=case.name,
        request=case.recorded_request,
        implementation=result.implementation,
        outcome=result.outcome,
        stderr=stderr,
        expectation=expectation,
        flaky=result.flaky,
        unobserved=unobserved,
        ms=None if result.ms is None else round(result.ms, 3),
    )
    return line, line_text(result_members(line), _rendered(case, response_of(result.outcome)))


def _rendered(case: Case, response: Response | None) -> dict[str, str]:
    """The expected response with sorted members; an answer that is the expected one has its text."""
    texts = {"expected": sorted_text(shown(case.expected))}
    if isinstance(response, Answered) and isinstance(case.expected, Answered) and response.value is case.expected.value:
        texts["answer"] = texts["expected"]
    return texts


def read_outcome(values: Mapping[str, Any]) -> Outcome:
    """The outcome of a result, or of a pass (which has no differences)."""
    found = {**values}
    if "answer" in found:
        found["answer"] = read_response(found["answer"])
    found["difference"] = [{"wanted": ABSENT, "got": ABSENT, **part} for part in found.get("difference", ())]
    if "readings" in found:
        found["readings"] = _pairs(found["readings"])
    if "explainedBy" in found:
        choice = found["explainedBy"]
        found["explainedBy"] = {"readings": _pairs(choice["readings"]), "deviations": sorted(choice["deviations"])}
    if found["verdict"] == Verdict.ERROR.value:
        found["error"] = _tagged_cause(found["kind"], found["error"])
    outcome: Outcome = convert(found, Outcome)
    for name in _FOREIGN[outcome.verdict.value] & values.keys():
        raise ValueError(f"{name}: a result with the verdict {outcome.verdict} has none")
    return outcome


def outcome_members(outcome: Outcome, names: Sequence[str] = _OUTCOME) -> JsonObject:
    """The members of a result that its outcome gives; of these the named ones."""
    found: dict[str, Any] = {
        name: getattr(outcome, field)
        for field, name in zip(outcome.__struct_fields__, outcome.__struct_encode_fields__, strict=True)
    }
    found |= {"verdict": outcome.verdict.value, "reason": outcome_text(outcome)}
    found["answer"] = shown(response) if (response := response_of(outcome)) else None
    if isinstance(outcome, Errored):
        found |= {"kind": outcome.kind.value, "error": cause_members(outcome.cause)}
    if choice := found.get("explainedBy"):
        found["explainedBy"] = {"readings": dict(choice.readings), "deviations": list(choice.deviations)}
        found["undecided"] = None
    if found.get("readings"):
        found["readings"] = dict(found["readings"])
    if found.get("difference") is not None:
        found["difference"] = [_difference_members(part) for part in found["difference"]]
    always = ("difference", "charged") if isinstance(outcome, Failed) else ("error",)
    return {
        name: to_builtins(value) if name in _STRUCTS else value
        for name in names
        if (value := found.get(name)) or (name in always and name in found)
    }


_STRUCTS = frozenset({"unsupported", "undecided", "engine", "charged"})


def read_response(value: Any) -> Response:
    """`{answer: …}` or `{error: {type, message?, stack?}}`."""
    if isinstance(answer := value.get("answer"), dict):
        return Answered(answer)
    return convert(value["error"], Raised)


def shown(response: Response) -> JsonObject:
    """A response as a record holds it: `{answer: …}` or `{error: {type, message?, stack?}}`."""
    if isinstance(response, Answered):
        return {"answer": response.value}
    members = {"type": response.type, "message": response.message, "stack": response.stack}
    return {"error": {name: value for name, value in members.items() if value or name == "type"}}


def _pairs(readings: Mapping[str, str]) -> list[tuple[str, str]]:
    return sorted(readings.items())


def _difference_members(part: Difference) -> JsonObject:
    sides = (("wanted", part.wanted), ("got", part.got))
    members: JsonObject = {name: side for name, side in sides if not isinstance(side, Absent)}
    return {"path": part.path, **members, **({"undisputed": True} if part.undisputed else {})}


def _tagged_cause(kind: Any, value: Mapping[str, Any]) -> dict[str, Any]:
    """The member `error` with its kind inside, and with the members of its context in an object of their own."""
    if kind == StartFailure.kind.value:
        return {"kind": kind, "cause": _tagged_cause(value["start"], value)}
    return {"adapter": "", **value, "kind": kind, "context": value}


def cause_members(cause: ErrorCause) -> JsonObject:
    """The member `error`, from which a cause is read back; the member `kind` is beside it."""
    if isinstance(cause, StartFailure) and isinstance(cause.cause, Unavailable):
        adapter: JsonObject = {"adapter": cause.cause.adapter} if cause.cause.adapter else {}
        return {"start": "unavailable", "message": cause.cause.reason, **adapter}
    found = to_builtins(cause)
    members = found.get("cause", found)
    start = {"start": members["kind"]} if isinstance(cause, StartFailure) else {}
    context = members.pop("context", {})
    return {**start, **{name: value for name, value in members.items() if name != "kind"}, **context}


_MEMBERS = fields(ResultLine)

_FORMS: Mapping[str, Callable[[Any], Any]] = {
    "request": lambda request: request,
    "expected": shown,
    "flaky": lambda flaky: [{"passes": [*part.rounds], **outcome_members(part.outcome, _NAMED)} for part in flaky],
}
"""The members of a line that have a form of their own."""


def read_incident(values: Mapping[str, Any]) -> Incident:
    """The incident, or the suspicion, of a line."""
    return convert({**values, "cause": _tagged_cause(values["kind"], values["error"])}, Incident)


def incident_members(incident: Incident, kind: str = "incident") -> JsonObject:
    """The members of the line about an incident, or about a `suspicion`: a break that becomes an incident if no suspect's
    verdict explains it."""
    return {
        "type": kind,
        "implementation": incident.implementation,
        "kind": incident.kind.value,
        "suspects": [*incident.suspects],
        "reason": incident_text(incident.cause),
        "error": cause_members(incident.cause),
        "stderr": incident.stderr,
    }
