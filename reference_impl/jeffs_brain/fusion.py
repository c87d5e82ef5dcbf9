"""Algorithms document, section "Reciprocal Rank Fusion (RRF)"."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce
from operator import add
from typing import Final

from ..decisions import Decisions, decided
from ..observer import observe
from .candidates import Candidate, CandidatesDecisions, Result, SortKey

SECTION = "Reciprocal Rank Fusion (RRF)"

RRF_DEFAULT_K: Final = 60


def reciprocal_rank_fusion(lists: Iterable[Sequence[Candidate]], k: float = RRF_DEFAULT_K) -> list[Result]:
    """reciprocalRankFusion: the score of an id is the sum of its contributions; best first, equal scores by path."""
    rule = decided(FusionDecisions)
    # buckets = {}, keyed by candidate.id: the merged candidate, and the contributions to its score
    buckets: dict[str, Candidate] = {}
    scores: dict[str, list[float]] = {}
    # for list in lists: for rank (0-indexed), candidate in list:
    for number, candidates in enumerate(lists):
        observe(SECTION, f"list {number}", [candidate.id for candidate in candidates])
        by_rank = contributions(len(candidates), k)
        for rank, candidate in rule.contributing(candidates):
            existing = buckets.get(candidate.id)
            buckets[candidate.id] = candidate if existing is None else _fill_in(existing, candidate)
            # existing.score += contribution
            scores.setdefault(candidate.id, []).append(by_rank[rank])
    # sort buckets by score descending, break ties by path ascending
    fused = sorted((Result(buckets[id_], rule.total(parts)) for id_, parts in scores.items()), key=rule.best_first)
    observe(SECTION, "fused", [[result.id, result.score] for result in fused])
    return fused


def contributions(length: int, k: float = RRF_DEFAULT_K) -> list[float]:
    """The contribution of each rank, from 0."""
    rule = decided(FusionDecisions)
    # safeK = k > 0 ? k : RRF_DEFAULT_K
    safe_k = rule.k_in_use(k)
    # contribution = 1 / (safeK + rank + 1)
    return [1 / rule.denominator(safe_k, rank) for rank in range(length)]


def _fill_in(first: Candidate, later: Candidate) -> Candidate:
    """Fill-in merge: fills the empty fields of the first occurrence from a later one; its path stays."""
    rule = decided(FusionDecisions)
    return replace(
        first,
        title=first.title or later.title,
        summary=first.summary or later.summary,
        content=first.content or later.content,
        bm25_rank=later.bm25_rank if rule.is_blank(first.bm25_rank) else first.bm25_rank,
        vector_similarity=later.vector_similarity
        if rule.is_blank(first.vector_similarity)
        else first.vector_similarity,
    )


class FusionDecisions(Decisions):
    """What the section leaves open, as adopted: contributions, their sum, and the order of equal scores."""

    def denominator(self, k: float, rank: int) -> float:
        """RUL-B144: the rank is added to k, then 1."""
        return k + rank + 1

    def k_in_use(self, k: float) -> float:
        """RUL-B46: any k above 0 is used, also a fraction; any other k counts as 60."""
        return float(k) if k > 0 else RRF_DEFAULT_K

    def contributing(self, candidates: Sequence[Candidate]) -> Iterable[tuple[int, Candidate]]:
        """RUL-B46, RUL-B141: every entry of a list contributes by its rank, also with a repeated or an empty id."""
        return enumerate(candidates)

    def total(self, parts: Sequence[float]) -> float:
        """RUL-B43: contributions are added as doubles in list order, which can change the last digit of three or more.
        Python's sum is not used: from version 3.12 it compensates rounding errors.
        """
        return reduce(add, parts)

    def is_blank(self, number: float | None) -> bool:
        """RUL-B45: a rank or a similarity is empty if it is absent; 0 is a value."""
        return number is None

    def best_first(self, result: Result) -> tuple[SortKey, ...]:
        """RUL-B44: sort key: score descending, then path ascending; equal paths keep the order of their first occurrence."""
        return -result.score, decided(CandidatesDecisions).path_order(result.path)
