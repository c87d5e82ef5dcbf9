"""Algorithms document: chunks of an index, candidates of one leg, and scored results."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from ..decisions import Decisions
from ..javascript import strings

SortKey = Any
"""A key of any type, by which results are sorted."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a note, as an index stores it; ``path`` has forward slashes, and ``metadata`` has no effect."""

    id: str
    path: str
    title: str = ""
    summary: str = ""
    content: str = ""
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk in the ranked list of one leg: ``bm25_rank`` counts from 0; a value that the leg does not have is None."""

    id: str
    path: str
    title: str = ""
    summary: str = ""
    content: str = ""
    bm25_rank: int | None = None
    vector_similarity: float | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @classmethod
    def of(cls, chunk: Chunk, *, bm25_rank: int | None = None, vector_similarity: float | None = None) -> Self:
        """The candidate of a chunk, with its rank or its similarity."""
        texts = chunk.title, chunk.summary, chunk.content
        return cls(chunk.id, chunk.path, *texts, bm25_rank, vector_similarity, chunk.metadata)


@dataclass(frozen=True, slots=True)
class Result:
    """A candidate with its fused score; ``rerank_score`` is None unless the reranker scored it."""

    candidate: Candidate
    score: float
    rerank_score: float | None = None

    @property
    def id(self) -> str:
        """The id of the candidate."""
        return self.candidate.id

    @property
    def path(self) -> str:
        """The path of the candidate."""
        return self.candidate.path

    def weighted(self, factor: float) -> Self:
        """A copy with the score multiplied by ``factor``."""
        return replace(self, score=self.score * factor)


class CandidatesDecisions(Decisions):
    """What the document leaves open about the order of paths, as adopted."""

    def path_order(self, path: str) -> SortKey:
        """RUL-B44: paths are compared by UTF-16 code units, in JavaScript's order."""
        return strings.sort_key(path)
