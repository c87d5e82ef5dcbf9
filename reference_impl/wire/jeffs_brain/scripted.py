"""Test doubles for ``retrieval.search``: index, embedder and reranker with scripted results.

They record their calls in one shared list, in order, including calls that raise.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ...decisions import Decisions, decided
from ...jeffs_brain.candidates import Chunk
from ...jeffs_brain.rerank import RankedDocument, RerankDocument
from ...jeffs_brain.search import StageError, VectorHit

Calls = list[dict[str, object]]


class KeywordIndex(Protocol):
    """The keyword part of an index, scripted or real."""

    def search_bm25(self, match: str, limit: int) -> Sequence[Chunk]:
        """The first ``limit`` chunks, best first. Raises StageError."""

    def chunks(self) -> Sequence[Chunk]:
        """Every chunk."""


@dataclass(frozen=True, slots=True)
class ScriptedKeywords:
    """A keyword index with scripted chunks for each MATCH string, else ``otherwise``; some or all searches raise."""

    script: Mapping[str, Sequence[Chunk]]
    otherwise: Sequence[Chunk] = ()
    failing: frozenset[str] = frozenset()
    always_fails: bool = False

    def search_bm25(self, match: str, limit: int) -> Sequence[Chunk]:
        """Returns the first ``limit`` scripted chunks."""
        if self.always_fails or match in self.failing:
            raise StageError("the script says that this search fails")
        return self.script.get(match, self.otherwise)[:limit]

    def chunks(self) -> Sequence[Chunk]:
        """Returns no chunks: a script is no collection of chunks."""
        return ()


@dataclass(frozen=True, slots=True)
class RecordingIndex:
    """A keyword index and a scripted vector index; records every call."""

    calls: Calls
    keywords: KeywordIndex
    hits: Sequence[VectorHit] = ()
    vector_fails: bool = False

    def search_bm25(self, match: str, limit: int) -> Sequence[Chunk]:
        """Returns the first ``limit`` chunks of the keyword index."""
        self.calls.append({"to": "bm25", "match": match, **decided(ScriptedDecisions).recorded_limit(limit)})
        return self.keywords.search_bm25(match, limit)

    def search_vector(self, embedding: Sequence[float], limit: int) -> Sequence[VectorHit]:
        """Returns the first ``limit`` scripted hits for any embedding."""
        self.calls.append({"to": "vector", "limit": limit})
        if self.vector_fails:
            raise StageError("the script says that the vector search fails")
        return self.hits[:limit]

    def chunks(self) -> Sequence[Chunk]:
        """Returns the chunks of the keyword index."""
        return self.keywords.chunks()


@dataclass(frozen=True, slots=True)
class ScriptedEmbedder:
    """An embedder with the same embedding for every text."""

    calls: Calls
    embedding: Sequence[float] = (1.0, 0.0)
    fails: bool = False

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Returns one vector for each text."""
        self.calls.append({"to": "embed", "texts": list(texts)})
        if self.fails:
            raise StageError("the script says that the embedder fails")
        return [self.embedding for _ in texts]


@dataclass(frozen=True, slots=True)
class Ranking:
    """The scripted answer of a reranker: its hits, or None for the documents in reverse order."""

    hits: Sequence[RankedDocument] | None

    def over(self, length: int) -> Sequence[RankedDocument]:
        """The answer for ``length`` documents; in reverse order they have the scores ``length`` to 1."""
        if self.hits is not None:
            return self.hits
        return [RankedDocument(index, index + 1) for index in reversed(range(length))]


@dataclass(frozen=True, slots=True)
class ScriptedReranker:
    """A reranker with a scripted ranking; without a ranking it raises."""

    calls: Calls
    ranking: Ranking | None

    def rerank(self, query: str, documents: Sequence[RerankDocument]) -> Sequence[RankedDocument]:
        """Returns the scripted ranking of these documents."""
        plain = [{"id": document.id, "text": document.text} for document in documents]
        self.calls.append({"to": "rerank", "query": query, "documents": plain})
        if self.ranking is None:
            raise StageError("the script says that the reranker fails")
        return self.ranking.over(len(documents))


class ScriptedDecisions(Decisions):
    """What the section leaves open about the calls of an index, as adopted."""

    def recorded_limit(self, limit: int) -> dict[str, int]:
        """RUL-B93: a call of the keyword index has a limit, which is recorded."""
        return {"limit": limit}
