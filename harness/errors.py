"""Every exception of the harness, in the order in which a run meets them.

A command line is read (`UsageError`). The corpus is loaded; all that is wrong with it is collected and raised at once
(`CorpusError`). The selection is applied; one that leaves nothing is `EmptySelection`. The adapters named are found and
built (`AdapterUnavailable`). Asking begins: a reply that breaks the protocol is a `ProtocolViolation`, which the engine
turns into a verdict and which therefore never ends a run. Verdicts go to the record (`RecordError`).

Each carries whose fault it is (corpus, adapter, implementation or harness) through its class, a sentence for the reader,
and the exit status of the command that it ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class ParityError(Exception):
    """A failure that has a sentence for the user and an exit status; it is never shown with a traceback."""

    exit_status = 2


class UsageError(ParityError):
    """The command line cannot be carried out as it stands."""


@dataclass(frozen=True, slots=True)
class Problem:
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
    """The corpus (or another file of the user's, `what`) has mistakes; `problems` holds every one that was found."""

    def __init__(self, problems: Sequence[Problem], what: str = "the corpus") -> None:
        self.problems = tuple(problems)
        count = len(self.problems)
        listed = "\n\n".join(str(problem) for problem in self.problems)
        super().__init__(f"{listed}\n\n{count} problem{'s' if count != 1 else ''} in {what}; nothing was asked.")


class EmptySelection(ParityError):
    """The selection matched no case, so nothing could be judged."""


class AdapterUnavailable(ParityError):
    """An adapter cannot be built or started on this machine."""

    exit_status = 3


class ProtocolViolation(Exception):
    """An adapter's message breaks the protocol. The text says what was wanted and what came."""


class RecordError(ParityError):
    """A run record cannot be written, read or resumed."""


def one_line(text: str, limit: int = 200) -> str:
    """At most `limit` characters of `text`, each that is not printable as an escape, on one line: nothing in it can move
    a cursor or break a table."""
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
