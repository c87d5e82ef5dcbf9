"""One difference or edit between an expected and an actual value as text, for a reader at a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from ..base.text_limits import MAX_COMPARED, MAX_NAME, MAX_SIDE, MAX_WORD
from ..compare.edits import MAX_ORDER, ByPosition, Changed, Edit, Missing, Reordered, Unexpected, name_of
from ..errors import one_line, printable
from ..model import ABSENT, Absent, Difference, Json

WIDTH = 100
NARROWEST = 60


def quoted(value: Json | Absent, limit: int = MAX_SIDE) -> str:
    """A value as JSON, cut to `limit` characters, with nothing that could steer a terminal; `(absent)` if absent."""
    if value is ABSENT:
        return "(absent)"
    return one_line(printable(json.dumps(value, ensure_ascii=False)), limit)


def describe_edit(edit: Edit, width: int = WIDTH) -> Iterator[str]:
    """An edit on one line, or a changed value on several: `$.results: missing element 2: {"id": "c2"}`."""
    match edit:
        case Changed(path, wanted, got, got_path):
            place = f"{path} ({one_line(got_path)} in the answer)" if got_path else path
            yield from describe_difference(Difference(place, wanted, got), width)
        case _:
            yield one_line(f"{one_line(edit.path)}: {list_edit_text(edit)}", max(width, NARROWEST))


def edit_text(edit: Edit, limit: int = MAX_SIDE) -> str:
    """An edit on one line, each side cut to `limit`: `$.text: wanted "HELLO", got "hello"`."""
    match edit:
        case Changed(path, wanted, got, got_path):
            return sides_text(
                Difference(f"{path} ({got_path} in the answer)" if got_path else path, wanted, got), limit
            )
        case _:
            return f"{one_line(edit.path)}: {list_edit_text(edit)}"


def sides_text(part: Difference, limit: int = MAX_SIDE) -> str:
    """`$.text: wanted "HELLO", got "hello"`, each side cut to `limit`."""
    return f"{one_line(part.path)}: wanted {quoted(part.wanted, limit)}, got {quoted(part.got, limit)}"


def list_edit_text(edit: Missing | Unexpected | Reordered | ByPosition) -> str:
    """An edit of a list without its path: `order: c1, c2 → c2, c1`."""
    match edit:
        case Missing(value=value) | Unexpected(value=value):
            return f"{list_edit_title(edit)}: {quoted(value, MAX_COMPARED)}"
        case Reordered(_, wanted, got, moves):
            if len(wanted) <= MAX_ORDER:
                return f"order: {names_text(wanted)} → {names_text(got)}"
            return "order: " + ", ".join(
                f"{names_text([move.name])} from {move.index} to {move.got_index}" for move in moves
            )
        case ByPosition(_, elements):
            return f"compared by position ({elements:,} elements)"


def list_edit_title(edit: Missing | Unexpected) -> str:
    """`missing element 2 (c2)`: the place and the name of an element that one list lacks."""
    number = "" if edit.index is None else f" {edit.index}"
    name = name_of(edit.value)
    named = "" if name is edit.value else f" ({names_text([name])})"
    return f"{'missing' if isinstance(edit, Missing) else 'unexpected'} element{number}{named}"


def names_text(names: Sequence[Json]) -> str:
    """Names of elements in a row, texts without their quotes."""
    return ", ".join(one_line(name, MAX_WORD) if isinstance(name, str) else quoted(name, MAX_WORD) for name in names)


def describe_difference(
    part: Difference, width: int = WIDTH, sides: tuple[str, str] = ("wanted", "got")
) -> Iterator[str]:
    """`$.results[2].id   wanted "b"   got "c"`; on three lines, each cut around the first difference, if too long."""
    wanted, got = quoted(part.wanted, MAX_COMPARED), quoted(part.got, MAX_COMPARED)
    path, parted = one_line(part.path, MAX_NAME), character_difference(part.wanted, part.got)
    together = f"{path}   {sides[0]} {wanted}   {sides[1]} {got}{f'   {parted}' if parted else ''}"
    if len(together) <= width:
        yield together
        return
    longest = max(map(len, sides))
    wanted, got = around_the_first_difference(wanted, got, max(width, NARROWEST) - longest - len("   "))
    yield path
    yield f"  {sides[0]:<{longest}} {wanted}"
    yield f"  {sides[1]:<{longest}} {got}"
    if parted:
        yield f"  {parted}"


def character_difference(wanted: object, got: object) -> str:
    """`first differs at character 1: U+03A9 instead of U+2126`, for texts that first differ at a character beyond ASCII,
    which may look like the other; else empty."""
    if not (isinstance(wanted, str) and isinstance(got, str)) or wanted == got:
        return ""
    pairs = enumerate(zip(wanted, got, strict=False))
    place = next((at for at, (mine, other) in pairs if mine != other), min(len(wanted), len(got)))
    if f"{wanted[place : place + 1]}{got[place : place + 1]}".isascii():
        return ""
    return f"first differs at character {place + 1}: {_character(got, place)} instead of {_character(wanted, place)}"


def _character(text: str, place: int) -> str:
    return f"U+{ord(text[place]):04X}" if place < len(text) else "the end"


def around_the_first_difference(wanted: str, got: str, width: int) -> tuple[str, str]:
    """Both texts cut to `width`; their common beginning is cut first."""
    alike = next((at for at, (mine, other) in enumerate(zip(wanted, got, strict=False)) if mine != other), 0)
    skipped = max(0, alike - width // 3) if max(len(wanted), len(got)) > width else 0
    lead = "…" if skipped else ""
    return one_line(lead + wanted[skipped:], width), one_line(lead + got[skipped:], width)
