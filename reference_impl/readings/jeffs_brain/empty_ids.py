"""Readings of the algorithms document about empty ids, in fusion and in the unanimity shortcut."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ...jeffs_brain.candidates import Candidate
from ...jeffs_brain.fusion import FusionDecisions
from ...jeffs_brain.rerank import RerankDecisions
from ...jeffs_brain.retrieval import Retrieval
from ...jeffs_brain.search import VectorHit

ACTS_ON = ("fusion.rrf", "rerank.unanimity", "retrieval.search")

Entries = Iterable[tuple[int, Candidate]]


class OnlyWithAnId(FusionDecisions, reading="RUL-B141=b"):
    def contributing(self, candidates: Sequence[Candidate]) -> Entries:
        """A candidate with an empty id is skipped; the ranks of other ids stay."""
        return [(rank, candidate) for rank, candidate in super().contributing(candidates) if candidate.id]


class WithAnIdOrAPath(FusionDecisions, reading="RUL-B141=c"):
    def contributing(self, candidates: Sequence[Candidate]) -> Entries:
        """The path stands for an empty id; a candidate without either is skipped."""
        named = [
            (rank, replace(candidate, id=candidate.id or candidate.path))
            for rank, candidate in super().contributing(candidates)
        ]
        return [(rank, candidate) for rank, candidate in named if candidate.id]


class OnlyIdsAgree(RerankDecisions, reading=("RUL-B141=b", "RUL-B141=c")):
    def agree(self, left: str, right: str) -> bool:
        """Two empty ids do not agree."""
        return left == right != ""


class RunBm25WithPaths(Retrieval, reading="RUL-B141=c"):
    def run_bm25(self, match: str, limit: int) -> tuple[Candidate, ...]:
        """A hit of BM25 without an id has its path as id."""
        return tuple(replace(hit, id=hit.id or hit.path) for hit in super().run_bm25(match, limit))

    def search_vector(self, embedding: Sequence[float], limit: int) -> Sequence[VectorHit]:
        """A hit of the vector leg without an id has its path as id."""
        hits = super().search_vector(embedding, limit)
        return [replace(hit, chunk=replace(hit.chunk, id=hit.chunk.id or hit.chunk.path)) for hit in hits]
