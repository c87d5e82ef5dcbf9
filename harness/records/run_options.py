"""Options of a run ↔ the header of its record, and the sentences on two runs with different options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

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
from .members import check_text, member, text, texts


def encode_options(options: RunOptions) -> JsonObject:
    """The options that are not at their default."""
    given = given_options(options).items()
    return {RECORDED[name].key: list(value) if isinstance(value, tuple) else value for name, value in given}


def decode_options(values: Mapping[str, Any]) -> RunOptions:
    """The options of a header. Raises `TypeError` or `ValueError` for one that no command line can give."""
    given = {name: option for name, option in RECORDED.items() if option.key in values}
    return RunOptions(**{name: _decoded(values, name, option) for name, option in given.items()})


def _decoded(values: Mapping[str, Any], name: str, option: Option) -> Any:
    default = getattr(DEFAULT_OPTIONS, name)
    if isinstance(default, str | tuple):
        read = text if isinstance(default, str) else texts
        found = read(values, option.key)
        for one in option_texts(found):
            check_text(one, option.key)
        return found
    number = member(values, option.key, int if isinstance(default, int) else int | float)
    if not option.least <= number <= option.most:
        raise ValueError(option.key)
    return number


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
