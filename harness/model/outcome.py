"""Outcomes: one verdict each, with the differences or the cause of the error. Every cause is a value without a sentence.

`harness.report.error_text` writes the text of every cause.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, TypeAlias, assert_never

from .values import Case, Difference, ErrorKind, Raised, Response, Verdict


class BreachCode(StrEnum):
    """How a message breaks the protocol or the schema of an answer; stable, for signatures."""

    # A line
    LINE_TOO_LONG = "line-too-long"
    NOT_UTF_8 = "not-utf-8"
    BYTE_ORDER_MARK = "byte-order-mark"
    NOT_JSON = "not-json"
    NOT_FINITE = "not-finite"
    NUMBER_OVERFLOW = "number-overflow"
    DUPLICATE_KEY = "duplicate-key"
    TOO_DEEP = "too-deep"
    # A message
    BATCH = "batch"
    NOT_AN_OBJECT = "not-an-object"
    NO_JSONRPC = "no-jsonrpc"
    NOT_A_REPLY = "not-a-reply"
    INVALID_ID = "invalid-id"
    REQUEST_NOT_READ = "request-not-read"
    UNKNOWN_ID = "unknown-id"
    DUPLICATE_REPLY = "duplicate-reply"
    RESULT_AND_ERROR = "result-and-error"
    NO_RESULT = "no-result"
    INVALID_ERROR = "invalid-error"
    # An error reply to a case
    METHOD_REFUSED = "method-refused"
    PARAMS_REFUSED = "params-refused"
    UNKNOWN_ERROR_CODE = "unknown-error-code"
    NO_ERROR_DATA = "no-error-data"
    UNKNOWN_ERROR_TYPE = "unknown-error-type"
    # Initialize and shutdown
    INITIALIZE_REFUSED = "initialize-refused"
    PROTOCOL_VERSION = "protocol-version"
    INVALID_POINTER = "invalid-pointer"
    IDENTITY_CHANGED = "identity-changed"
    NO_OPERATIONS = "no-operations"
    SHUTDOWN_REFUSED = "shutdown-refused"
    NO_SHUTDOWN_REPLY = "no-shutdown-reply"
    OUTPUT_AFTER_SHUTDOWN = "output-after-shutdown"
    # An answer against its schema, and the members of initialize
    WRONG_TYPE = "wrong-type"
    UNEXPECTED_MEMBER = "unexpected-member"
    MISSING_MEMBER = "missing-member"
    UNOBSERVABLE_MEMBER = "unobservable-member"
    MEMBER_NAME = "member-name"
    NOT_IN_ENUM = "not-in-enum"
    NOT_CONSTANT = "not-constant"
    BELOW_MINIMUM = "below-minimum"
    ABOVE_MAXIMUM = "above-maximum"
    NOT_ABOVE_MINIMUM = "not-above-minimum"
    NOT_BELOW_MAXIMUM = "not-below-maximum"
    NOT_A_MULTIPLE = "not-a-multiple"
    TOO_SHORT = "too-short"
    TOO_LONG = "too-long"
    PATTERN_MISMATCH = "pattern-mismatch"
    TOO_FEW_ITEMS = "too-few-items"
    TOO_MANY_ITEMS = "too-many-items"
    DUPLICATE_ITEMS = "duplicate-items"
    TOO_FEW_MEMBERS = "too-few-members"
    TOO_MANY_MEMBERS = "too-many-members"
    NO_ALTERNATIVE = "no-alternative"
    FORBIDDEN_VALUE = "forbidden-value"
    SCHEMA_MISMATCH = "schema-mismatch"
    UNRESOLVED_SCHEMA = "unresolved-schema"


class Phase(StrEnum):
    """Part of an adapter's life in which it broke."""

    START = "start"
    REQUESTS = "requests"
    SHUTDOWN = "shutdown"


@dataclass(frozen=True, slots=True)
class BreakContext:
    """When an adapter broke: in which phase, after its reply to the case `last_answered`, or right `after_reply` to the
    request that was alone in flight. With `unsent_after` the case was not sent: the adapter had broken that often in a row
    on other cases, the last time in this way."""

    phase: Phase = Phase.REQUESTS
    last_answered: str = ""
    after_reply: bool = False
    unsent_after: int = 0


PLAIN = BreakContext()
"""The context of a break without anything before it."""


