"""``signals.ts``: features of a query for routing and fusion, and its language."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from ..decisions import Decisions, decided
from ..javascript import strings
from ..javascript.regexps import compile_ignoring_case

ENGLISH: Final = "en"

# In order: Japanese also uses Han characters, so its own syllables come first.
_SCRIPTS: Final = tuple(
    (code, re.compile(f"[{characters}]"))
    for code, characters in (
        ("ja", "\u3040-\u30ff"),
        ("ko", "\uac00-\ud7af\u1100-\u11ff"),
        ("zh", "\u4e00-\u9fff"),
        ("ru", "\u0400-\u04ff"),
        ("ar", "\u0600-\u06ff\u0750-\u077f"),
        ("hi", "\u0900-\u097f"),
        ("th", "\u0e00-\u0e7f"),
        ("he", "\u0590-\u05ff"),
        ("el", "\u0370-\u03ff"),
    )
)

STOPWORDS: Final = frozenset(
    "the a an and or but if to of in on at for with is are was were be been being "
    "this that these those it its i you we they".split()
)
NEGATIONS: Final = frozenset("not no without except vs never neither nor".split())

SHORT: Final = 3
FOR_SHORTNESS, FOR_SPECIFICITY = 0.4, -0.3

_LEADING = re.compile(r"\A[\"'(\[`]{1,64}")
_TRAILING = re.compile(r"[\"')\].,?!:`]{1,64}\Z")
_QUOTED = re.compile(r"[\"'][^\"']{2,}[\"']")
_NUMBER = re.compile(r"[0-9]+")
_CAPITALS = re.compile(r"[A-Z0-9]{3,}")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
_CAMEL_CASE = re.compile(r"[a-z][A-Z]")
_SNAKE_CASE = re.compile(r"[A-Za-z][A-Za-z0-9_]{1,64}")
_DOTTED = re.compile(r"[A-Za-z]\.[A-Za-z]")
_CALL = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,128}\(")
_DATE_OR_VERSION = (
    re.compile(r"\b(19|20|21)\d{2}\b", re.ASCII),
    re.compile(r"\bv?\d+\.\d+(\.\d+)?\b", re.ASCII),
    compile_ignoring_case(r"\bRFC\s?\d{3,5}\b"),
    compile_ignoring_case(r"\bCVE-\d{4}-\d{4,7}\b"),
)
_ASKING = compile_ignoring_case(r"(how|why|what|when|where|who|which|can|does|do|is|are|should|would|could)\b")


class QuestionType(StrEnum):
    """The kind of answer that a question needs."""

    FACTOID = "factoid"
    PROCEDURAL = "procedural"
    DEFINITIONAL = "definitional"


_TYPES: Final = (
    (QuestionType.FACTOID, compile_ignoring_case(r"(who|when|where|which)\b")),
    (QuestionType.PROCEDURAL, compile_ignoring_case(r"(how|why)\b")),
    (QuestionType.DEFINITIONAL, compile_ignoring_case(r"what\s+(is|are|does|do|was|were)\b")),
)


@dataclass(frozen=True, slots=True)
class Signals:
    """Features of a query; the defaults are the values of the empty query, except ``ambiguity``."""

    word_count: int = 0
    avg_word_len: float = 0
    has_quoted_phrase: bool = False
    has_specific_tokens: bool = False
    is_question: bool = False
    ambiguity: float = 0
    has_named_entity: bool = False
    has_code_like: bool = False
    has_date_or_version: bool = False
    question_type: QuestionType | None = None
    has_negation: bool = False
    language: str = ENGLISH


def compute_signals(query: str) -> Signals:
    """Computes the features of a query. ``signals.ts``, computeSignals. White space separates words; lengths are in
    UTF-16 code units; letters and digits are ASCII.
    """
    text = strings.trim(query)
    words = strings.split_words(text)
    lower = [strings.to_lower_case(word) for word in words]
    specific = any(map(_is_specific, words))
    code_like = any(_is_code_like(_bare(word)) for word in words)
    date_or_version = any(pattern.search(text) for pattern in _DATE_OR_VERSION)
    is_question = text.endswith("?") or _ASKING.match(text) is not None
    return Signals(
        word_count=len(words),
        avg_word_len=sum(map(strings.length, words)) / len(words) if words else 0,
        has_quoted_phrase=_QUOTED.search(text) is not None,
        has_specific_tokens=specific,
        is_question=is_question,
        ambiguity=_ambiguity(lower, is_specific=specific or code_like or date_or_version),
        has_named_entity=any(_is_named(_bare(word)) for word in words[1:]),
        has_code_like=code_like,
        has_date_or_version=date_or_version,
        question_type=_question_type(text) if is_question else None,
        has_negation=not NEGATIONS.isdisjoint(lower),
        language=decided(SignalsDecisions).language_of_query(text),
    )


def detect_language(text: str) -> str:
    """The first language in the table with a character in the text, else ``en``. ``signals.ts``, detectLanguage."""
    return next((code for code, script in _SCRIPTS if script.search(text)), ENGLISH)


def _bare(word: str) -> str:
    """The word without surrounding quotes, brackets and punctuation."""
    return _TRAILING.sub("", _LEADING.sub("", word))


def _is_specific(word: str) -> bool:
    """A number, a word in capitals (error code), a hexadecimal number, or a mixed identifier such as ``node-18``."""
    if _NUMBER.fullmatch(word) or _CAPITALS.fullmatch(word) or decided(SignalsDecisions).is_hexadecimal(word):
        return True
    return all(re.search(part, word) for part in (r"[_\-./]", "[A-Za-z]", "[0-9]"))


def _is_code_like(bare: str) -> bool:
    """camelCase, snake_case, a dotted name, a scope, a call or an assignment."""
    rule = decided(SignalsDecisions)
    return (
        _CAMEL_CASE.search(bare) is not None
        or rule.is_snake_case(bare)
        or (_DOTTED.search(bare) is not None and strings.length(bare) >= 5)
        or "::" in bare
        or rule.is_call(bare)
        or ("=" in bare and re.search("[A-Za-z]", bare) is not None and strings.length(bare) >= 3)
    )


def _is_named(bare: str) -> bool:
    """A capitalised word that is no stopword; a word of capitals only needs four characters."""
    return (
        strings.length(bare) >= 2
        and re.match("[A-Z]", bare) is not None
        and strings.to_lower_case(bare) not in STOPWORDS
        and (re.search("[a-z]", bare) is not None or strings.length(bare) >= 4)
    )


def _question_type(text: str) -> QuestionType | None:
    """The type by the first words; None for other first words."""
    return next((kind for kind, pattern in _TYPES if pattern.match(strings.to_lower_case(text))), None)


def _ambiguity(lower: Sequence[str], *, is_specific: bool) -> float:
    """The share of stopwords, higher for a short query, lower for a specific one, limited to 0 to 1."""
    share = sum(word in STOPWORDS for word in lower) / len(lower) if lower else 0
    raised = share + (FOR_SHORTNESS if len(lower) < SHORT else 0)
    return max(0, min(1, raised + (FOR_SPECIFICITY if is_specific else 0)))


class SignalsDecisions(Decisions):
    """What `signals.ts` leaves open, as adopted."""

    def language_of_query(self, text: str) -> str:
        """RUL-AUGUR-10: one character of another script is enough for another language."""
        return detect_language(text)

    def is_hexadecimal(self, word: str) -> bool:
        """RUL-AUGUR-14: only a lower-case x introduces a hexadecimal number."""
        return _HEXADECIMAL.fullmatch(word) is not None

    def is_snake_case(self, bare: str) -> bool:
        """RUL-AUGUR-11: the whole word is a name with an underscore, of at most 65 characters."""
        return "_" in bare and _SNAKE_CASE.fullmatch(bare) is not None

    def is_call(self, bare: str) -> bool:
        """RUL-AUGUR-11: the word begins with a call, with a name of at most 129 characters."""
        return _CALL.match(bare) is not None
