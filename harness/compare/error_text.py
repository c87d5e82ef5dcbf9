"""Text of error causes, breaches and unsupported reasons: the one place that writes it. No code reads it back.

A message has three parts: the place, expected and found, the remedy.
"""

from __future__ import annotations

import re
from typing import assert_never

from ..base.text_limits import MAX_STATEMENT, MAX_VALUE
from ..errors import one_line
from ..model import (
    Breach,
    BreachCode,
    Break,
    BreakContext,
    Crash,
    EarlierStartFailure,
    ErrorCause,
    Errored,
    ErrorKind,
    Failed,
    ImplementationError,
    NothingObservable,
    NotOffered,
    Outcome,
    OutOfReach,
    Passed,
    Phase,
    StartFailure,
    TimedOut,
    Unavailable,
    Unsupported,
    UnsupportedReason,
    Variant,
)

_FINDINGS = {
    BreachCode.LINE_TOO_LONG: "The adapter wrote a line of more than {expected}.",
    BreachCode.NOT_UTF_8: "The line is not UTF-8 ({found}).",
    BreachCode.BYTE_ORDER_MARK: "The line starts with a byte-order mark.",
    BreachCode.NOT_JSON: "The line is not one JSON message: '{found}'.",
    BreachCode.NOT_FINITE: "{path}: {found} is no JSON number.",
    BreachCode.NUMBER_OVERFLOW: "{path}: the number {found} overflows a double.",
    BreachCode.DUPLICATE_KEY: "{path}: the key {found} is twice in one object.",
    BreachCode.TOO_DEEP: "The message nests deeper than {expected} levels.",
    BreachCode.BATCH: "The message is a batch (a list), not one reply object.",
    BreachCode.NOT_AN_OBJECT: "The message is {found}, not a reply object.",
    BreachCode.NO_JSONRPC: 'The reply has no member "jsonrpc": {expected}.',
    BreachCode.NOT_A_REPLY: "The message is a request or notification: it has the method {found}.",
    BreachCode.INVALID_ID: "The id of the reply is {found}, not the number of the request.",
    BreachCode.REQUEST_NOT_READ: "The adapter could not read a request: {found}.",
    BreachCode.UNKNOWN_ID: "The reply has the id {found}, which no request in flight has.",
    BreachCode.DUPLICATE_REPLY: "The adapter replied twice to {expected} (id {found}).",
    BreachCode.RESULT_AND_ERROR: "The reply has both result and error.",
    BreachCode.NO_RESULT: "The reply has neither result nor error.",
    BreachCode.METHOD_REFUSED: "The adapter refused {expected}, which initialize lists under operations (error {found}).",
    BreachCode.PARAMS_REFUSED: "The adapter refused a request that the schema of {expected} allows (error {found}).",
    BreachCode.UNKNOWN_ERROR_CODE: "The adapter refused {expected} (error {found}).",
    BreachCode.NO_ERROR_DATA: "Error {expected} came without data at {path}, a text that is not empty.",
    BreachCode.UNKNOWN_ERROR_TYPE: "{path}: expected one of {expected}, found {found}.",
    BreachCode.INITIALIZE_REFUSED: "The adapter replied to initialize with error {found}.",
    BreachCode.PROTOCOL_VERSION: "The adapter has protocol version {found}; this harness has version {expected}.",
    BreachCode.IDENTITY_CHANGED: "The reply to initialize differs from the reply at the first start.",
    BreachCode.NO_OPERATIONS: "The adapter offers no operation.",
    BreachCode.SHUTDOWN_REFUSED: "The adapter did not reply to shutdown with a result (error {found}).",
    BreachCode.NO_SHUTDOWN_REPLY: "The adapter did not reply to shutdown.",
    BreachCode.OUTPUT_AFTER_SHUTDOWN: "The adapter wrote {found} after its reply to shutdown.",
    BreachCode.UNEXPECTED_MEMBER: "{path}: unexpected member (value {found}).",
    BreachCode.MISSING_MEMBER: "{path}: missing member (expected {expected}).",
    BreachCode.UNOBSERVABLE_MEMBER: "The answer has {path}, which initialize declares unobservable.",
    BreachCode.MEMBER_NAME: "{path}: a member name that the schema does not allow.",
    BreachCode.NOT_IN_ENUM: "{path}: expected one of {expected}, found {found}.",
    BreachCode.BELOW_MINIMUM: "{path}: expected at least {expected}, found {found}.",
    BreachCode.ABOVE_MAXIMUM: "{path}: expected at most {expected}, found {found}.",
    BreachCode.NOT_ABOVE_MINIMUM: "{path}: expected more than {expected}, found {found}.",
    BreachCode.NOT_BELOW_MAXIMUM: "{path}: expected less than {expected}, found {found}.",
    BreachCode.NOT_A_MULTIPLE: "{path}: expected a multiple of {expected}, found {found}.",
    BreachCode.TOO_SHORT: "{path}: expected at least {expected} characters, found {found}.",
    BreachCode.TOO_LONG: "{path}: expected at most {expected} characters, found {found}.",
    BreachCode.PATTERN_MISMATCH: "{path}: expected a match of {expected}, found {found}.",
    BreachCode.TOO_FEW_ITEMS: "{path}: expected at least {expected} elements, found {found}.",
    BreachCode.TOO_MANY_ITEMS: "{path}: expected at most {expected} elements, found {found}.",
    BreachCode.DUPLICATE_ITEMS: "{path}: expected different elements, found {found}.",
    BreachCode.TOO_FEW_MEMBERS: "{path}: expected at least {expected} members, found {found}.",
    BreachCode.TOO_MANY_MEMBERS: "{path}: expected at most {expected} members, found {found}.",
    BreachCode.NO_ALTERNATIVE: "{path}: no alternative of the schema allows {found}.",
    BreachCode.FORBIDDEN_VALUE: "{path}: the schema forbids {found}.",
    BreachCode.UNRESOLVED_SCHEMA: "The schema refers to {found}, which does not exist.",
}
_EXPECTED_AND_FOUND = "{path}: expected {expected}, found {found}."

