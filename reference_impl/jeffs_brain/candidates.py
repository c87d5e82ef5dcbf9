"""What the algorithms document ranks: chunks of an index, candidates of one leg, and scored results."""

from dataclasses import dataclass, replace
from typing import Self


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a note as an index stores it; ``path`` has forward slashes."""

    id: str
    path: str
    title: str = ""
    summary: str = ""
    content: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk in one leg's ranked list: ``bm25_rank`` counts from 0, and what a leg does not know is None."""

    id: str
    path: str
    title: str = ""
    summary: str = ""
    content: str = ""
    bm25_rank: int | None = None
    vector_similarity: float | None = None

    @classmethod
    def of(cls, chunk: Chunk, *, bm25_rank: int | None = None, vector_similarity: float | None = None) -> Self:
        """The chunk as a leg found it."""
        return cls(chunk.id, chunk.path, chunk.title, chunk.summary, chunk.content, bm25_rank, vector_similarity)


@dataclass(frozen=True, slots=True)
class Result:
    """A candidate with its fused score; ``rerank_score`` is None unless the reranker scored it."""

    candidate: Candidate
    score: float
    rerank_score: float | None = None

    @property
    def id(self) -> str:
        """The candidate's id."""
        return self.candidate.id

    @property
    def path(self) -> str:
        """The candidate's path."""
        return self.candidate.path

    def weighted(self, factor: float) -> Self:
        """The same result with its score multiplied."""
        return replace(self, score=self.score * factor)
