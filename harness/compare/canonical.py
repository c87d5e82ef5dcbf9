"""One text for one JSON value: for comparing quickly, for digests, and for the record's lines."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from json.encoder import encode_basestring

import rfc8785

from ..model import Json

_SURROGATE = re.compile("[\ud800-\udfff]")

# Made once: an encoder for each call would cost as much as the encoding of a small value.
_COMPACT = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), allow_nan=False).encode
_SORTED = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), allow_nan=False, sort_keys=True).encode

_ORDERED = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False, sort_keys=True).encode

_MIN_PLAIN, _MAX_PLAIN = 1e-4, 1e16
"""Numbers between these have the same text in Python and in RFC 8785, if whole ones are integers."""

_MAX_EXACT = 2**53
"""Up to here a double holds every whole number."""


def compact(value: Json) -> str:
    """`value` as ASCII JSON on one line, members in their own order."""
    return _COMPACT(value)


def canonical_text(value: Json) -> str:
    """`value` as ASCII JSON with sorted members. Equal texts are equal values; 1 and 1.0 have different texts."""
    return _SORTED(value)


def equality_text(value: Json) -> str:
    """`value` as ASCII JSON that is the same for equal values: numbers as doubles, 0 and -0 alike, members sorted."""
    return _SORTED(_as_doubles(value))


def canonical_bytes(value: Json) -> bytes:
    """`value` by RFC 8785, numbers taken as doubles; a lone surrogate, which that form cannot hold, as its escape."""
    try:
        return _ORDERED(_plain(value)).encode()
    except (_Exotic, UnicodeEncodeError):
        return rfc8785.dumps(_without_surrogates(_as_doubles(value)))


def canonical_row(values: Sequence[Json]) -> bytes:
    """The canonical bytes of a list of mostly short texts and numbers, which need no encoder of their own."""
    try:
        return f"[{','.join(map(_short, values))}]".encode()
    except UnicodeEncodeError:
        return canonical_bytes([*values])


def _short(value: Json) -> str:
    if isinstance(value, str):
        return encode_basestring(value)
    if type(value) is int and abs(value) < _MAX_EXACT:
        return str(value)
    return canonical_bytes(value).decode()


def digest(value: Json) -> str:
    """SHA-256 over the canonical bytes, in hex."""
    return hashlib.sha256(canonical_bytes(value)).hexdigest()


def digest_of_parts(parts: Iterable[bytes]) -> str:
    """The digest of a list, from the canonical bytes of its elements."""
    return hashlib.sha256(b"[" + b",".join(parts) + b"]").hexdigest()


class _Exotic(Exception):
    """A value whose canonical form is not what Python's JSON encoder writes."""


def _plain(value: Json) -> Json:
    """The value such that Python's encoder writes it by RFC 8785, which is three times as fast as the library (measured
    2026-11-22)."""
    match value:
        case bool():
            return value
        case int() | float():
            number = float(value)
            if number.is_integer() and abs(number) < _MAX_PLAIN:
                return int(number)
            if _MIN_PLAIN <= abs(number) < _MAX_PLAIN:
                return number
            raise _Exotic
        case list():
            return [_plain(item) for item in value]
        case dict():
            if any(not key.isascii() and max(key) > "\ud7ff" for key in value):
                raise _Exotic  # RFC 8785 sorts by UTF-16 units
            return {key: _plain(item) for key, item in value.items()}
    return value


def _as_doubles(value: Json) -> Json:
    match value:
        case bool():
            return value
        case int() | float():
            return float(value) + 0.0  # which makes 0 of -0
        case list():
            return [_as_doubles(item) for item in value]
        case dict():
            return {key: _as_doubles(item) for key, item in value.items()}
    return value


def _without_surrogates(value: Json) -> Json:
    match value:
        case str():
            return _SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", value)
        case list():
            return [_without_surrogates(item) for item in value]
        case dict():
            return {str(_without_surrogates(key)): _without_surrogates(item) for key, item in value.items()}
    return value