MALFORMED_REMEDY = (
    'Write each message on one line, with a JSON library if there is one; within a text, write " as \\", \\ as \\\\, a line '
    "feed as \\n and other control characters as \\u00XX."
)
"""The next step for the author of an adapter that writes a broken JSON object."""

_REMEDIES = {
    BreachCode.LINE_TOO_LONG: "Write a smaller answer.",
    BreachCode.NOT_UTF_8: "Write UTF-8, or ASCII with \\u escapes.",
    BreachCode.BYTE_ORDER_MARK: "Write UTF-8 without one.",
    BreachCode.NOT_JSON: "Write one message a line, on one line, and nothing else to standard output; logs belong on "
    "standard error.",
    BreachCode.NOT_FINITE: "Answer with null or a finite number.",
    BreachCode.NUMBER_OVERFLOW: "Answer with null or a finite number.",
    BreachCode.DUPLICATE_KEY: "Write each key once.",
    BreachCode.TOO_DEEP: "Answer with a flatter value.",
    BreachCode.BATCH: "Write one reply a line.",
    BreachCode.NOT_AN_OBJECT: "Write one reply object a line.",
    BreachCode.NO_JSONRPC: "Add it to every reply.",
    BreachCode.NOT_A_REPLY: "Write replies only.",
    BreachCode.INVALID_ID: "Copy the id of the request, with the same type.",
    BreachCode.REQUEST_NOT_READ: "Read one JSON message a line.",
    BreachCode.UNKNOWN_ID: "Copy the id of the request.",
    BreachCode.DUPLICATE_REPLY: "Reply to each request once.",
    BreachCode.RESULT_AND_ERROR: "Write one of the two.",
    BreachCode.NO_RESULT: "Write one of the two.",
    BreachCode.METHOD_REFUSED: "Use -32001 for a request out of reach, -32000 for an error of the implementation.",
    BreachCode.PARAMS_REFUSED: "Use -32001 for a request out of reach, -32000 for an error of the implementation.",
    BreachCode.UNKNOWN_ERROR_CODE: "Use -32001 for a request out of reach, -32000 for an error of the implementation.",
    BreachCode.UNKNOWN_ERROR_TYPE: "Use a type that the schema lists, or unclassified.",
    BreachCode.IDENTITY_CHANGED: "Reply the same at every start.",
    BreachCode.NO_OPERATIONS: "List its operations under operations in the reply to initialize.",
    BreachCode.SHUTDOWN_REFUSED: "Answer {}, and exit with status 0.",
    BreachCode.NO_SHUTDOWN_REPLY: "Answer {}, and exit with status 0.",
    BreachCode.OUTPUT_AFTER_SHUTDOWN: "Write nothing after that reply.",
    BreachCode.UNOBSERVABLE_MEMBER: "Leave it out of the answer, or out of unobservable.",
}


