"""Algorithms document, section "Hybrid pipeline": what a search is given, what it asks of others, what it answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from reference_impl.jeffs_brain.candidates import Chunk, Result
from reference_impl.jeffs_brain.rerank import RankedDocument, RerankDocument
from reference_impl.jeffs_brain.retry_ladder import RetryAttempt


class StageError(Exception):
    """An index, embedder or reranker could not answer. The search goes on without it and its trace names the stage."""


class Mode(StrEnum):
    """How the legs are combined; auto is resolved before anything runs."""

    AUTO = "auto"
    HYBRID = "hybrid"
    SEMANTIC = "semantic"
    BM25 = "bm25"


@dataclass(frozen=True, slots=True)
class VectorHit:
    """A chunk that the vector search found, with its similarity to the query's embedding."""

    chunk: Chunk
    similarity: float


class SearchIndex(Protocol):
    """What the pipeline needs of an index. The first two raise StageError."""

    def search_bm25(self, match: str, limit: int) -> Sequence[Chunk]:
        """The first ``limit`` chunks of an FTS5 MATCH expression, best first."""

    def search_vector(self, embedding: Sequence[float], limit: int) -> Sequence[VectorHit]:
        """The first ``limit`` neighbours of an embedding, nearest first."""

    def chunks(self) -> Sequence[Chunk]:
        """Every chunk, for the trigram index."""


class Embedder(Protocol):
    """Texts to vectors; raises StageError."""

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """One vector a text."""


class Reranker(Protocol):
    """A model that orders documents anew; raises StageError."""

    def rerank(self, query: str, documents: Sequence[RerankDocument]) -> Sequence[RankedDocument]:
        """The documents' places in the order that it wants, with scores."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What a caller asks, with the document's defaults. ``top_k`` and the others count results."""

    query: str
    mode: Mode = Mode.AUTO
    top_k: int = 10
    candidate_k: int = 60
    rerank_top_n: int = 20
    rerank: bool = True
    skip_retry_ladder: bool = False


@dataclass(frozen=True, slots=True)
class HybridTrace:
    """Section "Trace": what a search did. ``elapsed`` holds seconds by leg; ``agreements`` is that of the shortcut."""

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
    """Results, best first, with the trace that always comes with them."""

    results: tuple[Result, ...]
    trace: HybridTrace
