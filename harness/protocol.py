"""Adapter protocol, version 1: messages ↔ values, and nothing else. docs/protocol.md is its page for readers.

JSON-RPC 2.0, one message a line. What an adapter writes is read strictly: whatever a lenient reader would guess is a
`ProtocolViolation` whose text says what was wanted and what came.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn, Protocol, TypeVar

from harness import VERSION
from harness.compare.canonical import compact
from harness.errors import ProtocolViolation, one_line
from harness.model import Implementation, Json, JsonObject

PROTOCOL_VERSION = 1
MAX_LINE_BYTES = 16 * 1024 * 1024
"""Bytes; an adapter's line may not be longer."""
MAX_DEPTH = 200
"""Levels to which an adapter's message may nest."""

METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
RAISED = -32000
OUT_OF_REACH = -32001


@dataclass(frozen=True, slots=True)
class Refusal:
    """The error object of a reply."""

    code: int
    message: str
    data: JsonObject


@dataclass(frozen=True, slots=True)
class Reply:
    """What came for one request: its result, or its refusal, or (`breach`) what is wrong with both."""

    id: int
    result: JsonObject
    refusal: Refusal | None = None
    breach: str = ""


def request_line(id_: int, method: str, params: JsonObject) -> bytes:
    """A request as the bytes that go to the adapter."""
    return request_bytes(id_, method, compact(params))


def request_bytes(id_: int, method: str, params: str) -> bytes:
    """The same, of parameters that are JSON already."""
    return f'{{"jsonrpc":"2.0","id":{id_},"method":"{method}","params":{params}}}\n'.encode("ascii")


def initialize_params() -> JsonObject:
    """What the harness says of itself."""
    return {"protocolVersion": PROTOCOL_VERSION, "harness": {"name": "parity", "version": VERSION}}


def _pairs(pairs: list[tuple[str, Json]]) -> JsonObject:
    members = dict(pairs)
    if len(members) != len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise ProtocolViolation(f"The message has the key {one_line(json.dumps(twice), 60)} twice in one object.")
    return members


def _constant(name: str) -> NoReturn:
    raise ProtocolViolation(f"The message holds {name}, which is no JSON number. Answer with null or a finite number.")


def _float(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ProtocolViolation(f"The number {one_line(text, 40)} overflows a double.")
    return number


def _int(text: str) -> int:
    if len(text) > 300:
        _float(text)
    return int(text)


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_float, parse_int=_int)


def read_message(line: bytes) -> Json:
    """The JSON value of one line. Raises `ProtocolViolation`."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ProtocolViolation(
            f"The line is not UTF-8 (byte {error.start + 1} is 0x{line[error.start]:02x}). "
            "Write UTF-8, or ASCII with \\u escapes."
        ) from None
    if text.startswith("\ufeff"):
        raise ProtocolViolation("The line starts with a byte-order mark. Write UTF-8 without one.")
    try:
        value: Json = _DECODER.decode(text)
    except RecursionError:
        raise ProtocolViolation(f"The message nests deeper than {MAX_DEPTH} levels.") from None
    except ValueError:
        raise ProtocolViolation(
            f"The line is not one JSON message: {one_line(text, 120)!r}. "
            "Write one message a line, on one line, and nothing else to standard output; logs belong on standard error."
        ) from None
    if text.count("[") + text.count("{") > MAX_DEPTH and _depth(value) > MAX_DEPTH:
        raise ProtocolViolation(f"The message nests deeper than {MAX_DEPTH} levels.")
    return value


def _depth(value: Json) -> int:
    deepest, level = 0, [value]
    while level:
        deepest += 1
        level = [
            item
            for container in level
            if isinstance(container, list | dict)
            for item in (container.values() if isinstance(container, dict) else container)
        ]
    return deepest


def read_reply(line: bytes) -> Reply:
    """One line as a reply. Raises `ProtocolViolation` if it cannot be told which request it is for."""
    message = read_message(line)
    if isinstance(message, list):
        raise ProtocolViolation("The adapter wrote a batch (a list). Write one reply a line.")
    if not isinstance(message, dict):
        raise ProtocolViolation(f"The adapter wrote {one_line(compact(message), 60)}, not a reply object.")
    if message.get("jsonrpc") != "2.0":
        raise ProtocolViolation('The reply has no member "jsonrpc": "2.0".')
    if "method" in message:
        raise ProtocolViolation("The adapter wrote a request or notification (it has a method). Write replies only.")
    id_ = message.get("id")
    if not isinstance(id_, int) or isinstance(id_, bool):
        raise ProtocolViolation(_id_sentence(message, id_))
    try:
        return _content(id_, message)
    except ProtocolViolation as violation:
        return Reply(id_, {}, breach=str(violation))


def _content(id_: int, message: JsonObject) -> Reply:
    if ("result" in message) == ("error" in message):
        found = "both" if "result" in message else "neither"
        raise ProtocolViolation(f"The reply has {found} of result and error. Write one of the two.")
    if "error" in message:
        return Reply(id_, {}, _refusal(message["error"]))
    result = message["result"]
    if not isinstance(result, dict):
        raise ProtocolViolation(f"The result is {one_line(compact(result), 60)}, not an object.")
    return Reply(id_, result)


def _id_sentence(message: JsonObject, id_: Json) -> str:
    if id_ is None and isinstance(message.get("error"), dict):
        return f"The adapter could not read a request: {one_line(compact(message['error']), 160)}."
    shown = one_line(compact(id_), 60) if "id" in message else "missing"
    return f"The id of the reply is {shown}; it must be the number that the request had, with the same type."


def _refusal(error: Json) -> Refusal:
    if not isinstance(error, dict):
        raise ProtocolViolation("The error of the reply is not an object with code and message.")
    code, message, data = error.get("code"), error.get("message"), error.get("data", {})
    if not isinstance(code, int) or isinstance(code, bool) or not isinstance(message, str):
        raise ProtocolViolation("The error of the reply has no whole number as code, or no text as message.")
    return Refusal(code, message, data if isinstance(data, dict) else {})


def read_implementation(name: str, result: JsonObject) -> Implementation:
    """What `initialize` answered, under the implementation's name in this run. Raises `ProtocolViolation`."""
    version = result.get("protocolVersion")
    if isinstance(version, bool) or version != PROTOCOL_VERSION:
        raise ProtocolViolation(
            f"The adapter speaks protocol version {one_line(compact(version), 40)}; "
            f"this harness speaks {PROTOCOL_VERSION}."
        )
    said = _member(result, "implementation", {})
    unsupported, unobservable = _optional(result, "unsupported", {}), _optional(result, "unobservable", {})
    return Implementation(
        name=name,
        implementation=_member(said, "name", "", "implementation."),
        version=_member(said, "version", "", "implementation."),
        language=_member(said, "language", "", "implementation."),
        runtime=_optional(said, "runtime", ""),
        source=_optional(said, "source", ""),
        operations=frozenset(_names(_member(result, "operations", []), "operations")),
        unsupported=_texts(unsupported, "reasons under unsupported"),
        unobservable={key: _pointers(key, paths) for key, paths in unobservable.items()},
        capabilities=frozenset(_names(_optional(result, "capabilities", []), "capabilities")),
        versions=_optional(result, "versions", {}),
    )


