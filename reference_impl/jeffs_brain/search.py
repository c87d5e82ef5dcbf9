"""Algorithms document, section "Hybrid pipeline": request, response and dependencies of a search."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from .candidates import Chunk, Result
from .rerank import RankedDocument, RerankDocument
from .retry_ladder import RetryAttempt


class StageError(Exception):
    """An index, embedder or reranker failed. The search continues without it, and the trace names the stage."""


class Mode(StrEnum):
    """The combination of the legs; ``auto`` is resolved before any leg runs."""

    AUTO = "auto"
    HYBRID = "hybrid"
    SEMANTIC = "semantic"
    BM25 = "bm25"


@dataclass(frozen=True, slots=True)
class VectorHit:
    """A chunk of the vector search, with its similarity to the embedding of the query."""

    chunk: Chunk
    similarity: float


VectorHits = Sequence[VectorHit]


class SearchIndex(Protocol):
    """The index functions that the pipeline needs. Both searches raise StageError."""

    def search_bm25(self, match: str, limit: int) -> Sequence[Chunk]:
        """The best ``limit`` chunks of an FTS5 MATCH expression, best first."""

    def search_vector(self, embedding: Sequence[float], limit: int) -> Sequence[VectorHit]:
        """The nearest ``limit`` chunks to an embedding, nearest first."""

    def chunks(self) -> Sequence[Chunk]:
        """Every chunk, for the trigram index."""


class Embedder(Protocol):
    """A model that maps texts to vectors. Raises StageError."""

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """One vector for each text."""


class Reranker(Protocol):
    """A model that reorders documents. Raises StageError."""

    def rerank(self, query: str, documents: Sequence[RerankDocument]) -> Sequence[RankedDocument]:
        """The indexes of the documents in the new order, with scores."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """Request of a caller, with the defaults of the document. ``top_k`` and the other limits count results."""

    query: str
    mode: Mode = Mode.AUTO
    top_k: int = 10
    candidate_k: int = 60
    rerank_top_n: int = 20
    rerank: bool = True
    skip_retry_ladder: bool = False


@dataclass(frozen=True, slots=True)
class HybridTrace:
    """Record of a search. ``elapsed`` has seconds by leg; ``agreements`` belongs to the shortcut. Section "Trace"."""

    mode: Mode
    compiled_query: str
    bm25_count: int
    vector_count: int
    fell_back_to_bm25: bool
    reranked: bool
    rerank_skipped_reason: str | None
    agreements: int | None
    error_stage: str | None
    attempts: tuple[RetryAttempt, ...]
    elapsed: dict[str, float]


@dataclass(frozen=True, slots=True)
class SearchResponse:
    """Results, best first, and the trace. Section "Trace"."""

    results: tuple[Result, ...]
    trace: HybridTrace
