"""Adapter protocol, version 1: messages ↔ values. docs/protocol.md describes it.

JSON-RPC 2.0, one message a line. An adapter's output is read strictly: where a lenient reader would guess, this one raises
a `ProtocolViolation`, which holds a `Breach`.
"""

from __future__ import annotations

import json
import select
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar, assert_never

from msgspec import Struct

from . import VERSION
from .base.json_path import member
from .base.strict_json import MAX_DEPTH, JsonFault, StrictJsonError, read_json
from .compare.canonical import compact
from .errors import ProtocolViolation, one_line
from .model import Breach, BreachCode, Crash, Implementation, Json, JsonObject

PROTOCOL_VERSION = 1
MAX_LINE_BYTES = 16 * 1024 * 1024
"""Bytes; an adapter's line may not be longer."""
_EXCERPT = 40
"""Characters of a malformed line on each side of the place where its parser stops."""

METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
RAISED = -32000
OUT_OF_REACH = -32001


class Refusal(Struct, frozen=True):
    """The error object of a reply."""

    code: int
    message: str
    data: JsonObject


class Reply(Struct, frozen=True):
    """The reply to one request: its result, its error (`refusal`), or the `breach` that makes it neither."""

    id: int
    result: JsonObject
    refusal: Refusal | None = None
    breach: Breach | None = None


def request_line(id_: int, method: str, params: JsonObject) -> bytes:
    """A request as bytes for the adapter."""
    return request_bytes(id_, method, compact(params))


def request_bytes(id_: int, method: str, params: str) -> bytes:
    """A request as bytes, from parameters that are JSON already."""
    return f'{{"jsonrpc":"2.0","id":{id_},"method":"{method}","params":{params}}}\n'.encode("ascii")


def initialize_params() -> JsonObject:
    """The parameters of `initialize`."""
    return {"protocolVersion": PROTOCOL_VERSION, "harness": {"name": "parity", "version": VERSION}}


def refused(code: BreachCode, refusal: Refusal) -> Breach:
    """The breach of an error where a result is required."""
    return Breach(code, "$.error", found=f"{refusal.code}: {one_line(refusal.message)}")


def accepted(reply: Reply, code: BreachCode) -> JsonObject:
    """The result of a reply. Raises `ProtocolViolation` for a broken one and, with this code, for a refusal."""
    if reply.breach is not None:
        raise ProtocolViolation(reply.breach)
    if reply.refusal is not None:
        raise ProtocolViolation(refused(code, reply.refusal))
    return reply.result


def _violation(code: BreachCode, path: str = "", expected: str = "", found: str = "") -> ProtocolViolation:
    return ProtocolViolation(Breach(code, path, expected, found))


def shown(value: Json, limit: int = 60) -> str:
    """A value as JSON on one line of at most `limit` characters, for a breach."""
    return one_line(compact(value), limit)


def read_message(line: bytes) -> Json:
    """The JSON value of one line. Raises `ProtocolViolation`."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        found = f"byte {error.start + 1} is 0x{line[error.start]:02x}"
        raise _violation(BreachCode.NOT_UTF_8, found=found) from None
    if text.startswith("\ufeff"):
        raise _violation(BreachCode.BYTE_ORDER_MARK, found="U+FEFF")
    try:
        value: Json = read_json(text)
    except StrictJsonError as error:
        raise _unlike(error) from None
    except json.JSONDecodeError as error:
        raise _not_json(text, error) from None
    return value


def _unlike(error: StrictJsonError) -> ProtocolViolation:
    """The violation of a line that is JSON, and that readers of other languages do not read alike."""
    path = _from_answer(error.path) if error.path else ""
    match error.fault:
        case JsonFault.TOO_DEEP:
            return _violation(BreachCode.TOO_DEEP, expected=str(MAX_DEPTH))
        case JsonFault.DUPLICATE_KEY:
            return _violation(BreachCode.DUPLICATE_KEY, path, found=shown(error.found))
        case JsonFault.NOT_FINITE | JsonFault.NUMBER_OVERFLOW:
            return _violation(BreachCode(error.fault.value), path, found=one_line(error.found, 40))
    assert_never(error.fault)


def _not_json(text: str, error: json.JSONDecodeError) -> ProtocolViolation:
    """The violation of a line that is no JSON. A line that begins as an object has the parser's reason and an excerpt."""
    if not text.lstrip().startswith("{"):
        return _violation(BreachCode.NOT_JSON, found=one_line(text, 120))
    reason, excerpt = malformed(text, error)
    return _violation(BreachCode.NOT_JSON, expected=reason, found=excerpt)


