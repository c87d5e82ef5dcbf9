"""A case as it is put to one implementation: whether it can be put, and what a reply to it is worth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from harness.compare.canonical import canonical_text
from harness.compare.unobservable import drop_paths, has_visible_value, reported_paths
from harness.compare.verdict import error_signature, judge, refusals
from harness.errors import ProtocolViolation, one_line
from harness.model import (
    Answered,
    Case,
    ErrorKind,
    Implementation,
    Incident,
    Json,
    JsonObject,
    Judgement,
    Operation,
    Raised,
    Verdict,
)
from harness.protocol import INVALID_PARAMS, METHOD_NOT_FOUND, OUT_OF_REACH, RAISED, Refusal, Reply

AnswerError: TypeAlias = "Callable[[Operation, Json], tuple[str, str] | None]"
"""Says what an answer has that its operation's schema does not allow, and what to do about it; nothing if all is well."""

Environment: TypeAlias = "tuple[tuple[str, str], ...]"
"""Variables that a process must have over the plain ones."""

_NO_OBJECT = ", not an object."
"""How `protocol` ends its sentence on a result that is no object."""

UNCLASSIFIED = "unclassified"
"""The type of a raised error that the operation's schema does not list."""


@dataclass(slots=True, eq=False)
class CaseExecution:
    """One case for one implementation. `wanted` is the canonical text of the answer expected of it."""

    case: Case
    operation: Operation
    wanted: str = ""
    unobservable: tuple[str, ...] = ()
    suspicions: list[BlameGroup] = field(default_factory=list)

    @property
    def needs_quiet_period(self) -> bool:
        """Whether it is under suspicion for a lost process, which can show only after its reply."""
        return any(suspicion.lost_process for suspicion in self.suspicions)


@dataclass(slots=True, eq=False)
class BlameGroup:
    """An adapter broke, and any of these suspects can have made it: each is asked again before anybody is blamed.
    `lost_process`: it had to be killed for it, rather than that one reply was wrong in itself."""

    incident: Incident
    left: int
    lost_process: bool = True
    explained: bool = False

    def settle(self, judgement: Judgement) -> bool:
        """Counts one suspect's verdict; true if it was the last one and none of them explains the break."""
        self.left -= 1
        self.explained |= judgement.kind in _BREAKS and judgement.kind in (self.incident.kind, *_ENDINGS)
        return not self.left and not self.explained


@dataclass(frozen=True, slots=True)
class AdapterBroke:
    """An adapter broke just now. `incident` is told as such if nothing explains it, or if the run does not get that far."""

    incident: Incident


_ENDINGS = (ErrorKind.CRASH, ErrorKind.TIMEOUT, ErrorKind.START)
_BREAKS = (*_ENDINGS, ErrorKind.PROTOCOL)


def suspect(questions: Sequence[CaseExecution], incident: Incident, *, lost_process: bool) -> None:
    """Puts all the questions under one suspicion; `incident` is what will be told if none of them explains it."""
    suspicion = BlameGroup(incident, len(questions), lost_process)
    for question in questions:
        question.suspicions.append(suspicion)


def unsupported_reason(question: CaseExecution, implementation: Implementation) -> str:
    """Why the question cannot be put; empty, and the question made ready, where it can."""
    name = question.operation.name
    if name not in implementation.operations:
        return one_line(implementation.unsupported.get(name) or "the adapter does not offer this operation", 400)
    question.unobservable = implementation.unobservable.get(name, ())
    expected = question.case.expected
    if isinstance(expected, Answered):
        if not question.unobservable and question.case.expected_text:
            question.wanted = question.case.expected_text
            return ""
        told = drop_paths(expected.value, question.unobservable)
        if question.unobservable and not has_visible_value(told):
            return f"the implementation does not tell {one_line(', '.join(question.unobservable), 300)}"
        question.wanted = canonical_text(told)
    return ""


def judged(reply: Reply, question: CaseExecution, answer_error: AnswerError) -> Judgement:
    """What a reply is worth. Raises `ProtocolViolation` if it breaks the contract of its operation."""
    if reply.breach:
        raise ProtocolViolation(f"{reply.breach}{_wanted_object(reply.breach, question.operation, answer_error)}")
    if reply.refusal is not None:
        return _judged_refusal(reply.refusal, question)
    return _judged_answer(reply.result, question, answer_error)


def _judged_answer(answer: JsonObject, question: CaseExecution, answer_error: AnswerError) -> Judgement:
    case, operation = question.case, question.operation
    outcome = Answered(answer)
    if question.wanted and canonical_text(answer) == question.wanted:
        engine = refusals(case, operation, outcome)
        return Judgement(Verdict.PASS, reading=case.adopted, outcome=outcome, engine=engine, text=question.wanted)
    told = reported_paths(answer, question.unobservable)
    if told:
        raise ProtocolViolation(f"The answer has {one_line(', '.join(told))}, which initialize declared unobservable.")
    breach = answer_error(operation, answer)
    if breach:
        found, remedy = breach
        raise ProtocolViolation(f"The answer breaks the schema of {operation.name}: {found}. {remedy}.")
    return judge(case, operation, outcome, question.unobservable)


def _wanted_object(breach: str, operation: Operation, answer_error: AnswerError) -> str:
    """Which object the schema wants where a reply's result is none: what it has against null, which is none either."""
    wanted = answer_error(operation, None) if breach.endswith(_NO_OBJECT) else None
    return f" {wanted[1]}." if wanted else ""


def _judged_refusal(refusal: Refusal, question: CaseExecution) -> Judgement:
    if refusal.code == OUT_OF_REACH:
        return Judgement(Verdict.UNSUPPORTED, reason=one_line(_text(refusal, "reason"), 400))
    if refusal.code != RAISED:
        raise ProtocolViolation(
            f"The adapter refused {_refused(refusal.code, question)} "
            f"(error {one_line(str(refusal.code), 40)}: {one_line(refusal.message)}). "
            f"Use {OUT_OF_REACH} for what is out of reach, {RAISED} for what the implementation raised."
        )
    kind = _text(refusal, "type")
    if kind != UNCLASSIFIED and kind not in question.operation.error_types:
        raise ProtocolViolation(
            f"The schema of {question.operation.name} lists no error type {one_line(kind, 60)}. "
            f"Use one that it lists, or {UNCLASSIFIED}."
        )
    message = refusal.data.get("message")
    outcome = Raised(kind, message if isinstance(message, str) else refusal.message)
    return judge(question.case, question.operation, outcome, question.unobservable)


def _text(refusal: Refusal, member: str) -> str:
    value = refusal.data.get(member)
    if not isinstance(value, str) or not value:
        raise ProtocolViolation(f"Error {refusal.code} came without data.{member}, a text that is not empty.")
    return value


def _refused(code: int, question: CaseExecution) -> str:
    name = question.operation.name
    if code == METHOD_NOT_FOUND:
        return f"{name}, which initialize lists under operations"
    if code == INVALID_PARAMS:
        return f"a request that the schema of {name} allows"
    return name


def error(kind: ErrorKind, seen: str) -> Judgement:
    """The judgement on a request that made its adapter break."""
    return Judgement(Verdict.ERROR, kind=kind, reason=seen, signature=error_signature(kind))
