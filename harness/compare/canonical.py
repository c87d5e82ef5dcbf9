"""One text for one JSON value: for comparing quickly, for digests, and for the record's lines."""

from __future__ import annotations

import hashlib
import json
import re

import rfc8785

from ..model import Json

_SURROGATE = re.compile("[\ud800-\udfff]")

# Made once: an encoder for each call would cost as much as the encoding of a small value.
_COMPACT = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), allow_nan=False).encode
_SORTED = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), allow_nan=False, sort_keys=True).encode


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
    return rfc8785.dumps(_without_surrogates(_as_doubles(value)))


def digest(value: Json) -> str:
    """SHA-256 over the canonical bytes, in hex."""
    return hashlib.sha256(canonical_bytes(value)).hexdigest()


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
