"""Outcomes: one verdict each, with the differences, the cause of the error or the reason why a case did not run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias, assert_never

from msgspec import Meta, field

from .cause import Breach, Crash, ErrorCause, ImplementationError, TimedOut
from .structs import Value, replace
from .values import Case, Difference, Raised
from .verdicts import ErrorKind, Verdict

if TYPE_CHECKING:
    from .values import Response as Response  # for `record` too
else:  # it has its own form in a line, which `harness.records.lines` reads
    Response = Any


class NotOffered(Value, frozen=True, tag_field="cause", tag="not-offered"):
    """The adapter does not offer the operation; `reason` is its own, if it gives one."""

    reason: str = ""


class OutOfReach(Value, frozen=True, tag_field="cause", tag="out-of-reach"):
    """The adapter offers the operation, and this request is out of its public surface's reach."""

    reason: str


class NothingObservable(Value, frozen=True, tag_field="cause", tag="nothing-observable"):
    """Every expected path is among the `paths` that the adapter declares unobservable."""

    paths: tuple[str, ...]


UnsupportedReason: TypeAlias = NotOffered | OutOfReach | NothingObservable


class EngineRefusal(Value, frozen=True):
    """An expression that a real engine rejects; `side` is `wanted` or `got`."""

    path: str
    side: str
    engine: str
    match: str
    message: str


Readings: TypeAlias = tuple[tuple[str, str], ...]
"""(ruling, reading), sorted."""


class Choice(Value, frozen=True, forbid_unknown_fields=True):
    """Alternatives to the adopted text that are followed together: readings, and deviations by name, sorted. `listed` names
    a cause that no model predicts: a known-divergence file lists its answers."""

    readings: Readings = ()
    deviations: tuple[str, ...] = ()
    listed: str = ""

    @property
    def named(self) -> tuple[str, ...]:
        """The causes that are no readings."""
        return (*self.deviations, self.listed) if self.listed else self.deviations

    def __bool__(self) -> bool:
        return bool(self.readings or self.named)


ADOPTED = Choice()
"""The choice without any alternative: the adopted text."""


class Passed(Value, frozen=True, tag_field="verdict", tag="pass", forbid_unknown_fields=True):
    """The response is the expected one. `readings` has the adopted reading of each ruling whose readings predict different
    answers to the case."""

    verdict: ClassVar[Verdict] = Verdict.PASS

    response: Response = field(name="answer")
    engine: tuple[EngineRefusal, ...] = ()
    readings: Readings = ()


class Variant(Value, frozen=True, tag_field="verdict", tag="variant", forbid_unknown_fields=True):
    """The response follows other recorded `readings`; the differences are those from the expected response."""

    verdict: ClassVar[Verdict] = Verdict.VARIANT

    response: Response = field(name="answer")
    readings: Annotated[Readings, Meta(min_length=1)]
    differences: tuple[Difference, ...] = field(name="difference", default=())
    engine: tuple[EngineRefusal, ...] = ()


class Undecided(Value, frozen=True):
    """A failure whose search for an explanation ended at a bound. `readings` open ones can change the answer, and every
    combination of up to `size` of them was compared with it; 0: none."""

    readings: int
    size: int


class Failed(Value, frozen=True, tag_field="verdict", tag="fail", forbid_unknown_fields=True):
    """The response differs. `stage` is the first stage that differs; `recovered`: all later stages match.
    `charged` are the requirements that the answer breaks, if a cause names them (`by_cause`); else candidates: those of the
    case that show at a differing place. `explained_by` gives exactly this response and excuses nothing: deviations,
    readings that the text refutes, or several of which one is contradicted by another answer. `undecided`: nothing explains
    it so far, and not everything was tried."""

    verdict: ClassVar[Verdict] = Verdict.FAIL

    response: Response = field(name="answer")
    differences: tuple[Difference, ...] = field(name="difference")
    signature: Annotated[str, Meta(min_length=1)]
    stage: str = ""
    recovered: bool = False
    engine: tuple[EngineRefusal, ...] = ()
    charged: tuple[str, ...] = ()
    by_cause: bool = field(default=False, name="byCause")
    explained_by: Choice = ADOPTED
    undecided: Undecided | None = None


class Errored(Value, frozen=True, tag_field="verdict", tag="error", forbid_unknown_fields=True):
    """There is no response to compare. The candidates are all demands of the case; else the last members are as in
    `Failed`. An adapter that did not start charges nothing."""

    verdict: ClassVar[Verdict] = Verdict.ERROR

    cause: ErrorCause = field(name="error")
    signature: Annotated[str, Meta(min_length=1)]
    charged: tuple[str, ...] = ()
    by_cause: bool = field(default=False, name="byCause")
    explained_by: Choice = ADOPTED
    undecided: Undecided | None = None

    @property
    def kind(self) -> ErrorKind:
        """The kind of its cause."""
        return self.cause.kind


class Unsupported(Value, frozen=True, tag_field="verdict", tag="unsupported", forbid_unknown_fields=True):
    """The implementation does not support the case."""

    verdict: ClassVar[Verdict] = Verdict.UNSUPPORTED

    reason: UnsupportedReason = field(name="unsupported")


