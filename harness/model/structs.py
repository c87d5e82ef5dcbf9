"""The base of the values of a run, and a copy of one with other members."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

import msgspec

_Value = TypeVar("_Value")


class Value(msgspec.Struct, frozen=True, omit_defaults=True, rename="camel"):
    """A value of a run: immutable, equal by its members. A line of a record has the members in camelCase, without those at
    their default."""


def replace(value: _Value, /, **members: Any) -> _Value:
    """The value with other members, whether it is a struct or a dataclass."""
    if isinstance(value, msgspec.Struct):
        return msgspec.structs.replace(value, **members)
    return dataclasses.replace(value, **members)  # type: ignore[type-var]
