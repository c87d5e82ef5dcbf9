"""The Python adapter over a stand-in with the SDK's public names: what it refuses, and what it says in what words."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from driving import PYTHON_PACKAGE, answer, note, reason

from harness.corpus.paths import cache, shipped
from harness.transport.adapter_spec import AdapterSpec
from harness.transport.connect import connect
from harness.transport.manifest import shipped_manifests
from harness.transport.sandbox import Sandbox
from harness.transport.sync_client import SyncClient
from harness.transport.working_copy import inspect_working_copy


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SyncClient]:
    folder = tmp_path_factory.mktemp("python") / "py"
    shutil.copytree(PYTHON_PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    manifests = shipped_manifests(shipped())
    with Sandbox() as sandbox:
        copy = inspect_working_copy(manifests["python"], folder)
        connection = connect(AdapterSpec("python"), manifests, cache(), sandbox, (), copy)
        with SyncClient(connection.start(())) as conversation:
            conversation.initialize("python", seconds=60)
            yield conversation


@pytest.mark.parametrize("mode", ["hybrid", "bm25", "semantic"])
def test_a_mode_that_reranks_is_told_as_it_was_asked_for(talk: SyncClient, mode: str) -> None:
    """The SDK's mode with reranking is asked for, and told, as hybrid; any other mode under its own name."""
    told = answer(
        talk,
        "retrieval.search",
        index={"otherwise": [note("a")]},
        request={"query": "zebra", "mode": mode, "rerank": True},
        vector={"hits": []},
        ranking={"order": "reverse"},
    )
    assert (told["trace"]["mode"], told["trace"]["reranked"]) == (mode, mode == "hybrid")


def test_a_ranking_is_given_with_its_scores(talk: SyncClient) -> None:
    """The stand-in sorts what its reranker gave back by score, so the order of the hits alone is not what it ranks by."""
    results = [note(name, score=1 / rank) for rank, name in enumerate("abc", 61)]
    ranking = {"hits": [{"index": 0, "score": 0.1}, {"index": 1, "score": 0.3}, {"index": 2, "score": 0.2}]}
    told = answer(talk, "rerank.apply", results=results, topN=3, ranking=ranking)
    assert told == {"ids": ["b", "c", "a"]}


def test_an_id_that_is_not_there_does_not_reach_the_ranking(talk: SyncClient) -> None:
    """The SDK's legs name a note without an id by its path, so what the ranking does with an empty id is not shown."""
    results = [{**note("a", score=1 / 61), "id": ""}]
    assert "gets its path" in reason(talk, "rerank.apply", results=results, topN=1, ranking={"order": "reverse"})


def test_a_real_index_is_the_packages_own(talk: SyncClient) -> None:
    """It takes the query as it was asked, question mark and all, and its hits come back whole."""
    chunks = [note("a", title="A", tags=["zebra"]), note("b")]
    told = answer(talk, "retrieval.search", index={"chunks": chunks}, request={"query": "Zebra?", "mode": "bm25"})
    assert told["calls"] == [{"to": "bm25", "match": "Zebra?", "limit": 60}]
    assert told["results"] == [{**note("a", title="A"), "score": 1 / 61}]


def test_dates_are_shown_and_no_question_is_written(talk: SyncClient) -> None:
    """The dates of the hint line, none without one; a question that gets an ordering note is out of reach."""
    asked = {"question": "what was 0 days ago", "questionDate": "2026-03-14"}
    assert answer(talk, "temporal.expand", **asked) == {"dateHints": ["2026/03/14"], "resolved": True}
    assert answer(talk, "temporal.expand", question="what was") == {"dateHints": [], "resolved": False}
    assert "ordering note" in reason(talk, "temporal.expand", question="what was first 0 days ago")
