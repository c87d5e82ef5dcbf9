"""Other readings of the query DSL document's sections "Alias expansion" and "Alias tables"."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from ...javascript import regexps, strings
from ...jeffs_brain import aliases, parser
from ...jeffs_brain.aliases import AliasTable
from ...jeffs_brain.ast import Kind, Token
from ...observer import Observer
from ...switches import Switches
from .parser import simple_lower_case, term_with_its_word, typed_word

SWITCHES = Switches("query.*", "retrieval.search")

_ExpandedTokens = Callable[[Iterable[Token], AliasTable, Observer], Iterator[Token]]


@SWITCHES.reading("RUL-B121", "b", aliases.lower_case)
def simple_lower_case_of_alternatives(surface: str) -> str:
    """Alternatives are lower-cased by the simple mapping, character by character."""
    return simple_lower_case(surface)


@SWITCHES.reading("RUL-B133", "b", aliases.with_keys)
def with_lower_cased_keys(table: AliasTable) -> AliasTable:
    """The table lowercases and trims its keys."""
    return {strings.trim(strings.to_lower_case(key)): surfaces for key, surfaces in table.items()}


@SWITCHES.reading("RUL-B133", "b", aliases.look_up, wraps=True)
def look_up_trimmed(
    current: Callable[[str, AliasTable], Sequence[str] | None], text: str, table: AliasTable
) -> Sequence[str] | None:
    """The lookup trims the token; a blank key has no entry."""
    trimmed = strings.trim(text)
    return current(trimmed, table) if trimmed else None


@SWITCHES.reading("RUL-B21", "b", aliases.kind_of)
def kind_by_punctuation(surface: str, words: Sequence[str]) -> Kind:
    """Punctuation makes the alternative a phrase."""
    is_punctuated = any(character in parser.STRIP_SET or regexps.has_property(character, "P") for character in surface)
    return Kind.PHRASE if is_punctuated or len(words) > 1 else Kind.TERM


@SWITCHES.reading("RUL-B22", "b", aliases.expanded_tokens, wraps=True)
def distinct_tokens(
    current: _ExpandedTokens, tokens: Iterable[Token], table: AliasTable, observe: Observer
) -> Iterator[Token]:
    """An alternative and any other token of the AST, of equal kind and text, collapse to the first of them."""
    sources = list(tokens)
    unchanged = {id(source) for source in sources}
    seen: set[tuple[Kind, str]] = set()
    of_alternatives: set[tuple[Kind, str]] = set()
    for token in current(sources, table, observe):
        key = (token.kind, token.text)
        is_alternative = id(token) not in unchanged
        if key in of_alternatives or (is_alternative and key in seen):
            continue
        seen.add(key)
        if is_alternative:
            of_alternatives.add(key)
        yield token


@SWITCHES.reading("RUL-B23", "b", aliases.without_alternative)
def no_token(token: Token) -> tuple[Token, ...]:
    """The token is removed."""
    del token
    return ()


SWITCHES.reading("RUL-B24", "b", parser.term, wraps=True)(term_with_its_word)


@SWITCHES.reading("RUL-B24", "b", aliases.key_of)
def key_as_typed(token: Token) -> str:
    """The lookup uses the word as typed."""
    return typed_word(token)


@SWITCHES.reading("RUL-B25", "b", aliases.words_of)
def words_of_letters_and_numbers(text: str) -> list[str]:
    """Digits are all characters of the categories N."""
    return regexps.runs_of(text, "L", "N")


@SWITCHES.reading("RUL-B77", "b", aliases.look_up)
def look_up_lower_case_first(text: str, table: AliasTable) -> Sequence[str] | None:
    """The lowercased form takes precedence."""
    found = table.get(strings.to_lower_case(text))
    return table.get(text) if found is None else found
