"""Options of a run ↔ the header of its record, and the sentences on two runs with different options."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import ValidationError, convert

from ..errors import one_line
from ..model import (
    DEFAULT_OPTIONS,
    RECORDED,
    JsonObject,
    Option,
    RunOptions,
    Scope,
    different_options,
    given_options,
    option_texts,
)


def encode_options(options: RunOptions) -> JsonObject:
    """The options that are not at their default."""
    given = given_options(options).items()
    return {RECORDED[name].key: list(value) if isinstance(value, tuple) else value for name, value in given}


def decode_options(values: Mapping[str, Any]) -> RunOptions:
    """The options of a header. Raises `ValueError` or `msgspec.ValidationError` for one that no command line can give."""
    given = {name: option for name, option in RECORDED.items() if option.key in values}
    return RunOptions(**{name: _decoded(values[option.key], name, option) for name, option in given.items()})


def _decoded(value: Any, name: str, option: Option) -> Any:
    default = getattr(DEFAULT_OPTIONS, name)
    kind = tuple[str, ...] if isinstance(default, tuple) else type(default)
    try:
        found = convert(value, kind)
    except ValidationError as error:
        raise ValueError(f"options.{option.key}: {error}") from None
    if isinstance(found, int | float):
        if not option.least <= found <= option.most:
            raise ValueError(f"options.{option.key}")
    else:
        for text in option_texts(found):
            check_text(text, f"options.{option.key}")
            if option.choices and text not in option.choices:
                raise ValueError(f"options.{option.key}")
    return found


def check_text(text: str, name: str) -> None:
    """Raises `ValueError` for a text that the operating system cannot take: a lone surrogate, a zero character."""
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        raise ValueError(name) from None
    if "\0" in text:
        raise ValueError(name)


def different_texts(ours: RunOptions, theirs: RunOptions, scope: Scope) -> Iterator[tuple[str, str, str]]:
    """The options that must be equal in this scope and are not: the flag, and both sides, such as `with --timeout 3`."""
    for name in different_options(ours, theirs, scope):
        yield RECORDED[name].flag, _described(name, ours), _described(name, theirs)


def _described(name: str, options: RunOptions) -> str:
    flag, value, default = RECORDED[name].flag, getattr(options, name), getattr(DEFAULT_OPTIONS, name)
    if value == default and isinstance(value, tuple):
        return f"without {flag}"
    shown = one_line(", ".join(sorted({*option_texts(value)})))
    return f"with {flag} {shown}{' (the default)' if value == default else ''}"
