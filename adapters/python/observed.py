"""Operations that the SDK keeps to itself, read off a search with parts chosen so that only the operation shows."""

from __future__ import annotations

from typing import Any

from recorder import Recorder
from retrieval import result, retrieved, sdk_request
from scripted import Embedder, Reranker, Source
from sdk import OutOfReach, Sdk

PIPELINE = ("retriever", "request", "mode", "BM25 hit", "vector hit", "trigram chunk")
NO_INTENT = "zebra"


def hybrid(sdk: Sdk, bm25: list[Any], vector: list[Any], ranking: dict[str, Any], **limits: int) -> Any:
    """Both legs over these lists, with this ranking, without the ladder."""
    recorder = Recorder()
    parts = {
        "source": Source(sdk, lambda _query, limit: bm25[:limit], {"hits": vector}, [], recorder),
        "embedder": Embedder({}, recorder),
        "reranker": Reranker(ranking, recorder),
        "trigram_chunks": [],
    }
    request = {
        "query": NO_INTENT,
        "mode": "hybrid",
        "rerank": True,
        "skipRetryLadder": True,
        # A ranking that repeats documents makes the list longer.
        "topK": len(bm25) + len(vector) + len(ranking.get("hits", ())) + 1,
        "candidateK": max(len(bm25), len(vector)) + 1,
        **limits,
    }
    return retrieved(sdk, parts, sdk_request(sdk, request, embedder=True), recorder)


def unanimity(sdk: Sdk, request: dict[str, Any]) -> dict[str, Any]:
    """The trace shows whether the shortcut was taken, and the number of agreements."""
    if request.get("agreeMin", 2) != 2:
        raise OutOfReach("agreeMin cannot be set; it is 2")
    bm25, vector = ([named(id_) for id_ in request[leg]] for leg in ("bm25", "vector"))
    found = hybrid(sdk, bm25, vector, {"order": "reverse"}).trace
    if found.unanimity_skipped:
        return {"shortcut": {"agreements": found.agreements}}
    if found.reranked:
        return {"shortcut": None}
    raise OutOfReach(f"the shortcut is not consulted: {found.rerank_skip_reason}")


def named(id_: str) -> dict[str, Any]:
    """A hit of this id; the path is the id too, since the SDK takes the path for the id of a hit without one."""
    return {"id": id_, "path": id_, "title": "", "summary": "", "content": "", "similarity": 0.5}


def apply_ranking(sdk: Sdk, request: dict[str, Any]) -> dict[str, Any]:
    """The results are the only list of a search, so that fusion keeps their order."""
    if any(one["path"] and not one["id"] for one in request["results"]):
        raise OutOfReach("a hit without an id gets its path for one before the reranker sees it")
    response = hybrid(sdk, request["results"], [], request["ranking"], rerankTopN=request["topN"])
    if response.trace.fused_hits != len(request["results"]):
        raise OutOfReach("fusion merges or skips these ids before the reranker sees them")
    return {"ids": [result(one)["id"] for one in response.chunks]}
