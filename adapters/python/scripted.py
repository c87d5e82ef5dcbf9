"""The parts around the SDK's retriever: a source, an embedder and a reranker that answer from the request.

Each records its calls, in order.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

from recorder import Part, Recorder, ScriptedFailure, offered
from sdk import OutOfReach, Sdk, member, method

Chunk = dict[str, Any]
Find = Callable[[str, int], list[Chunk]]
TEXTS = ("id", "path", "title", "summary", "content")


class Source(Part):
    """The SDK's source: a BM25 leg that `find`s and a vector leg that is scripted."""

    def __init__(self, sdk: Sdk, find: Find, vector: dict[str, Any], chunks: list[Chunk], recorder: Recorder) -> None:
        super().__init__(recorder)
        self._sdk, self._find, self._vector, self._chunks = sdk, find, vector, chunks

    @offered
    async def search_bm25(self, expr: str, k: int, filters: Any) -> list[Any]:  # noqa: ARG002
        return [self._sdk.make("BM25 hit", texts(chunk)) for chunk in self._find(expr, k)]

    @offered
    async def search_vector(self, embedding: Any, k: int, filters: Any) -> list[Any]:  # noqa: ARG002
        self._recorder.calls.append({"to": "vector", "limit": k})
        if self._vector.get("fails") == "search":
            raise ScriptedFailure("the scripted vector search fails")
        hits = self._vector.get("hits", [])[:k]
        return [self._sdk.make("vector hit", texts(hit) | {"similarity": hit["similarity"]}) for hit in hits]

    @offered
    async def chunks(self) -> list[Any]:
        """The chunks of the trigram rung, where the request has none."""
        return [self._sdk.make("trigram chunk", texts(chunk)) for chunk in self._chunks]


def texts(chunk: Chunk) -> Chunk:
    """The members that the SDK's values have a place for; metadata only where the chunk has any."""
    metadata = {"metadata": chunk["metadata"]} if chunk.get("metadata") else {}
    return {key: chunk[key] for key in TEXTS} | metadata


class Embedder(Part):
    """Gives every text the same vector, empty if so scripted."""

    def __init__(self, vector: dict[str, Any], recorder: Recorder) -> None:
        super().__init__(recorder)
        self._vector = vector

    @offered
    async def embed(self, texts: list[str]) -> list[list[float]]:
        self._recorder.calls.append({"to": "embed", "texts": list(texts)})
        if self._vector.get("fails") == "embed":
            raise ScriptedFailure("the scripted embedder fails")
        return [self._vector.get("embedding", [1.0, 0.0]) for _ in texts]

    @offered
    def dimensions(self) -> int:
        return len(self._vector.get("embedding", [1.0, 0.0]))

    @offered
    async def close(self) -> None:
        """Nothing is held."""


class Reranker(Part):
    """Gives the results back in the ranking's order, with its scores.

    The SDK's reranker answers with results, so an index outside the head is out of reach.
    """

    def __init__(self, ranking: dict[str, Any], recorder: Recorder) -> None:
        super().__init__(recorder)
        self._ranking = ranking

    @offered
    def name(self) -> str:
        return "scripted"

    @offered
    async def is_available(self) -> bool:
        return True

    @offered
    async def close(self) -> None:
        """Nothing is held."""

    @offered
    async def rerank(self, query: str, chunks: list[Any]) -> list[Any]:
        documents = [{"id": member(one, "id")} for one in chunks]
        self._recorder.calls.append({"to": "rerank", "query": query, "documents": documents})
        if self._ranking.get("fails"):
            raise ScriptedFailure("the scripted reranker fails")
        return list(self._ordered(chunks))

    def _ordered(self, chunks: list[Any]) -> Iterator[Any]:
        if self._ranking.get("order") == "reverse":
            yield from map(scored, reversed(chunks), range(len(chunks), 0, -1))
            return
        for hit in self._ranking["hits"]:
            if 0 <= hit["index"] < len(chunks):
                yield scored(chunks[hit["index"]], hit["score"])
            else:
                raise OutOfReach("the SDK's reranker answers with results, so it cannot name one outside the list")


def scored(chunk: Any, score: float) -> Any:
    """The result with its score, as the SDK's own rerankers give it back."""
    return dataclasses.replace(chunk, rerank_score=float(score)) if hasattr(chunk, "rerank_score") else chunk


@contextmanager
def finder(sdk: Sdk, index: dict[str, Any], recorder: Recorder) -> Iterator[Find]:
    """The BM25 leg that the request describes: a script, or chunks in the SDK's own index.

    The SDK's index takes a query, compiles it with `search.sanitise_query`, and sends nothing where nothing is left. A
    scripted index does the same: the match is what would reach SQLite.
    """
    if "chunks" not in index:
        yield compiling(sdk, recorder, lambda _query, match, limit: scripted(index, match)[:limit])
        return
    if lacking := sdk.lacks(("index", "index chunk")):
        raise OutOfReach(lacking)
    described = any(chunk.get("metadata") for chunk in index["chunks"])
    with closing(sdk.call("index")) as own:
        method(own, "upsert_chunks")([indexed(sdk, chunk) for chunk in index["chunks"]])
        look_up = method(own, "search_bm25")
        yield compiling(
            sdk, recorder, lambda query, _match, limit: [hit_chunk(hit, described) for hit in look_up(query, limit)]
        )


def hit_chunk(hit: Any, described: bool) -> Chunk:
    """A hit of the SDK's own index, with its metadata if the chunks of the request have any."""
    return {key: member(hit, key) for key in TEXTS} | ({"metadata": hit.metadata} if described else {})


def compiling(sdk: Sdk, recorder: Recorder, find: Callable[[str, str, int], list[Chunk]]) -> Find:
    """Records the match that the SDK's index makes of a query, and finds the chunks of both."""

    def compiled(query: str, limit: int) -> list[Chunk]:
        match = sdk.call("index query", query)
        recorder.compiled.append(match)
        if not match:
            return []
        recorder.calls.append({"to": "bm25", "match": match, "limit": limit})
        return find(query, match, limit)

    return compiled


def scripted(index: dict[str, Any], match: str) -> list[Chunk]:
    fails = index.get("fails", [])
    if fails is True or match in fails:
        raise ScriptedFailure("the scripted index fails")
    found: list[Chunk] = index.get("script", {}).get(match, index.get("otherwise", []))
    return found


def indexed(sdk: Sdk, chunk: Chunk) -> Any:
    """The chunk as the SDK's index takes it, a document of its own."""
    own = {key: chunk[key] for key in ("title", "summary", "tags") if key in chunk}
    if clash := sorted(own.keys() & chunk.get("metadata", {}).keys()):
        raise OutOfReach(
            f"the SDK's index keeps the {clash[0]} of a chunk in its metadata, where the chunk has another"
        )
    metadata = chunk.get("metadata", {}) | own
    given = {key: chunk[key] for key in ("id", "path", "content")}
    return sdk.make("index chunk", {**given, "document_id": chunk["id"], "metadata": metadata})