def error_text(cause: ErrorCause) -> str:
    """The text of an error's cause."""
    match cause:
        case Crash() | TimedOut() | Breach() if cause.context.unsent_after:
            breaks = breaks_text(cause.kind, cause.context.unsent_after)
            return f"The case was not sent after {breaks} in a row. The last one: {_break_text(cause)}"
        case Crash() | TimedOut():
            return _in_context(_break_text(cause), cause.context)
        case Breach():
            return _in_context(_located_finding(cause), cause.context, breach_remedy(cause))
        case ImplementationError():
            return cause.message
        case StartFailure(inner):
            return _start_text(inner)
        case _:
            assert_never(cause)


def _start_text(cause: Crash | TimedOut | Breach | Unavailable | EarlierStartFailure) -> str:
    match cause:
        case Unavailable():
            return f"{cause.adapter}: {cause.reason}" if cause.adapter else cause.reason
        case EarlierStartFailure():
            return f"{cause.implementation} could not be started; see {cause.case}."
        case Breach() if cause.code in _OF_INITIALIZE:
            return f"The reply to initialize is wrong. {_break_text(cause)}"
        case _:
            return _break_text(cause)


_OF_INITIALIZE = (BreachCode.WRONG_TYPE, BreachCode.MISSING_MEMBER, BreachCode.INVALID_POINTER)


def incident_text(cause: ErrorCause) -> str:
    """The text of an incident's cause."""
    if isinstance(cause, StartFailure):
        return f"The adapter did not start: {error_text(cause)}"
    return error_text(cause)


def outcome_text(outcome: Outcome) -> str:
    """The reason of an error or an unsupported case; empty for other outcomes."""
    match outcome:
        case Errored(cause):
            return error_text(cause)
        case Unsupported(reason):
            return unsupported_text(reason)
        case Passed() | Variant() | Failed():
            return ""
        case _:
            assert_never(outcome)


def unsupported_text(reason: UnsupportedReason) -> str:
    """Why a case is unsupported."""
    match reason:
        case NotOffered(text):
            return text or "the adapter does not offer this operation"
        case OutOfReach(text):
            return text
        case NothingObservable(paths):
            return f"every expected path is unobservable: {one_line(', '.join(paths), MAX_STATEMENT)}"
        case _:
            assert_never(reason)


def _break_text(cause: Crash | TimedOut | Breach) -> str:
    match cause:
        case Crash():
            return f"The adapter {_ending(cause)}."
        case TimedOut(seconds, "shutdown"):
            return f"The adapter did not exit within {seconds:g} s of shutdown, and was killed."
        case TimedOut(seconds, method):
            limit = "a known hang" if cause.known else "--timeout"
            return f"No reply{f' to {method}' if method else ''} for {seconds:g} s ({limit})."
        case Breach():
            return breach_text(cause)
        case _:
            assert_never(cause)


def _ending(crash: Crash) -> str:
    """`exited with status 3`, `was killed by SIGSEGV in the middle of a line of 7 bytes`."""
    half = f" in the middle of a line of {crash.partial_line} bytes" if crash.partial_line else ""
    if crash.signal:
        return f"was killed by {'signal ' if crash.signal.isdigit() else ''}{crash.signal}{half}"
    if crash.status is None:
        return "closed its standard output"
    return f"exited with status {crash.status}{half}"


_KINDS = {
    ErrorKind.CRASH: ("crash", "crashes"),
    ErrorKind.TIMEOUT: ("timeout", "timeouts"),
    ErrorKind.PROTOCOL: ("protocol error", "protocol errors"),
}


