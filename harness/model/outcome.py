"""Outcomes: one verdict each, with the differences, the cause of the error or the reason why a case did not run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias, assert_never

from .cause import Breach, Crash, ErrorCause, ImplementationError, TimedOut
from .values import FAILING, Case, Difference, ErrorKind, Raised, Response, Verdict


@dataclass(frozen=True, slots=True)
class NotOffered:
    """The adapter does not offer the operation; `reason` is its own, if it gives one."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class OutOfReach:
    """The adapter offers the operation, and this request is out of its public surface's reach."""

    reason: str


@dataclass(frozen=True, slots=True)
class NothingObservable:
    """Every expected path is among the `paths` that the adapter declares unobservable."""

    paths: tuple[str, ...]


UnsupportedReason: TypeAlias = "NotOffered | OutOfReach | NothingObservable"


@dataclass(frozen=True, slots=True)
class EngineRefusal:
    """An expression that a real engine rejects; `side` is `wanted` or `got`."""

    path: str
    side: str
    engine: str
    match: str
    message: str


Readings: TypeAlias = "tuple[tuple[str, str], ...]"
"""(ruling, reading), sorted."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Alternatives to the adopted text that are followed together: readings, and deviations by name, sorted."""

    readings: Readings = ()
    deviations: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.readings or self.deviations)


ADOPTED = Choice()
"""The choice without any alternative: the adopted text."""


@dataclass(frozen=True, slots=True)
class Passed:
    """The response is the expected one. `text` is the answer as JSON where it is at hand; `readings` has the adopted
    reading of each ruling whose readings predict different answers to the case."""

    verdict: ClassVar[Verdict] = Verdict.PASS

    response: Response
    engine: tuple[EngineRefusal, ...] = ()
    text: str = ""
    readings: Readings = ()


@dataclass(frozen=True, slots=True)
class Variant:
    """The response follows other recorded `readings`; the differences are those from the expected response."""

    verdict: ClassVar[Verdict] = Verdict.VARIANT

    response: Response
    readings: Readings
    differences: tuple[Difference, ...] = ()
    engine: tuple[EngineRefusal, ...] = ()


@dataclass(frozen=True, slots=True)
class Undecided:
    """A failure whose search for an explanation ended at a bound. `readings` open ones can change the answer, and every
    combination of up to `size` of them was compared with it; 0: none."""

    readings: int
    size: int


@dataclass(frozen=True, slots=True)
class Failed:
    """The response differs. `stage` is the first stage that differs; `recovered`: the final stage matches all the same.
    `charged` are the requirements of the case that show at a differing place. `explained_by` gives exactly this response
    and excuses nothing: deviations, readings that the text refutes, or several of which one is contradicted by another
    answer. `undecided`: nothing explains it so far, and not everything was tried."""

    verdict: ClassVar[Verdict] = Verdict.FAIL

    response: Response
    differences: tuple[Difference, ...]
    signature: str
    stage: str = ""
    recovered: bool = False
    engine: tuple[EngineRefusal, ...] = ()
    charged: tuple[str, ...] = ()
    explained_by: Choice = ADOPTED
    undecided: Undecided | None = None


@dataclass(frozen=True, slots=True)
class Errored:
    """There is no response to compare. `explained_by` and `undecided` are as in `Failed`."""

    verdict: ClassVar[Verdict] = Verdict.ERROR

    cause: ErrorCause
    signature: str
    explained_by: Choice = ADOPTED
    undecided: Undecided | None = None

    @property
    def kind(self) -> ErrorKind:
        """The kind of its cause."""
        return self.cause.kind


@dataclass(frozen=True, slots=True)
class Unsupported:
    """The implementation does not support the case."""

    verdict: ClassVar[Verdict] = Verdict.UNSUPPORTED

    reason: UnsupportedReason


Outcome: TypeAlias = "Passed | Variant | Failed | Errored | Unsupported"


class HasOutcome:
    """Read access to the parts that only some outcomes have, for results and recorded results."""

    __slots__ = ()

    outcome: Outcome

    @property
    def verdict(self) -> Verdict:
        """The outcome's verdict."""
        return self.outcome.verdict

    @property
    def kind(self) -> ErrorKind | None:
        """The kind of error, if it is one."""
        return self.outcome.kind if isinstance(self.outcome, Errored) else None

    @property
    def unsent_after(self) -> int:
        """For a case that was not sent because the adapter broke too often: the number of breaks in a row; else 0."""
        match self.outcome:
            case Errored(Crash() | TimedOut() | Breach() as cause):
                return cause.context.unsent_after
        return 0

    @property
    def signature(self) -> str:
        """The signature of a failure or an error; else empty."""
        return self.outcome.signature if isinstance(self.outcome, Failed | Errored) else ""

    @property
    def differences(self) -> tuple[Difference, ...]:
        """The differences from the expected response."""
        return self.outcome.differences if isinstance(self.outcome, Failed | Variant) else ()

    @property
    def readings(self) -> Readings:
        """The readings that a variant, or a pass where readings differ, follows."""
        return self.outcome.readings if isinstance(self.outcome, Passed | Variant) else ()

    def reading_of(self, ruling: str) -> str:
        """The reading of this ruling that a variant, or a pass where readings differ, follows; else empty."""
        return dict(self.readings).get(ruling, "")

    @property
    def explained_by(self) -> Choice:
        """The readings and deviations that explain a failure or an error without excusing it."""
        return self.outcome.explained_by if isinstance(self.outcome, Failed | Errored) else ADOPTED

    @property
    def undecided(self) -> Undecided | None:
        """How far the search for an explanation of a failure went, if a bound ended it."""
        return self.outcome.undecided if isinstance(self.outcome, Failed | Errored) else None

    @property
    def stage(self) -> str:
        """The first stage of a failure that differs, as a JSON Pointer; else empty."""
        return self.outcome.stage if isinstance(self.outcome, Failed) else ""

    @property
    def recovered(self) -> bool:
        """Whether a failure's final stage matches."""
        return isinstance(self.outcome, Failed) and self.outcome.recovered

    def charged_among(self, requirements: tuple[str, ...]) -> tuple[str, ...]:
        """The requirements of the case that a failure or an error breaks; without a failure none."""
        named = self.outcome.charged if isinstance(self.outcome, Failed) else ()
        return charged_among(self.verdict, named, requirements)

    @property
    def engine(self) -> tuple[EngineRefusal, ...]:
        """The expressions that a real engine rejects."""
        return self.outcome.engine if isinstance(self.outcome, Passed | Variant | Failed) else ()

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


def charged_among(verdict: Verdict, named: tuple[str, ...], requirements: tuple[str, ...]) -> tuple[str, ...]:
    """The requirements of a case that a result breaks: the `named` ones, without these all; none if it does not fail."""
    if verdict not in FAILING:
        return ()
    return named or requirements


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


@dataclass(frozen=True, slots=True)
class Passes(HasOutcome):
    """The outcome of a case in some passes of a repeated run, counted from 1."""

    passes: tuple[int, ...]
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Result(HasOutcome):
    """The one outcome of a case for an implementation. `ms` is the time it took, in milliseconds.

    `flaky` lists the outcomes of a repeated run by pass, if they differ.
    """

    case: Case
    implementation: str
    outcome: Outcome
    ms: float | None = None
    stderr: str = ""
    flaky: tuple[Passes, ...] = ()

    @property
    def charged(self) -> tuple[str, ...]:
        """The requirements that a failure or an error breaks."""
        return self.charged_among(self.case.requirements)
