"""Readings of the algorithms document about empty ids, in fusion and in the unanimity shortcut."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from ...jeffs_brain import fusion, rerank
from ...jeffs_brain.candidates import Candidate
from ...jeffs_brain.retrieval import Retrieval
from ...jeffs_brain.search import VectorHit
from ...switches import Switches

SWITCHES = Switches("fusion.rrf", "rerank.unanimity", "retrieval.search")

Entries = Iterable[tuple[int, Candidate]]


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
