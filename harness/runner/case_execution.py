"""One case as it is sent to one implementation: whether it can be sent, and the outcome of its reply."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct, field

from ..compare.canonical import sorted_text
from ..compare.unobservable import drop_paths, has_visible_value, reported_paths
from ..compare.verdict import adopted_reading, judge, refusals
from ..errors import ProtocolViolation, one_line
from ..model import (
    UNCLASSIFIED,
    Answered,
    Breach,
    BreachCode,
    Case,
    Errored,
    ErrorKind,
    Implementation,
    Incident,
    Json,
    JsonObject,
    NothingObservable,
    NotOffered,
    Operation,
    Outcome,
    OutOfReach,
    Passed,
    Raised,
    Unsupported,
    UnsupportedReason,
    replace,
)
from ..protocol import INVALID_PARAMS, METHOD_NOT_FOUND, OUT_OF_REACH, RAISED, Refusal, Reply, shown

AnswerError: TypeAlias = "Callable[[Operation, Json], Breach | None]"
"""Checks an answer against its operation's schema."""

Environment: TypeAlias = "tuple[tuple[str, str], ...]"
"""Variables that a process needs over the plain ones."""

_STACK_KEPT = 8_000
"""Characters of a stack trace that a result keeps."""


class CaseExecution(Struct, eq=False):
    """One case for one implementation. `expected_text` is the canonical text of the expected answer. `is_known_hang`: it is
    known to time out."""

    case: Case
    operation: Operation
    is_known_hang: bool = False
    expected_text: str = ""
    unobservable: tuple[str, ...] = ()
    blame_groups: list[BlameGroup] = field(default_factory=list)

    @property
    def goes_alone(self) -> bool:
        """Whether it is sent alone: a suspect, or a known hang."""
        return self.is_known_hang or bool(self.blame_groups)

    @property
    def needs_quiet_period(self) -> bool:
        """Whether it is a suspect of a lost process, which can show only after its reply."""
        return any(group.lost_process for group in self.blame_groups)


class BlameGroup(Struct, eq=False):
    """The suspects of one break of an adapter: each is sent again alone before one is blamed. `left` counts those without a
    verdict. `lost_process`: the process had to be killed; otherwise one reply was wrong in itself."""

    incident: Incident
    left: int
    lost_process: bool = True
    explained: bool = False

    def is_unexplained_after(self, outcome: Outcome) -> bool:
        """Counts the outcome of one suspect; true if it is the last one and none explains the break."""
        self.left -= 1
        if isinstance(outcome, Errored):
            self.explained |= outcome.kind in _BREAKS and outcome.kind in (self.incident.kind, *_ENDINGS)
        return not self.left and not self.explained


class AdapterBroke(Struct, frozen=True):
    """Event: an adapter broke. The `incident` counts if no verdict explains it, or if the run ends before."""

    incident: Incident


_ENDINGS = (ErrorKind.CRASH, ErrorKind.TIMEOUT, ErrorKind.START)
_BREAKS = (*_ENDINGS, ErrorKind.PROTOCOL)


def suspect(executions: Sequence[CaseExecution], incident: Incident, *, lost_process: bool) -> None:
    """Makes the executions one blame group; `incident` counts if none of them explains it."""
    group = BlameGroup(incident, len(executions), lost_process)
    for execution in executions:
        execution.blame_groups.append(group)


def unsupported_reason(execution: CaseExecution, implementation: Implementation) -> UnsupportedReason | None:
    """Why the case cannot be sent; None, and the execution made ready, if it can."""
    name = execution.operation.name
    if name not in implementation.operations:
        return NotOffered(one_line(implementation.unsupported.get(name, ""), 400))
    execution.unobservable = implementation.unobservable.get(name, ())
    expected = execution.case.expected
    if isinstance(expected, Answered):
        observable = drop_paths(expected.value, execution.unobservable)
        if execution.unobservable and not has_visible_value(observable):
            return NothingObservable(execution.unobservable)
        execution.expected_text = sorted_text(observable)
    return None


