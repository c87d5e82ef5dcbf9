"""The Go adapter over a stand-in with the SDK's public names: what it refuses, and what it says in the contract's words."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from driving import GO_MODULE, answer, note, reason

from harness.corpus.paths import cache, shipped
from harness.transport.adapter_spec import AdapterSpec
from harness.transport.connect import connect
from harness.transport.manifest import shipped_manifests
from harness.transport.sandbox import Sandbox
from harness.transport.sync_client import SyncClient
from harness.transport.working_copy import inspect_working_copy

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def talk() -> Iterator[SyncClient]:
    if shutil.which("go") is None:
        pytest.skip("go is not on PATH")
    manifests = shipped_manifests(shipped())
    with Sandbox() as sandbox:
        copy = inspect_working_copy(manifests["go"], GO_MODULE)
        connection = connect(AdapterSpec("go"), manifests, cache(), sandbox, (), copy)
        with SyncClient(connection.start(())) as conversation:
            conversation.initialize("go", seconds=60)
            yield conversation


def test_a_mode_that_reranks_is_told_as_it_was_asked_for(talk: SyncClient) -> None:
    """The SDK's mode with reranking is asked for, and told, as hybrid; any other mode under its own name."""
    index = {"otherwise": [note("a")]}
    vector: dict[str, Any] = {"hits": []}
    for mode in ("hybrid", "bm25", "semantic"):
        request = {"query": "zebra", "mode": mode, "rerank": True}
        told = answer(talk, "retrieval.search", index=index, request=request, vector=vector)
        assert told["trace"]["mode"] == mode
    reranked = {"query": "zebra", "mode": "hybrid", "rerank": True}
    told = answer(talk, "retrieval.search", index=index, request=reranked, vector=vector, ranking={"order": "reverse"})
    assert (told["trace"]["mode"], told["trace"]["reranked"]) == ("hybrid", True)


def test_an_id_that_is_not_there_does_not_reach_the_ranking(talk: SyncClient) -> None:
    """The SDK's legs name a note without an id by its path, so what is done with an empty id is not shown."""
    nameless = {**note("a"), "id": ""}
    assert "takes the path" in reason(talk, "fusion.rrf", lists=[[nameless], [note("b")]])
    assert "takes the path" in reason(talk, "fusion.rrf", lists=[[note("b")], [nameless]])
    results = [{**nameless, "score": 1 / 61}]
    assert "takes the path" in reason(talk, "intent.reweight", query="zebra", results=results)
    ranking = {"order": "reverse"}
    assert "takes the path" in reason(talk, "rerank.apply", results=results, topN=1, ranking=ranking)


def test_results_that_a_later_pass_removed_are_no_answer(talk: SyncClient) -> None:
    """Equal texts are one result to the SDK, whether or not the reranker answers."""
    results = [note("a", content="same", score=1 / 61), note("b", content="same", score=1 / 62)]
    for ranking in ({"order": "reverse"}, {"fails": True}):
        assert "removed results" in reason(talk, "rerank.apply", results=results, topN=2, ranking=ranking)
    assert "removed results" in reason(talk, "intent.reweight", query="zebra", results=results)
    assert "removed results" in reason(talk, "trigram.search", chunks=results, tokens=["zebra"], limit=5)


def test_hits_that_a_later_pass_weights_are_no_answer(talk: SyncClient) -> None:
    """The order of the trigram rung shows only while its hits keep the scores of their ranks."""
    chunks = [note("a"), note("b")]
    hits = answer(talk, "trigram.search", chunks=chunks, tokens=["zebra"], limit=5)["hits"]
    assert [hit["id"] for hit in hits] == ["a", "b"]
    assert "weights these hits" in reason(talk, "trigram.search", chunks=chunks, tokens=["latest"], limit=5)
