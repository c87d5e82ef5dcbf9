"""`retrieval.search`: the SDK's own pipeline between parts of ours."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

from recorder import Recorder
from scripted import Embedder, Reranker, Source, finder, texts
from sdk import OutOfReach, Sdk, fitting, member, method

RERANKED = "hybrid-rerank"
RERANK_FAILED = "rerank_failed"

# The members of a request under the contract's names.
GIVEN = {
    "query": "query",
    "questionDate": "question_date",
    "topK": "top_k",
    "candidateK": "candidate_k",
    "rerankTopN": "rerank_top_n",
    "skipRetryLadder": "skip_retry_ladder",
}

LIMITS = ("topK", "candidateK", "rerankTopN")

# The trace under the contract's names.
TRACED = {
    "bm25Count": "bm25_hits",
    "vectorCount": "vector_hits",
    "fellBackToBM25": "fell_back_to_bm25",
    "reranked": "reranked",
}


def search(sdk: Sdk, request: dict[str, Any]) -> dict[str, Any]:
    """Runs one search (the operation's request) and answers {results, trace, calls}."""
    recorder = Recorder()
    response = run(sdk, request, recorder)
    return {
        "results": [result(one) for one in response.chunks],
        "trace": trace(response, recorder),
        "calls": recorder.calls,
    }


def run(sdk: Sdk, request: dict[str, Any], recorder: Recorder) -> Any:
    """The SDK's response to the request, over the parts that it describes."""
    index, vector = request["index"], request.get("vector")
    with finder(sdk, index, recorder) as find:
        parts: dict[str, Any] = {"source": Source(sdk, find, vector or {}, index.get("chunks", []), recorder)}
        if "chunks" not in index or "trigramChunks" in request:  # else the SDK reads the source
            chunks = request.get("trigramChunks", [])
            parts["trigram_chunks"] = [sdk.make("trigram chunk", texts(chunk)) for chunk in chunks]
        if vector is not None:
            parts["embedder"] = Embedder(vector, recorder)
        if "ranking" in request:
            parts["reranker"] = Reranker(request["ranking"], recorder)
        if "aliases" in request:
            parts["aliases"] = aliases(sdk, request["aliases"])
        return retrieved(sdk, parts, sdk_request(sdk, request["request"], embedder=vector is not None), recorder)


def retrieved(sdk: Sdk, parts: dict[str, Any], request: Any, recorder: Recorder) -> Any:
    """The SDK's response. Raises `OutOfReach` after a use of a part that the part does not offer."""
    try:
        return asyncio.run(fitting(method(sdk.call("retriever", **parts), "retrieve"), request))
    finally:
        recorder.check()


def aliases(sdk: Sdk, given: dict[str, list[str]]) -> Any:
    if "aliases" not in inspect.signature(sdk["retriever"]).parameters:
        raise OutOfReach("the SDK's retriever takes no alias table")
    return sdk.call("alias table", given)


def sdk_request(sdk: Sdk, request: dict[str, Any], *, embedder: bool) -> Any:
    """The SDK's request. It has no rerank switch: it reranks in mode hybrid-rerank and nowhere else, so that an explicit
    `rerank: true` is that mode wherever the mode is hybrid, by name or as what auto means with an embedder."""
    mode = request.get("mode", "auto")
    if request.get("rerank") is True and (mode == "hybrid" or (mode == "auto" and embedder)):
        mode = RERANKED
    for name in LIMITS:
        if request.get(name) == 0 and own_default(sdk, GIVEN[name]) == 0:
            raise OutOfReach("a limit of 0 cannot be given, since the SDK reads 0 as its default")
    values = {own: request[name] for name, own in GIVEN.items() if name in request}
    return sdk.call("request", mode=sdk["mode"](mode), **values)


def own_default(sdk: Sdk, name: str) -> Any:
    """The default of this member of the SDK's request."""
    found = inspect.signature(sdk["request"]).parameters.get(name)
    return None if found is None else found.default


def result(one: Any) -> dict[str, Any]:
    return {key: member(one, key) for key in ("id", "path", "title", "summary", "content", "score")}


def trace(response: Any, recorder: Recorder) -> dict[str, Any]:
    """The SDK's trace in the contract's words. The mode is what `sdk_request` made of the request's, undone.

    The SDK reports no compiled query. It is the first one that reaches its index, or the query of the initial attempt if
    none does. The SDK has one member for the reasons not to rerank and for the failure of the reranker, an error stage.
    """
    reported = response.trace
    members = {name: getattr(reported, own) for name, own in TRACED.items() if hasattr(reported, own)}
    mode = reported.effective_mode.value
    members["mode"] = "hybrid" if mode == RERANKED else mode
    members["attempts"] = [
        {"strategy": one.reason, "query": one.query, "hits": one.chunks} for one in response.attempts
    ]
    initial = [one.query for one in response.attempts if one.reason == "initial"]
    if compiled := recorder.compiled or initial:
        members["compiledQuery"] = compiled[0]
    stage = getattr(reported, "error_stage", "")
    if reported.rerank_skip_reason == RERANK_FAILED:
        stage = stage or "rerank"
    elif reported.rerank_skip_reason:
        members["rerankSkippedReason"] = reported.rerank_skip_reason
    if stage:
        members["errorStage"] = stage
    if reported.unanimity_skipped:
        members["unanimity"] = {"agreements": reported.agreements}
    return members