def malformed(text: str, error: json.JSONDecodeError) -> tuple[str, str]:
    """Why one line is no JSON, with the column (in characters, the first is 1), and the text around that column."""
    first, last = max(0, error.pos - _EXCERPT), error.pos + _EXCERPT
    excerpt = f"{'…' if first else ''}{text[first:last]}{'…' if last < len(text) else ''}"
    return f"{error.msg.removesuffix(' at')} at column {error.pos + 1}", one_line(excerpt)


def _from_answer(path: str) -> str:
    """A path in a message: from the answer if it lies in the result, else from the reply."""
    inside = path.removeprefix("$.result")
    return one_line(f"${inside}" if inside != path and inside[:1] in ("", ".", "[") else f"reply{path[1:]}", 1000)


def read_reply(line: bytes) -> Reply:
    """One line as a reply. Raises `ProtocolViolation` if the line names no request."""
    message = read_message(line)
    if isinstance(message, list):
        raise _violation(BreachCode.BATCH, "$", "object", "list")
    if not isinstance(message, dict):
        raise _violation(BreachCode.NOT_AN_OBJECT, "$", "object", shown(message))
    if message.get("jsonrpc") != "2.0":
        raise _violation(BreachCode.NO_JSONRPC, "$.jsonrpc", '"2.0"', _member_found(message, "jsonrpc"))
    if "method" in message:
        raise _violation(BreachCode.NOT_A_REPLY, "$.method", "", shown(message["method"]))
    id_ = message.get("id")
    if not isinstance(id_, int) or isinstance(id_, bool):
        raise ProtocolViolation(_id_breach(message, id_))
    try:
        return _content(id_, message)
    except ProtocolViolation as violation:
        return Reply(id_, {}, breach=violation.breach)


def _member_found(values: JsonObject, key: str) -> str:
    """A member for a breach; empty if it is absent."""
    return shown(values[key]) if key in values else ""


def _content(id_: int, message: JsonObject) -> Reply:
    if "result" in message and "error" in message:
        raise _violation(BreachCode.RESULT_AND_ERROR)
    if "error" in message:
        return Reply(id_, {}, _refusal(message["error"]))
    if "result" not in message:
        raise _violation(BreachCode.NO_RESULT)
    result = message["result"]
    if not isinstance(result, dict):
        raise _violation(BreachCode.WRONG_TYPE, "$", "object", shown(result))
    return Reply(id_, result)


def _id_breach(message: JsonObject, id_: Json) -> Breach:
    if id_ is None and isinstance(message.get("error"), dict):
        return Breach(BreachCode.REQUEST_NOT_READ, "$.error", found=shown(message["error"], 160))
    return Breach(BreachCode.INVALID_ID, "$.id", "number", _member_found(message, "id") or "missing")


def _refusal(error: Json) -> Refusal:
    if not isinstance(error, dict):
        raise _violation(BreachCode.INVALID_ERROR, "$.error", "object", shown(error))
    code, message, data = error.get("code"), error.get("message"), error.get("data", {})
    if not isinstance(code, int) or isinstance(code, bool):
        raise _violation(BreachCode.INVALID_ERROR, "$.error.code", "integer", _member_found(error, "code"))
    if not isinstance(message, str):
        raise _violation(BreachCode.INVALID_ERROR, "$.error.message", "string", _member_found(error, "message"))
    return Refusal(code, message, data if isinstance(data, dict) else {})


