"""Other readings of the algorithms document's section "Reciprocal Rank Fusion (RRF)", and of empty ids."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from ...javascript import strings
from ...jeffs_brain import fusion, rerank
from ...jeffs_brain.candidates import Candidate, Result
from ...jeffs_brain.retrieval import Retrieval
from ...jeffs_brain.search import VectorHit
from ...switches import Switches

SWITCHES = Switches()

Entries = Iterable[tuple[int, Candidate]]


@SWITCHES.reading("RUL-B43", "b", fusion.total)
def rounded_once(parts: Sequence[float]) -> float:
    """A score is the correctly rounded sum of its contributions."""
    return math.fsum(parts)


@SWITCHES.reading("RUL-B44", "d", fusion.best_first, wraps=True)
def then_by_id(current: Callable[[Result], tuple[object, ...]], result: Result) -> tuple[object, ...]:
    """Equal paths are ordered by id."""
    return *current(result), strings.sort_key(result.id)


@SWITCHES.reading("RUL-B144", "b", fusion.denominator)
def denominator_of_place(k: float, rank: int) -> float:
    """The place, counted from 1, is added to k at once."""
    return k + (rank + 1)


@SWITCHES.reading("RUL-B45", "b", fusion.is_blank)
def zero_is_blank(number: float | None) -> bool:
    """The number 0 is empty too."""
    return not number


@SWITCHES.reading("RUL-B46", "b", fusion.k_in_use)
def whole_k(k: float) -> float:
    """A k that is not a whole number above 0 counts as 60."""
    return float(k) if k > 0 and k == math.floor(k) else fusion.RRF_DEFAULT_K


@SWITCHES.reading("RUL-B46", "d", fusion.contributing, wraps=True)
def each_id_once(current: Callable[[Sequence[Candidate]], Entries], candidates: Sequence[Candidate]) -> Entries:
    """An id counts once in a list, at its first rank; the ranks of other ids stay."""
    return _first_of_each_id(current(candidates))


def _first_of_each_id(entries: Entries) -> Iterator[tuple[int, Candidate]]:
    seen: set[str] = set()
    for rank, candidate in entries:
        if candidate.id not in seen:
            seen.add(candidate.id)
            yield rank, candidate


@SWITCHES.reading("RUL-B141", "b", fusion.contributing, wraps=True)
def only_with_an_id(current: Callable[[Sequence[Candidate]], Entries], candidates: Sequence[Candidate]) -> Entries:
    """A candidate with an empty id is skipped; the ranks of other ids stay."""
    return [(rank, candidate) for rank, candidate in current(candidates) if candidate.id]


@SWITCHES.reading("RUL-B141", "c", fusion.contributing, wraps=True)
def with_an_id_or_a_path(current: Callable[[Sequence[Candidate]], Entries], candidates: Sequence[Candidate]) -> Entries:
    """The path stands for an empty id; a candidate without either is skipped."""
    named = [(rank, replace(candidate, id=candidate.id or candidate.path)) for rank, candidate in current(candidates)]
    return [(rank, candidate) for rank, candidate in named if candidate.id]


@SWITCHES.reading("RUL-B141", "c", rerank.agree)
@SWITCHES.reading("RUL-B141", "b", rerank.agree)
def only_ids_agree(left: str, right: str) -> bool:
    """Two empty ids do not agree."""
    return left == right != ""


@SWITCHES.reading("RUL-B141", "c", Retrieval.run_bm25, wraps=True)
def run_bm25_with_paths(
    current: Callable[[Retrieval, str, int], tuple[Candidate, ...]], self: Retrieval, match: str, limit: int
) -> tuple[Candidate, ...]:
    """A hit of BM25 without an id has its path as id."""
    return tuple(replace(hit, id=hit.id or hit.path) for hit in current(self, match, limit))


@SWITCHES.reading("RUL-B141", "c", Retrieval.nearest, wraps=True)
def nearest_with_paths(
    current: Callable[[Retrieval, Sequence[float], int], Sequence[VectorHit]],
    self: Retrieval,
    embedding: Sequence[float],
    limit: int,
) -> Sequence[VectorHit]:
    """A hit of the vector leg without an id has its path as id."""
    hits = current(self, embedding, limit)
    return [replace(hit, chunk=replace(hit.chunk, id=hit.chunk.id or hit.chunk.path)) for hit in hits]
