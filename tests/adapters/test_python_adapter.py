"""The Python adapter over a stand-in with the SDK's public names: what it refuses, and what it says in what words."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from driving import PYTHON_PACKAGE, answer, note, reason

from harness.corpus.paths import cache, shipped
from harness.transport.adapter_spec import AdapterSpec
from harness.transport.connect import connect
from harness.transport.manifest import shipped_manifests
from harness.transport.sandbox import Sandbox
from harness.transport.sync_client import SyncClient
from harness.transport.working_copy import inspect_working_copy


def copied(folder: Path) -> Path:
    """A copy of the stand-in package that may be changed."""
    shutil.copytree(PYTHON_PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@contextmanager
def opened(folder: Path) -> Iterator[SyncClient]:
    """The adapter over this working copy."""
    manifests = shipped_manifests(shipped())
    with Sandbox() as sandbox:
        copy = inspect_working_copy(manifests["python"], folder)
        connection = connect(AdapterSpec("python"), manifests, cache(), sandbox, (), copy)
        with SyncClient(connection.start(())) as conversation:
            conversation.initialize("python", seconds=60)
            yield conversation


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SyncClient]:
    with opened(copied(tmp_path_factory.mktemp("python") / "py")) as conversation:
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


def test_a_search_that_reranks_needs_no_mode(talk: SyncClient) -> None:
    """With an embedder, auto is hybrid, so that an explicit `rerank: true` is the SDK's mode with reranking."""
    parts = {"index": {"otherwise": [note("a"), note("b")]}, "ranking": {"order": "reverse"}}
    request = {"query": "zebra", "rerank": True}
    both = answer(talk, "retrieval.search", **parts, request=request, vector={"hits": []})
    assert (both["trace"]["mode"], both["trace"]["reranked"]) == ("hybrid", True)
    assert [one["id"] for one in both["results"]] == ["b", "a"]
    alone = answer(talk, "retrieval.search", **parts, request=request)
    assert (alone["trace"]["mode"], alone["trace"]["reranked"]) == ("bm25", False)


def test_a_scripted_index_compiles_like_the_packages_own(talk: SyncClient) -> None:
    """The retriever sends its query as it came; the script holds what the SDK's index makes of it for SQLite."""
    index = {"script": {"striped OR zebra": [note("a")]}, "otherwise": [note("b")]}
    found = answer(talk, "retrieval.search", index=index, request={"query": "Striped zebra?", "mode": "bm25"})
    assert found["calls"] == [{"to": "bm25", "match": "striped OR zebra", "limit": 60}]
    assert found["trace"]["compiledQuery"] == "striped OR zebra"
    assert found["trace"]["attempts"] == [{"strategy": "initial", "query": "Striped zebra?", "hits": 1}]
    assert [one["id"] for one in found["results"]] == ["a"]


def test_a_query_without_words_reaches_no_index(talk: SyncClient) -> None:
    """The SDK's index sends nothing to SQLite where nothing is left of a query, so no call is recorded."""
    request = {"query": "??", "mode": "bm25"}
    found = answer(talk, "retrieval.search", index={"otherwise": [note("a")]}, request=request)
    assert (found["calls"], found["trace"]["compiledQuery"], found["results"]) == ([], "", [])


@pytest.mark.parametrize(
    ("vector", "ranking", "stage"),
    [
        ({"fails": "search"}, {"order": "reverse"}, "vector"),
        ({"hits": []}, {"fails": True}, "rerank"),
        ({"hits": []}, {}, ""),
    ],
)
def test_a_stage_that_failed_is_no_reason_to_skip(
    talk: SyncClient, vector: dict[str, Any], ranking: dict[str, Any], stage: str
) -> None:
    """The trace's own error stage, and the failure of the reranker, which the SDK keeps among the reasons to skip it."""
    parts = {"vector": vector} | ({"ranking": ranking} if ranking else {})
    request = {"query": "zebra", "mode": "hybrid", "rerank": True}
    trace = answer(talk, "retrieval.search", index={"otherwise": [note("a")]}, request=request, **parts)["trace"]
    assert trace.get("errorStage", "") == stage
    assert trace.get("rerankSkippedReason", "") == ("" if ranking else "no_reranker")


def test_the_default_of_a_limit_is_the_packages_own(talk: SyncClient) -> None:
    """An observed search leaves the head's size to the SDK: this one knows a head of 0, where nothing is reranked."""
    assert answer(talk, "rerank.unanimity", bm25=["a", "b", "c"], vector=["c", "d", "b"]) == {"shortcut": None}


