"""The whole pipeline, driven by requests as the wire brings them: scripted parts and a real SQLite index."""

from typing import Any

import pytest

from reference_impl.observer import Step, observing
from reference_impl.wire.jeffs_brain.algorithms import OPERATIONS

Json = dict[str, Any]


def chunk(id_: str, path: str = "", **texts: Any) -> Json:
    return {"id": id_, "path": path or f"wiki/{id_}.md", "title": "", "summary": "", "content": "", **texts}


def search(query: str, *, index: Json, settings: Json | None = None, **more: Any) -> Json:
    request = {"index": index, "request": {"query": query, **(settings or {})}, **more}
    return OPERATIONS["retrieval.search"](request)


def vectors(*ids: str) -> Json:
    return {"hits": [{**chunk(id_), "similarity": 0.9 - place / 10} for place, id_ in enumerate(ids)]}


def ids(answer: Json) -> list[str]:
    return [result["id"] for result in answer["results"]]


ABC = {"script": {"zebra": [chunk("a"), chunk("b"), chunk("c")]}}


def test_bm25_alone() -> None:
    """Without an embedder the BM25 leg is scored by its ranks, and the trace says what happened."""
    answer = search("zebra", index=ABC)
    assert answer["results"] == [
        {**chunk(id_), "score": 1 / (61 + rank), "bm25Rank": rank} for rank, id_ in enumerate("abc")
    ]
    assert answer["trace"] == {
        "mode": "bm25",
        "compiledQuery": "zebra",
        "bm25Count": 3,
        "vectorCount": 0,
        "fellBackToBM25": False,
        "reranked": False,
        "rerankSkippedReason": "no_reranker",
        "attempts": [{"strategy": "initial", "query": "zebra", "hits": 3}],
    }
    assert answer["calls"] == [{"to": "bm25", "match": "zebra", "limit": 60}]
    assert answer["timed"] == ["bm25", "vector"]


@pytest.mark.parametrize(
    ("mode", "vector", "wanted"),
    [
        (None, None, ("bm25", False)),
        ("auto", None, ("bm25", False)),
        ("hybrid", None, ("bm25", True)),
        ("semantic", None, ("bm25", True)),
        ("bm25", None, ("bm25", False)),
        (None, vectors("c"), ("hybrid", False)),
        ("auto", {"embedding": []}, ("hybrid", False)),
        ("semantic", vectors("c"), ("semantic", False)),
        ("bm25", vectors("c"), ("bm25", False)),
    ],
)
def test_modes(mode: str | None, vector: Json | None, wanted: tuple[str, bool]) -> None:
    """The mode follows the request and the embedder's presence; only a named mode is said to fall back."""
    more = {} if vector is None else {"vector": vector}
    trace = search("zebra", index=ABC, settings={"mode": mode} if mode else {}, **more)["trace"]
    assert (trace["mode"], trace["fellBackToBM25"]) == wanted


def test_hybrid_fuses_both_legs() -> None:
    """A document of both legs has both marks and the sum of both contributions."""
    answer = search("zebra", index=ABC, vector=vectors("c", "d"))
    assert ids(answer) == ["c", "a", "b", "d"]
    assert answer["results"][0] == {**chunk("c"), "score": 1 / 63 + 1 / 61, "bm25Rank": 2, "vectorSimilarity": 0.9}
    assert [call["to"] for call in answer["calls"]] == ["bm25", "embed", "vector"]


def test_semantic_runs_the_ladder_but_ranks_vectors() -> None:
    """In semantic mode the BM25 leg still runs, and only the vector leg is ranked."""
    answer = search("zebra", index={"script": {}}, settings={"mode": "semantic"}, vector=vectors("d"))
    assert ids(answer) == ["d"]
    assert "bm25Rank" not in answer["results"][0]
    assert len(answer["trace"]["attempts"]) == 4


def test_empty_embedding_asks_no_vectors() -> None:
    """An empty embedding is embedded once and searched never."""
    answer = search("Zebra", index=ABC, vector={"embedding": []})
    assert answer["calls"][1:] == [{"to": "embed", "texts": ["Zebra"]}]


def test_question_date_and_metadata_have_no_effect() -> None:
    """A search reads neither the date of the question nor the metadata of a chunk, as the pipeline has no such step."""
    plain = search("zebra 2 weeks ago", index={"script": {}, "otherwise": [chunk("a"), chunk("b")]})
    stored = [chunk("a", metadata={"superseded_by": "b", "session_date": "2027-01-01"}), chunk("b")]
    dated = search(
        "zebra 2 weeks ago", index={"script": {}, "otherwise": stored}, settings={"questionDate": "2026-04-18"}
    )
    assert dated == plain
    assert ids(dated) == ["a", "b"]


