"""Values → the lines of a record about results and incidents."""

from __future__ import annotations

from dataclasses import asdict
from typing import assert_never

from ..compare.canonical import compact
from ..model import (
    Absent,
    Answered,
    Breach,
    BreakContext,
    Case,
    Crash,
    Difference,
    EarlierStartFailure,
    EngineRefusal,
    ErrorCause,
    Errored,
    Failed,
    ImplementationError,
    Incident,
    JsonObject,
    Listing,
    NothingObservable,
    NotOffered,
    Outcome,
    OutOfReach,
    Passed,
    Response,
    Result,
    StartFailure,
    TimedOut,
    Unavailable,
    Unsupported,
    UnsupportedReason,
    Variant,
    response_of,
)
from ..report.error_text import incident_text, outcome_text


def separated(case: Case) -> tuple[str, ...]:
    """The readings that a disputed case has an answer for, sorted."""
    return tuple(sorted({case.adopted, *case.readings})) if case.ruling else ()


def case_part(case: Case) -> str:
    """The beginning of every line about a case, up to the comma before the members of one implementation."""
    values: JsonObject = {
        "type": "result",
        "case": case.name,
        "at": case.at,
        "operation": case.operation,
        "requirements": list(case.requirements),
    }
    if case.ruling:
        values["ruling"] = case.ruling
        values["separates"] = [*separated(case)]
    if case.cited_by_rulings:
        values["citedByRulings"] = list(case.cited_by_rulings)
    if case.tags:
        values["tags"] = list(case.tags)
    if case.note:
        values["note"] = case.note.strip()
    request = case.request_text if case.request_text and not case.fixtures else compact(case.recorded_request)
    expected = f'{{"answer":{case.expected_text}}}' if case.expected_text else compact(shown(case.expected))
    return f'{compact(values)[:-1]},"request":{request},"expected":{expected},'


def outcome_part(result: Result, stderr: str, expectation: Listing | None, unobserved: int = 0) -> str:
    """The end of a line about a case: the outcome for one implementation, and its status in a gate."""
    outcome = result.outcome
    if isinstance(outcome, Passed) and outcome.text and result.ms is not None:
        plain = not (stderr or outcome.readings or outcome.engine or expectation or result.flaky or unobserved)
        if plain:  # by far the most lines, so they are rendered at once
            return (
                f'"implementation":"{result.implementation}","verdict":"pass",'
                f'"answer":{{"answer":{outcome.text}}},"ms":{round(result.ms, 3)}}}'
            )
    own: JsonObject = {"implementation": result.implementation, **outcome_json(outcome)}
    if stderr:
        own["stderr"] = stderr
    if expectation is not None:
        own["expectation"] = _expectation(expectation)
    if result.flaky:
        own["flaky"] = [{"passes": list(one.passes), **_brief(one.outcome)} for one in result.flaky]
    if unobserved:
        own["unobserved"] = unobserved
    if result.ms is not None:
        own["ms"] = round(result.ms, 3)
    return compact(own)[1:]


def _expectation(found: Listing) -> JsonObject:
    documented: JsonObject = {"documented": asdict(found.documented)} if found.documented else {}
    return {"status": found.status, "reason": found.reason, **documented}


def outcome_json(outcome: Outcome) -> JsonObject:
    """The members of a result that its outcome gives."""
    own = _brief(outcome)
    match outcome:
        case Failed():
            if outcome.stage:
                own["stage"] = outcome.stage
            if outcome.recovered:
                own["recovered"] = True
            own["difference"] = [_difference(part) for part in outcome.differences]
            own["charged"] = list(outcome.charged)
            own |= _explanation(outcome)
        case Errored():
            own |= _explanation(outcome)
        case Variant() if outcome.differences:
            own["difference"] = [_difference(part) for part in outcome.differences]
        case _:
            pass
    if isinstance(outcome, Passed | Variant | Failed) and outcome.engine:
        own["engine"] = [_refusal(one) for one in outcome.engine]
    return own


def _explanation(outcome: Failed | Errored) -> JsonObject:
    choice = outcome.explained_by
    if choice:
        return {"explainedBy": {"readings": dict(choice.readings), "deviations": list(choice.deviations)}}
    return {"undecided": asdict(outcome.undecided)} if outcome.undecided else {}