def read_implementation(name: str, result: JsonObject) -> Implementation:
    """The reply to `initialize`, under the implementation's name in this run. Raises `ProtocolViolation`."""
    version = result.get("protocolVersion")
    if isinstance(version, bool) or version != PROTOCOL_VERSION:
        raise _violation(BreachCode.PROTOCOL_VERSION, "$.protocolVersion", str(PROTOCOL_VERSION), shown(version, 40))
    own = _member(result, "implementation", {})
    unsupported, unobservable = _optional(result, "unsupported", {}), _optional(result, "unobservable", {})
    return Implementation(
        name=name,
        implementation=_member(own, "name", "", "$.implementation"),
        version=_member(own, "version", "", "$.implementation"),
        language=_member(own, "language", "", "$.implementation"),
        runtime=_optional(own, "runtime", "", "$.implementation"),
        source=_optional(own, "source", "", "$.implementation"),
        operations=frozenset(_names(_member(result, "operations", []), "$.operations")),
        unsupported={key: _text(reason, f"$.unsupported{member(key)}") for key, reason in unsupported.items()},
        unobservable={key: _pointers(f"$.unobservable{member(key)}", paths) for key, paths in unobservable.items()},
        capabilities=frozenset(_names(_optional(result, "capabilities", []), "$.capabilities")),
        versions=_optional(result, "versions", {}),
    )


_Kind = TypeVar("_Kind", str, list[Json], JsonObject)
_TYPE_NAMES = {dict: "object", list: "list", str: "string"}


def _member(values: JsonObject, key: str, like: _Kind, path: str = "$") -> _Kind:
    """The member `key`, which has the type of `like`."""
    expected = _TYPE_NAMES[type(like)]
    if key not in values:
        raise _violation(BreachCode.MISSING_MEMBER, f"{path}.{key}", expected)
    value = values[key]
    if not isinstance(value, type(like)):
        raise _violation(BreachCode.WRONG_TYPE, f"{path}.{key}", expected, shown(value))
    return value


def _optional(values: JsonObject, key: str, like: _Kind, path: str = "$") -> _Kind:
    return _member(values, key, like, path) if key in values else like


def _text(value: Json, path: str) -> str:
    if not isinstance(value, str):
        raise _violation(BreachCode.WRONG_TYPE, path, "string", shown(value))
    return value


def _names(values: Json, path: str) -> list[str]:
    if not isinstance(values, list):
        raise _violation(BreachCode.WRONG_TYPE, path, "list", shown(values))
    return [_text(value, f"{path}[{index}]") for index, value in enumerate(values)]


def _pointers(path: str, pointers: Json) -> tuple[str, ...]:
    names = _names(pointers, path)
    for index, name in enumerate(names):
        if not name.startswith("/"):
            raise _violation(BreachCode.INVALID_POINTER, f"{path}[{index}]", "/…", shown(name))
    return tuple(names)


class Channel(Protocol):
    """One running adapter. No method blocks, except `kill`, which is short."""

    def waiting_on(self) -> tuple[Sequence[int], Sequence[int]]:
        """The file descriptors to wait on for reading and for writing."""

    def send(self, data: bytes) -> None:
        """Queues bytes for the adapter and writes what can be written now."""

    def end_input(self) -> None:
        """Closes the adapter's standard input and drops the bytes that are not written yet."""

    def pump(self) -> None:
        """Moves bytes in all directions without waiting."""

    def lines(self) -> list[bytes]:
        """The complete lines that arrived since the last call. Raises `ProtocolViolation` for one that is too long."""

    def ending(self) -> Crash | None:
        """How the adapter ended, once all its output was taken; None while it lives."""

    def half_line(self) -> bytes:
        """Its output since the last line feed."""

    def exit_status(self) -> int | None:
        """Its exit status, once it exited by itself."""

    def stderr_mark(self) -> int:
        """How many bytes it has written to standard error so far."""

    def stderr_since(self, mark: int) -> str:
        """Its standard error since the mark, at most the last 64 KiB."""

    def kill(self) -> None:
        """Ends the adapter and every process of its group."""


def await_pipes(channels: Iterable[Channel], milliseconds: int) -> None:
    """Waits until a channel can be read or written, at most for this time."""
    poll = select.poll()
    for channel in channels:
        reading, writing = channel.waiting_on()
        for descriptor in reading:
            poll.register(descriptor, select.POLLIN)
        for descriptor in writing:
            poll.register(descriptor, select.POLLOUT)
    poll.poll(milliseconds)


class Connection(Protocol):
    """A way to start an adapter: the seam in front of processes, pipes and environments."""

    def start(self, environment: Sequence[tuple[str, str]]) -> Channel:
        """Starts the adapter with these variables set over its own. Raises `AdapterUnavailable`."""
