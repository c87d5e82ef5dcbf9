"""Query DSL document, sections "Alias expansion" and "Alias tables" (normative part: "Runtime semantics")."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ..decisions import Decisions, decided
from ..javascript import regexps, strings
from ..observer import observe
from .ast import Ast, Kind, Token

# Surface token -> ordered alternatives. The table is only in memory; no file is read or written.
AliasTable = Mapping[str, Sequence[str]]


def expand_aliases(ast: Ast, table: AliasTable) -> Ast:
    """Replaces each term by its alternatives. Section "Alias expansion"."""
    rule = decided(AliasesDecisions)
    return replace(ast, tokens=tuple(rule.expanded_tokens(ast.tokens, rule.with_keys(table))))


def expanded(tokens: Iterable[Token], table: AliasTable) -> Iterator[Token]:
    """The tokens, each term replaced by its alternatives; phrases and prefixes stay unchanged."""
    rule = decided(AliasesDecisions)
    for token in tokens:
        surfaces = rule.look_up(rule.key_of(token), table) if token.kind is Kind.TERM else None
        if surfaces is None:
            yield token
        elif alternatives := rule.alternatives_of(token, surfaces):
            observe("Alias expansion", token.text, [alternative.to_json() for alternative in alternatives])
            yield from alternatives
        else:
            yield from rule.without_alternative(token)


def distinct_alternatives(surfaces: Iterable[str]) -> list[Token]:
    """The tokens of the alternatives; those of equal kind and text collapse. Section "Runtime semantics"."""
    return list(dict.fromkeys(survivor for surface in surfaces if (survivor := _survivor(surface)) is not None))


def _survivor(surface: str) -> Token | None:
    """The token of an alternative: a term or a phrase of its words; None without a word. Section "Runtime semantics"."""
    rule = decided(AliasesDecisions)
    words = rule.words_of(rule.lower_case(surface))
    return Token(rule.kind_of(surface, words), " ".join(words)) if words else None


class AliasesDecisions(Decisions):
    """What the two sections leave open, as adopted: keys, alternatives and their words."""

    def with_keys(self, table: AliasTable) -> AliasTable:
        """RUL-B133: the table keeps its keys as they are."""
        return table

    def expanded_tokens(self, tokens: Iterable[Token], table: AliasTable) -> Iterator[Token]:
        """RUL-B22: each token is expanded alone; equal alternatives of two tokens both stay."""
        return expanded(tokens, table)

    def key_of(self, token: Token) -> str:
        """RUL-B24: the lookup uses the text of the token in the AST, not the word as typed."""
        return token.text

    def look_up(self, text: str, table: AliasTable) -> Sequence[str] | None:
        """RUL-B77: the exact key comes first, then the lower-cased key; None without an entry."""
        found = table.get(text)
        return table.get(strings.to_lower_case(text)) if found is None else found

    def alternatives_of(self, token: Token, surfaces: Iterable[str]) -> list[Token]:
        """RUL-B02: the first alternative carries the operator of the token; the others have none."""
        distinct = distinct_alternatives(surfaces)
        return [replace(first, operator=token.operator) for first in distinct[:1]] + distinct[1:]

    def without_alternative(self, token: Token) -> tuple[Token, ...]:
        """RUL-B23: a token whose entry has no usable alternative stays, with its operator."""
        return (token,)

    def lower_case(self, surface: str) -> str:
        """RUL-B121: alternatives are lower-cased by the full mapping, as terms and phrases are."""
        return strings.to_lower_case(surface)

    def words_of(self, text: str) -> list[str]:
        """RUL-B25: splits at every character that is no letter and no decimal digit. Other numeric characters of
        Unicode (fractions, letter numbers) separate words.
        """
        return regexps.runs_of(text, "L", "Nd")

    def kind_of(self, surface: str, words: Sequence[str]) -> Kind:
        """RUL-B21: one surviving word is a term, whatever the punctuation of the alternative; several are a phrase."""
        return Kind.TERM if len(words) == 1 else Kind.PHRASE
