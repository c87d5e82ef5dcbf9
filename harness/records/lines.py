"""Results and incidents ↔ their lines.

A line that parity did not write is a `KeyError`, `TypeError`, `ValueError`, `AttributeError` or `msgspec.ValidationError`
that names the member; `reader` adds the place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any, get_args

import msgspec
from msgspec import convert, to_builtins
from msgspec.structs import fields

from ..base.strict_json import MAX_DEPTH, read_json
from ..compare.canonical import compact
from ..compare.error_text import incident_text, outcome_text
from ..model import (
    Answered,
    Case,
    ErrorCause,
    Errored,
    Failed,
    Incident,
    Json,
    JsonObject,
    Outcome,
    Raised,
    Response,
    Result,
    ResultLine,
    Rounds,
    StartFailure,
    Unavailable,
    Verdict,
    response_of,
)

_NAMED = ("verdict", "readings", "kind", "signature", "error", "unsupported", "reason", "answer")
"""The members that name an outcome, in order."""

_FIRST = (*_NAMED, "stage", "recovered", "difference", "charged", "byCause", "explainedBy", "undecided", "engine")
_OUTCOME = tuple(
    dict.fromkeys((*_FIRST, *(name for kind in get_args(Outcome) for name in kind.__struct_encode_fields__)))
)
"""All members of an outcome, in order."""

_OF_VERDICT: Mapping[str, Any] = {kind.verdict: kind for kind in get_args(Outcome)}
"""The outcome of each verdict: msgspec takes 8 µs more to find it in the union. Measured in November 2026."""

_MAX_DEPTH = 2 * MAX_DEPTH
"""Levels of a line, which holds values of a message."""

_MEMBER = b'":'
"""The end of the name of each member. In a text the quote follows a backslash, in the line and in what is encoded again."""

_DECODE = msgspec.json.Decoder().decode
_ENCODE = msgspec.json.Encoder().encode

_LONG_NUMBER = re.compile(rb"[0-9]{300}")
_TENTH_DIGITS = re.compile(rb"[0-9]{9}")
"""In every thirtieth byte of a line with a long number. This search is quick."""


def json_object(line: bytes) -> dict[str, Any]:
    """The object that a line states. A line that msgspec refuses (for a lone surrogate) or can misread is read by the
    standard library."""
    value = _decoded(line)
    if value is None:
        value = read_json(line.decode("utf-8"), max_depth=_MAX_DEPTH)
    if not isinstance(value, dict):
        raise TypeError("object")
    return value


def _decoded(line: bytes) -> Any:
    """The value of a line; None if msgspec refuses the line or can misread it: it takes whole numbers beyond every double,
    and a member that a line has twice. Such a member is in the value once, so the value encoded again has fewer members."""
    if _TENTH_DIGITS.search(line[::30]) and _LONG_NUMBER.search(line):
        return None
    try:
        value = _DECODE(line)
        members = _ENCODE(value).count(_MEMBER)
    except (msgspec.MsgspecError, RecursionError, OverflowError):
        return None
    return value if line.count(_MEMBER) == members else None


def line_text(members: Mapping[str, Json]) -> str:
    """The line of an object. The standard library writes what msgspec does not write as ASCII: it escapes nothing, and
    takes no lone surrogate and no whole number beyond 64 bits."""
    try:
        line = _ENCODE(members)
    except (UnicodeEncodeError, OverflowError):
        return compact({**members})
    return line.decode("ascii") if line.isascii() else compact({**members})


def read_result(values: dict[str, Any]) -> ResultLine:
    """The result of a line."""
    outcome = read_outcome({name: values[name] for name in values if name not in _OF_LINE})
    flaky = [_read_rounds(dict(part)) for part in values.get("flaky", ())]
    line = {**values, "outcome": outcome, "expected": read_response(values["expected"]), "flaky": flaky}
    return convert(line, ResultLine)  # the members of the outcome are none of its own


def _read_rounds(values: dict[str, Any]) -> Rounds:
    passes = convert(values.pop("passes"), tuple[int, ...])
    differences = {"difference": ()} if values["verdict"] == Verdict.FAIL.value else {}
    return Rounds(passes, read_outcome({**differences, **values}))


_OF_CASE = sorted({*ResultLine.__struct_fields__}.intersection(dir(Case)) - {"request", "note"})
"""The members of a line that a case has under the same name."""

_OF_RESULT = sorted({*ResultLine.__struct_fields__}.intersection(Result.__struct_fields__) - {"case", "stderr", "ms"})
"""Those that a result has."""

_CASE_VALUES, _RESULT_VALUES = attrgetter(*_OF_CASE), attrgetter(*_OF_RESULT)


def result_members(result: ResultLine) -> JsonObject:
    """The members of a result's line: those of the struct in its order, with those of the outcome in its place."""
    members: JsonObject = {"type": "result"}
    for (name, encoded, default, form), value in zip(_MEMBERS, _VALUES(result), strict=True):
        if name == "outcome":
            members |= outcome_members(value)
        elif value != default:
            members[encoded] = form(value)
    return members


