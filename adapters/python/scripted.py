"""The parts around the SDK's retriever: a source, an embedder and a reranker that answer from the request.

Each records its calls in `calls`, in order.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

from sdk import OutOfReach, Sdk, member

Chunk = dict[str, Any]
Find = Callable[[str, int], list[Chunk]]
TEXTS = ("id", "path", "title", "summary", "content")


class Source:
    """The SDK's source: a BM25 leg that `find`s and a vector leg that is scripted.

    `match` is the text that the SDK's retriever sends to its source, compiled or not.
    """

    def __init__(self, sdk: Sdk, find: Find, vector: dict[str, Any], chunks: list[Chunk], calls: list[Any]) -> None:
        self._sdk, self._find, self._vector, self._chunks, self._calls = sdk, find, vector, chunks, calls

    async def search_bm25(self, expr: str, k: int, filters: Any) -> list[Any]:  # noqa: ARG002
        self._calls.append({"to": "bm25", "match": expr, "limit": k})
        return [self._sdk.make("BM25 hit", texts(chunk)) for chunk in self._find(expr, k)]

    async def search_vector(self, embedding: Any, k: int, filters: Any) -> list[Any]:  # noqa: ARG002
        self._calls.append({"to": "vector", "limit": k})
        if self._vector.get("fails") == "search":
            raise RuntimeError("the scripted vector search fails")
        hits = self._vector.get("hits", [])[:k]
        return [self._sdk.make("vector hit", texts(hit) | {"similarity": hit["similarity"]}) for hit in hits]

    async def chunks(self) -> list[Any]:
        """The chunks of the trigram rung, where the request has none."""
        return [self._sdk.make("trigram chunk", texts(chunk)) for chunk in self._chunks]


def texts(chunk: Chunk) -> Chunk:
    return {key: chunk[key] for key in TEXTS}


class Embedder:
    """Gives every text the same vector, empty if so scripted."""

    def __init__(self, vector: dict[str, Any], calls: list[Any]) -> None:
        self._vector, self._calls = vector, calls

    async def embed(self, texts: list[str]) -> list[list[float]]:
        self._calls.append({"to": "embed", "texts": list(texts)})
        if self._vector.get("fails") == "embed":
            raise RuntimeError("the scripted embedder fails")
        return [self._vector.get("embedding", [1.0, 0.0]) for _ in texts]

    def dimensions(self) -> int:
        return len(self._vector.get("embedding", [1.0, 0.0]))


class Reranker:
    """Gives the results back in the ranking's order, with its scores.

    The SDK's reranker answers with results, so an index outside the head cannot be given; `outside` records one.
    """

    def __init__(self, ranking: dict[str, Any], calls: list[Any]) -> None:
        self._ranking, self._calls = ranking, calls
        self.outside = False

    def name(self) -> str:
        return "scripted"

    async def rerank(self, query: str, chunks: list[Any]) -> list[Any]:
        self._calls.append({"to": "rerank", "query": query, "documents": [{"id": member(one, "id")} for one in chunks]})
        if self._ranking.get("fails"):
            raise RuntimeError("the scripted reranker fails")
        return list(self._ordered(chunks))

    def _ordered(self, chunks: list[Any]) -> Iterator[Any]:
        if self._ranking.get("order") == "reverse":
            yield from map(scored, reversed(chunks), range(len(chunks), 0, -1))
            return
        for hit in self._ranking["hits"]:
            if 0 <= hit["index"] < len(chunks):
                yield scored(chunks[hit["index"]], hit["score"])
            else:
                self.outside = True

    def check(self) -> None:
        """Raises `OutOfReach` if the ranking could not be given as it is."""
        if self.outside:
            raise OutOfReach("the SDK's reranker answers with results, so it cannot name one outside the list")


def scored(chunk: Any, score: float) -> Any:
    """The result with its score, as the SDK's own rerankers give it back."""
    return dataclasses.replace(chunk, rerank_score=float(score)) if hasattr(chunk, "rerank_score") else chunk


@contextmanager
def finder(sdk: Sdk, index: dict[str, Any]) -> Iterator[Find]:
    """The BM25 leg that the request describes: a script, or chunks in the SDK's own index."""
    if "chunks" not in index:
        yield lambda match, limit: scripted(index, match)[:limit]
        return
    if lacking := sdk.lacks(("index", "index chunk")):
        raise OutOfReach(lacking)
    with closing(sdk.call("index")) as own:
        own.upsert_chunks([indexed(sdk, chunk) for chunk in index["chunks"]])
        yield lambda query, limit: [{key: member(hit, key) for key in TEXTS} for hit in own.search_bm25(query, limit)]


def scripted(index: dict[str, Any], match: str) -> list[Chunk]:
    fails = index.get("fails", [])
    if fails is True or match in fails:
        raise RuntimeError("the scripted index fails")
    found: list[Chunk] = index.get("script", {}).get(match, index.get("otherwise", []))
    return found


def indexed(sdk: Sdk, chunk: Chunk) -> Any:
    """The chunk as the SDK's index takes it, a document of its own."""
    metadata = {key: chunk[key] for key in ("title", "summary", "tags") if key in chunk}
    given = {key: chunk[key] for key in ("id", "path", "content")}
    return sdk.make("index chunk", {**given, "document_id": chunk["id"], "metadata": metadata})
