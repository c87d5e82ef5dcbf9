"""The search pipeline over scripted rankings, and the ad-hoc cache."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from reference_impl.augur.ad_hoc import AdHocSearches
from reference_impl.augur.filters import passes
from reference_impl.augur.fingerprint import Document
from reference_impl.augur.fusion import Hit, Side
from reference_impl.augur.router import Asked, Capabilities, HeuristicRouter
from reference_impl.augur.search import Augur, Found, SearchRequest
from reference_impl.wire.augur.scripted import Calls, ReversingReranker, ScriptedAdapter

QUERIES = ["pooling", "deploy production rollout pipeline", "how do pods restart cleanly", "\u30af\u30a8\u30ea"]

metadata = st.fixed_dictionaries({"lang": st.sampled_from(["en", "ja"]), "topic": st.sampled_from(["k8s", "db"])})
ids = st.lists(st.sampled_from("abcdefghij"), unique=True)
documents = st.lists(st.builds(Document, st.text(max_size=3), st.text(max_size=3)), max_size=3)
requests = st.builds(
    SearchRequest,
    st.builds(Asked, st.sampled_from(QUERIES)),
    st.integers(0, 6),
    st.none() | st.fixed_dictionaries({"topic": st.sampled_from(["k8s", "db"])}),
)


@st.composite
def augurs(draw: st.DrawFn) -> Augur:
    """An Augur over rankings of the same tagged items; its reranker reverses."""
    tags = {name: draw(metadata) for name in "abcdefghij"}
    vec, kw = (
        [Hit(name, 1 / place, side, tags[name]) for place, name in enumerate(draw(ids), 1)]
        for side in (Side.VECTOR, Side.KEYWORD)
    )
    calls: Calls = []
    return Augur(
        ScriptedAdapter(calls, vec, kw),
        Capabilities(vector=True, keyword=True, hybrid=True),
        draw(st.none() | st.just(ReversingReranker(calls))),
        HeuristicRouter(draw(st.booleans())),
        draw(st.booleans()),
    )


@given(augurs(), requests)
def test_results_pass_the_callers_filter(augur: Augur, request: SearchRequest) -> None:
    """Every result passes the caller's filter, is there once, and there are no more than were wanted."""
    found = augur.search(request)
    assert all(passes(request.filter, hit.metadata) for hit in found.results)
    assert len({hit.id for hit in found.results}) == len(found.results) <= request.top_k


@given(augurs(), requests)
def test_language_filter(augur: Augur, request: SearchRequest) -> None:
    """Results are in the language that was filtered by, unless the filter was dropped; then none was to be had."""
    found = augur.search(request)
    if found.auto_language is not None and not found.auto_language_dropped:
        assert found.candidates > 0
        assert {hit.metadata["lang"] for hit in found.results} <= {found.auto_language}
    assert found.auto_language is not None or not found.auto_language_dropped


@given(augurs(), requests)
def test_reranker_is_asked_as_the_trace_says(augur: Augur, request: SearchRequest) -> None:
    """The reranker is asked once where the trace says so and there are candidates, else never."""
    assert isinstance(augur.adapter, ScriptedAdapter)
    augur.adapter.calls.clear()
    found = augur.search(request)
    asked = [call for call in augur.adapter.calls if call["call"] == "rerank"]
    assert len(asked) == (found.decision.reranked and found.candidates > 0)


@given(augurs(), requests, st.floats(0, 1))
def test_lowest_score_only_removes(augur: Augur, request: SearchRequest, lowest: float) -> None:
    """minScore leaves the results of at least that score, in their order, and the count of candidates."""

    def search(min_score: float | None) -> Found:
        return augur.search(SearchRequest(request.asked, request.top_k, request.filter, min_score))

    kept, everything = search(lowest), search(None)
    assert list(kept.results) == [hit for hit in everything.results if hit.score >= lowest]
    assert kept.candidates == everything.candidates


@given(st.lists(documents, max_size=12), st.integers(-1, 3))
def test_ad_hoc_cache(searches: list[list[Document]], size: int) -> None:
    """A search hits where its documents are among the last few different ones that were searched."""
    augur = AdHocSearches("store", size)
    recent: list[Sequence[Document]] = []
    for found in searches:
        trace = augur.search(found)
        assert trace.cache_hit == (found in recent)
        assert trace.indexed == (bool(found) and found not in recent)
        if found:
            recent = [found, *(other for other in recent if other != found)][: max(size, 0)]