def test_a_limit_of_0_that_means_the_default_is_not_given(talk: SyncClient) -> None:
    """The SDK's request has 0 where it has no limit, except for the head of the reranker, where 0 is a number like any."""
    parts = {"index": {"otherwise": [note("a")]}}
    for limit in ("topK", "candidateK"):
        assert "0 as its default" in reason(talk, "retrieval.search", **parts, request={"query": "zebra", limit: 0})
    results = [note(name, score=1 / rank) for rank, name in enumerate("ab", 61)]
    kept = answer(talk, "rerank.apply", results=results, topN=0, ranking={"order": "reverse"})
    assert kept == {"ids": ["a", "b"]}


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("reranker.warm_up", "the scripted reranker has no `warm_up`"),
        ("embedder.warm_up", "the scripted embedder has no `warm_up`"),
        ("source.warm_up", "the scripted source has no `warm_up`"),
        ("source.search_bm25", "`search_bm25` of the scripted source with other parameters"),
        ("embedder.close", "does not await `close`"),
    ],
)
def test_what_a_part_does_not_offer_is_out_of_reach(talk: SyncClient, query: str, why: str) -> None:
    """A member that a part lacks, other parameters, a call that is not awaited: also where the SDK goes on regardless."""
    parts: dict[str, Any] = {
        "index": {"otherwise": [note("a")]},
        "vector": {"hits": []},
        "ranking": {"order": "reverse"},
    }
    assert why in reason(talk, "retrieval.search", **parts, request={"query": query, "mode": "hybrid"})


def test_a_question_date_and_metadata_reach_the_package(talk: SyncClient) -> None:
    """Both legs, a real index and the results to weigh carry metadata; a chunk for the trigrams has no place for it."""
    old, new = (note(date, metadata={"session_date": date}) for date in ("2026-01-01", "2026-05-01"))
    request = {"query": "about", "mode": "hybrid", "questionDate": "2026-03-01"}
    parts = {"vector": {"hits": [{**new, "similarity": 0.5}]}}
    for index in ({"otherwise": [old, new]}, {"chunks": [old, new]}):
        found = answer(talk, "retrieval.search", index=index, request=request, **parts)
        assert [one["id"] for one in found["results"]] == ["2026-01-01"]
        assert "metadata" not in found["results"][0]
    assert "metadata" in reason(talk, "retrieval.search", index={}, request=request, trigramChunks=[old])
    stale = note("a", score=1.0, metadata={"superseded_by": "b"})
    weighed = answer(talk, "intent.reweight", query="zebra", results=[stale])
    assert [one["score"] for one in weighed["results"]] == [0.18]
    assert answer(talk, "intent.multiplier", query="zebra", note=stale)["combined"] == 0.18


def test_date_tokens_need_a_public_function(talk: SyncClient, tmp_path: Path) -> None:
    """The tags that the SDK's index writes for a chunk are no tokens of an anchor; an exported function gives these."""
    reply = talk.call("temporal.dateTokens", {"value": "2026-03-14"})
    assert reply.refusal is not None and "exports no" in str(reply.refusal)
    folder = copied(tmp_path / "py")
    module = folder / "src" / "jeffs_brain_memory" / "query" / "temporal.py"
    exported = "def date_search_tokens(value):\n    return [value]\n"
    module.write_text(module.read_text("utf-8") + exported, "utf-8")
    with opened(folder) as exporting:
        assert answer(exporting, "temporal.dateTokens", value="2026-03-14") == {"tokens": ["2026-03-14"]}


def test_a_real_index_is_the_packages_own(talk: SyncClient) -> None:
    """It takes the query as it was asked, question mark and all, and its hits come back whole."""
    chunks = [note("a", title="A", tags=["zebra"]), note("b")]
    told = answer(talk, "retrieval.search", index={"chunks": chunks}, request={"query": "Zebra?", "mode": "bm25"})
    assert told["calls"] == [{"to": "bm25", "match": "zebra", "limit": 60}]
    assert told["results"] == [{**note("a", title="A"), "score": 1 / 61}]


def test_dates_are_shown_and_no_question_is_written(talk: SyncClient) -> None:
    """The dates of the hint line, none without one; a word that gets an ordering note changes neither."""
    asked = {"question": "what was first 0 days ago", "questionDate": "2026-03-14"}
    assert answer(talk, "temporal.expand", **asked) == {"dateHints": ["2026/03/14"], "resolved": True}
    for anchor in ({}, {"questionDate": "soon"}, {"questionDate": "2026-03-14"}):
        unresolved = answer(talk, "temporal.expand", question="what was first", **anchor)
        assert unresolved == {"dateHints": [], "resolved": False}
