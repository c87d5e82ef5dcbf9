"""Other readings of the section "Two lanes": the lexical lane."""

import math

from ...switches import Switches
from ...tideline import bm25
from ...tideline.bm25 import LexicalHit
from ...tideline.records import MemoryRecord
from ...tideline.tokens import tokenize

SWITCHES = Switches("tideline.*")


@SWITCHES.reading("RUL-TIDE-10", "b", bm25.inverse_frequency)
def negative_for_a_frequent_term(facts: int, containing: int) -> float:
    """The idf has no 1 inside the logarithm, so it is negative for a term in more than half of the facts."""
    return math.log((facts - containing + 0.5) / (containing + 0.5))


@SWITCHES.reading("RUL-TIDE-10", "b", bm25.is_hit)
def positive_score_is_a_hit(candidate: LexicalHit) -> bool:
    """A fact without a positive score is not a hit."""
    return candidate.relevance > 0


@SWITCHES.reading("RUL-TIDE-11", "b", bm25.query_terms)
def every_occurrence_counts(query: str) -> list[str]:
    """Every occurrence of a term in the query adds to the score."""
    return tokenize(query)


@SWITCHES.reading("RUL-TIDE-27", "b", bm25.place_among_equals)
def given_order_among_equals(record: MemoryRecord) -> float:
    """Equal scores keep the given order."""
    del record
    return 0.0
