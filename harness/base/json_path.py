"""The two notations of a place in a JSON value: the path `$.a[2]["odd name"]`, and the JSON Pointer `/a/2/odd name`. Pure.

A path is written, and shown to readers; `[*]` in it stands for an element without a place of its own. A pointer is what
schemas and adapters state; `*` in it stands for every member or element. Steps are what both consist of.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

Step: TypeAlias = "str | int"
"""The name of a member, or the index of an element."""

ANY = "*"
"""The step to every member or element."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_STEP = re.compile(rf'\.({_NAME.pattern})|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|\[(\*)\]')
_INDEX = re.compile(r"\[\d+\]")
_POSITION = re.compile(r"[0-9]{1,9}")


@lru_cache(maxsize=1000)
def member(key: str) -> str:
    """The step to a member as a path writes it: `.name`, or `["odd name"]`."""
    return f".{key}" if _NAME.fullmatch(key) else f"[{json.dumps(key)}]"


def path_step(step: Step) -> str:
    """A step as a path writes it."""
    return f"[{step}]" if isinstance(step, int) else member(step)


def path_text(steps: Iterable[Step]) -> str:
    """The path of these steps: `$.results[2].id`."""
    return "$" + "".join(map(path_step, steps))


def path_steps(path: str) -> list[Step]:
    """The steps of a path; `[*]` is the step `*`."""
    found: list[Step] = []
    at = 1
    while step := _STEP.match(path, at):
        name, index, quoted, every = step.groups()
        found.append(int(index) if index else json.loads(quoted) if quoted else name or every)
        at = step.end()
    return found


def without_indices(path: str) -> str:
    """The path with `[*]` in place of each index."""
    return _INDEX.sub(f"[{ANY}]", path)


def is_below(path: str, place: str) -> bool:
    """Whether a path leads to a place or into it."""
    return path == place or path.startswith((f"{place}.", f"{place}["))


def pointer_steps(pointer: str) -> list[str]:
    """The reference tokens of a JSON Pointer (RFC 6901)."""
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def pointer_text(steps: Iterable[str]) -> str:
    """The JSON Pointer of these steps."""
    return "".join(f"/{step.replace('~', '~0').replace('/', '~1')}" for step in steps)


@lru_cache(maxsize=1000)
def pointer_path(pointer: str) -> str:
    """The path of a JSON Pointer whose numbers are indices."""
    return path_text(int(step) if _POSITION.fullmatch(step) else step for step in pointer_steps(pointer))


def overlaps(steps: Sequence[Step], others: Sequence[Step]) -> bool:
    """Whether one of two places is the other, holds it or lies in it; `*` is every step, and an index equals its digits."""
    return all(ANY in (step, other) or str(step) == str(other) for step, other in zip(steps, others, strict=False))


def follow(value: Any, steps: Iterable[Step], absent: Any = None) -> Any:
    """The value at these steps into `value`; `absent` if a step does not exist."""
    for step in steps:
        if isinstance(value, dict):
            value = value.get(str(step), absent)
        elif isinstance(value, list) and _POSITION.fullmatch(str(step)) and int(step) < len(value):
            value = value[int(step)]
        else:
            return absent
    return value


def put(value: Any, steps: Sequence[Step], new: Any) -> Any:
    """A copy of `value` with `new` at these steps; the value itself if a step does not exist."""
    if not steps:
        return new
    first, rest = steps[0], steps[1:]
    if isinstance(value, dict):
        return {key: put(item, rest, new) if key == first else item for key, item in value.items()}
    if isinstance(value, list):
        return [put(item, rest, new) if str(index) == str(first) else item for index, item in enumerate(value)]
    return value


def leaves(value: Any, path: str = "$") -> Iterator[tuple[str, Any]]:
    """The path and the value of each part without members, and of each empty list or object."""
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from leaves(item, path + member(key))
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            yield from leaves(item, f"{path}[{index}]")
    else:
        yield path, value


def places(value: Any, place: str = "$") -> Iterator[tuple[str, Any]]:
    """The path and the value of each part, from the outside in, with `[*]` in place of each index."""
    yield place, value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, place + member(key))
    elif isinstance(value, list):
        for item in value:
            yield from places(item, f"{place}[{ANY}]")
