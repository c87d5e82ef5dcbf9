"""Other readings of the query DSL document's sections "Grammar", "Token stripping", "Operator semantics" and "Stopword
filtering", and what they change in the steps around the parser.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...javascript import regexps, strings
from ...jeffs_brain import parser
from ...jeffs_brain.ast import Kind, Operator, Token
from ...jeffs_brain.fts5 import Fts5Decisions
from ...jeffs_brain.normalise import WHITE_SPACE, NormaliseDecisions
from ...jeffs_brain.parser import ParserDecisions

ACTS_ON = ("query.*", "retrieval.search")

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


class TermWithItsWord(ParserDecisions, reading=("RUL-B06=b", "RUL-B08=d")):
    def term(self, word: str) -> Token | None:
        """The token keeps the word as typed."""
        token = super().term(word)
        return None if token is None else marked(token, typed=word)


class NoOperatorIsLeft(ParserDecisions, reading="RUL-B03=b"):
    def pending_after_dropped_word(self, pending: Operator | None) -> None:
        """The operator is dropped together with the word."""
        del pending


class AttachPastBlankPhrases(ParserDecisions, reading="RUL-B04=b"):
    def attach_operators(self, pieces: Iterable[_Piece]) -> Iterator[Token]:
        """A phrase without a word is dropped, and the operator attaches to the next token."""
        return super().attach_operators(piece for piece in pieces if not _is_blank_phrase(piece))


class AttachToBlankPhrases(ParserDecisions, reading="RUL-B04=c"):
    def attach_operators(self, pieces: Iterable[_Piece]) -> Iterator[Token]:
        """A phrase without a word is dropped together with its operator."""
        return (token for token in super().attach_operators(pieces) if not _is_blank_phrase(token))


class CompilePhrasesWithAWord(Fts5Decisions, reading=("RUL-B04=b", "RUL-B04=c")):
    def compiled_tokens(self, tokens: Sequence[Token]) -> Sequence[Token]:
        """The compiler leaves out a phrase without a word, which no parser makes."""
        return [token for token in super().compiled_tokens(tokens) if not _is_blank_phrase(token)]


def _is_blank_phrase(piece: _Piece) -> bool:
    return isinstance(piece, Token) and piece.kind is Kind.PHRASE and not strings.trim(piece.text)


class IsFillerAsTyped(ParserDecisions, reading="RUL-B06=b"):
    def is_filler(self, token: Token) -> bool:
        """The word is compared as typed, so only a lowercase "not" is filler."""
        return typed_word(token) in _LOWERCASE_OPERATORS


class PrefixesAreExempt(ParserDecisions, reading="RUL-B07=b"):
    def is_filtered(self, token: Token) -> bool:
        """Prefix tokens are exempt from the filter, like phrases."""
        return token.kind is not Kind.PREFIX


class LengthInCodePoints(ParserDecisions, reading="RUL-B08=b"):
    def token_length(self, token: Token) -> int:
        """The length is the number of code points."""
        return len(token.text)


class LengthInBytes(ParserDecisions, reading="RUL-B08=c"):
    def token_length(self, token: Token) -> int:
        """The length is the number of bytes in UTF-8."""
        return len(token.text.encode("utf-8", "surrogatepass"))


class LengthBeforeLowerCasing(ParserDecisions, reading="RUL-B08=d"):
    def token_length(self, token: Token) -> int:
        """The length is the number of UTF-16 code units before lowercasing."""
        return strings.length(parser.stripped(typed_word(token)))


class CollapseJavascriptWhiteSpace(NormaliseDecisions, reading="RUL-B09=d"):
    def collapse(self, text: str) -> str:
        r"""White space is the class \s of ECMAScript, so U+0085 stays in the text."""
        return strings.collapse(text)


class WordsWithNextLines(ParserDecisions, reading="RUL-B09=d"):
    def phrases_and_words(self, text: str) -> Iterator[re.Match[str]]:
        r"""Words end at the class \s of ECMAScript, and U+0085 is a character of a word."""
        pattern = next(super().phrases_and_words("word")).re.pattern
        return re.finditer(pattern.replace(WHITE_SPACE, strings.WHITE_SPACE), text)

    def bounds_operator(self, character: str) -> bool:
        """U+0085 beside AND, OR or NOT makes it a part of a longer word."""
        return character != "\u0085" and super().bounds_operator(character)


class WhiteSpaceOrQuoteBounds(ParserDecisions, reading="RUL-B11=b"):
    def bounds_operator(self, character: str) -> bool:
        """A quote bounds an operator like white space."""
        return character == '"' or character in WHITE_SPACE


class ClosedPhrasesAndWords(ParserDecisions, reading="RUL-B12=b"):
    def phrases_and_words(self, text: str) -> Iterator[re.Match[str]]:
        """A quote without a closing quote opens no phrase and is stripped; the words after it are bare words."""
        return _PHRASE_OR_WORD.finditer(text)


class IsPrefixAfterStripping(ParserDecisions, reading="RUL-B13=b"):
    def is_prefix(self, word: str) -> bool:
        """An asterisk is trailing if it is the last character after the other characters are stripped."""
        return "".join(c for c in word if c == "*" or not self.is_stripped(c)).endswith("*")


class IsControlOrPunctuation(ParserDecisions, reading="RUL-B14=b"):
    def is_stripped(self, character: str) -> bool:
        """All control characters and all Unicode punctuation are stripped, besides the listed characters."""
        return character in parser.STRIP_SET or regexps.has_property(character, "Cc", "P")


class TermsOfParts(ParserDecisions, reading="RUL-B15=b"):
    def terms(self, word: str) -> Iterator[Token | None]:
        """Stripping splits the word at the character; an asterisk at its end belongs to the last part."""
        parts = "".join(" " if self.is_stripped(c) else c for c in word).split(" ")
        kept = [part for part in parts if part]
        if kept and self.is_prefix(word):
            kept[-1] += "*"
        yield from (self.term(part) for part in kept or [word])


class QueryAsWritten(ParserDecisions, reading="RUL-B17=b"):
    def raw_text(self, query: str, normalised: str) -> str:
        """``raw`` is the input as the caller wrote it."""
        return query


class SimpleLowerCase(ParserDecisions, reading="RUL-B18=b"):
    def lower_case(self, text: str) -> str:
        """The simple mapping, character by character: U+0130 becomes ``i``, and a sigma never takes its final form."""
        return simple_lower_case(text)


def simple_lower_case(text: str) -> str:
    """The text with one lower-case character for each character."""
    return "".join(character.lower()[0] for character in text)


class TrimmedPhraseText(ParserDecisions, reading="RUL-B20=b"):
    def phrase_text(self, quoted: str) -> str:
        """The phrase text is trimmed."""
        return quoted.strip(" ")
