"""The pages of `parity schema`: the operations of a corpus, or one operation with the types of its request and answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from ...corpus.value_types import OperationTypes
from ..document import Block, Heading, Item, Table, laid_out, literal, sections
from ..document_terminal import Medium, render_document
from ..phrases import plural
from .type_text import types_text


@dataclass(frozen=True, slots=True)
class ListedOperation:
    """One operation in the list: its system, its first profile, what it does, and the number of its cases."""

    name: str
    system: str
    profile: str
    title: str
    cases: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationPage:
    """One operation with its types, the ids of the requirements that its cases cite, and the commands that come next."""

    listed: ListedOperation
    types: OperationTypes
    requirements: Sequence[str]
    commands: Sequence[str]


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
    listed, types = page.listed, page.types
    place = f"{listed.system}, profile {listed.profile}  ·  {plural(listed.cases, 'case')}  ·  {types.file}"
    parts: tuple[Iterable[Block], ...] = (
        [Heading(2, listed.name), *(Item(text) for text in (place, types.title, types.description) if text)],
        laid_out(types_text(types, medium.width)),
        [Item(f"errors: {', '.join(types.errors)}")],
        [Item(f"requirements: {', '.join(page.requirements)}")] if page.requirements else [],
        map(literal, page.commands),
    )
    return render_document(sections(("", part) for part in parts), medium)
