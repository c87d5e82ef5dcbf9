"""The scripted parts of a ``retrieval.search`` request: index, embedder and reranker that answer as they were told.

They share one list of calls, in the order in which they were asked, calls that raise included.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from reference_impl.jeffs_brain.candidates import Chunk
from reference_impl.jeffs_brain.rerank import RankedDocument, RerankDocument
from reference_impl.jeffs_brain.search import StageError, VectorHit

Calls = list[dict[str, object]]


class KeywordIndex(Protocol):
    """The keyword half of an index, scripted or real."""

    def search_bm25(self, match: str, limit: int) -> Sequence[Chunk]:
        """The first ``limit`` chunks, best first; raises StageError."""

    def chunks(self) -> Sequence[Chunk]:
        """Every chunk."""


@dataclass(frozen=True, slots=True)
class ScriptedKeywords:
    """A MATCH string that the script names gives its chunks, any other ``otherwise``; some or all of them raise."""

    script: Mapping[str, Sequence[Chunk]]
    otherwise: Sequence[Chunk] = ()
    failing: frozenset[str] = frozenset()
    always_fails: bool = False

    def search_bm25(self, match: str, limit: int) -> Sequence[Chunk]:
        """The first ``limit`` scripted chunks."""
        if self.always_fails or match in self.failing:
            raise StageError("the script says that this search fails")
        return self.script.get(match, self.otherwise)[:limit]

    def chunks(self) -> Sequence[Chunk]:
        """None: a script is no collection of chunks."""
        return ()


@dataclass(frozen=True, slots=True)
class RecordingIndex:
    """A keyword index beside a scripted vector index; both write down what they are asked."""

    calls: Calls
    keywords: KeywordIndex
    hits: Sequence[VectorHit] = ()
    vector_fails: bool = False

    def search_bm25(self, match: str, limit: int) -> Sequence[Chunk]:
        """Ask the keyword index."""
        self.calls.append({"to": "bm25", "match": match, "limit": limit})
        return self.keywords.search_bm25(match, limit)

    def search_vector(self, embedding: Sequence[float], limit: int) -> Sequence[VectorHit]:
        """The first ``limit`` scripted hits, whatever the embedding."""
        del embedding
        self.calls.append({"to": "vector", "limit": limit})
        if self.vector_fails:
            raise StageError("the script says that the vector search fails")
        return self.hits[:limit]

    def chunks(self) -> Sequence[Chunk]:
        """The keyword index's chunks."""
        return self.keywords.chunks()


@dataclass(frozen=True, slots=True)
class ScriptedEmbedder:
    """The same embedding for every text."""

    calls: Calls
    embedding: Sequence[float] = (1.0, 0.0)
    fails: bool = False

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """One vector a text."""
        self.calls.append({"to": "embed", "texts": list(texts)})
        if self.fails:
            raise StageError("the script says that the embedder fails")
        return [self.embedding for _ in texts]


@dataclass(frozen=True, slots=True)
class Ranking:
    """A reranker's answer as a request gives it: its hits, or None for the documents in reverse."""

    hits: Sequence[RankedDocument] | None

    def over(self, length: int) -> Sequence[RankedDocument]:
        """The answer for so many documents; reversed ones get the scores ``length`` to 1."""
        if self.hits is not None:
            return self.hits
        return [RankedDocument(index, index + 1) for index in reversed(range(length))]


@dataclass(frozen=True, slots=True)
class ScriptedReranker:
    """A given ranking, whatever the query and the documents; no ranking at all raises."""

    calls: Calls
    ranking: Ranking | None

    def rerank(self, query: str, documents: Sequence[RerankDocument]) -> Sequence[RankedDocument]:
        """The scripted answer over these documents."""
        plain = [{"id": document.id, "text": document.text} for document in documents]
        self.calls.append({"to": "rerank", "query": query, "documents": plain})
        if self.ranking is None:
            raise StageError("the script says that the reranker fails")
        return self.ranking.over(len(documents))
