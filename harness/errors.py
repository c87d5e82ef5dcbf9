"""Every exception of the harness. Exceptions hold fields; their text is for people.

`ParityError` ends a command: its class names the side at fault (command line, corpus, adapter, record) and the exit status.
A `ProtocolViolation` ends no command: the runner turns it into an outcome.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from .model import Breach, NotTestedCode, Unavailable


class ParityError(Exception):
    """A failure with a message for the user and an exit status; it is shown without a traceback."""

    exit_status = 2


class UsageError(ParityError):
    """The command line is wrong."""


class Problem(Struct, frozen=True):
    """One mistake in the corpus: its place, its kind, what is wrong, what to do.

    `place` is `file:line` (or a file); `code` a stable kebab-case name for the kind of mistake; `case` the full name of
    the case, if the mistake belongs to one.
    """

    place: str
    code: str
    message: str
    remedy: str
    case: str = ""

    def __str__(self) -> str:
        head = f"{self.place}  {self.case}" if self.case else self.place
        return f"{head}\n  {self.message}\n  {self.remedy}"


class CorpusError(ParityError):
    """The corpus (or another file of the user, `what`) has mistakes; `problems` holds all of them."""

    def __init__(self, problems: Sequence[Problem], what: str = "the corpus") -> None:
        self.problems = tuple(problems)
        listed = "\n\n".join(str(problem) for problem in self.problems)
        super().__init__(f"{listed}\n\n{plural(len(self.problems), 'problem')} in {what}; nothing was run.")


class EmptySelection(ParityError):
    """The selection matches no case."""


class AdapterUnavailable(ParityError):
    """An adapter cannot be built or started on this machine.

    `reason` is one sentence; `remedy` may be another; `log` is the end of the build's output, empty without a build. `code`
    is the sort of cause.
    """

    exit_status = 3

    def __init__(
        self,
        reason: str,
        *,
        remedy: str = "",
        adapter: str = "",
        log: str = "",
        code: NotTestedCode = NotTestedCode.NOT_BUILT,
    ) -> None:
        self.reason = reason
        self.code = code
        self.remedy = remedy
        self.adapter = adapter
        self.log = log
        lead = f"{adapter}: " if adapter else ""
        super().__init__(f"{lead}{self.text}\n{log}" if log else f"{lead}{self.text}")

    @property
    def text(self) -> str:
        """Reason and remedy."""
        return f"{self.reason} {self.remedy}".strip()

    @property
    def cause(self) -> Unavailable:
        """The same as a value."""
        return Unavailable(self.adapter, self.text, self.log)


class ProtocolViolation(Exception):
    """A message of an adapter breaks the protocol; `breach` holds code, place, expected and found."""

    def __init__(self, breach: Breach) -> None:
        super().__init__(breach)
        self.breach = breach


class RecordError(ParityError):
    """A run record cannot be written, read or resumed."""


def plural(count: int, noun: str) -> str:
    """`1 case`, `2 cases`, `12,172 cases`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def one_line(text: str, limit: int = 200) -> str:
    """At most `limit` characters of `text` on one line, unprintable ones as escapes, so that it cannot move a cursor or
    break a table."""
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    return "".join(c if c.isprintable() else escape(c) for c in cut)


def printable(text: str) -> str:
    """`text` with every control, format and surrogate character written as an escape; line feeds and tabs stay."""
    return "".join(c if c in "\n\t" or c.isprintable() else escape(c) for c in text)


def escape(character: str) -> str:
    """One character as `\\n`, `\\x1b`, `\\u202e`, `\\U000e0001`."""
    if character in "\n\r\t":
        return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}[character]
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