Outcome: TypeAlias = Passed | Variant | Failed | Errored | Unsupported


class HasOutcome:
    """Read access to the parts that only some outcomes have, for results and recorded results."""

    __slots__ = ()

    outcome: Outcome

    @property
    def brief(self) -> Outcome:
        """The outcome, perhaps in its `brief_of` form."""
        return self.outcome

    @property
    def verdict(self) -> Verdict:
        """The outcome's verdict."""
        return self.brief.verdict

    @property
    def kind(self) -> ErrorKind | None:
        """The kind of error, if it is one."""
        return self.brief.kind if isinstance(self.brief, Errored) else None

    @property
    def unsent_after(self) -> int:
        """For a case that was not sent because the adapter broke too often: the number of breaks in a row; else 0."""
        match self.brief:
            case Errored(Crash() | TimedOut() | Breach() as cause):
                return cause.context.unsent_after
        return 0

    @property
    def signature(self) -> str:
        """The signature of a failure or an error; else empty."""
        return self.brief.signature if isinstance(self.brief, Failed | Errored) else ""

    @property
    def readings(self) -> Readings:
        """The readings that a variant, or a pass where readings differ, follows."""
        return self.brief.readings if isinstance(self.brief, Passed | Variant) else ()

    def reading_of(self, ruling: str) -> str:
        """The reading of this ruling that a variant, or a pass where readings differ, follows; else empty."""
        return dict(self.readings).get(ruling, "")

    @property
    def explained_by(self) -> Choice:
        """The readings and deviations that explain a failure or an error without excusing it."""
        return self.brief.explained_by if isinstance(self.brief, Failed | Errored) else ADOPTED

    @property
    def undecided(self) -> Undecided | None:
        """How far the search for an explanation of a failure went, if a bound ended it."""
        return self.brief.undecided if isinstance(self.brief, Failed | Errored) else None

    @property
    def stage(self) -> str:
        """The first stage of a failure that differs, as a JSON Pointer; else empty."""
        return self.brief.stage if isinstance(self.brief, Failed) else ""

    @property
    def recovered(self) -> bool:
        """Whether a failure's final stage matches."""
        return isinstance(self.brief, Failed) and self.brief.recovered

    @property
    def charged(self) -> tuple[str, ...]:
        """The requirements that a failure or an error breaks, or candidates for them; else none."""
        return self.brief.charged if isinstance(self.brief, Failed | Errored) else ()

    @property
    def by_cause(self) -> bool:
        """Whether a cause of the failure names the charged requirements; else they are candidates."""
        return isinstance(self.brief, Failed | Errored) and self.brief.by_cause

    @property
    def differences(self) -> tuple[Difference, ...]:
        """The differences from the expected response."""
        return self.outcome.differences if isinstance(self.brief, Failed | Variant) else ()  # type: ignore[union-attr]

    @property
    def engine(self) -> tuple[EngineRefusal, ...]:
        """The expressions that a real engine rejects."""
        return self.brief.engine if isinstance(self.brief, Passed | Variant | Failed) else ()

    @property
    def stack(self) -> str:
        """The stack trace of a raised error that fails the case; else empty."""
        match self.outcome:
            case Failed(Raised(stack=stack)) | Errored(ImplementationError(stack=stack)):
                return stack
        return ""

    @property
    def response(self) -> Response | None:
        """The implementation's answer or error; None if it gave neither."""
        return response_of(self.outcome)


def response_of(outcome: Outcome) -> Response | None:
    """The implementation's answer or error in an outcome; None if there is neither."""
    match outcome:
        case Passed() | Variant() | Failed():
            return outcome.response
        case Errored(ImplementationError(type_, message)):
            return Raised(type_, message)
        case Errored() | Unsupported():
            return None
        case _:
            assert_never(outcome)


ELSEWHERE = Raised("")
"""In place of a response that is not kept."""


def brief_of(outcome: Outcome) -> Outcome:
    """The outcome without response, differences and stack trace, so that many results share one."""
    match outcome:
        case Passed():
            return replace(outcome, response=ELSEWHERE)
        case Variant() | Failed():
            return replace(outcome, response=ELSEWHERE, differences=())
        case Errored(ImplementationError() as cause):
            return replace(outcome, cause=replace(cause, stack=""))
        case Errored() | Unsupported():
            return outcome
        case _:
            assert_never(outcome)


class Rounds(HasOutcome, Value, frozen=True):
    """The outcome of a case in some rounds of a repeated run, counted from 1."""

    rounds: tuple[int, ...] = field(name="passes")
    outcome: Outcome


class Result(HasOutcome, Value, frozen=True):
    """The one outcome of a case for an implementation. `ms` is the time it took, in milliseconds.

    `flaky` lists the outcomes of a repeated run by pass, if they differ.
    """

    case: Case
    implementation: str
    outcome: Outcome
    ms: float | None = None
    stderr: str = ""
    flaky: tuple[Rounds, ...] = ()
