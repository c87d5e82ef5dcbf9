"""Algorithms document, section "Reciprocal Rank Fusion (RRF)"."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from reference_impl.javascript import strings
from reference_impl.jeffs_brain.candidates import Candidate, Result
from reference_impl.observer import Observer, Step, silent

SECTION = "Reciprocal Rank Fusion (RRF)"

RRF_DEFAULT_K: Final = 60


def reciprocal_rank_fusion(
    lists: Iterable[Sequence[Candidate]], k: float = RRF_DEFAULT_K, *, observe: Observer = silent
) -> list[Result]:
    """Merge ranked lists into one: a sum of contributions for each id, best first, equal scores by path.

    The sum is of IEEE doubles in list order, so with three lists or more their order can show in the last place.
    """
    buckets: dict[str, Result] = {}
    for number, candidates in enumerate(lists):
        observe(Step(SECTION, f"list {number}", [candidate.id for candidate in candidates]))
        for candidate, score in zip(candidates, contributions(len(candidates), k), strict=True):
            found = buckets.get(candidate.id)
            buckets[candidate.id] = Result(candidate, score) if found is None else _merge(found, candidate, score)
    fused = sorted(buckets.values(), key=_best_first)
    observe(Step(SECTION, "fused", [[result.id, result.score] for result in fused]))
    return fused


def contributions(length: int, k: float = RRF_DEFAULT_K) -> list[float]:
    """What each rank of a list is worth: ``1 / (k + rank + 1)``, with 60 in place of a k that is not above 0."""
    safe_k = float(k) if k > 0 else RRF_DEFAULT_K
    return [1 / (safe_k + rank + 1) for rank in range(length)]


def score_alone(candidates: Sequence[Candidate]) -> list[Result]:
    """One leg without fusion: order kept, repeated ids kept. Section "Hybrid pipeline", modes bm25 and semantic."""
    return [
        Result(candidate, score) for candidate, score in zip(candidates, contributions(len(candidates)), strict=True)
    ]


def _merge(found: Result, later: Candidate, contribution: float) -> Result:
    """A later sight adds its contribution and fills blanks; the path stays the first one's."""
    first = found.candidate
    filled = replace(
        first,
        title=first.title or later.title,
        summary=first.summary or later.summary,
        content=first.content or later.content,
        bm25_rank=later.bm25_rank if first.bm25_rank is None else first.bm25_rank,
        vector_similarity=later.vector_similarity if first.vector_similarity is None else first.vector_similarity,
    )
    return Result(filled, found.score + contribution)


def _best_first(result: Result) -> tuple[float, bytes]:
    """Score descending, then path ascending in JavaScript's order; the sort is stable."""
    return -result.score, strings.sort_key(result.path)
