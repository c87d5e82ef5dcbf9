"""The Go adapter over a stand-in with the SDK's public names: what it refuses, and what it says in the contract's words."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from driving import GO_MODULE, answer, note, reason

from harness.asking.conversation import Conversation
from harness.connections.environment import Surroundings
from harness.connections.manifest import shipped_manifests
from harness.connections.naming import Chosen
from harness.connections.starting import connect
from harness.connections.working_copy import look_at
from harness.places import cache, shipped


@pytest.fixture(scope="module")
def talk() -> Iterator[Conversation]:
    if shutil.which("go") is None:
        pytest.skip("go is not on PATH")
    manifests = shipped_manifests(shipped())
    with Surroundings() as surroundings:
        copy = look_at(manifests["go"], GO_MODULE)
        connection = connect(Chosen("go"), manifests, cache(), surroundings, (), copy)
        with Conversation(connection.start(())) as conversation:
            conversation.initialize("go", seconds=60)
            yield conversation


def test_a_mode_that_reranks_is_told_as_it_was_asked_for(talk: Conversation) -> None:
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


def test_an_id_that_is_not_there_does_not_reach_the_ranking(talk: Conversation) -> None:
    """The SDK's legs name a note without an id by its path, so what is done with an empty id is not shown."""
    nameless = {**note("a"), "id": ""}
    assert "takes the path" in reason(talk, "fusion.rrf", lists=[[nameless], [note("b")]])
    assert "takes the path" in reason(talk, "fusion.rrf", lists=[[note("b")], [nameless]])
    results = [{**nameless, "score": 1 / 61}]
    assert "takes the path" in reason(talk, "intent.reweight", query="zebra", results=results)
    ranking = {"order": "reverse"}
    assert "takes the path" in reason(talk, "rerank.apply", results=results, topN=1, ranking=ranking)


def test_results_that_a_later_pass_removed_are_no_answer(talk: Conversation) -> None:
    """Equal texts are one result to the SDK, whether or not the reranker answers."""
    results = [note("a", content="same", score=1 / 61), note("b", content="same", score=1 / 62)]
    for ranking in ({"order": "reverse"}, {"fails": True}):
        assert "removed results" in reason(talk, "rerank.apply", results=results, topN=2, ranking=ranking)
    assert "removed results" in reason(talk, "intent.reweight", query="zebra", results=results)
    assert "removed results" in reason(talk, "trigram.search", chunks=results, tokens=["zebra"], limit=5)


def test_hits_that_a_later_pass_weights_are_no_answer(talk: Conversation) -> None:
    """The order of the trigram rung shows only while its hits keep the scores of their ranks."""
    chunks = [note("a"), note("b")]
    hits = answer(talk, "trigram.search", chunks=chunks, tokens=["zebra"], limit=5)["hits"]
    assert [hit["id"] for hit in hits] == ["a", "b"]
    assert "weights these hits" in reason(talk, "trigram.search", chunks=chunks, tokens=["latest"], limit=5)
