"""The regular expressions of a schema: those that cannot be tried on a text are found before anything is checked."""

from __future__ import annotations

import re
from collections.abc import Iterator

from harness.errors import one_line
from harness.model import Json

Path = tuple[str | int, ...]

_DATA = frozenset({"const", "enum", "default", "examples"})
"""Keywords below which values stand, not schemas."""

_NAMED = frozenset({"properties", "patternProperties", "dependentSchemas", "$defs"})
"""Keywords below which names of the schema's author stand, each with a schema."""


def bad_patterns(schema: Json, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Where a `pattern` or a name below `patternProperties` is no regular expression, and why."""
    if isinstance(schema, list):
        for index, item in enumerate(schema):
            yield from bad_patterns(item, (*path, index))
    elif isinstance(schema, dict):
        for key, value in schema.items():
            if key == "pattern" and isinstance(value, str):
                yield from _complaint(value, (*path, key))
            if key == "patternProperties" and isinstance(value, dict):
                for pattern in value:
                    yield from _complaint(pattern, (*path, key, pattern))
            if key in _NAMED and isinstance(value, dict):
                for name, below in value.items():
                    yield from bad_patterns(below, (*path, key, name))
            elif key not in _DATA:
                yield from bad_patterns(value, (*path, key))


def _complaint(pattern: str, path: Path) -> Iterator[tuple[Path, str]]:
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        yield path, f"The pattern {one_line(pattern, 60)} is no regular expression: {one_line(str(error), 80)}."
