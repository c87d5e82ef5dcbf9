"""Algorithms document, section "Reciprocal Rank Fusion (RRF)"."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from ..javascript import strings
from ..observer import Observer, Step, silent
from .candidates import Candidate, Result

SECTION = "Reciprocal Rank Fusion (RRF)"

RRF_DEFAULT_K: Final = 60


def reciprocal_rank_fusion(
    lists: Iterable[Sequence[Candidate]], k: float = RRF_DEFAULT_K, *, observe: Observer = silent
) -> list[Result]:
    """Merges ranked lists: the score of an id is the sum of its contributions; best first, equal scores by path.

    The sum uses IEEE doubles in list order, so with three or more lists their order can change the last digit. Section
    "Reciprocal Rank Fusion (RRF)".
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
    """The contribution of each rank, from 0: ``1 / (k + rank + 1)``; a k that is not above 0 counts as 60.

    Section "Reciprocal Rank Fusion (RRF)".
    """
    safe_k = float(k) if k > 0 else RRF_DEFAULT_K
    return [1 / (safe_k + rank + 1) for rank in range(length)]


def score_alone(candidates: Sequence[Candidate]) -> list[Result]:
    """Scores one leg without fusion; keeps its order and repeated ids. Section "Hybrid pipeline", modes bm25, semantic."""
    return [
        Result(candidate, score) for candidate, score in zip(candidates, contributions(len(candidates)), strict=True)
    ]


def _merge(found: Result, later: Candidate, contribution: float) -> Result:
    """Adds the contribution of a later occurrence and fills empty fields; the path of the first one stays."""
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
    """Sort key: score descending, then path ascending in JavaScript's order."""
    return -result.score, strings.sort_key(result.path)
