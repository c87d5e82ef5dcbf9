"""The tokens of V8's Date.parse (V8 11, DateStringTokenizer in src/date/dateparser-inl.h)."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from . import strings

# More digits of a number than these do not count.
_DIGITS: Final = 9

_Kind = Literal["number", "symbol", "word", "space", "other", "end"]


@dataclass(frozen=True, slots=True)
class Token:
    """A run of digits, a symbol, a word, one white-space character, or another character."""

    kind: _Kind
    text: str = ""

    @property
    def number(self) -> int:
        """The value of a run of digits."""
        return int(self.text.lstrip("0")[:_DIGITS] or 0)

    def has_digits(self, count: int) -> bool:
        """Whether the token is a run of this many digits."""
        return self.kind == "number" and len(self.text) == count

    @property
    def sign(self) -> int:
        """1 or -1 for a sign, 0 for any other token."""
        return {"+": 1, "-": -1}.get(self.text, 0) if self.kind == "symbol" else 0


END = Token("end")


def tokens(text: str) -> list[Token]:
    """The tokens of a text up to U+0000, which V8 takes for its end; parentheses with their content are one token."""
    text = text.partition("\0")[0]
    found, at = [], 0
    while at < len(text):
        kind, end = _token(text, at)
        found.append(Token(kind, text[at:end]))
        at = end
    return found


def _token(text: str, at: int) -> tuple[_Kind, int]:
    """The kind of the token that starts at ``at``, and its end."""
    if digits := re.compile("[0-9]+").match(text, at):
        return "number", digits.end()
    if text[at] in ":-+.)":
        return "symbol", at + 1
    if text[at] == "(":
        return "other", _end_of_parentheses(text, at)
    if _is_space(text[at]):
        return "space", at + 1
    end = at
    while end < len(text) and text[end] >= "A" and not _is_space(text[end]):
        end += 1
    return ("word", end) if end > at else ("other", at + 1)


def _is_space(character: str) -> bool:
    return character in strings.WHITE_SPACE


def _end_of_parentheses(text: str, at: int) -> int:
    """The position behind the parenthesis that closes the one at ``at``, or the end of the text."""
    depth = 0
    for position in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        if depth == 0:
            return position + 1
    return len(text)
