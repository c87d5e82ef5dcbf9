"""A difference between an expected and an actual value in its parts, and the parts in words: on one line, or on several."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from msgspec import Struct

from ..base.text_limits import MAX_COMPARED, MAX_NAME, MAX_SIDE, MAX_STATEMENT, MAX_WORD
from ..compare.edits import MAX_ORDER, ByPosition, Changed, Edit, Missing, Reordered, Unexpected, common_length, name_of
from ..errors import one_line
from ..model import ABSENT, Absent, Json
from .document import Code, Span, shown

WIDTH = 100
NARROWEST = 60


class DifferenceParts(Struct, frozen=True):
    """What every report says of a difference. `place` is its path; `what` says what it is, if it is no changed value:
    `missing element 2 (c2)`, `order`. A side is JSON, or the names in an order; None if it is absent. `note` tells apart two
    texts that look alike."""

    place: str
    what: str = ""
    wanted: str | None = None
    got: str | None = None
    note: str = ""

    @property
    def has_sides(self) -> bool:
        """Whether it has an expected and an actual side; otherwise `what` says everything."""
        return not self.what or self.wanted is not None or self.got is not None

    @property
    def spans(self) -> Sequence[Span]:
        """`wanted "HELLO" got "hello"`, each side cut around the first difference; `missing element 2: "re"`."""
        if self.what:
            sides = [side for side in (self.wanted, self.got) if side is not None]
            return [Code(f"{self.what}: {' → '.join(sides)}" if sides else self.what, MAX_STATEMENT)]
        wanted, got = around_the_first_difference(*self.texts, MAX_SIDE)
        return ["wanted ", Code(wanted), " got ", Code(got), *([f" {self.note}"] if self.note else [])]

    @property
    def texts(self) -> tuple[str, str]:
        """Both sides; one that is absent is `(absent)`."""
        return self.wanted or quoted(ABSENT), self.got or quoted(ABSENT)


def parts_of(edit: Edit) -> DifferenceParts:
    """The parts of an edit."""
    match edit:
        case Changed(path, wanted, got, got_path):
            place = f"{path} ({got_path} in the answer)" if got_path else path
            return DifferenceParts(place, "", _side(wanted), _side(got), character_difference(wanted, got))
        case Missing(path, index, value):
            return DifferenceParts(path, f"missing {_element(index, value)}", wanted=_side(value))
        case Unexpected(path, index, value):
            return DifferenceParts(path, f"unexpected {_element(index, value)}", got=_side(value))
        case Reordered(path, wanted, got) if len(wanted) <= MAX_ORDER:
            return DifferenceParts(path, "order", _names(wanted), _names(got))
        case Reordered(path, moves=moves):
            moved = ", ".join(f"{_names([move.name])} from {move.index} to {move.got_index}" for move in moves)
            return DifferenceParts(path, f"order: {moved}")
        case ByPosition(path, elements):
            return DifferenceParts(path, f"compared by position ({elements:,} elements)")


def quoted(value: Json | Absent, limit: int = MAX_SIDE) -> str:
    """A value as JSON, cut to `limit` characters, with nothing that could steer a terminal; `(absent)` if absent."""
    if value is ABSENT:
        return "(absent)"
    text = json.dumps(value, ensure_ascii=False)
    if not text.isprintable():
        text = "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)
    return one_line(text, limit)


def _side(value: Json | Absent) -> str | None:
    return None if value is ABSENT else quoted(value, MAX_COMPARED)


def _element(index: int | None, value: Json) -> str:
    """`element 2 (c2)`: the place and the name of an element."""
    name = name_of(value)
    number = "" if index is None else f" {index}"
    return f"element{number}{'' if name is value else f' ({_names([name])})'}"


def _names(names: Sequence[Json]) -> str:
    """Names of elements in a row, texts without their quotes."""
    return ", ".join(one_line(name, MAX_WORD) if isinstance(name, str) else quoted(name, MAX_WORD) for name in names)


def difference_spans(parts: DifferenceParts) -> Sequence[Span]:
    """The place, then the difference."""
    return [Code(parts.place, MAX_NAME), ": " if parts.what else " ", *parts.spans]


def difference_line(parts: DifferenceParts) -> str:
    """`$.text wanted "HELLO" got "hello"`."""
    return "".join(map(shown, difference_spans(parts)))


def describe_edit(edit: Edit, width: int = WIDTH) -> Iterator[str]:
    """An edit on one line, or a changed value on several: `$.results: missing element 2: {"id": "c2"}`."""
    yield from describe_difference(parts_of(edit), width)


def describe_difference(
    parts: DifferenceParts, width: int = WIDTH, sides: tuple[str, str] = ("wanted", "got")
) -> Iterator[str]:
    """`$.results[2].id   wanted "b"   got "c"`; on three lines, each cut around the first difference, if too long."""
    if parts.what:
        yield one_line(difference_line(parts), max(width, NARROWEST))
        return
    wanted, got = parts.texts
    place = one_line(parts.place, MAX_NAME)
    together = f"{place}   {sides[0]} {wanted}   {sides[1]} {got}{f'   {parts.note}' if parts.note else ''}"
    if len(together) <= width:
        yield together
        return
    longest = max(map(len, sides))
    wanted, got = around_the_first_difference(wanted, got, max(width, NARROWEST) - longest - len("   "))
    yield place
    yield f"  {sides[0]:<{longest}} {wanted}"
    yield f"  {sides[1]:<{longest}} {got}"
    if parts.note:
        yield f"  {parts.note}"


def character_difference(wanted: object, got: object) -> str:
    """`first differs at character 1: U+03A9 instead of U+2126`, for texts that first differ at a character beyond ASCII,
    which may look like the other; else empty."""
    if not (isinstance(wanted, str) and isinstance(got, str)) or wanted == got:
        return ""
    place = common_length(wanted, got)
    if f"{wanted[place : place + 1]}{got[place : place + 1]}".isascii():
        return ""
    return f"first differs at character {place + 1}: {_character(got, place)} instead of {_character(wanted, place)}"


def _character(text: str, place: int) -> str:
    return f"U+{ord(text[place]):04X}" if place < len(text) else "the end"


def around_the_first_difference(wanted: str, got: str, width: int) -> tuple[str, str]:
    """Both texts cut to `width`; their common beginning is cut first."""
    skipped = max(0, common_length(wanted, got) - width // 3) if max(len(wanted), len(got)) > width else 0
    lead = "…" if skipped else ""
    return one_line(lead + wanted[skipped:], width), one_line(lead + got[skipped:], width)
