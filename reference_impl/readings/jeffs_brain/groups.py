"""Readings of the query DSL document with groups of tokens: alternatives of one token, and parentheses of a query."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any

from ...jeffs_brain import aliases, fts5, parser
from ...jeffs_brain.ast import Operator, Token
from ...switches import Switches
from .parser import Group, groups_of, marked

SWITCHES = Switches("query.*", "retrieval.search")

_Piece = Operator | Token | None
_AlternativesOf = Callable[[Token, Iterable[str]], list[Token]]
_Surfaces = Callable[[Iterable[Token]], list[str]]


class Parenthesis(StrEnum):
    """A parenthesis outside of phrases, at the start or the end of a word."""

    OPEN = "("
    CLOSE = ")"


@SWITCHES.reading("RUL-B02", "b", aliases.alternatives_of, wraps=True)
def alternatives_in_a_group(current: _AlternativesOf, token: Token, surfaces: Iterable[str]) -> list[Token]:
    """The alternatives form a group, and the operator applies to the whole group."""
    alternatives = current(token, surfaces)
    if token.operator is None:
        return alternatives
    group = Group("RUL-B02")
    return [marked(alternative, groups=(*groups_of(alternative), group)) for alternative in alternatives]


@SWITCHES.reading("RUL-B02", "b", fts5.surfaces, wraps=True)
def surfaces_with_groups_of_alternatives(current: _Surfaces, tokens: Iterable[Token]) -> list[str]:
    """The alternatives of a token with an operator are in parentheses."""
    return _in_parentheses("RUL-B02", current, list(tokens))


@SWITCHES.reading("RUL-B19", "b", parser.terms, wraps=True)
def terms_and_parentheses(current: Callable[[str], Iterator[Any]], word: str) -> Iterator[Any]:
    """Parentheses at the start and at the end of a word group."""
    start = next((place for place, c in enumerate(word) if not parser.is_stripped(c)), len(word))
    stop = next((place for place in range(len(word), start, -1) if not parser.is_stripped(word[place - 1])), start)
    before, after = _parentheses(word[:start]), _parentheses(word[stop:])
    if start == len(word) and before:
        yield from before
    else:
        yield from (*before, *current(word), *after)


def _parentheses(text: str) -> list[Parenthesis]:
    return [Parenthesis(character) for character in text if character in "()"]


@SWITCHES.reading("RUL-B19", "b", parser.attach_operators, wraps=True)
def attach_in_groups(current: Callable[[Iterable[_Piece]], Iterator[Token]], pieces: Iterable[Any]) -> Iterator[Token]:
    """Parentheses group the tokens between them."""
    return current(_grouped(list(pieces)))


def _grouped(pieces: Sequence[Any]) -> Iterator[_Piece]:
    """The pieces without parentheses; each token has the groups of the closed parentheses around it."""
    closed = _closed(pieces)
    groups: tuple[Group, ...] = ()
    for place, piece in enumerate(pieces):
        if isinstance(piece, Parenthesis):
            if place in closed:
                groups = (*groups, Group("RUL-B19")) if piece is Parenthesis.OPEN else groups[:-1]
        else:
            yield marked(piece, groups=groups) if isinstance(piece, Token) else piece


def _closed(pieces: Sequence[Any]) -> set[int]:
    """The places of the parentheses that have a partner."""
    closed: set[int] = set()
    opened: list[int] = []
    for place, piece in enumerate(pieces):
        if piece is Parenthesis.OPEN:
            opened.append(place)
        elif piece is Parenthesis.CLOSE and opened:
            closed |= {opened.pop(), place}
    return closed


@SWITCHES.reading("RUL-B19", "b", aliases.alternatives_of, wraps=True)
def alternatives_in_the_groups_of_the_token(
    current: _AlternativesOf, token: Token, surfaces: Iterable[str]
) -> list[Token]:
    """The alternatives of a word between parentheses stay between them."""
    alternatives = current(token, surfaces)
    return [marked(alternative, groups=groups_of(token) + groups_of(alternative)) for alternative in alternatives]


@SWITCHES.reading("RUL-B19", "b", fts5.surfaces, wraps=True)
def surfaces_with_groups_of_words(current: _Surfaces, tokens: Iterable[Token]) -> list[str]:
    """The parentheses of the query are in the expression; a group of one token needs none."""
    return _in_parentheses("RUL-B19", current, list(tokens))


def _in_parentheses(ruling: str, current: _Surfaces, tokens: list[Token]) -> list[str]:
    texts = current(tokens)
    places: dict[Group, list[int]] = {}
    for place, token in enumerate(tokens):
        for group in groups_of(token):
            if group.ruling == ruling:
                places.setdefault(group, []).append(place)
    for first, *others in places.values():
        if others:
            texts[first] = f"({texts[first]}"
            texts[others[-1]] += ")"
    return texts
