"""Section "Two lanes", lexical lane: Okapi BM25, modulated by decay. The form of the idf is from the repository."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ..decisions import Decisions, decided
from ..observer import observe
from . import score
from .records import MemoryRecord
from .score import ScoreDecisions
from .tokens import tokenize

SECTION = "Two lanes: lexical (BM25)"

K1: Final = 1.2
B: Final = 0.75


@dataclass(frozen=True, slots=True)
class LexicalHit:
    """A fact with a term of the query: its relevance, effective score and modulator."""

    record: MemoryRecord
    relevance: float
    matched_terms: tuple[str, ...]
    effective: float
    modulator: float

    @property
    def score(self) -> float:
        """Relevance times modulator. Section "Trust & decay in the score"."""
        return self.relevance * self.modulator


class Statistics:
    """Statistics of BM25 over the candidates; no other fact influences a score."""

    def __init__(self, token_lists: Sequence[Sequence[str]]) -> None:
        self._frequencies = Counter(term for tokens in token_lists for term in set(tokens))
        self._count = len(token_lists)
        self._average = max(1.0, sum(map(len, token_lists)) / self._count)

    def idf(self, term: str) -> float:
        """The inverse document frequency of a term."""
        return decided(Bm25Decisions).inverse_frequency(self._count, self._frequencies[term])

    def saturated(self, count: int, length: int) -> float:
        """The weight of ``count`` occurrences of a term in a text of ``length`` tokens."""
        return count * (K1 + 1) / (count + K1 * (1 - B + B * length / self._average))


def search(records: Sequence[MemoryRecord], query: str, now: float, *, modulate: bool = True) -> list[LexicalHit]:
    """The facts with a term of the query, best first."""
    rule = decided(Bm25Decisions)
    terms = rule.query_terms(query)
    if not terms or not records:
        return []
    token_lists = [tokenize(record.content) for record in records]
    statistics = Statistics(token_lists)
    observe(SECTION, "idf of the query's terms", {term: statistics.idf(term) for term in terms})
    hits = []
    for record, tokens in zip(records, token_lists, strict=True):
        counts = Counter(tokens)
        matched = tuple(term for term in terms if counts[term])
        relevance = sum(statistics.idf(term) * statistics.saturated(counts[term], len(tokens)) for term in matched)
        effective = decided(ScoreDecisions).effective_score_of(record, now)
        modulator = score.modulator(effective) if modulate else 1.0
        hits.append(LexicalHit(record, relevance, matched, effective, modulator))
    found = sorted(filter(rule.is_hit, hits), key=lambda hit: (-hit.score, rule.place_among_equals(hit.record)))
    observe(SECTION, "lexical hits", [[hit.record.memory_id, hit.score] for hit in found])
    return found


class Bm25Decisions(Decisions):
    """What the section leaves open, as adopted."""

    def inverse_frequency(self, facts: int, containing: int) -> float:
        """RUL-TIDE-10: the idf is ``ln(1 + (N - n + 0.5) / (n + 0.5))``, which is positive for every term."""
        return math.log(1 + (facts - containing + 0.5) / (containing + 0.5))

    def query_terms(self, query: str) -> list[str]:
        """RUL-TIDE-11: a term that the query repeats counts once."""
        return list(dict.fromkeys(tokenize(query)))

    def is_hit(self, candidate: LexicalHit) -> bool:
        """RUL-TIDE-10: every fact with a term of the query is a hit."""
        return bool(candidate.matched_terms)

    def place_among_equals(self, record: MemoryRecord) -> float:
        """RUL-TIDE-27: equal scores are ordered newest first, then in the given order."""
        return -record.created_at