def test_chunks_of_one_file_do_not_agree() -> None:
    """The shortcut compares ids, so two chunks with one path in one place are no agreement."""
    index = {"script": {"zebra": [chunk("a1", "a.md"), chunk("b1", "b.md"), chunk("c")]}}
    hits = [chunk("a2", "a.md"), chunk("b2", "b.md"), chunk("c")]
    vector = {"hits": [{**hit, "similarity": 0.9 - place / 10} for place, hit in enumerate(hits)]}
    trace = search("zebra", index=index, vector=vector, ranking={"order": "reverse"})["trace"]
    assert trace["reranked"] is True
    assert "unanimity" not in trace


def test_ladder_rungs_compile_their_text() -> None:
    """A rung's text is compiled as a query is, while its row shows the text."""
    answer = search("title:Foo", index={"script": {"title OR foo": [chunk("a")]}})
    assert answer["trace"]["compiledQuery"] == "titlefoo"
    assert [(row["strategy"], row["query"], row["hits"]) for row in answer["trace"]["attempts"]] == [
        ("initial", "titlefoo", 0),
        ("strongest_term", "title", 0),
        ("refreshed_sanitised", "title Foo", 1),
    ]
    assert answer["results"][0]["bm25Rank"] == 0


def test_aliases_reach_the_rungs_and_expand_once() -> None:
    """Aliases are applied to the query and to a rung's text, once each."""
    aliases = {"k8s": ["kubernetes"], "kubernetes": ["orchestrator"]}
    answer = search("k8s!", index={"script": {}}, aliases=aliases)
    assert {call["match"] for call in answer["calls"]} == {"kubernetes"}


def test_empty_expression_asks_no_index() -> None:
    """A query that compiles to nothing has its rows, and the index is not asked."""
    answer = search(
        "to do list", index={"script": {}, "otherwise": [chunk("a")]}, trigramChunks=[chunk("t", "list.md")]
    )
    assert answer["calls"] == []
    assert [(row["strategy"], row["query"], row["hits"]) for row in answer["trace"]["attempts"]] == [
        ("initial", "", 0),
        ("strongest_term", "list", 0),
        ("refreshed_sanitised", "to do list", 0),
        ("refreshed_strongest", "list", 0),
        ("trigram_fuzzy", "list", 1),
    ]
    assert ids(answer) == ["t"]


def test_skipped_ladder() -> None:
    """With skipRetryLadder there is the initial row alone."""
    answer = search("zebra!", index={"script": {}}, settings={"skipRetryLadder": True})
    assert answer["trace"]["attempts"] == [{"strategy": "initial", "query": "zebra", "hits": 0}]
    assert answer["trace"]["rerankSkippedReason"] == "empty_candidates"


def test_initial_failure_skips_the_ladder() -> None:
    """An index that raises at once leaves no rows, names its stage, and the vector leg answers."""
    answer = search("zebra!", index={"script": {}, "fails": True}, vector=vectors("d"))
    assert answer["trace"]["errorStage"] == "bm25"
    assert answer["trace"]["attempts"] == []
    assert ids(answer) == ["d"]


def test_failing_rung_keeps_the_rows_before_it() -> None:
    """A rung that raises ends the ladder after the rows that were there."""
    answer = search("zebra, quagga!", index={"script": {}, "fails": ["quagga"]})
    assert [row["strategy"] for row in answer["trace"]["attempts"]] == ["initial"]
    assert answer["trace"]["errorStage"] == "bm25"


@pytest.mark.parametrize(("stage", "asked"), [("embed", ["bm25", "embed"]), ("search", ["bm25", "embed", "vector"])])
def test_failing_vector_leg(stage: str, asked: list[str]) -> None:
    """A vector leg that raises is empty and named, and BM25 answers."""
    answer = search("zebra", index=ABC, vector={"fails": stage})
    assert answer["trace"]["errorStage"] == "vector"
    assert [call["to"] for call in answer["calls"]] == asked
    assert ids(answer) == ["a", "b", "c"]


def test_reranked_head_and_tail() -> None:
    """The reranker sees the head's texts and the raw query, and the tail stays behind its answer."""
    answer = search("Zebra", index=ABC, settings={"rerankTopN": 2}, ranking={"order": "reverse"})
    assert ids(answer) == ["b", "a", "c"]
    assert [result.get("rerankScore") for result in answer["results"]] == [2, 1, None]
    documents = [{"id": "a", "text": ""}, {"id": "b", "text": ""}]
    assert answer["calls"][1] == {"to": "rerank", "query": "Zebra", "documents": documents}
    assert answer["trace"]["reranked"] is True
    assert "rerankSkippedReason" not in answer["trace"]