def breaks_text(kind: ErrorKind, breaks: int) -> str:
    """`10 timeouts`, `1 crash`."""
    one, many = _KINDS[kind]
    return f"{breaks} {one if breaks == 1 else many}"


def _in_context(text: str, context: BreakContext, remedy: str = "") -> str:
    lead = {Phase.START: "The adapter did not start: ", Phase.SHUTDOWN: "After shutdown: ", Phase.REQUESTS: ""}
    trail = " This was right after its reply." if context.after_reply else ""
    if context.last_answered:
        trail = f" The last reply before was to {context.last_answered}."
    return f"{lead[context.phase]}{text}{trail}{f' {remedy}' if remedy else ''}"


def breach_text(breach: Breach) -> str:
    """A breach with its remedy."""
    return " ".join(part for part in (_located_finding(breach), breach_remedy(breach)) if part)


def _located_finding(breach: Breach) -> str:
    """The finding; of an answer with the place in it, what the place belongs to."""
    lead = "The answer breaks its schema at " if breach.schema and _template(breach).startswith("{path}") else ""
    return f"{lead}{breach_finding(breach)}"


def breach_finding(breach: Breach) -> str:
    """The place, expected and found: `$.a: unexpected member (value 0).`"""
    path, expected = one_line(breach.path), breach.expected or "another value"
    return _template(breach).format(path=path, expected=expected, found=breach.found or "nothing")


def _template(breach: Breach) -> str:
    if breach.code is BreachCode.WRONG_TYPE and breach.path == "$":
        return "The result is {found}, not an {expected}."
    if breach.code is BreachCode.NOT_JSON and breach.expected:
        return "The line is malformed JSON: {expected}, in '{found}'."
    return _FINDINGS.get(breach.code, _EXPECTED_AND_FOUND)


def breach_remedy(breach: Breach) -> str:
    """The next step for the adapter's author; empty where the finding is enough."""
    if breach.code is BreachCode.NOT_JSON and breach.expected:
        return MALFORMED_REMEDY
    if not breach.schema:
        return _REMEDIES.get(breach.code, "")
    allowed = (
        f"Allowed there: {breach.expected}. " if breach.code is BreachCode.UNEXPECTED_MEMBER and breach.expected else ""
    )
    return f"{allowed}See {one_line(breach.schema, MAX_VALUE)}."


def alternatives_text(cause: Break | Unavailable) -> str:
    """One line on a reference that cannot give answers under other readings."""
    why = f"{cause.adapter}: {cause.reason}" if isinstance(cause, Unavailable) else error_text(cause)
    return (
        f"parity: the reference gives no answers under other readings ({one_line(why)}), so answers that follow one count "
        "as failures where no case lists them. `parity doctor` checks the reference."
    )


_QUOTED = re.compile(
    r"""(["`])(?:(?!\1).)*\1|“[^”]*”|‘[^’]*’|«[^»]*»|(?<!\w)'(?:[^']|(?<=\w)'(?=\w))*'(?!\w)""", re.DOTALL
)
# A path begins with a drive or at the start of a run of its characters, so that a long run is read once.
_PATH = re.compile(r"(?:\w:|(?<![\w.~@+-]))(?:[\w.~@+-]*+[/\\])++[\w.@+-]*")
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]+\b|\b(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{8,}\b")
_DIGITS = re.compile(r"\d+")
_NUMBERS = re.compile(r"(?<![A-Za-z0-9])(?<![A-Za-z]-)\d+")
"""Digits that are no part of a name: not the ones of `UTF-8` and `FTS5`."""
_MAX_MESSAGE = 4096


def normalised(message: str, *, keep_names: bool = False) -> str:
    """An error's message without its variable parts: quoted values, paths, addresses and digits, but with `keep_names` not
    the digits of a name such as `UTF-8`. The rest of a message beyond `_MAX_MESSAGE` characters does not count."""
    message = message[:_MAX_MESSAGE]
    for variable in (_QUOTED, _PATH, _ADDRESS, _NUMBERS if keep_names else _DIGITS):
        message = variable.sub("", message)
    return " ".join(message.split())
