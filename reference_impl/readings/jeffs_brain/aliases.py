"""Other readings of the query DSL document's sections "Alias expansion" and "Alias tables"."""

from collections.abc import Iterable, Iterator, Sequence

from ...javascript import regexps, strings
from ...jeffs_brain import parser
from ...jeffs_brain.aliases import AliasesDecisions, AliasTable
from ...jeffs_brain.ast import Kind, Token
from .parser import TermWithItsWord, simple_lower_case, typed_word

ACTS_ON = ("query.*", "retrieval.search")


class SimpleLowerCaseOfAlternatives(AliasesDecisions, reading="RUL-B121=b"):
    def lower_case(self, surface: str) -> str:
        """Alternatives are lower-cased by the simple mapping, character by character."""
        return simple_lower_case(surface)


class WithLowerCasedKeys(AliasesDecisions, reading="RUL-B133=b"):
    def with_keys(self, table: AliasTable) -> AliasTable:
        """The table lowercases and trims its keys."""
        return {strings.trim(strings.to_lower_case(key)): surfaces for key, surfaces in table.items()}

    def look_up(self, text: str, table: AliasTable) -> Sequence[str] | None:
        """The lookup trims the token; a blank key has no entry."""
        trimmed = strings.trim(text)
        return super().look_up(trimmed, table) if trimmed else None


class KindByPunctuation(AliasesDecisions, reading="RUL-B21=b"):
    def kind_of(self, surface: str, words: Sequence[str]) -> Kind:
        """Punctuation makes the alternative a phrase."""
        is_punctuated = any(
            character in parser.STRIP_SET or regexps.has_property(character, "P") for character in surface
        )
        return Kind.PHRASE if is_punctuated or len(words) > 1 else Kind.TERM


class DistinctTokens(AliasesDecisions, reading="RUL-B22=b"):
    def expanded_tokens(self, tokens: Iterable[Token], table: AliasTable) -> Iterator[Token]:
        """An alternative and any other token of the AST, of equal kind and text, collapse to the first of them."""
        sources = list(tokens)
        unchanged = {id(source) for source in sources}
        seen: set[tuple[Kind, str]] = set()
        of_alternatives: set[tuple[Kind, str]] = set()
        for token in super().expanded_tokens(sources, table):
            key = (token.kind, token.text)
            is_alternative = id(token) not in unchanged
            if key in of_alternatives or (is_alternative and key in seen):
                continue
            seen.add(key)
            if is_alternative:
                of_alternatives.add(key)
            yield token


class NoToken(AliasesDecisions, reading="RUL-B23=b"):
    def without_alternative(self, token: Token) -> tuple[Token, ...]:
        """The token is removed."""
        return ()


class TermAsTyped(TermWithItsWord, reading="RUL-B24=b"):
    """The token keeps the word as typed."""


class KeyAsTyped(AliasesDecisions, reading="RUL-B24=b"):
    def key_of(self, token: Token) -> str:
        """The lookup uses the word as typed."""
        return typed_word(token)


class WordsOfLettersAndNumbers(AliasesDecisions, reading="RUL-B25=b"):
    def words_of(self, text: str) -> list[str]:
        """Digits are all characters of the categories N."""
        return regexps.runs_of(text, "L", "N")


class LookUpLowerCaseFirst(AliasesDecisions, reading="RUL-B77=b"):
    def look_up(self, text: str, table: AliasTable) -> Sequence[str] | None:
        """The lowercased form takes precedence."""
        found = table.get(strings.to_lower_case(text))
        return table.get(text) if found is None else found
