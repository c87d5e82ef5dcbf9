"""The output of foreign programs as text: standard error, stack traces, what toolchains say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..base.text_limits import MAX_OUTPUT, MAX_STATEMENT
from ..errors import one_line
from ..model import RecordedResult, Result

BAR = "    | "
"""What stands before each line of foreign text."""

HOME_HINT = (
    "An adapter sees an empty HOME, so a toolchain finds no settings and no cache there. Build first (--build) and name the "
    "built program, or pass your own: --pass-env HOME."
)
_NEEDS_HOME = re.compile(
    r"\$?HOME\b|rustup could not choose|no default is configured|RUSTUP_|GOCACHE|GOMODCACHE|GOPATH"
    r"|No version is set for command|version .{0,40} is not installed|NVM_DIR|\.cargo|home directory",
    re.IGNORECASE,
)
"""Words of toolchains that look for something below HOME; nothing but the hint depends on them."""


def needs_home(output: str) -> bool:
    """Whether the output of a program looks as if it misses something below HOME."""
    return _NEEDS_HOME.search(output) is not None


def barred(lines: Iterable[str], limit: int = MAX_STATEMENT) -> Iterator[str]:
    """Lines of foreign text, each behind a bar, so that none can close a block or be a command of a CI log."""
    yield from (f"{BAR}{one_line(spaced(line), limit)}" for line in lines)


def stack_lines(stack: str, beginning: int = 8, end: int = 7) -> list[str]:
    """A stack trace as lines; a long one is cut to its ends, because the place of the error is at either end."""
    lines = stack.strip("\n").split("\n") if stack.strip() else []
    dropped = len(lines) - beginning - end
    if dropped <= 1:
        return lines
    return [*lines[:beginning], f"… {dropped} more lines", *lines[-end:]]


def stack_trace(result: RecordedResult | Result, beginning: int = 8, end: int = 7) -> Iterator[str]:
    """The stack trace of a raised error below a title; no line without one."""
    if lines := stack_lines(result.stack, beginning, end):
        yield "  stack:"
        yield from barred(lines)


def standard_error(text: str) -> Iterator[str]:
    """The end of an adapter's standard error below a title; no line if it is empty."""
    if text.strip():
        yield "  standard error:"
        yield from barred(text[-MAX_OUTPUT:].strip("\n").split("\n"))


def spaced(text: str) -> str:
    """The text with blanks in place of tabs."""
    return text.replace("\t", " ")
