"""Query DSL document, sections "Grammar", "Token stripping", "Operator semantics" and "Stopword filtering"."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..decisions import Decisions, decided
from ..javascript import strings
from ..observer import observe
from . import stopwords
from .ast import Ast, Kind, Operator, Token
from .normalise import WHITE_SPACE, normalise

# Section "Token stripping": the characters of the strip set. The underscore is not in it.
STRIP_SET = r"""*():^+"-?!.,;/\[]{}<>|&'$#@%=~`"""

# Section "Grammar": a phrase, which a quote or the end of the input closes, or a word.
_PHRASE_OR_WORD = re.compile(rf'"(?P<phrase>[^"]*)(?:"|\Z)|(?P<word>[^{WHITE_SPACE}"]+)')

Piece = Operator | Token | None

_OPERATORS = frozenset(Operator)
_FILLER = frozenset(operator.value.lower() for operator in Operator)


def parse_query(query: str) -> Ast:
    """Parses a raw query: normalises it, reads its tokens, and filters stop words if it has no quote and no operator."""
    rule = decided(ParserDecisions)
    text = normalise(query)
    pieces = list(_pieces(text))
    tokens = list(rule.attach_operators(pieces))
    for token in tokens:
        observe("Grammar", "token", token.to_json())
    # Section "Stopword filtering": a quote or an operator disables it for the whole query.
    has_operators = '"' in text or any(isinstance(piece, Operator) for piece in pieces)
    kept = tokens if has_operators else [token for token in tokens if not _is_dropped(token)]
    return Ast(rule.raw_text(query, text), tuple(kept), has_operators)


def _pieces(text: str) -> Iterator[Piece]:
    """Section "Grammar": every operator, phrase and term in order; None for a term that is empty after stripping."""
    rule = decided(ParserDecisions)
    for match in rule.phrases_and_words(text):
        word = match["word"]
        if word is None:
            yield Token(Kind.PHRASE, rule.lower_case(rule.phrase_text(match["phrase"])))
        elif word in _OPERATORS and _is_bounded(text, match):
            yield Operator(word)
        else:
            yield from rule.terms(word)


def _is_bounded(text: str, match: re.Match[str]) -> bool:
    """Section "Grammar", notes: an operator needs white space or the edge of the input on both sides."""
    before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    return all(neighbour == "" or decided(ParserDecisions).bounds_operator(neighbour) for neighbour in (before, after))


def stripped(word: str) -> str:
    """Section "Token stripping": the characters of a word that are not stripped."""
    return "".join(character for character in word if not decided(ParserDecisions).is_stripped(character))


def term(word: str) -> Token | None:
    """Section "Token stripping": the term or the prefix of a word, stripped and lower-cased; None if nothing is left."""
    rule = decided(ParserDecisions)
    text = rule.lower_case(stripped(word))
    return Token(Kind.PREFIX if rule.is_prefix(word) else Kind.TERM, text) if text else None


def attached(pieces: Iterable[Piece]) -> Iterator[Token]:
    """Section "Operator semantics": the tokens, each with the nearest operator before it. A later operator replaces a
    pending one.
    """
    pending: Operator | None = None
    for piece in pieces:
        if isinstance(piece, Operator):
            pending = piece
        elif piece is None:
            pending = decided(ParserDecisions).pending_after_dropped_word(pending)
        else:
            yield replace(piece, operator=pending)
            pending = None


def _is_dropped(token: Token) -> bool:
    """Section "Stopword filtering", and "Grammar", notes: whether the filter drops the token."""
    reason = _reason_to_drop(token) if decided(ParserDecisions).is_filtered(token) else None
    if reason is not None:
        observe("Stopword filtering", reason, token.text)
    return reason is not None


def _reason_to_drop(token: Token) -> str | None:
    rule = decided(ParserDecisions)
    if rule.is_filler(token):
        return "dropped: lowercase operator"
    if rule.token_length(token) <= 2:
        return "dropped: length <= 2"
    return "dropped: stop word" if token.text in stopwords.COMBINED else None


class ParserDecisions(Decisions):
    """What the four sections leave open, as adopted: phrases, words, terms, operators and stop words."""

    def raw_text(self, query: str, normalised: str) -> str:
        """RUL-B17: ``raw`` is the normalised text, not the query as the caller wrote it."""
        return normalised

    def phrases_and_words(self, text: str) -> Iterator[re.Match[str]]:
        """RUL-B12: a phrase without a closing quote goes to the end of the input."""
        return _PHRASE_OR_WORD.finditer(text)

    def phrase_text(self, quoted: str) -> str:
        """RUL-B20: a phrase loses its quotes and keeps the blanks inside them."""
        return quoted

    def bounds_operator(self, character: str) -> bool:
        """RUL-B11: only white space bounds an operator; a quote does not."""
        return character in WHITE_SPACE

    def terms(self, word: str) -> Iterator[Token | None]:
        """RUL-B15: a word gives one term, because stripping deletes characters and does not split the word."""
        yield self.term(word)

    def term(self, word: str) -> Token | None:
        """The token of a word has its cleaned text alone."""
        return term(word)

    def is_stripped(self, character: str) -> bool:
        """RUL-B14: the strip set is complete: other punctuation and control characters stay."""
        return character in STRIP_SET

    def lower_case(self, text: str) -> str:
        """RUL-B18: terms and phrases are lower-cased by the full mapping of ``toLocaleLowerCase('en')``."""
        return strings.to_lower_case(text)

    def is_prefix(self, word: str) -> bool:
        """RUL-B13: a word is a prefix if its last character, as typed, is an asterisk."""
        return word.endswith("*")

    def attach_operators(self, pieces: Iterable[Piece]) -> Iterator[Token]:
        """RUL-B04: every phrase is an emitted token and takes the pending operator, even without a word in it."""
        return attached(pieces)

    def pending_after_dropped_word(self, pending: Operator | None) -> Operator | None:
        """RUL-B03: a word that is dropped leaves the operator pending."""
        return pending

    def is_filtered(self, token: Token) -> bool:
        """RUL-B07: a prefix is dropped for the same reasons as a term."""
        return True

    def is_filler(self, token: Token) -> bool:
        """RUL-B06: a token is filler by its cleaned, lower-cased text, however the word was typed."""
        return token.text in _FILLER

    def token_length(self, token: Token) -> int:
        """RUL-B08: the length of a token is the number of UTF-16 code units of its lower-cased text."""
        return strings.length(token.text)
