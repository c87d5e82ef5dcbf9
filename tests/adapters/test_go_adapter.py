"""The Go adapter over a stand-in with the SDK's public names: the requests it refuses, and how it translates."""

from __future__ import annotations

import re
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

REVERSE = {"order": "reverse"}
MODULE = "github.com/jeffs-brain/memory/go"


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


def search(talk: SyncClient, query: str, *notes: Any, request: dict[str, Any] | None = None, **others: Any) -> Any:
    """The answer of `retrieval.search` over an index that finds `notes`, whatever the query is."""
    index = {"script": {}, "otherwise": list(notes)}
    return answer(talk, "retrieval.search", index=index, request={"query": query, **(request or {})}, **others)


def refusal(talk: SyncClient, query: str, *notes: Any, request: dict[str, Any] | None = None, **others: Any) -> str:
    """The reason why the same search is out of reach."""
    index = {"script": {}, "otherwise": list(notes)}
    return reason(talk, "retrieval.search", index=index, request={"query": query, **(request or {})}, **others)


def matches(talk: SyncClient, pattern: str, text: str) -> bool:
    found = answer(talk, "intent.matches", pattern=pattern, text=text)
    assert list(found) == ["matches"]
    return bool(found["matches"])


def test_a_mode_that_reranks_is_reported_as_requested(talk: SyncClient) -> None:
    """The SDK's mode with reranking is requested and reported as hybrid; any other mode under its own name."""
    for mode in ("hybrid", "bm25", "semantic"):
        found = search(talk, "zebra", note("a"), request={"mode": mode, "rerank": True}, vector={"hits": []})
        assert found["trace"]["mode"] == mode
    request = {"mode": "hybrid", "rerank": True}
    found = search(talk, "zebra", note("a"), request=request, vector={"hits": []}, ranking=REVERSE)
    assert (found["trace"]["mode"], found["trace"]["reranked"]) == ("hybrid", True)


@pytest.mark.parametrize("mode", [{}, {"mode": "auto"}], ids=["absent", "auto"])
def test_an_automatic_mode_reranks_on_request(talk: SyncClient, mode: dict[str, str]) -> None:
    """With an embedder and a reranker, `rerank: true` reaches the SDK in mode auto too; without one, mode auto stays."""
    both = {"vector": {"hits": []}, "ranking": REVERSE}
    reranked = search(talk, "zebra", note("a"), note("b"), request={**mode, "rerank": True}, **both)["trace"]
    assert (reranked["reranked"], reranked["mode"]) == (True, "hybrid")
    assert "rerankSkippedReason" not in reranked
    for request, parts in (({"rerank": True}, {"ranking": REVERSE}), ({"rerank": False}, both), ({}, both)):
        trace = search(talk, "zebra", note("a"), request={**mode, **request}, **parts)["trace"]
        assert (trace["reranked"], trace["rerankSkippedReason"]) == (False, "mode_off")


def test_a_failed_stage_is_an_error_stage(talk: SyncClient) -> None:
    """A reranker or a vector leg that failed is no reason for skipping; the earlier of two stages is reported."""
    request = {"mode": "hybrid", "rerank": True}
    failed = search(talk, "zebra", note("a"), request=request, vector={"hits": []}, ranking={"fails": True})["trace"]
    assert (failed["errorStage"], failed["reranked"]) == ("rerank", False)
    assert "rerankSkippedReason" not in failed
    for ranking in (REVERSE, {"fails": True}):
        vector = search(talk, "zebra", note("a"), request=request, vector={"fails": "embed"}, ranking=ranking)["trace"]
        assert vector["errorStage"] == "vector"
    assert "errorStage" not in search(talk, "zebra", note("a"), request=request, vector={"hits": []})["trace"]


