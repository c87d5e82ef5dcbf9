"""JavaScript's strings on Python's. ECMA-262, "String Objects": lengths, slices and order use UTF-16 code units.

Every function accepts any text, including lone surrogates, and raises no exception.
"""

import re
import unicodedata

# ECMA-262 WhiteSpace and LineTerminator, used by `\s` and trim(). U+0085, U+180E and U+001C to U+001F are not included.
WHITE_SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)

_RUN = re.compile(f"[{WHITE_SPACE}]+")


def trim(text: str) -> str:
    """String.prototype.trim."""
    return text.strip(WHITE_SPACE)


def collapse(text: str) -> str:
    r"""``text.replace(/\s+/g, ' ')``: every run of white space becomes one space."""
    return _RUN.sub(" ", text)


def split_words(text: str) -> list[str]:
    r"""The non-empty pieces of ``text.split(/\s+/)``."""
    return [word for word in _RUN.split(text) if word]


def length(text: str) -> int:
    """String.prototype.length: UTF-16 code units."""
    return len(text) + sum(character > "\uffff" for character in text)


def slice_units(text: str, start: int, stop: int) -> str:
    """String.prototype.slice for 0 <= start <= stop, in code units; it can cut a pair into a lone surrogate."""
    units = text.encode("utf-16-le", "surrogatepass")
    return units[2 * start : 2 * stop].decode("utf-16-le", "surrogatepass")


def sort_key(text: str) -> bytes:
    """Sort key for the order of JavaScript's ``<``: by code units, so U+10000 comes before U+FF5E."""
    return text.encode("utf-16-be", "surrogatepass")


def normalise_nfc(text: str) -> str:
    """String.prototype.normalize('NFC')."""
    return unicodedata.normalize("NFC", text)


def to_lower_case(text: str) -> str:
    """toLowerCase() and toLocaleLowerCase('en'), which always agree: full mapping with the final sigma rule."""
    return text.lower()