def line_of(result: Result, stderr: str = "", unobserved: int = 0) -> ResultLine:
    """A result that has just arrived, as its line has it."""
    case = result.case
    return ResultLine(
        **dict(zip(_OF_CASE, _CASE_VALUES(case), strict=True)),
        **dict(zip(_OF_RESULT, _RESULT_VALUES(result), strict=True)),
        note=case.note.strip(),
        case=case.name,
        request=case.recorded_request,
        stderr=stderr,
        unobserved=unobserved,
        ms=None if result.ms is None else round(result.ms, 3),
    )


def read_outcome(values: Mapping[str, Any]) -> Outcome:
    """The outcome of a result, or of some rounds."""
    found = {name: value for name, value in values.items() if name != "reason"}
    if found["verdict"] == Verdict.ERROR.value:
        found["error"] = _tagged_cause(found.pop("kind"), found["error"])
        found.pop("answer", None)  # the error has the same
    elif "answer" in found:
        found["answer"] = read_response(found["answer"])
    if "readings" in found:
        found["readings"] = _pairs(found["readings"])
    if "explainedBy" in found:
        choice = found["explainedBy"]
        found["explainedBy"] = {
            **choice,
            "readings": _pairs(choice["readings"]),
            "deviations": sorted(choice["deviations"]),
        }
    read: Outcome = convert(found, _OF_VERDICT.get(str(found["verdict"]), Outcome))
    return read


def outcome_members(outcome: Outcome, names: Sequence[str] = _OUTCOME) -> JsonObject:
    """The members of a result that its outcome gives; of these the named ones."""
    found = to_builtins(outcome)
    if reason := outcome_text(outcome):
        found["reason"] = reason
    if response := response_of(outcome):
        found["answer"] = shown(response)
    if "readings" in found:
        found["readings"] = dict(found["readings"])
    match outcome:
        case Failed():
            found.setdefault("charged", [])
        case Errored():
            found |= {"kind": outcome.kind.value, "error": cause_members(outcome.cause)}
    found.pop("explainedBy", None)
    if isinstance(outcome, Failed | Errored) and (choice := outcome.explained_by):
        found["explainedBy"] = {"readings": dict(choice.readings), "deviations": [*choice.deviations]}
        if choice.listed:
            found["explainedBy"]["listed"] = choice.listed
        found.pop("undecided", None)
    return {name: found[name] for name in names if name in found}


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


_OF_LINE = frozenset({"type", *ResultLine.__struct_encode_fields__}) - {"outcome"}

_FORMS: Mapping[str, Callable[[Any], Any]] = {
    "request": lambda request: request,
    "expected": shown,
    "flaky": lambda flaky: [{"passes": [*part.rounds], **outcome_members(part.outcome, _NAMED)} for part in flaky],
}
"""The members of a line that have a form of their own."""

_MEMBERS = [
    (member.name, member.encode_name, member.default, _FORMS.get(member.name, to_builtins))
    for member in fields(ResultLine)
]
_VALUES = attrgetter(*ResultLine.__struct_fields__)


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