def test_a_real_index_holds_any_path(talk: SyncClient) -> None:
    """A real index is a table behind the SDK's source, so the SDK's own rules for paths do not apply, nor for ids."""
    chunks = [
        {**note("fact"), "path": "memory/project/user-fact-bicycle.md", "content": "a green bicycle"},
        {**note("first"), "path": "wiki/same.md", "content": "a bicycle"},
        {**note("second"), "path": "wiki/same.md", "content": "a tricycle", "tags": ["three", "wheels"]},
    ]
    index: dict[str, Any] = {"chunks": chunks}
    found = answer(talk, "retrieval.search", index=index, request={"query": "bicycle"})
    assert [result["id"] for result in found["results"]] == ["fact", "first"]
    tagged = answer(talk, "retrieval.search", index=index, request={"query": "wheels"})
    assert [result["id"] for result in tagged["results"]] == ["second"]
    fuzzy = answer(talk, "retrieval.search", index=index, request={"query": "zebra"})
    assert [result["id"] for result in fuzzy["results"]] == ["fact", "first", "second"]
    refused = talk.call("retrieval.search", {"index": index, "request": {"query": "NOT"}}).refusal
    assert refused is not None
    assert (refused.code, refused.message) == (-32000, "fts5: syntax error")


@pytest.mark.parametrize("limit", ["topK", "candidateK", "rerankTopN"])
def test_a_limit_of_zero_is_out_of_reach(talk: SyncClient, limit: str) -> None:
    """The SDK reads 0 as an absent limit, so that a request with an explicit 0 cannot be made."""
    assert f"a {limit} of 0" in refusal(talk, "zebra", note("a"), request={limit: 0})
    assert len(search(talk, "zebra", note("a"), request={limit: 1})["results"]) == 1
    assert "a topN of 0" in reason(talk, "rerank.apply", results=[{**note("a"), "score": 1}], topN=0, ranking=REVERSE)


def test_an_observed_score_is_older_than_the_later_passes(talk: SyncClient) -> None:
    """A weight and an order are those that the reranker sees, before the SDK weights by date or drops equal texts."""
    guide = {"path": "wiki/zoo.md", "title": "", "summary": "", "content": "A guide."}
    assert answer(talk, "intent.multiplier", query="recommend the latest", note=guide) == {"combined": 0.82}
    assert answer(talk, "intent.multiplier", query="the latest", note=guide) == {"combined": 1}
    same = [note("a", content="same", score=1 / 61), note("b", content="same", score=1 / 62)]
    found = answer(talk, "intent.reweight", query="the latest", results=same)["results"]
    assert [(result["id"], result["score"]) for result in found] == [("a", 1 / 61), ("b", 1 / 62)]
    fused = answer(talk, "fusion.rrf", lists=[[note("a", content="same")], [note("b", content="same")]])["results"]
    assert [result["id"] for result in fused] == ["a", "b"]


def test_a_pattern_shows_where_it_decides_alone(talk: SyncClient) -> None:
    """Intents of the trace show the patterns of queries, and weights of a note the patterns of notes."""
    expected = {
        ("PREFERENCE_QUERY_RE", "recommend"): True,
        ("PREFERENCE_QUERY_RE", "zebra"): False,
        ("ENUMERATION_OR_TOTAL_QUERY_RE", "zebra"): False,
        ("FIRST_PERSON_FACT_LOOKUP_RE", "did i"): True,
        ("FIRST_PERSON_FACT_LOOKUP_RE", "did you"): False,
        ("FACT_LOOKUP_VERB_RE", "bought"): True,
        ("FACT_LOOKUP_VERB_RE", "buy"): False,
        ("PREFERENCE_NOTE_RE", "she likes it"): True,
        ("PREFERENCE_NOTE_RE", "a recap"): False,
        ("GENERIC_NOTE_RE", "a guide"): True,
        ("GENERIC_NOTE_RE", "zebra"): False,
        ("ROLLUP_NOTE_RE", "a recap"): True,
        ("ROLLUP_NOTE_RE", "a guide"): False,
        ("ATOMIC_EVENT_NOTE_RE", "then I bought it"): True,
        ("ATOMIC_EVENT_NOTE_RE", "[day: 1]"): False,
        ("DATE_TAG_RE", "[date: 1]"): True,
        ("DATE_TAG_RE", "date: 1"): False,
    }
    assert {key: matches(talk, *key) for key in expected} == expected


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("ENUMERATION_OR_TOTAL_QUERY_RE", "count"),
        ("FACT_LOOKUP_VERB_RE", "count"),
        ("FIRST_PERSON_FACT_LOOKUP_RE", "list"),
        ("DATE_TAG_RE", "then i bought it [there]"),
        ("DATE_TAG_RE", "then i bought it"),
        ("ATOMIC_EVENT_NOTE_RE", "[date: 1]"),
        ("ROLLUP_NOTE_RE", "she likes a guide"),
        ("GENERIC_NOTE_RE", "trac\u212aer"),
    ],
)
def test_a_pattern_that_does_not_decide_alone_is_out_of_reach(talk: SyncClient, pattern: str, text: str) -> None:
    """An intent or a weight that another pattern explains, or lowercasing, shows no single pattern."""
    assert reason(talk, "intent.matches", pattern=pattern, text=text)


