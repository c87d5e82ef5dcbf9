"""Other readings of the query DSL document's sections "Grammar", "Token stripping", "Operator semantics" and "Stopword
filtering", and what they change in the steps around the parser.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from ...javascript import regexps, strings
from ...jeffs_brain import fts5, normalise, parser
from ...jeffs_brain.ast import Ast, Kind, Operator, Token
from ...jeffs_brain.normalise import WHITE_SPACE
from ...observer import Observer, silent
from ...switches import Switches

SWITCHES = Switches("query.*", "retrieval.search")

_Piece = Operator | Token | None

# The last quote of the text, if it has no partner, is a character of a word.
_PHRASE_OR_WORD = re.compile(rf'"(?P<phrase>[^"]*)"|(?P<word>(?:[^{WHITE_SPACE}"]|"(?![^"]*"))+)')

_LOWERCASE_OPERATORS = frozenset(operator.value.lower() for operator in Operator)


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """A group of tokens in parentheses, and the ruling whose reading makes it."""

    ruling: str


@dataclass(frozen=True, slots=True)
class MarkedToken(Token):
    """A token with marks that the AST of the main text lacks: the word as typed, and the groups around it."""

    typed: str = ""
    groups: tuple[Group, ...] = ()


def marked(token: Token, **marks: Any) -> MarkedToken:
    """The token with these marks and those that it has."""
    known = token if isinstance(token, MarkedToken) else MarkedToken(token.kind, token.text, token.operator)
    return replace(known, **marks)


def groups_of(token: Token) -> tuple[Group, ...]:
    """The groups around a token, the outermost first."""
    return token.groups if isinstance(token, MarkedToken) else ()


def typed_word(token: Token) -> str:
    """The word of a token as typed; the text of a token that the parser did not read."""
    return token.typed if isinstance(token, MarkedToken) else token.text


@SWITCHES.reading("RUL-B06", "b", parser.term, wraps=True)
@SWITCHES.reading("RUL-B08", "d", parser.term, wraps=True)
def term_with_its_word(current: Callable[[str], Token | None], word: str) -> Token | None:
    """The token keeps the word as typed."""
    token = current(word)
    return None if token is None else marked(token, typed=word)


@SWITCHES.reading("RUL-B03", "b", parser.pending_after_dropped_word)
def no_operator_is_left(pending: Operator | None) -> None:
    """The operator is dropped together with the word."""
    del pending


@SWITCHES.reading("RUL-B04", "b", parser.attach_operators, wraps=True)
def attach_past_blank_phrases(
    current: Callable[[Iterable[_Piece]], Iterator[Token]], pieces: Iterable[_Piece]
) -> Iterator[Token]:
    """A phrase without a word is dropped, and the operator attaches to the next token."""
    return current(piece for piece in pieces if not _is_blank_phrase(piece))


@SWITCHES.reading("RUL-B04", "c", parser.attach_operators, wraps=True)
def attach_to_blank_phrases(
    current: Callable[[Iterable[_Piece]], Iterator[Token]], pieces: Iterable[_Piece]
) -> Iterator[Token]:
    """A phrase without a word is dropped together with its operator."""
    return (token for token in current(pieces) if not _is_blank_phrase(token))


@SWITCHES.reading("RUL-B04", "b", fts5.compile_to_fts, wraps=True)
@SWITCHES.reading("RUL-B04", "c", fts5.compile_to_fts, wraps=True)
def compile_phrases_with_a_word(current: Callable[..., str], ast: Ast, *, observe: Observer = silent) -> str:
    """The compiler leaves out a phrase without a word, which no parser makes."""
    rendered = tuple(token for token in ast.tokens if not _is_blank_phrase(token))
    return current(replace(ast, tokens=rendered), observe=observe)


def _is_blank_phrase(piece: _Piece) -> bool:
    return isinstance(piece, Token) and piece.kind is Kind.PHRASE and not strings.trim(piece.text)


@SWITCHES.reading("RUL-B06", "b", parser.is_filler)
def is_filler_as_typed(token: Token) -> bool:
    """The word is compared as typed, so only a lowercase "not" is filler."""
    return typed_word(token) in _LOWERCASE_OPERATORS


@SWITCHES.reading("RUL-B07", "b", parser.reason_to_drop, wraps=True)
def reason_to_drop_a_term(current: Callable[[Token], str | None], token: Token) -> str | None:
    """Prefix tokens are exempt from the filter, like phrases."""
    return None if token.kind is Kind.PREFIX else current(token)


@SWITCHES.reading("RUL-B08", "b", parser.token_length)
def length_in_code_points(token: Token) -> int:
    """The length is the number of code points."""
    return len(token.text)


@SWITCHES.reading("RUL-B08", "c", parser.token_length)
def length_in_bytes(token: Token) -> int:
    """The length is the number of bytes in UTF-8."""
    return len(token.text.encode("utf-8", "surrogatepass"))


@SWITCHES.reading("RUL-B08", "d", parser.token_length)
def length_before_lower_casing(token: Token) -> int:
    """The length is the number of UTF-16 code units before lowercasing."""
    return strings.length(parser.stripped(typed_word(token)))


@SWITCHES.reading("RUL-B09", "d", normalise.collapse)
def collapse_javascript_white_space(text: str) -> str:
    r"""White space is the class \s of ECMAScript, so U+0085 stays in the text."""
    return strings.collapse(text)


@SWITCHES.reading("RUL-B09", "d", parser.phrases_and_words, wraps=True)
def words_with_next_lines(current: Callable[[str], Iterator[re.Match[str]]], text: str) -> Iterator[re.Match[str]]:
    r"""Words end at the class \s of ECMAScript, and U+0085 is a character of a word."""
    pattern = next(current("word")).re.pattern
    return re.finditer(pattern.replace(WHITE_SPACE, strings.WHITE_SPACE), text)


@SWITCHES.reading("RUL-B09", "d", parser.bounds_operator, wraps=True)
def next_line_bounds_no_operator(current: Callable[[str], bool], character: str) -> bool:
    """U+0085 beside AND, OR or NOT makes it a part of a longer word."""
    return character != "\u0085" and current(character)


@SWITCHES.reading("RUL-B11", "b", parser.bounds_operator)
def white_space_or_quote_bounds(character: str) -> bool:
    """A quote bounds an operator like white space."""
    return character == '"' or character in WHITE_SPACE


@SWITCHES.reading("RUL-B12", "b", parser.phrases_and_words)
def closed_phrases_and_words(text: str) -> Iterator[re.Match[str]]:
    """A quote without a closing quote opens no phrase and is stripped; the words after it are bare words."""
    return _PHRASE_OR_WORD.finditer(text)


@SWITCHES.reading("RUL-B13", "b", parser.is_prefix)
def is_prefix_after_stripping(word: str) -> bool:
    """An asterisk is trailing if it is the last character after the other characters are stripped."""
    return "".join(c for c in word if c == "*" or not parser.is_stripped(c)).endswith("*")


@SWITCHES.reading("RUL-B14", "b", parser.is_stripped)
def is_control_or_punctuation(character: str) -> bool:
    """All control characters and all Unicode punctuation are stripped, besides the listed characters."""
    return character in parser.STRIP_SET or regexps.has_property(character, "Cc", "P")


@SWITCHES.reading("RUL-B15", "b", parser.terms)
def terms_of_parts(word: str) -> Iterator[Token | None]:
    """Stripping splits the word at the character; an asterisk at its end belongs to the last part."""
    parts = "".join(" " if parser.is_stripped(c) else c for c in word).split(" ")
    kept = [part for part in parts if part]
    if kept and parser.is_prefix(word):
        kept[-1] += "*"
    yield from (parser.term(part) for part in kept or [word])


@SWITCHES.reading("RUL-B17", "b", parser.raw_text)
def query_as_written(query: str, normalised: str) -> str:
    """``raw`` is the input as the caller wrote it."""
    del normalised
    return query


@SWITCHES.reading("RUL-B18", "b", parser.lower_case)
def simple_lower_case(text: str) -> str:
    """The simple mapping, character by character: U+0130 becomes ``i``, and a sigma never takes its final form."""
    return "".join(character.lower()[0] for character in text)


@SWITCHES.reading("RUL-B20", "b", parser.phrase_text)
def trimmed_phrase_text(quoted: str) -> str:
    """The phrase text is trimmed."""
    return quoted.strip(WHITE_SPACE)
