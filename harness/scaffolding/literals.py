"""JSON values as literals of a programming language, for code that people read."""

from __future__ import annotations

import json
from collections.abc import Sequence

from msgspec import Struct

_WIDTH = 88


class Call(Struct, frozen=True):
    """A call of a function of the printed code, such as `near(0.5, 1e-9)`, in the place of a value."""

    name: str
    arguments: tuple[object, ...] = ()


class Notation(Struct, frozen=True):
    """How a language writes JSON values. `empty`, `true`, `false` are its constants; `array` and `record` the ends of a list
    and of an object; `wide` is its escape of a character beyond U+FFFF, `lone` that of a surrogate without its other half,
    both as in JSON if empty."""

    empty: str = "null"
    true: str = "true"
    false: str = "false"
    array: tuple[str, str] = ("[", "]")
    record: tuple[str, str] = ("{", "}")
    wide: str = ""
    lone: str = ""
    indent: str = "  "

    def literal(self, value: object) -> str:
        """The literal of a JSON value, or of one that holds a `Call`. One that is wide has a line for each item."""
        match value:
            case None:
                return self.empty
            case bool():
                return self.true if value else self.false
            case str():
                return self.text(value)
            case Call(name, arguments):
                return self._listed([*map(self.literal, arguments)], (f"{name}(", ")"))
            case list():
                return self._listed([*map(self.literal, value)], self.array)
            case dict():
                return self._listed(
                    [f"{self.text(key)}: {self.literal(item)}" for key, item in value.items()], self.record
                )
        return repr(value)

    def text(self, text: str) -> str:
        """A text in double quotes. A character that is not printable is an escape, a line separator among them."""
        return f'"{"".join(map(self._character, text))}"'

    def _character(self, character: str) -> str:
        if character.isprintable() and character not in '"\\':
            return character
        code = ord(character)
        escape = self.wide if code > 0xFFFF else self.lone if 0xD800 <= code < 0xE000 else ""
        return escape.format(code) or json.dumps(character)[1:-1]

    def _listed(self, items: Sequence[str], ends: tuple[str, str]) -> str:
        begin, end = ends
        line = f"{begin}{', '.join(items)}{end}"
        if len(line) <= _WIDTH and "\n" not in line:
            return line
        lines = ",\n".join(items).split("\n")
        return "\n".join([begin, *(f"{self.indent}{line}" for line in lines[:-1]), f"{self.indent}{lines[-1]},", end])


JAVASCRIPT = Notation()

NOTATIONS = {
    "Go": Notation("nil", array=("list{", "}"), record=("object{", "}"), wide="\\U{:08x}", lone="\\ufffd", indent="\t"),
    "Python": Notation("None", "True", "False", wide="\\U{:08x}", indent="    "),
    "TypeScript": JAVASCRIPT,
}
"""By the language that a manifest names. A text of Go holds no lone surrogate: a decoder of JSON gives U+FFFD for it."""