def test_the_strongest_term_is_the_token_that_compiles_to_its_rung(talk: SyncClient) -> None:
    """A term that the compiler drops shows where it is the only such token; several such tokens show none."""
    assert answer(talk, "retry.strongestTerm", query="not") == {"term": "not"}
    assert answer(talk, "retry.strongestTerm", query="zebra not") == {"term": "zebra"}
    assert "that of 2 tokens" in reason(talk, "retry.strongestTerm", query="not nor")
    assert answer(talk, "retry.strongestTerm", query="") == {"term": None}


def test_the_first_match_string_is_the_compiled_query(talk: SyncClient) -> None:
    """The SDK joins the match strings of a rung for its display; what it sent first is the query of that rung."""
    found = search(talk, "apples and pears", note("a"))
    assert [call["match"] for call in found["calls"]] == ["apples", "pears"]
    assert (found["trace"]["compiledQuery"], found["trace"]["attempts"][0]["query"]) == ("apples", "apples")
    assert found["trace"]["extra"]["attempts"][0]["Query"] == "apples || pears"
    assert search(talk, "apples || pears", note("a"))["trace"]["compiledQuery"] == "apples || pears"


def test_a_date_in_a_year_that_no_hint_holds_is_out_of_reach(talk: SyncClient) -> None:
    """Such a date has no hint whether or not the SDK understood it; any other without a hint was not understood."""
    for value in ("+012026-04-18", "+010000-01-01T00:00:00Z", "-000001-12-31", "+275760-09-13T00:00:00Z"):
        assert "no date hint holds a year" in reason(talk, "temporal.parseDate", value=value)
    for value in ("+002026-04", "-000000-01-01", "+00202", "tomorrow"):
        assert answer(talk, "temporal.parseDate", value=value) == {"instant": None}
    assert "never the instant" in reason(talk, "temporal.parseDate", value="2026-04-18")


@pytest.mark.parametrize(
    ("query", "method"),
    [("tagged", "scriptedSource.Tagged"), ("warm", "scriptedReranker.Warm"), ("model", "scriptedEmbedder.Model")],
)
def test_a_method_that_the_adapter_lacks_is_out_of_reach(talk: SyncClient, query: str, method: str) -> None:
    """An SDK that calls a member of the index, reranker or embedder that the adapter does not offer is not at fault."""
    request = {"mode": "hybrid", "rerank": True}
    assert method in refusal(talk, query, note("a"), request=request, vector={"hits": []}, ranking=REVERSE)
    crashed = talk.call("query.parse", {"query": "panic"}).refusal
    assert crashed is not None
    assert (crashed.code, crashed.message) == (-32000, "panic: stub panic")


def test_the_stack_of_a_panic_has_the_frames_of_the_sdk(talk: SyncClient) -> None:
    """The raised place comes first, by its path inside the SDK; the adapter's own frames are left out."""
    crashed = talk.call("query.parse", {"query": "panic"}).refusal
    assert crashed is not None
    first, *others = str(crashed.data["stack"]).splitlines()
    assert first == f"{MODULE}/search.Parse"
    assert [re.sub(r":\d+$", "", line) for line in others] == ["\tsearch/search.go"]


def test_a_filter_that_the_index_does_not_offer_is_out_of_reach(talk: SyncClient) -> None:
    """The index has no scope to narrow a search by; the bounds that the SDK derives from the question date are ignored."""
    assert "by Scope" in refusal(talk, "raw", note("a"))
    found = search(talk, "zebra", note("a"), request={"questionDate": "2026-04-18"})
    assert [call["match"] for call in found["calls"]] == ["zebra 2026-04-18"]
    assert [result["id"] for result in found["results"]] == ["a"]