@dataclass(frozen=True, slots=True)
class Crash:
    """The process ended: with an exit `status`, by a `signal` (name or number), or, with neither, it closed its output.

    `partial_line` is the length in bytes of an unfinished line.
    """

    kind: ClassVar[ErrorKind] = ErrorKind.CRASH

    status: int | None = None
    signal: str = ""
    partial_line: int = 0
    context: BreakContext = PLAIN


@dataclass(frozen=True, slots=True)
class TimedOut:
    """No reply within `seconds`: to the request `method`, or, without one, to any request in flight."""

    kind: ClassVar[ErrorKind] = ErrorKind.TIMEOUT

    seconds: float
    method: str = ""
    context: BreakContext = PLAIN


@dataclass(frozen=True, slots=True)
class Breach:
    """A message breaks the protocol or a schema.

    `path` is the place, such as `$.results[2].id`; empty for a whole line. `expected` and `found` are short renderings.
    `schema` is the file of the broken schema.
    """

    kind: ClassVar[ErrorKind] = ErrorKind.PROTOCOL

    code: BreachCode
    path: str = ""
    expected: str = ""
    found: str = ""
    schema: str = ""
    context: BreakContext = PLAIN


@dataclass(frozen=True, slots=True)
class ImplementationError:
    """The implementation raised an error where an answer is expected. `stack` is its stack trace, if the adapter sends
    one."""

    kind: ClassVar[ErrorKind] = ErrorKind.IMPLEMENTATION

    type: str
    message: str = ""
    stack: str = ""


@dataclass(frozen=True, slots=True)
class Unavailable:
    """An adapter cannot be built or started. `log` is the end of the build's output."""

    adapter: str
    reason: str
    log: str = ""


@dataclass(frozen=True, slots=True)
class EarlierStartFailure:
    """The adapter did not start for an earlier case, and is not started again."""

    implementation: str
    case: str


Break: TypeAlias = "Crash | TimedOut | Breach"
"""How a running adapter breaks."""


@dataclass(frozen=True, slots=True)
class StartFailure:
    """No process of the adapter reached its first request."""

    kind: ClassVar[ErrorKind] = ErrorKind.START

    cause: Break | Unavailable | EarlierStartFailure


ErrorCause: TypeAlias = "Break | ImplementationError | StartFailure"


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
    reading of a disputed case."""

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
class Failed:
    """The response differs. `stage` is the first stage that differs; `recovered`: the final stage matches all the same.
    `charged` are the requirements of the case that show at a differing place. `explained_by` gives exactly this response
    and excuses nothing: deviations, or readings that the text refutes or that the implementation follows nowhere else."""

    verdict: ClassVar[Verdict] = Verdict.FAIL

    response: Response
    differences: tuple[Difference, ...]
    signature: str
    stage: str = ""
    recovered: bool = False
    engine: tuple[EngineRefusal, ...] = ()
    charged: tuple[str, ...] = ()
    explained_by: Choice = ADOPTED


@dataclass(frozen=True, slots=True)
class Errored:
    """There is no response to compare. `explained_by` is as in `Failed`."""

    verdict: ClassVar[Verdict] = Verdict.ERROR

    cause: ErrorCause
    signature: str
    explained_by: Choice = ADOPTED

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
        """The readings that a variant, or a pass of a disputed case, follows."""
        return self.outcome.readings if isinstance(self.outcome, Passed | Variant) else ()

    def reading_of(self, ruling: str) -> str:
        """The reading of this ruling that a variant, or a pass of a disputed case, follows; else empty."""
        return dict(self.readings).get(ruling, "")

    @property
    def explained_by(self) -> Choice:
        """The readings and deviations that explain a failure or an error without excusing it."""
        return self.outcome.explained_by if isinstance(self.outcome, Failed | Errored) else ADOPTED

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
        if isinstance(self.outcome, Failed):
            return self.outcome.charged or requirements
        return requirements if isinstance(self.outcome, Errored) else ()

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


@dataclass(frozen=True, slots=True)
class Incident:
    """An adapter broke, and no single case is to blame: every suspect was answered when it was alone in flight."""

    implementation: str
    cause: ErrorCause
    suspects: tuple[str, ...] = ()
    stderr: str = ""

    @property
    def kind(self) -> ErrorKind:
        """The kind of its cause."""
        return self.cause.kind
