"""Values of a corpus file with their lines, as the strict YAML reader makes them."""

from __future__ import annotations

from collections.abc import Iterable

from ..model import Json


class Mapping(dict[str, Json]):
    """A mapping with its first line and the line of each key.

    `incomplete` is true if a member was refused; a missing key is then no further problem.
    """

    __slots__ = ("incomplete", "key_lines", "line")

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line
        self.key_lines: dict[str, int] = {}
        self.incomplete = False

    def copied(self) -> Mapping:
        """A shallow copy with the same lines."""
        twin = Mapping(self.line)
        twin.update(self)
        twin.key_lines.update(self.key_lines)
        twin.incomplete = self.incomplete
        return twin

    def put(self, key: str, value: Json, line: int) -> None:
        """Sets a member and its line."""
        self[key] = value
        self.key_lines[key] = line


class Sequence(list[Json]):
    """A list with the line of each item."""

    __slots__ = ("item_lines",)

    def __init__(self) -> None:
        super().__init__()
        self.item_lines: list[int] = []


def line_at(value: Json, path: Iterable[str | int]) -> int:
    """The line of the deepest existing step of `path` into `value`; 0 if the first step does not exist."""
    line = 0
    for step in path:
        if isinstance(value, Mapping) and isinstance(step, str) and step in value:
            line, value = value.key_lines[step], value[step]
        elif isinstance(value, Sequence) and isinstance(step, int) and step < len(value):
            line, value = value.item_lines[step], value[step]
        else:
            break
    return line