def outcome_of(reply: Reply, execution: CaseExecution, answer_error: AnswerError) -> Outcome:
    """The outcome of a reply. Raises `ProtocolViolation` if the reply breaks the contract of its operation."""
    if reply.breach is not None:
        raise ProtocolViolation(_with_schema(reply.breach, execution.operation, answer_error))
    if reply.refusal is not None:
        return _refusal_outcome(reply.refusal, execution)
    return _answer_outcome(reply.result, execution, answer_error)


def _answer_outcome(answer: JsonObject, execution: CaseExecution, answer_error: AnswerError) -> Outcome:
    case, operation = execution.case, execution.operation
    response = Answered(answer)
    if execution.expected_text and sorted_text(answer) == execution.expected_text:
        if isinstance(case.expected, Answered) and not execution.unobservable:
            response = Answered(case.expected.value)  # an equal value, in the order of the expected one
        readings = adopted_reading(case, execution.unobservable)
        return Passed(response, refusals(case, operation, response), readings)
    reported = reported_paths(answer, execution.unobservable)
    if reported:
        raise ProtocolViolation(Breach(BreachCode.UNOBSERVABLE_MEMBER, one_line(", ".join(reported))))
    if breach := answer_error(operation, answer):
        raise ProtocolViolation(breach)
    return judge(case, operation, response, execution.unobservable)


def _with_schema(breach: Breach, operation: Operation, answer_error: AnswerError) -> Breach:
    """The breach of a result that is no object, with the object that the schema expects."""
    expected = answer_error(operation, None) if breach.code is BreachCode.WRONG_TYPE else None
    return replace(breach, expected=expected.expected, schema=expected.schema) if expected else breach


def _refusal_outcome(refusal: Refusal, execution: CaseExecution) -> Outcome:
    if refusal.code == OUT_OF_REACH:
        return Unsupported(OutOfReach(one_line(_data_text(refusal, "reason"), 400)))
    if refusal.code != RAISED:
        codes = {METHOD_NOT_FOUND: BreachCode.METHOD_REFUSED, INVALID_PARAMS: BreachCode.PARAMS_REFUSED}
        code = codes.get(refusal.code, BreachCode.UNKNOWN_ERROR_CODE)
        found = f"{one_line(str(refusal.code), 40)}: {one_line(refusal.message)}"
        raise ProtocolViolation(Breach(code, "$.error.code", execution.operation.name, found))
    kind = _data_text(refusal, "type")
    if kind != UNCLASSIFIED and kind not in execution.operation.error_types:
        expected = ", ".join(sorted({*execution.operation.error_types, UNCLASSIFIED}))
        breach = Breach(BreachCode.UNKNOWN_ERROR_TYPE, "$.error.data.type", one_line(expected), one_line(kind, 60))
        raise ProtocolViolation(breach)
    message, stack = refusal.data.get("message"), refusal.data.get("stack")
    response = Raised(
        kind,
        message if isinstance(message, str) else refusal.message,
        _both_ends(stack) if isinstance(stack, str) else "",
    )
    return judge(execution.case, execution.operation, response, execution.unobservable)


def _both_ends(stack: str) -> str:
    """A stack trace; the middle of a long one is dropped, because languages put the place of the error at either end."""
    if len(stack) <= _STACK_KEPT:
        return stack
    return f"{stack[: _STACK_KEPT // 2]}\n…\n{stack[-_STACK_KEPT // 2 :]}"


def _data_text(refusal: Refusal, member: str) -> str:
    value = refusal.data.get(member)
    if not isinstance(value, str) or not value:
        found = "" if member not in refusal.data else shown(value)
        raise ProtocolViolation(Breach(BreachCode.NO_ERROR_DATA, f"$.error.data.{member}", str(refusal.code), found))
    return value
