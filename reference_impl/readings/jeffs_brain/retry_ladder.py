"""Other readings of the algorithms document's sections "Retry ladder" and "forceRefreshIndex retry ladder"."""

import re
from collections.abc import Sequence
from typing import Final

from ...javascript import strings
from ...jeffs_brain import normalise, parser, retry_ladder, stopwords
from ...switches import Switches

SWITCHES = Switches("retry.*", "retrieval.search")

_UNICODE_RUN: Final = re.compile(f"[{normalise.WHITE_SPACE}]+")
_DUTCH_STOP_WORDS: Final = frozenset({"de", "een", "en", "het", "of"})


@SWITCHES.reading("RUL-B57", "b", retry_ladder.query_tokens)
def every_token(query: str) -> list[str]:
    """All tokens of the sanitised, lower-cased query, also short tokens, repetitions and stop words."""
    return retry_ladder.words_of(retry_ladder.lower_case(retry_ladder.sanitise_query(query)))


@SWITCHES.reading("RUL-B57", "c", retry_ladder.query_tokens)
def tokens_of_the_parser(query: str) -> list[str]:
    """The tokens of the query DSL's parser."""
    return [token.text for token in parser.parse_query(query).tokens]


@SWITCHES.reading("RUL-B58", "b", retry_ladder.without_marks)
def without_the_first_letters(query: str) -> str:
    """The pattern has no flags: a space replaces the first run of the characters p, {, P, } and S."""
    return re.sub(r"[p{P}S]+", " ", query, count=1)


@SWITCHES.reading("RUL-B86", "b", retry_ladder.collapsed)
def with_spaces_at_the_ends(text: str) -> str:
    """A space stays at the ends."""
    return strings.collapse(text)


@SWITCHES.reading("RUL-B86", "c", retry_ladder.collapsed)
def collapsed_in_unicode(text: str) -> str:
    """White space is Unicode white space, with U+0085 and without U+FEFF."""
    return _UNICODE_RUN.sub(" ", text).strip(" ")


@SWITCHES.reading("RUL-B86", "c", retry_ladder.words_of)
def words_in_unicode(text: str) -> list[str]:
    """Unicode white space separates words."""
    return [word for word in _UNICODE_RUN.split(text) if word]


@SWITCHES.reading("RUL-B86", "c", retry_ladder.trimmed)
def trimmed_in_unicode(text: str) -> str:
    """The lowered query loses Unicode white space at its ends."""
    return text.strip(normalise.WHITE_SPACE)


@SWITCHES.reading("RUL-B86", "d", retry_ladder.collapsed)
def collapsed_in_python(text: str) -> str:
    """White space is that of the port's own language, here Python."""
    return " ".join(text.split())


@SWITCHES.reading("RUL-B86", "d", retry_ladder.words_of)
def words_in_python(text: str) -> list[str]:
    """White space of the port's own language, here Python, separates words."""
    return text.split()


@SWITCHES.reading("RUL-B86", "d", retry_ladder.trimmed)
def trimmed_in_python(text: str) -> str:
    """The lowered query loses the white space of the port's own language, here Python, at its ends."""
    return text.strip()


@SWITCHES.reading("RUL-B86", "e", retry_ladder.collapsed)
def collapsed_in_ascii(text: str) -> str:
    r"""White space is that of ``\s`` in regular expressions without Unicode, as in Go."""
    return re.sub(r"[ \t\n\f\r]+", " ", text).strip(" ")


@SWITCHES.reading("RUL-B59", "b", retry_ladder.length)
def code_points(word: str) -> int:
    """Length is counted in code points."""
    return len(word)


@SWITCHES.reading("RUL-B59", "c", retry_ladder.longest)
def last_of_the_longest(words: Sequence[str]) -> str:
    """The last of the longest words is kept."""
    return max(reversed(words), key=lambda word: retry_ladder.length(word))


@SWITCHES.reading("RUL-B59", "d", retry_ladder.length)
def utf8_bytes(word: str) -> int:
    """Length is counted in UTF-8 bytes."""
    return len(word.encode("utf-8", "surrogatepass"))


@SWITCHES.reading("RUL-B99", "b", retry_ladder.is_stop_word)
def is_stop_word_of_the_port(word: str) -> bool:
    """The port has its own English words, here those of the query DSL, and the five Dutch words."""
    return word in stopwords.ENGLISH or word in _DUTCH_STOP_WORDS
