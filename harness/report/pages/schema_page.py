"""The pages of `parity schema`: the operations of a corpus, or one operation with the types of its request and answer."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...base.text_limits import MAX_NAME
from ...corpus.value_types import OperationTypes
from ...errors import one_line, printable
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


def render_list(operations: Sequence[ListedOperation], width: int) -> str:
    """The operations, one a line, by system and profile in the given order."""
    return printable("".join(f"{line}\n" for line in _list_lines(operations, width)))


def _list_lines(operations: Sequence[ListedOperation], width: int) -> Iterator[str]:
    names = max((len(one.name) for one in operations), default=0)
    counts = max((len(f"{one.cases:,}") for one in operations), default=0)
    system = profile = None
    for one in operations:
        if one.system != system:
            if system is not None:
                yield ""
            yield one_line(one.system)
            system, profile = one.system, None
        if one.profile != profile:
            profile = one.profile
            yield f"  profile {one_line(profile)}"
        head = f"    {one.name:<{names}}  {one.cases:>{counts},} {'case' if one.cases == 1 else 'cases':<5}  "
        yield f"{head}{one_line(one.title, max(20, width - len(head)))}".rstrip()
    yield ""
    yield "`parity schema OPERATION` prints the types of its request and its answer."


def render_operation(page: OperationPage, width: int) -> str:
    """The page about one operation, for a terminal of `width` columns."""
    return printable("".join(f"{line}\n" for line in _page_lines(page, width)))


def _page_lines(page: OperationPage, width: int) -> Iterator[str]:
    listed, types = page.listed, page.types
    yield one_line(listed.name)
    place = f"{listed.system}, profile {listed.profile}  ·  {plural(listed.cases, 'case')}  ·  {types.file}"
    yield one_line(place, MAX_NAME)
    for text in (types.title, types.description):
        yield from textwrap.wrap(text, width, break_on_hyphens=False)
    yield ""
    yield from types_text(types, width)
    yield ""
    yield from _wrapped("errors: ", [one_line(one) for one in types.errors], width)
    if page.requirements:
        yield ""
        yield from _wrapped("requirements: ", [one_line(one) for one in page.requirements], width)
    if page.commands:
        yield ""
        yield from page.commands


def _wrapped(lead: str, words: Sequence[str], width: int) -> list[str]:
    return textwrap.wrap(
        f"{lead}{', '.join(words)}", width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
