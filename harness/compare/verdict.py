"""Expected and actual response → the outcome, with every difference. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import assert_never

from ..base.json_path import member
from ..model import (
    Absent,
    Answered,
    Breach,
    Case,
    Crash,
    Difference,
    EngineRefusal,
    ErrorCause,
    Errored,
    Failed,
    ImplementationError,
    Json,
    Operation,
    Outcome,
    Passed,
    Raised,
    Readings,
    Response,
    Rules,
    StartFailure,
    TimedOut,
    Variant,
    replace,
)
from .alignment import response_edits
from .canonical import canonical_bytes, digest, digest_of_parts
from .causes import first_differing_stage
from .charged import charged_requirements
from .contained import lacking
from .error_text import normalised
from .fts5_check import refusal
from .json_diff import MAX_DIFFERENCES, differences
from .unobservable import drop_paths


def judge(case: Case, operation: Operation, response: Response, unobservable: Sequence[str] = ()) -> Outcome:
    """The outcome of `response` for `case`; paths in `unobservable` (JSON Pointers) are not compared."""
    found = tuple(islice(response_differences(case.expected, response, operation.rules, unobservable), MAX_DIFFERENCES))
    engine = refusals(case, operation, response)
    if not found:
        return Passed(_without_stack(response), engine, readings=adopted_reading(case, unobservable))
    if reading := _other_reading(case, operation, response, unobservable):
        return Variant(_without_stack(response), ((case.ruling, reading),), found, engine)
    answered = isinstance(case.expected, Answered)
    if answered and isinstance(response, Raised):
        return errored(ImplementationError(response.type, response.message, response.stack))
    stage, recovered = first_differing_stage(found, operation.stages) if answered else ("", False)
    return Failed(
        response,
        differences=_marked(found, case, operation, response, unobservable),
        signature=signature(found),
        stage=stage,
        recovered=recovered,
        engine=engine,
        charged=charged_requirements(
            case.demands,
            found,
            operation,
            lambda: response_edits(found, case.expected, response, unobservable),
        ),
    )


def adopted_reading(case: Case, unobservable: Sequence[str]) -> Readings:
    """The adopted reading of a disputed case, if another reading expects something else at the paths that an implementation
    can report; none of a plain case."""
    if not case.ruling:
        return ()
    alike = unobservable and any(_is_alike(case.expected, reading, unobservable) for reading in case.readings.values())
    return () if alike else ((case.ruling, case.adopted),)


def _is_alike(one: Response, other: Response, unobservable: Sequence[str]) -> bool:
    """Whether two answers are equal without the unobservable paths."""
    if not (isinstance(one, Answered) and isinstance(other, Answered)):
        return False
    return not any(differences(drop_paths(one.value, unobservable), drop_paths(other.value, unobservable)))


def errored(cause: ErrorCause) -> Errored:
    """The outcome of an error, with its signature."""
    return Errored(cause, error_signature(cause))


def _other_reading(case: Case, operation: Operation, response: Response, unobservable: Sequence[str]) -> str:
    """The recorded reading that the response follows; empty if there is none."""
    for reading, expected in case.readings.items():
        if not any(True for _ in response_differences(expected, response, operation.rules, unobservable)):
            return reading
    return ""


def _marked(
    found: tuple[Difference, ...], case: Case, operation: Operation, response: Response, unobservable: Sequence[str]
) -> tuple[Difference, ...]:
    """The differences; one that exists under every reading of a disputed case is marked as undisputed."""
    if not case.readings:
        return found
    by_reading = [
        {difference_row(part) for part in response_differences(expected, response, operation.rules, unobservable)}
        for expected in case.readings.values()
    ]
    return tuple(replace(part, undisputed=all(difference_row(part) in rows for rows in by_reading)) for part in found)


def response_differences(
    wanted: Response, got: Response, rules: Rules, unobservable: Sequence[str] = ()
) -> Iterator[Difference]:
    """Every place where the response `got` differs from `wanted`."""
    if isinstance(wanted, Answered) and isinstance(got, Answered):
        free = (*wanted.free, *(pointer for pointer, _, _ in wanted.contains))
        expected = drop_paths(wanted.value, (*unobservable, *free))
        yield from differences(expected, drop_paths(got.value, free), rules)
        yield from lacking(drop_paths(wanted.value, unobservable), got.value, wanted.contains)
    elif isinstance(wanted, Raised) and isinstance(got, Raised):
        if wanted.type != got.type:
            yield Difference("$.error.type", wanted.type, got.type)
    else:
        yield Difference("$", plain_response(wanted), plain_response(got))


def _without_stack(response: Response) -> Response:
    """An expected error needs no stack trace."""
    return replace(response, stack="") if isinstance(response, Raised) else response


def plain_response(response: Response) -> Json:
    """A response as JSON; of an error the type alone, because no message is compared."""
    return {"answer": response.value} if isinstance(response, Answered) else {"error": {"type": response.type}}


def signature(found: Sequence[Difference]) -> str:
    """The first 12 hex digits of SHA-256 over the sorted differences; a side without such a member is `{"absent": true}`."""
    return digest_of_parts(sorted(map(difference_row, found)))[:12]


def difference_row(part: Difference) -> bytes:
    """A difference as a signature has it."""
    sides: list[Json] = [{"absent": True} if isinstance(side, Absent) else side for side in (part.wanted, part.got)]
    return canonical_bytes([part.path, *sides])


def error_signature(cause: ErrorCause) -> str:
    """The signature of an error: over the parts that distinguish one error from another, never over a rendering."""
    match cause:
        case Breach() | Crash() | TimedOut() if cause.context.unsent_after:
            return _hashed([cause.kind.value, "not-sent"])
        case Breach():
            return _hashed(["protocol", cause.code.value, cause.path])
        case ImplementationError():
            return _hashed(["implementation", cause.type, normalised(cause.message)])
        case Crash():
            return _hashed(["crash", cause.signal or ("closed-output" if cause.status is None else cause.status)])
        case TimedOut():
            return _hashed(["timeout"])
        case StartFailure():
            return _hashed(["start"])
        case _:
            assert_never(cause)


def _hashed(value: Json) -> str:
    return digest(value)[:12]


def refusals(case: Case, operation: Operation, response: Response) -> tuple[EngineRefusal, ...]:
    """The expressions, expected and actual, that a real engine rejects (by `x-engine` of the schema)."""
    rules = operation.rules
    if not (rules.engine or rules.properties or rules.items):  # no annotation, so there is no expression
        return ()
    found: dict[tuple[str, str], EngineRefusal] = {}
    for side, response_side in (("wanted", case.expected), ("got", response)):
        if not isinstance(response_side, Answered):
            continue
        for path, engine, text in _expressions(response_side.value, rules, "$"):
            message = refusal(text)
            if message and (path, text) not in found:
                found[path, text] = EngineRefusal(path, side, engine, text, message)
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