@pytest.mark.parametrize(
    ("index", "settings", "more", "wanted"),
    [
        ({"script": {}}, {"rerank": False}, {}, "empty_candidates"),
        (ABC, {"rerank": False}, {}, "mode_off"),
        (ABC, {}, {}, "no_reranker"),
        (ABC, {}, {"ranking": {"order": "reverse"}, "vector": vectors("a", "b", "d")}, "unanimity"),
    ],
)
def test_reasons_not_to_rerank(index: Json, settings: Json, more: Json, wanted: str) -> None:
    """The reason is the first that holds: no candidates, turned off, no reranker, unanimity."""
    answer = search("zebra", index=index, settings=settings, **more)
    assert answer["trace"]["rerankSkippedReason"] == wanted
    assert answer["trace"].get("unanimity") == ({"agreements": 2} if wanted == "unanimity" else None)
    assert "rerank" not in [call["to"] for call in answer["calls"]]


def test_failing_reranker() -> None:
    """A reranker that raises leaves the fused order, with its stage named and no reason for skipping."""
    answer = search("zebra", index=ABC, ranking={"fails": True})
    assert ids(answer) == ["a", "b", "c"]
    assert answer["trace"]["errorStage"] == "rerank"
    assert answer["trace"]["reranked"] is False
    assert "rerankSkippedReason" not in answer["trace"]


def test_limits() -> None:
    """candidateK limits what the legs are asked for, topK what is answered."""
    answer = search("zebra", index=ABC, settings={"candidateK": 2, "topK": 1}, vector=vectors("x", "y", "z"))
    assert (answer["trace"]["bm25Count"], answer["trace"]["vectorCount"]) == (2, 2)
    assert len(answer["results"]) == 1
    assert search("zebra", index=ABC, settings={"topK": 0})["results"] == []


def test_intent_comes_before_the_reranker() -> None:
    """Reweighting moves a note into the head that the reranker sees."""
    index = {"script": {"zebra": [chunk("a"), chunk("b", "memory/global/user-preference-b.md")]}}
    answer = search("recommend zebra", index=index, settings={"rerankTopN": 1}, ranking={"order": "reverse"})
    assert answer["calls"][-1]["documents"] == [{"id": "b", "text": ""}]
    assert answer["results"][0]["score"] == 1 / 62 * 2.35


NOTES = [
    chunk("title", title="Zebra stripes", content="Nothing else."),
    chunk("content", content="A long text about many other animals, and one zebra among them."),
    chunk("tagged", content="Nothing either.", tags=["zebra", "herd"]),
    chunk("lion", content="No stripes at all."),
]


def test_real_index_weighs_its_columns() -> None:
    """SQLite ranks a match in the title above one in the tags above one in the content."""
    assert ids(search("zebras", index={"chunks": NOTES})) == ["title", "tagged", "content"]


def test_real_index_refuses_and_not() -> None:
    """SQLite rejects the compiled form of NOT, so the leg fails and the ladder is skipped."""
    answer = search("zebra NOT lion", index={"chunks": NOTES})
    assert answer["trace"]["compiledQuery"] == "zebra AND NOT lion"
    assert answer["trace"]["errorStage"] == "bm25"
    assert answer["results"] == answer["trace"]["attempts"] == []


def test_real_index_feeds_the_trigrams() -> None:
    """Without trigram chunks of the caller's the fallback looks at the indexed chunks."""
    answer = search("liom", index={"chunks": [chunk("lion"), chunk("zebra")]})
    assert answer["trace"]["attempts"][-1]["strategy"] == "trigram_fuzzy"
    assert ids(answer) == ["lion"]


def test_a_search_shows_its_steps() -> None:
    """An observer is told the mode, the compiled query, every rung and the reranking, each with its section."""
    steps: list[Step] = []
    request = {"index": {"script": {}}, "request": {"query": "zebra!"}, "trigramChunks": [chunk("zebra")]}
    with observing(steps.append):
        OPERATIONS["retrieval.search"](request)
    told = {(step.section, step.step) for step in steps}
    assert ("Hybrid pipeline", "mode") in told
    assert ("FTS5 compilation target", "match") in told
    assert {step for section, step in told if section == "forceRefreshIndex retry ladder"} == {
        "initial",
        "strongest_term",
        "refreshed_sanitised",
        "refreshed_strongest",
        "trigram_fuzzy",
    }
    assert ("Rerank tail preservation", "skipped") in told
