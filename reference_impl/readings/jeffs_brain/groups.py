"""Readings of the query DSL document with groups of tokens: alternatives of one token, and parentheses of a query."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any

from ...jeffs_brain.aliases import AliasesDecisions
from ...jeffs_brain.ast import Operator, Token
from ...jeffs_brain.fts5 import Fts5Decisions
from ...jeffs_brain.parser import ParserDecisions
from .parser import Group, groups_of, marked

ACTS_ON = ("query.*", "retrieval.search")

_Piece = Operator | Token | None
_Surfaces = Callable[[Iterable[Token]], list[str]]


class Parenthesis(StrEnum):
    """A parenthesis outside of phrases, at the start or the end of a word."""

    OPEN = "("
    CLOSE = ")"


class AlternativesInAGroup(AliasesDecisions, reading="RUL-B02=b"):
    def alternatives_of(self, token: Token, surfaces: Iterable[str]) -> list[Token]:
        """The alternatives form a group, and the operator applies to the whole group."""
        alternatives = super().alternatives_of(token, surfaces)
        if token.operator is None:
            return alternatives
        group = Group("RUL-B02")
        return [marked(alternative, groups=(*groups_of(alternative), group)) for alternative in alternatives]


class SurfacesWithGroupsOfAlternatives(Fts5Decisions, reading="RUL-B02=b"):
    def surfaces(self, tokens: Iterable[Token]) -> list[str]:
        """The alternatives of a token with an operator are in parentheses."""
        return _in_parentheses("RUL-B02", super().surfaces, list(tokens))


class TermsAndParentheses(ParserDecisions, reading="RUL-B19=b"):
    def terms(self, word: str) -> Iterator[Any]:
        """Parentheses at the start and at the end of a word group."""
        start = next((place for place, c in enumerate(word) if not self.is_stripped(c)), len(word))
        stop = next((place for place in range(len(word), start, -1) if not self.is_stripped(word[place - 1])), start)
        before, after = _parentheses(word[:start]), _parentheses(word[stop:])
        if start == len(word) and before:
            yield from before
        else:
            yield from (*before, *super().terms(word), *after)

    def attach_operators(self, pieces: Iterable[Any]) -> Iterator[Token]:
        """Parentheses group the tokens between them."""
        return super().attach_operators(_grouped(list(pieces)))


def _parentheses(text: str) -> list[Parenthesis]:
    return [Parenthesis(character) for character in text if character in "()"]


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


class AlternativesInTheGroupsOfTheToken(AliasesDecisions, reading="RUL-B19=b"):
    def alternatives_of(self, token: Token, surfaces: Iterable[str]) -> list[Token]:
        """The alternatives of a word between parentheses stay between them."""
        alternatives = super().alternatives_of(token, surfaces)
        return [marked(alternative, groups=groups_of(token) + groups_of(alternative)) for alternative in alternatives]


class SurfacesWithGroupsOfWords(Fts5Decisions, reading="RUL-B19=b"):
    def surfaces(self, tokens: Iterable[Token]) -> list[str]:
        """The parentheses of the query are in the expression; a group of one token needs none."""
        return _in_parentheses("RUL-B19", super().surfaces, list(tokens))


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
