"""`retrieval.search`: the SDK's own pipeline between parts of ours."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

from scripted import Embedder, Reranker, Source, finder, texts
from sdk import OutOfReach, Sdk, member

RERANKED = "hybrid-rerank"

# The members of a request under the contract's names.
GIVEN = {
    "query": "query",
    "topK": "top_k",
    "candidateK": "candidate_k",
    "rerankTopN": "rerank_top_n",
    "skipRetryLadder": "skip_retry_ladder",
}

# The trace under the contract's names.
TRACED = {
    "bm25Count": "bm25_hits",
    "vectorCount": "vector_hits",
    "fellBackToBM25": "fell_back_to_bm25",
    "reranked": "reranked",
}


def search(sdk: Sdk, request: dict[str, Any]) -> dict[str, Any]:
    """Runs one search (the operation's request) and answers {results, trace, calls}."""
    calls: list[Any] = []
    response = run(sdk, request, calls)
    return {
        "results": [result(one) for one in response.chunks],
        "trace": trace(response),
        "calls": calls,
    }


def run(sdk: Sdk, request: dict[str, Any], calls: list[Any]) -> Any:
    """The SDK's response to the request, over the parts that it describes."""
    index, vector, reranker = request["index"], request.get("vector"), Reranker(request.get("ranking", {}), calls)
    with finder(sdk, index) as find:
        parts: dict[str, Any] = {"source": Source(sdk, find, vector or {}, index.get("chunks", []), calls)}
        if "chunks" not in index or "trigramChunks" in request:  # else the SDK reads the source
            chunks = request.get("trigramChunks", [])
            parts["trigram_chunks"] = [sdk.make("trigram chunk", texts(chunk)) for chunk in chunks]
        if vector is not None:
            parts["embedder"] = Embedder(vector, calls)
        if "ranking" in request:
            parts["reranker"] = reranker
        if "aliases" in request:
            parts["aliases"] = aliases(sdk, request["aliases"])
        response = asyncio.run(sdk.call("retriever", **parts).retrieve(sdk_request(sdk, request["request"])))
    reranker.check()
    return response


def aliases(sdk: Sdk, given: dict[str, list[str]]) -> Any:
    if "aliases" not in inspect.signature(sdk["retriever"]).parameters:
        raise OutOfReach("the SDK's retriever takes no alias table")
    return sdk.call("alias table", given)


def sdk_request(sdk: Sdk, request: dict[str, Any]) -> Any:
    """The SDK's request. It has no rerank switch: it reranks in mode hybrid-rerank and nowhere else, so that an explicit
    `rerank: true` in mode hybrid is that mode."""
    mode = request.get("mode", "auto")
    if mode == "hybrid" and request.get("rerank") is True:
        mode = RERANKED
    values = {own: request[name] for name, own in GIVEN.items() if name in request}
    return sdk.call("request", mode=sdk["mode"](mode), **values)


def result(one: Any) -> dict[str, Any]:
    return {key: member(one, key) for key in ("id", "path", "title", "summary", "content", "score")}


def trace(response: Any) -> dict[str, Any]:
    """The compiled query is that of the initial attempt, a row which the SDK writes for every search. The mode is what
    `sdk_request` made of the request's, undone."""
    reported = response.trace
    members = {name: getattr(reported, own) for name, own in TRACED.items() if hasattr(reported, own)}
    mode = reported.effective_mode.value
    members["mode"] = "hybrid" if mode == RERANKED else mode
    members["attempts"] = [
        {"strategy": one.reason, "query": one.query, "hits": one.chunks} for one in response.attempts
    ]
    initial = [one.query for one in response.attempts if one.reason == "initial"]
    if initial:
        members["compiledQuery"] = initial[0]
    if reported.rerank_skip_reason:
        members["rerankSkippedReason"] = reported.rerank_skip_reason
    if reported.unanimity_skipped:
        members["unanimity"] = {"agreements": reported.agreements}
    return members
