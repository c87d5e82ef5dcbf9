"""The pages of `parity schema`: the operations of a corpus, or one operation with the types of its request and answer."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import assert_never

from msgspec import Struct

from ...base.json_path import member
from ...base.text_limits import MAX_WORD
from ...corpus.value_types import Described, ListOf, MemberType, ObjectOf, OneOf, OperationTypes, Worded
from ...errors import one_line, plural
from ..document import Block, Heading, Item, Table, laid_out, literal, sections
from ..document_terminal import Medium, render_document


class ListedOperation(Struct, frozen=True):
    """One operation in the list: its system, its first profile, what it does, and the number of its cases."""

    name: str
    system: str
    profile: str
    title: str
    cases: int


class OperationPage(Struct, frozen=True, kw_only=True):
    """One operation with its types, the operations by which the text defines it, the ids of the requirements that its cases
    cite, and the commands that come next."""

    listed: ListedOperation
    types: OperationTypes
    requirements: Sequence[str]
    commands: Sequence[str]
    uses: Sequence[str] = ()


def render_list(operations: Sequence[ListedOperation], medium: Medium) -> str:
    """The operations by system and profile in the given order."""
    return render_document(sections([*_systems(operations), ("", [Item(_HINT)])]), medium)


_HINT = "`parity schema OPERATION` prints the types of its request and its answer."


def _systems(operations: Sequence[ListedOperation]) -> Iterator[tuple[str, Iterable[Block]]]:
    """A table for each profile of a system, with a row for each operation."""
    for system, of_system in groupby(operations, lambda operation: operation.system):
        blocks: list[Block] = []
        for profile, of_profile in groupby(of_system, lambda operation: operation.profile):
            rows = [[operation.name, operation.title, f"{operation.cases:,}"] for operation in of_profile]
            blocks.append(Table([f"profile {profile}", "", "cases"], rows, numbers=1, is_cut=True))
        yield system, blocks


def render_operation(page: OperationPage, medium: Medium) -> str:
    """The page about one operation."""
    related = {"uses": page.uses, "requirements": page.requirements}
    named = [Item(f"{what}: {', '.join(names)}") for what, names in related.items() if names]
    parts = [*operation_parts(page, medium), ("", named), ("", map(literal, page.commands))]
    return render_document(sections(parts), medium)


def operation_parts(page: OperationPage, medium: Medium) -> Iterator[tuple[str, Iterable[Block]]]:
    """The parts with the types of an operation."""
    listed, types = page.listed, page.types
    place = f"{listed.system}, profile {listed.profile}  ·  {plural(listed.cases, 'case')}  ·  {types.file}"
    yield "", [Heading(2, listed.name), *(Item(text) for text in (place, types.title, types.description) if text)]
    yield "", laid_out(types_text(types, medium.width))
    yield "", [Item(f"errors: {', '.join(types.errors)}")]


# Types


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
