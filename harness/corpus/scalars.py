"""A plain YAML scalar → the JSON value it stands for, by the core schema of YAML 1.2."""

from __future__ import annotations

import math
import re
from functools import lru_cache

from harness.errors import one_line
from harness.model import Json

_WORDS: dict[str, Json] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_LOOKS_NUMERIC = re.compile(r"[-+.0-9]")
_INTEGER = re.compile(r"[-+]?[0-9]+")
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_NUMBER = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_LEADING_ZERO = re.compile(r"[-+]?0[0-9]")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")


class NotJson(Exception):
    """The scalar would be a value that JSON does not have, or that readers take for different values."""


@lru_cache(maxsize=4096)
def plain_value(text: str) -> Json:
    """The value of an unquoted scalar. Raises `NotJson` with a sentence."""
    if text in _WORDS:
        return _WORDS[text]
    if not _LOOKS_NUMERIC.match(text):
        return text
    if _NOT_FINITE.fullmatch(text):
        raise NotJson(f"{text} is not a JSON number.")
    if _BASED.fullmatch(text):
        return _finite(int(text, 0), text)
    if not _NUMBER.fullmatch(text):
        return text
    if _LEADING_ZERO.match(text):
        raise NotJson(f"The number {one_line(text, 40)} has a leading zero.")
    number = _finite(float(text), text)
    return int(text) if _INTEGER.fullmatch(text) else number


def _finite(number: float, text: str) -> float:
    try:
        overflows = math.isinf(float(number))
    except OverflowError:
        overflows = True
    if overflows:
        raise NotJson(f"The number {one_line(text, 40)} is too large for a double.")
    return number
