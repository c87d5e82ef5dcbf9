r"""JavaScript's regular expressions on Python's engine. ECMA-262, "RegExp Objects".

The specifications use two kinds: ASCII patterns with the flag ``i`` and without ``u``, and Unicode property classes such as
``[\p{P}\p{S}]``.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import groupby

from .strings import WHITE_SPACE

_TOKEN = re.compile(r"\\.|[\[\]$]")


@cache
def compile_ignoring_case(source: str) -> re.Pattern[str]:
    r"""Compiles ``/source/i`` (no other flag), for ASCII sources without ``.``, lookbehind or named groups.

    With Python's ASCII flag, ``\b``, ``\d`` and ``\w`` have JavaScript's meaning, and U+017F and U+212A do not fold to
    ``s`` and ``k``. ``\s`` becomes an explicit class; ``$`` matches only at the end, not before a last line feed.
    """
    return re.compile("".join(_translated(source)), re.IGNORECASE | re.ASCII)


def _translated(source: str) -> Iterator[str]:
    in_class = False
    end = 0
    for token in _TOKEN.finditer(source):
        yield source[end : token.start()]
        end = token.end()
        text = token.group()
        if text == r"\s":
            yield WHITE_SPACE if in_class else f"[{WHITE_SPACE}]"
        elif text == "$" and not in_class:
            yield r"\Z"
        else:
            in_class = {"[": True, "]": False}.get(text, in_class)
            yield text
    yield source[end:]


@lru_cache(maxsize=1 << 16)
def has_property(character: str, *properties: str) -> bool:
    r"""Whether a code point has one of these general categories: ``[\p{L}\p{Nd}]`` with the flag ``u``."""
    return unicodedata.category(character).startswith(properties)


def runs_of(text: str, *properties: str) -> list[str]:
    r"""The longest runs of characters with one of these properties: ``text.match(/[\p{L}\p{Nd}]+/gu) ?? []``."""
    return [run for wanted, run in _runs(text, properties) if wanted]


def replace_runs(text: str, replacement: str, *properties: str) -> str:
    r"""``text.replace(/[\p{P}\p{S}]+/gu, replacement)`` for a replacement without ``$``."""
    return "".join(replacement if wanted else run for wanted, run in _runs(text, properties))


def _runs(text: str, properties: tuple[str, ...]) -> Iterator[tuple[bool, str]]:
    groups = groupby(text, lambda character: has_property(character, *properties))
    return ((wanted, "".join(run)) for wanted, run in groups)
