"""Types of requests and answers as text: indented members, one a line, with descriptions and limits as comments. Pure."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import assert_never

from ...base.json_path import member
from ...base.text_limits import MAX_WORD
from ...corpus.value_types import Described, ListOf, MemberType, ObjectOf, OneOf, OperationTypes, Worded
from ...errors import one_line

_STEP = "  "
_ONE_LINE = 60
"""Characters of an object without comments that is shown on one line."""

_NARROWEST = 40


def types_text(found: OperationTypes, width: int) -> Iterator[str]:
    """The request, the answer and the definitions of an operation, for a terminal of `width` columns."""
    yield from described_lines(found.request, "request: ", width)
    yield ""
    yield from described_lines(found.answer, "answer: ", width)
    for name, definition in found.definitions:
        yield ""
        yield from described_lines(definition, f"type {name} = ", width)


def described_lines(found: Described, lead: str, width: int) -> Iterator[str]:
    """A type behind `lead`, with its comment behind it or, if that is too long, above it."""
    indent = " " * (len(lead) - len(lead.lstrip(" |")))
    first, *others = _lines(found, lead, indent, width)
    notes = _notes(found)
    comment = f"// {' '.join(_unrepeated(notes))}"
    if notes and len(first) + 2 + len(comment) > width:
        room = max(_NARROWEST, width - len(indent) - 3)
        yield from (f"{indent}// {line}" for line in textwrap.wrap(comment[3:], room, break_on_hyphens=False))
        yield first
    else:
        yield f"{first}  {comment}" if notes else first
    yield from others


def _notes(found: Described) -> tuple[str, ...]:
    """The comment of a type; the comment of a list includes the one of its elements."""
    below = _notes(found.type.items) if isinstance(found.type, ListOf) else ()
    return (*found.notes, *below)


def _unrepeated(notes: tuple[str, ...]) -> Iterator[str]:
    """The notes without those that the description contains."""
    yield notes[0] if notes else ""
    yield from (note for note in notes[1:] if note.rstrip(".").lower() not in notes[0].lower())


def _lines(found: Described, lead: str, indent: str, width: int) -> Iterator[str]:
    short = _short(found)
    if short is not None and (isinstance(found.type, Worded | ListOf) or len(short) <= _ONE_LINE):
        yield from _folded(f"{lead}{short}", indent, width)
        return
    match found.type:
        case Worded():
            raise AssertionError("a plain type is short")
        case ListOf(Described(OneOf(options))):
            yield f"{lead}a list, each element one of"
            for option in options:
                yield from described_lines(option, f"{indent}{_STEP}| ", width)
        case ListOf(items):
            *all_but_last, last = _lines(items, lead, indent, width)
            yield from all_but_last
            yield f"{last}[]"
        case ObjectOf(members, others):
            yield f"{lead}{{"
            for typed in members:
                yield from described_lines(typed.value, f"{indent}{_STEP}{_name(typed)}: ", width)
            if others is not None:
                yield from described_lines(others, f"{indent}{_STEP}[name]: ", width)
            yield f"{indent}}}"
        case OneOf(options):
            yield f"{lead}one of"
            for option in options:
                yield from described_lines(option, f"{indent}{_STEP}| ", width)
        case _:
            assert_never(found.type)


def _short(found: Described) -> str | None:
    """The type on one line; None if it has comments inside, or choices."""
    match found.type:
        case Worded(words):
            return " | ".join(words)
        case ListOf(items):
            inner = _short(items)
            if inner is None or len(inner) > _ONE_LINE:
                return None
            return f"({inner})[]" if isinstance(items.type, Worded) and len(items.type.words) > 1 else f"{inner}[]"
        case ObjectOf(members, others):
            shown = [(_name(typed), typed.value) for typed in members] + ([("[name]", others)] if others else [])
            texts = [None if _notes(value) else _short(value) for _, value in shown]
            if any(text is None for text in texts):
                return None
            inside = ", ".join(f"{name}: {text}" for (name, _), text in zip(shown, texts, strict=True))
            return f"{{ {inside} }}" if inside else "{}"
        case OneOf():
            return None
        case _:
            assert_never(found.type)


def _name(one: MemberType) -> str:
    """`query`, `topK?`; a name with other characters is quoted."""
    step = member(one.name)
    name = step[1:] if step.startswith(".") else step[1:-1]
    return f"{one_line(name, MAX_WORD)}{'' if one.required else '?'}"


def _folded(line: str, indent: str, width: int) -> Sequence[str]:
    """A long list of constants on several lines."""
    if len(line) <= width or " | " not in line:
        return [line]
    room = max(_NARROWEST, width)
    return textwrap.wrap(
        line, room, subsequent_indent=f"{indent}{_STEP * 2}", break_long_words=False, break_on_hyphens=False
    )
