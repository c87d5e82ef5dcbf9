"""Other readings of the algorithms document's sections "Retry ladder" and "forceRefreshIndex retry ladder"."""

import re
from collections.abc import Sequence
from typing import Final

from ...javascript import strings
from ...jeffs_brain import normalise, parser, retry_ladder, stopwords
from ...jeffs_brain.retry_ladder import RetryLadderDecisions

ACTS_ON = ("retry.*", "retrieval.search")

_UNICODE_RUN: Final = re.compile(f"[{normalise.WHITE_SPACE}]+")
_DUTCH_STOP_WORDS: Final = frozenset({"de", "een", "en", "het", "of"})


class EveryToken(RetryLadderDecisions, reading="RUL-B57=b"):
    def query_tokens(self, query: str) -> list[str]:
        """All tokens of the sanitised, lower-cased query, also short tokens, repetitions and stop words."""
        return self.words_of(self.lower_case(retry_ladder.sanitise_query(query)))


class TokensOfTheParser(RetryLadderDecisions, reading="RUL-B57=c"):
    def query_tokens(self, query: str) -> list[str]:
        """The tokens of the query DSL's parser."""
        return [token.text for token in parser.parse_query(query).tokens]


class WithoutTheFirstLetters(RetryLadderDecisions, reading="RUL-B58=b"):
    def without_marks(self, query: str) -> str:
        """The pattern has no flags: a space replaces the first run of the characters p, {, P, } and S."""
        return re.sub(r"[p{P}S]+", " ", query, count=1)


class WithSpacesAtTheEnds(RetryLadderDecisions, reading="RUL-B86=b"):
    def collapsed(self, text: str) -> str:
        """A space stays at the ends."""
        return strings.collapse(text)


class CollapsedInUnicode(RetryLadderDecisions, reading="RUL-B86=c"):
    def collapsed(self, text: str) -> str:
        """White space is Unicode white space, with U+0085 and without U+FEFF."""
        return _UNICODE_RUN.sub(" ", text).strip(" ")

    def words_of(self, text: str) -> list[str]:
        """Unicode white space separates words."""
        return [word for word in _UNICODE_RUN.split(text) if word]

    def trimmed(self, text: str) -> str:
        """The lowered query loses Unicode white space at its ends."""
        return text.strip(normalise.WHITE_SPACE)


class CollapsedInPython(RetryLadderDecisions, reading="RUL-B86=d"):
    def collapsed(self, text: str) -> str:
        """White space is that of the port's own language, here Python."""
        return " ".join(text.split())

    def words_of(self, text: str) -> list[str]:
        """White space of the port's own language, here Python, separates words."""
        return text.split()

    def trimmed(self, text: str) -> str:
        """The lowered query loses the white space of the port's own language, here Python, at its ends."""
        return text.strip()


class CollapsedInAscii(RetryLadderDecisions, reading="RUL-B86=e"):
    def collapsed(self, text: str) -> str:
        r"""White space is that of ``\s`` in regular expressions without Unicode, as in Go."""
        return re.sub(r"[ \t\n\f\r]+", " ", text).strip(" ")


class CodePoints(RetryLadderDecisions, reading="RUL-B59=b"):
    def length(self, word: str) -> int:
        """Length is counted in code points."""
        return len(word)


class LastOfTheLongest(RetryLadderDecisions, reading="RUL-B59=c"):
    def longest(self, words: Sequence[str]) -> str:
        """The last of the longest words is kept."""
        return max(reversed(words), key=lambda word: self.length(word))


class Utf8Bytes(RetryLadderDecisions, reading="RUL-B59=d"):
    def length(self, word: str) -> int:
        """Length is counted in UTF-8 bytes."""
        return len(word.encode("utf-8", "surrogatepass"))


class IsStopWordOfThePort(RetryLadderDecisions, reading="RUL-B99=b"):
    def is_stop_word(self, word: str) -> bool:
        """The port has its own English words, here those of the query DSL, and the five Dutch words."""
        return word in stopwords.ENGLISH or word in _DUTCH_STOP_WORDS