_Kind = TypeVar("_Kind", str, list[Json], JsonObject)


def _member(values: JsonObject, key: str, like: _Kind, where: str = "") -> _Kind:
    """The member `key`, which has the type of `like`."""
    value = values.get(key)
    if not isinstance(value, type(like)):
        words = {dict: "an object", list: "a list", str: "a text"}[type(like)]
        raise ProtocolViolation(f"The reply to initialize has no {where}{key} that is {words}.")
    return value


def _optional(values: JsonObject, key: str, like: _Kind) -> _Kind:
    return _member(values, key, like) if key in values else like


def _names(values: Json, what: str) -> list[str]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ProtocolViolation(f"The reply to initialize has {what} that are not all texts.")
    return [str(value) for value in values]


def _texts(values: JsonObject, what: str) -> dict[str, str]:
    return dict(zip(values, _names(list(values.values()), what), strict=True))


def _pointers(operation: str, paths: Json) -> tuple[str, ...]:
    shown = one_line(operation, 60)
    names = _names(paths, f"unobservable paths of {shown}")
    if any(not name.startswith("/") for name in names):
        raise ProtocolViolation(f"An unobservable path of {shown} is no JSON Pointer: it must start with /.")
    return tuple(names)


class Channel(Protocol):
    """One running adapter, as the engine sees it: nothing here ever blocks, except `kill`, which is short."""

    def waiting_on(self) -> tuple[Sequence[int], Sequence[int]]:
        """The file descriptors to wait on for reading and for writing."""

    def send(self, data: bytes) -> None:
        """Queues bytes for the adapter and writes what can be written now."""

    def unsent(self) -> int:
        """How many queued bytes the adapter has not taken yet."""

    def pump(self) -> None:
        """Moves bytes in all directions, as far as goes without waiting."""

    def lines(self) -> list[bytes]:
        """The complete lines that arrived since the last call. Raises `ProtocolViolation` for one that is too long."""

    def ending(self) -> str:
        """How the adapter ended, in words, once all that it wrote has been taken; empty while it lives."""

    def half_line(self) -> bytes:
        """What it has written since its last line feed."""

    def exit_status(self) -> int | None:
        """Its exit status, once it has exited by itself."""

    def stderr_mark(self) -> int:
        """How many bytes it has written to standard error so far."""

    def stderr_since(self, mark: int) -> str:
        """What it wrote to standard error since the mark, at most the last 64 KiB."""

    def kill(self) -> None:
        """Ends the adapter and every process of its group."""


class Connection(Protocol):
    """A way to start an adapter: the seam behind which processes, pipes and environments lie."""

    def start(self, environment: Sequence[tuple[str, str]]) -> Channel:
        """Starts the adapter with these variables set over its own. Raises `AdapterUnavailable`."""
