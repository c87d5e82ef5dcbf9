"""Query DSL document, sections "Grammar", "Token stripping", "Operator semantics" and "Stopword filtering"."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..javascript import strings
from ..observer import Observer, Step, silent
from . import stopwords
from .ast import Ast, Kind, Operator, Token
from .normalise import normalise

# Section "Token stripping": the characters of the strip set. The underscore is not in it.
STRIP_SET = r"""*():^+"-?!.,;/\[]{}<>|&'$#@%=~`"""

# Normalised text has one kind of white space. An unclosed quote starts a phrase that goes to the end of the input.
_PIECE = re.compile(r'"(?P<phrase>[^"]*)(?:"|\Z)|(?P<word>[^ "]+)')

_STRIP = str.maketrans("", "", STRIP_SET)
_OPERATORS = frozenset(Operator)
_FILLER = frozenset(operator.value.lower() for operator in Operator)


def parse_query(query: str, *, observe: Observer = silent) -> Ast:
    """Parses a raw query: normalises it, reads its tokens, and filters stop words if it has no quote and no operator.

    Sections "Grammar" and "Stopword filtering".
    """
    text = normalise(query, observe=observe)
    pieces = list(_pieces(text))
    has_operators = '"' in text or any(isinstance(piece, Operator) for piece in pieces)
    tokens = list(_attach_operators(pieces))
    for token in tokens:
        observe(Step("Grammar", "token", token.to_json()))
    if not has_operators:
        tokens = list(_without_stop_words(tokens, observe))
    return Ast(text, tuple(tokens), has_operators)


def _pieces(text: str) -> Iterator[Operator | Token | None]:
    """Section "Grammar": every operator, phrase and term in order; None for a term that is empty after stripping.

    A phrase loses its quotes and is lower-cased; it is not trimmed, and an empty phrase stays.
    """
    for match in _PIECE.finditer(text):
        word = match["word"]
        if word is None:
            yield Token(Kind.PHRASE, strings.to_lower_case(match["phrase"]))
        elif word in _OPERATORS and _is_bounded(text, match):
            yield Operator(word)
        else:
            yield _term(word)


def _is_bounded(text: str, match: re.Match[str]) -> bool:
    """Section "Grammar", notes: an operator needs white space or the edge of the input on both sides."""
    before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    return before in ("", " ") and after in ("", " ")


def _term(word: str) -> Token | None:
    """Section "Token stripping": deletes the strip set and lower-cases; a word that ended with ``*`` is a prefix."""
    text = strings.to_lower_case(word.translate(_STRIP))
    return Token(Kind.PREFIX if word.endswith("*") else Kind.TERM, text) if text else None


def _attach_operators(pieces: Iterable[Operator | Token | None]) -> Iterator[Token]:
    """Section "Operator semantics": attaches the nearest preceding operator to the next *emitted* token.

    A later operator replaces a pending one.
    """
    pending: Operator | None = None
    for piece in pieces:
        if isinstance(piece, Operator):
            pending = piece
        elif piece is None:
            pending = pending_after_dropped_word(pending)
        else:
            yield replace(piece, operator=pending)
            pending = None


def pending_after_dropped_word(pending: Operator | None) -> Operator | None:
    """RUL-B03: a word that is dropped leaves the operator pending."""
    return pending


def _without_stop_words(tokens: Iterable[Token], observe: Observer) -> Iterator[Token]:
    for token in tokens:
        reason = _reason_to_drop(token.text)
        if reason is None:
            yield token
        else:
            observe(Step("Stopword filtering", reason, token.text))


def _reason_to_drop(text: str) -> str | None:
    """Sections "Stopword filtering" and "Grammar", notes: why a token is dropped; None if it stays.

    Lengths are in UTF-16 code units.
    """
    if text in _FILLER:
        return "dropped: lowercase operator"
    if strings.length(text) <= 2:
        return "dropped: length <= 2"
    return "dropped: stop word" if text in stopwords.COMBINED else None
