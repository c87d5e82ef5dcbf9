"""Causes of errors: how an adapter breaks or raises, as values without a sentence.

`harness.compare.error_text` writes the text of every cause. The tags are those of a record's lines.
"""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, TypeAlias

from msgspec import field

from .structs import Value
from .verdicts import ErrorKind


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


class BreakContext(Value, frozen=True):
    """When an adapter broke: in which phase, after its reply to the case `last_answered`, or right `after_reply` to the
    request that was alone in flight. With `unsent_after` the case was not sent: the adapter had broken that often in a row
    on other cases, the last time in this way."""

    phase: Phase = Phase.REQUESTS
    last_answered: str = ""
    after_reply: bool = False
    unsent_after: int = 0


PLAIN = BreakContext()
"""The context of a break without anything before it."""


class Crash(Value, frozen=True, tag_field="kind", tag="crash"):
    """The process ended: with an exit `status`, by a `signal` (name or number), or, with neither, it closed its output.

    `partial_line` is the length in bytes of an unfinished line.
    """

    kind: ClassVar[ErrorKind] = ErrorKind.CRASH

    status: int | None = None
    signal: str = ""
    partial_line: int = 0
    context: BreakContext = PLAIN


class TimedOut(Value, frozen=True, tag_field="kind", tag="timeout"):
    """No reply within `seconds`: to the request `method`, or, without one, to any request in flight. `known`: the case is
    known to time out, so that the wait was short."""

    kind: ClassVar[ErrorKind] = ErrorKind.TIMEOUT

    seconds: float
    method: str = ""
    context: BreakContext = PLAIN
    known: bool = False


class Breach(Value, frozen=True, tag_field="kind", tag="protocol"):
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


class ImplementationError(Value, frozen=True, tag_field="kind", tag="implementation"):
    """The implementation raised an error where an answer is expected. `stack` is its stack trace, if the adapter sends
    one."""

    kind: ClassVar[ErrorKind] = ErrorKind.IMPLEMENTATION

    type: str
    message: str = ""
    stack: str = ""


class Unavailable(Value, frozen=True, tag_field="kind", tag="unavailable"):
    """An adapter cannot be built or started. `log` is the end of the build's output."""

    adapter: str
    reason: str = field(name="message")
    log: str = ""


class EarlierStartFailure(Value, frozen=True, tag_field="kind", tag="earlier"):
    """The adapter did not start for an earlier case, and is not started again."""

    implementation: str
    case: str


Break: TypeAlias = Crash | TimedOut | Breach
"""How a running adapter breaks."""


class StartFailure(Value, frozen=True, tag_field="kind", tag="start"):
    """No process of the adapter reached its first request."""

    kind: ClassVar[ErrorKind] = ErrorKind.START

    cause: Break | Unavailable | EarlierStartFailure


ErrorCause: TypeAlias = Break | ImplementationError | StartFailure


class Incident(Value, frozen=True):
    """An adapter broke, and no single case is to blame: every suspect was answered when it was alone in flight."""

    implementation: str
    cause: ErrorCause
    suspects: tuple[str, ...] = ()
    stderr: str = ""

    @property
    def kind(self) -> ErrorKind:
        """The kind of its cause."""
        return self.cause.kind
