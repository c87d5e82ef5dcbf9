"""Other readings of the section "Two lanes": the lexical lane."""

import math

from ...tideline.bm25 import Bm25Decisions, LexicalHit
from ...tideline.records import MemoryRecord
from ...tideline.tokens import tokenize

ACTS_ON = ("tideline.*",)


class NegativeForAFrequentTerm(Bm25Decisions, reading="RUL-TIDE-10=b"):
    def inverse_frequency(self, facts: int, containing: int) -> float:
        """The idf has no 1 inside the logarithm, so it is negative for a term in more than half of the facts."""
        return math.log((facts - containing + 0.5) / (containing + 0.5))

    def is_hit(self, candidate: LexicalHit) -> bool:
        """A fact without a positive score is not a hit."""
        return candidate.relevance > 0


class EveryOccurrenceCounts(Bm25Decisions, reading="RUL-TIDE-11=b"):
    def query_terms(self, query: str) -> list[str]:
        """Every occurrence of a term in the query adds to the score."""
        return tokenize(query)


class GivenOrderAmongEquals(Bm25Decisions, reading="RUL-TIDE-27=b"):
    def place_among_equals(self, record: MemoryRecord) -> float:
        """Equal scores keep the given order."""
        return 0.0