def _brief(outcome: Outcome) -> JsonObject:
    """The members that name an outcome, without its differences."""
    own: JsonObject = {"verdict": outcome.verdict.value}
    match outcome:
        case Passed() | Variant():
            if outcome.readings:
                own["readings"] = dict(outcome.readings)
        case Failed():
            own["signature"] = outcome.signature
        case Errored():
            own |= {"kind": outcome.kind.value, "signature": outcome.signature, "error": error(outcome.cause)}
        case Unsupported():
            own["unsupported"] = _unsupported(outcome.reason)
        case _:
            assert_never(outcome)
    if reason := outcome_text(outcome):
        own["reason"] = reason
    if response := response_of(outcome):
        own["answer"] = shown(response)
    return own


def error(cause: ErrorCause) -> JsonObject:
    """The member `error`, from which a cause is read back; the member `kind` is beside it."""
    match cause:
        case Crash():
            own: JsonObject = {} if cause.status is None else {"status": cause.status}
            own |= _given(signal=cause.signal, partialLine=cause.partial_line)
            return own | _context(cause.context)
        case TimedOut():
            return {"seconds": cause.seconds, **_given(method=cause.method), **_context(cause.context)}
        case Breach():
            parts = _given(path=cause.path, expected=cause.expected, found=cause.found, schema=cause.schema)
            return {"code": cause.code.value, **parts, **_context(cause.context)}
        case ImplementationError():
            return {"type": cause.type, **_given(message=cause.message, stack=cause.stack)}
        case StartFailure(Unavailable() as inner):
            return {"start": "unavailable", "message": inner.reason, **_given(adapter=inner.adapter)}
        case StartFailure(EarlierStartFailure() as inner):
            return {"start": "earlier", "implementation": inner.implementation, "case": inner.case}
        case StartFailure(Crash() | TimedOut() | Breach() as inner):
            return {"start": inner.kind.value, **error(inner)}
    raise AssertionError(cause)


def _given(**members: str | int) -> JsonObject:
    return {name: value for name, value in members.items() if value}


def _context(context: BreakContext) -> JsonObject:
    phase = "" if context.phase is BreakContext().phase else context.phase.value
    return _given(
        phase=phase,
        lastAnswered=context.last_answered,
        afterReply=context.after_reply,
        unsentAfter=context.unsent_after,
    )


def _unsupported(reason: UnsupportedReason) -> JsonObject:
    match reason:
        case NotOffered(text):
            return {"cause": "not-offered", **_given(reason=text)}
        case OutOfReach(text):
            return {"cause": "out-of-reach", "reason": text}
        case NothingObservable(paths):
            return {"cause": "nothing-observable", "paths": list(paths)}
        case _:
            assert_never(reason)


def _refusal(one: EngineRefusal) -> JsonObject:
    return asdict(one)


def shown(response: Response) -> JsonObject:
    """A response as a record holds it: `{answer: …}` or `{error: {type, message?, stack?}}`."""
    if isinstance(response, Answered):
        return {"answer": response.value}
    return {"error": {"type": response.type, **_given(message=response.message, stack=response.stack)}}


def _difference(part: Difference) -> JsonObject:
    members: JsonObject = {"path": part.path}
    if not isinstance(part.wanted, Absent):
        members["wanted"] = part.wanted
    if not isinstance(part.got, Absent):
        members["got"] = part.got
    if part.undisputed:
        members["undisputed"] = True
    return members


def incident(happened: Incident) -> JsonObject:
    """The line about an incident."""
    return _break("incident", happened)


def suspicion(happened: Incident) -> JsonObject:
    """The line about a break that becomes an incident if no suspect's verdict explains it."""
    return _break("suspicion", happened)


def _break(kind: str, happened: Incident) -> JsonObject:
    return {
        "type": kind,
        "implementation": happened.implementation,
        "kind": happened.kind.value,
        "suspects": list(happened.suspects),
        "reason": incident_text(happened.cause),
        "error": error(happened.cause),
        "stderr": happened.stderr,
    }
