"""Lines of an adapter → messages, with a finding for each mistake. Lenient; `harness.protocol` is the strict reader."""

from __future__ import annotations

import ast
import codecs
import json
import re

from msgspec import Struct

from ..compare.canonical import compact
from ..compare.error_text import breach_finding
from ..errors import ProtocolViolation, one_line
from ..model import ABSENT, Absent, Json, JsonObject
from ..protocol import malformed, read_message
from .mistakes import ProbeFindings, ProtocolFinding

_MAX_PENDING = 2000
"""Lines that the reader keeps at most while they can still become one message."""

_ID = re.compile(r'"id"\s*:\s*([0-9]{1,9})\b')
"""The id of a malformed reply."""

_WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)
"""The other mark of UTF-32 starts with the one of UTF-16."""


class Message(Struct, frozen=True):
    """The readable parts of a reply: its `id`, its `result`, or the `code` and `text` of its error."""

    id: Json | Absent
    result: JsonObject | None = None
    code: int | None = None
    text: str = ""

    @property
    def refused(self) -> str:
        """The error as text."""
        return f"error {self.code} ({one_line(self.text, 120)})" if self.text else f"error {self.code}"


class Reader:
    """Reads the lines of one process as messages."""

    def __init__(self, findings: ProbeFindings) -> None:
        self._findings = findings
        self._pending: list[str] = []
        self._is_wide = False

    def read(self, line: bytes) -> Message | None:
        """The message that the line completes, if it completes one."""
        self._is_wide = self._is_wide or self._looks_wide(line)
        if self._is_wide:
            return None
        text = self._decoded(line)
        value = self._value(text)
        if isinstance(value, Absent):
            return self._malformed(text)
        if not isinstance(value, dict):
            self._findings.add(ProtocolFinding.NO_REPLY_OBJECT, f"it wrote {_shown(value)}")
            return None
        if "method" in value:
            self._findings.add(ProtocolFinding.NO_REPLY_OBJECT, f"it wrote a request or notification, {_shown(value)}")
            return None
        return self._message(value)

    def read_half(self, half: bytes) -> Message | None:
        """The message in output without a line end, once no more output follows."""
        framed = ProtocolFinding.FRAMED in self._findings
        message = self.read(half) if half else None
        if message is not None and not framed:
            self._findings.add(ProtocolFinding.NO_LINE_END, f"it wrote {_replaced(half)} without a line feed")
        return message

    def give_up(self) -> None:
        """Reads the pending lines as malformed JSON or as text: they form no message."""
        for text in self._pending:
            error = _json_error(text)
            if error is not None and text.lstrip().startswith("{"):
                self._add_malformed(text, error)
            else:
                self._text(text)
        self._pending.clear()

    def _malformed(self, text: str) -> Message | None:
        """A message without content from pending lines that are one malformed reply as a whole: it has the reply's id, as
        far as that can be found. Lines that a line feed within a text separates are one reply."""
        whole = "\n".join(self._pending).rstrip()
        id_, error = _ID.search(whole), _json_error(whole)
        if not id_ or not error or not text.rstrip().endswith("}"):
            return None
        is_split = len(self._pending) > 1 and isinstance(_json(whole, strict=False), Absent)
        if is_split or error.pos >= len(whole):
            return None
        self._add_malformed(whole, error)
        self._pending.clear()
        return Message(int(id_[1]))

    def _add_malformed(self, text: str, error: json.JSONDecodeError) -> None:
        reason, excerpt = malformed(text, error)
        self._findings.add(self._findings.malformed, f"{reason}, in '{excerpt}'")

    def _looks_wide(self, line: bytes) -> bool:
        """Whether the line has a mark or the zero bytes of UTF-16 or UTF-32; adds the finding."""
        if not line.startswith(_WIDE_MARKS) and line.count(0) * 3 < max(len(line), 4):
            return False
        kind = "UTF-32" if line.count(0) * 3 >= len(line) * 2 else "UTF-16"
        self._findings.add(ProtocolFinding.WIDE, f"it wrote the bytes {line[:8].hex(' ')} …, which look like {kind}")
        return True

    def _decoded(self, line: bytes) -> str:
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            self._findings.add(
                ProtocolFinding.NOT_UTF8,
                f"byte 0x{line[error.start]:02x} in {_replaced(line)} (it looks like Latin-1)",
            )
            return line.decode("latin-1")
        if text.startswith("\ufeff"):
            self._findings.add(ProtocolFinding.BYTE_ORDER_MARK, "its output starts with U+FEFF")
        return text.removeprefix("\ufeff")

    def _value(self, text: str) -> Json | Absent:
        value = _json(text)
        if isinstance(value, dict):
            self.give_up()
            self._strictly(text)
            return value
        if self._pending or (isinstance(value, Absent) and text.lstrip()[:1] in ("{", "[")):
            return self._pretty(text)
        if isinstance(value, Absent):
            self._text(text)
        return value

    def _strictly(self, text: str) -> None:
        try:
            read_message(text.encode("utf-8", "surrogatepass"))
        except ProtocolViolation as violation:
            self._findings.add(ProtocolFinding.NOT_STRICT, breach_finding(violation.breach).rstrip("."))

    def _pretty(self, text: str) -> Json | Absent:
        """The value of the pending lines and this one together."""
        notation = _python_literal(text)
        if notation is not None:
            self._findings.add(ProtocolFinding.PYTHON_NOTATION, f"it wrote {one_line(text, 100)}")
            return notation
        self._pending.append(text)
        value = _json("\n".join(self._pending)) if text.strip() in ("}", "]") else ABSENT
        if isinstance(value, dict):
            whole = " ".join(part.strip() for part in self._pending)
            self._findings.add(
                ProtocolFinding.PRETTY_PRINTED, f"it wrote {one_line(whole, 60)} on {len(self._pending)} lines"
            )
            self._pending.clear()
            return value
        if len(self._pending) > _MAX_PENDING:
            self.give_up()
        return ABSENT

    def _text(self, text: str) -> None:
        if text.lower().startswith("content-length:"):
            self._findings.add(ProtocolFinding.FRAMED, f"it wrote {one_line(text, 60)}")
        elif not text.lower().startswith("content-type:"):
            self._findings.add(ProtocolFinding.TEXT_ON_STDOUT, f"it wrote {one_line(text.strip(), 100)!r}")

    def _message(self, value: JsonObject) -> Message:
        if value.get("jsonrpc") != "2.0":
            found = f"jsonrpc is {_shown(value['jsonrpc'])}" if "jsonrpc" in value else "it is missing"
            self._findings.add(ProtocolFinding.NO_JSONRPC, f"{found} in {_shown(value)}")
        id_ = value.get("id", ABSENT)
        error = value.get("error")
        if error is not None and value.get("result") is None:
            return self._refusal(id_, error)
        result = value.get("result", ABSENT)
        if "error" in value:
            self._findings.add(ProtocolFinding.NO_RESULT, "the reply has both result and error")
        if not isinstance(result, dict):
            found = "it is missing" if isinstance(result, Absent) else f"it is {_shown(result)}"
            self._findings.add(ProtocolFinding.NO_RESULT, f"{found} in {_shown(value)}")
            return Message(id_)
        return Message(id_, result)

    def _refusal(self, id_: Json | Absent, error: Json) -> Message:
        code = error.get("code") if isinstance(error, dict) else None
        text = error.get("message") if isinstance(error, dict) else None
        if not isinstance(code, int) or isinstance(code, bool) or not isinstance(text, str):
            evidence = f"expected an error with an integer code and a string message, found {_shown(error)}"
            self._findings.add(ProtocolFinding.NO_RESULT, evidence)
            return Message(id_)
        return Message(id_, None, code, text)


def _json_error(text: str) -> json.JSONDecodeError | None:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return error
    except (ValueError, RecursionError):
        return None
    return None


def _json(text: str, strict: bool = True) -> Json | Absent:
    """The value of a JSON text; one that is not `strict` may have control characters within its texts."""
    try:
        value: Json = json.loads(text, strict=strict)
    except (ValueError, RecursionError):
        return ABSENT
    return value


def _python_literal(text: str) -> JsonObject | None:
    """The object of a printed Python dict; None for any other text."""
    if not text.startswith("{'"):
        return None
    try:
        value = ast.literal_eval(text)
        return value if isinstance(value, dict) and compact(value) else None
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return None


def _replaced(line: bytes) -> str:
    return one_line(line.decode("utf-8", "replace"), 100)


def _shown(value: Json) -> str:
    try:
        return one_line(compact(value), 100)
    except ValueError:
        return one_line(repr(value), 100)