def test_metadata_reaches_the_sdk_through_the_rows_of_its_source(talk: SyncClient) -> None:
    """The SDK reads metadata by path; a key without a column, a session, and two values of a path are out of reach."""
    dated = {**note("a"), "metadata": {"observed_on": "2026-04-18"}}
    camel = {**note("a"), "metadata": {"observedOn": "2026-04-18"}}
    for one in (dated, camel):
        assert [result["score"] for result in search(talk, "zebra", one, note("b"))["results"]] == [0.5 / 61, 1 / 62]
    plain = {key: value for key, value in dated.items() if key != "id"}
    assert answer(talk, "intent.multiplier", query="zebra", note=plain) == {"combined": 0.5}
    results = [{**dated, "score": 1 / 61}]
    assert answer(talk, "intent.reweight", query="zebra", results=results)["results"][0]["score"] == 0.5 / 61
    for key in ("superseded_by", "session_id", "content"):
        assert f'"{key}"' in refusal(talk, "zebra", {**note("a"), "metadata": {key: "x"}})
    assert "differ" in refusal(talk, "zebra", dated, {**note("b"), "path": dated["path"]})
    assert "has none" in refusal(talk, "zebra", {**dated, "path": ""})


def test_a_byte_that_is_no_text_is_a_lone_surrogate(talk: SyncClient) -> None:
    """A text that ends within a character keeps the byte; other characters stay as they are."""
    assert answer(talk, "rerank.documentText", title="", summary="", content="aa\u00e9") == {"text": "aa\udcc3"}
    assert answer(talk, "rerank.documentText", title="<", summary="", content="\u00e9") == {"text": "<\u00e9"}
    assert answer(talk, "rerank.documentText", title="\ufffd", summary="", content="") == {"text": "\ufffd"}


def test_an_absent_id_does_not_reach_the_ranking(talk: SyncClient) -> None:
    """The SDK's legs name a note without an id by its path. Fusion is asked all the same: it is about ids."""
    nameless = {**note("a"), "id": ""}
    assert [one["id"] for one in answer(talk, "fusion.rrf", lists=[[nameless], [note("b")]])["results"]] == ["", "b"]
    results = [{**nameless, "score": 1 / 61}]
    assert "takes the path" in reason(talk, "intent.reweight", query="zebra", results=results)
    assert "takes the path" in reason(talk, "rerank.apply", results=results, topN=1, ranking=REVERSE)


def test_results_that_a_later_pass_removed_are_no_answer(talk: SyncClient) -> None:
    """Equal texts are one result to the SDK, whether or not the reranker answers."""
    results = [note("a", content="same", score=1 / 61), note("b", content="same", score=1 / 62)]
    for ranking in (REVERSE, {"fails": True}):
        assert "removed results" in reason(talk, "rerank.apply", results=results, topN=2, ranking=ranking)
    assert "removed results" in reason(talk, "trigram.search", chunks=results, tokens=["zebra"], limit=5)


def test_hits_that_a_later_pass_weights_are_no_answer(talk: SyncClient) -> None:
    """The order of the trigram rung shows only while its hits keep the scores of their ranks."""
    chunks = [note("a"), note("b")]
    hits = answer(talk, "trigram.search", chunks=chunks, tokens=["zebra"], limit=5)["hits"]
    assert [hit["id"] for hit in hits] == ["a", "b"]
    assert "weights these hits" in reason(talk, "trigram.search", chunks=chunks, tokens=["latest"], limit=5)


def test_the_release_is_pinned_with_its_sums() -> None:
    """The build of the release changes no pin: each required module has its sums, and the build reads them only."""
    manifest = shipped_manifests(shipped())["go"]
    folder = shipped() / "adapters" / "go"
    required = set(re.findall(r"^(?:require|\t)\s*(\S+ v\S+)", (folder / "go.mod").read_text("utf-8"), re.MULTILINE))
    sums = {line.rsplit(" ", 1)[0] for line in (folder / "go.sum").read_text("utf-8").splitlines()}
    assert f"{MODULE} v0.3.0" in required
    assert len(required) == 14
    assert required | {f"{one}/go.mod" for one in required} <= sums
    assert manifest.build is not None
    assert manifest.sdk is not None
    assert {"go.mod", "go.sum"} <= set(manifest.build.inputs)
    assert {"GONOPROXY", "GONOSUMDB", "GOPRIVATE"} <= set(manifest.build.environment)
    assert "-mod=readonly" in manifest.build.steps[-1]
    assert "-mod=mod" in manifest.sdk.steps[-1]
    assert re.findall(r"^require (.+)$", (folder / "sdk.mod").read_text("utf-8"), re.MULTILINE) == [f"{MODULE} v0.3.0"]
