"""Typed members of a JSON object; a wrong one is a `KeyError` or `TypeError` that names the member."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from types import UnionType
from typing import Any


def member(value: Mapping[str, Any], key: str, kind: type | UnionType) -> Any:
    """A member of this type."""
    found = value[key]
    if not isinstance(found, kind):
        raise TypeError(key)
    return found


def nonempty_text(value: Mapping[str, Any], key: str) -> str:
    """A text that is not empty."""
    if not text(value, key):
        raise ValueError(key)
    return str(value[key])


def text(value: Mapping[str, Any], key: str, absent: str | None = None) -> str:
    """A text; `absent` if the member may be missing."""
    found = value[key] if absent is None else value.get(key, absent)
    if not isinstance(found, str):
        raise TypeError(key)
    return found


def texts(value: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """A list of texts."""
    found = value[key]
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise TypeError(key)
    return tuple(found)


def objects(value: Mapping[str, Any], key: str) -> Sequence[dict[str, Any]]:
    """A list of objects."""
    found = value[key]
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise TypeError(key)
    return found


def numbers(value: Mapping[str, Any], kind: type | UnionType) -> dict[str, Any]:
    """An object of numbers of this type."""
    return {name: member(value, name, kind) for name in value}


def by_id(value: Mapping[str, Any], key: str) -> list[tuple[str, dict[str, Any]]]:
    """The members of an object of objects, by name."""
    found = member(value, key, dict)
    return [(id_, member(found, id_, dict)) for id_ in found]


def check_text(found: str, key: str) -> None:
    """Raises `ValueError` for a text that the operating system cannot take: a lone surrogate, a zero character."""
    try:
        os.fsencode(found)
    except UnicodeEncodeError:
        raise ValueError(key) from None
    if "\0" in found:
        raise ValueError(key)
