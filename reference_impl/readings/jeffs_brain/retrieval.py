"""Other readings of the algorithms document's sections "Hybrid pipeline" and "Trace"."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Final

from ...jeffs_brain import algorithm_wire, fusion, parser, rerank, retrieval, temporal
from ...jeffs_brain.algorithm_wire import Json
from ...jeffs_brain.candidates import Candidate, Chunk, Result
from ...jeffs_brain.retrieval import Leg, Retrieval, TimedLeg
from ...jeffs_brain.retry_ladder import RetryAttempt
from ...jeffs_brain.scripted import RecordingIndex
from ...jeffs_brain.search import HybridTrace, Mode, SearchRequest, StageError, VectorHit
from ...observer import Observer, silent
from ...switches import Switches

SWITCHES = Switches("retrieval.search")

_LARGEST_LIMIT: Final = 2**63 - 1
_ENGINE_VALUE: Final = 7  # no index of the cases reports a value of its own, so every candidate has this one
_OTHER_K: Final = 1
_WITHOUT_A_TEXT: Final = ("trigram_fuzzy", "force-refresh")


@SWITCHES.reading("RUL-B26", "b", Retrieval.compile_rung)
def compile_rung_without_aliases(self: Retrieval, text: str, observe: Observer) -> str:
    """Only the initial query is expanded; a rung searches for the words themselves."""
    del self
    return retrieval.compile_query(text, None, observe)


@SWITCHES.reading("RUL-B28", "b", Retrieval.leg_of_empty_query)
def no_leg(self: Retrieval, request: SearchRequest, observe: Observer) -> Leg:
    """An empty compiled query has no BM25 leg: no row and no ladder."""
    del self, request, observe
    return Leg()


@SWITCHES.reading("RUL-B28", "c", Retrieval.leg_of_empty_query)
def leg_without_initial_row(self: Retrieval, request: SearchRequest, observe: Observer) -> Leg:
    """An empty compiled query has no initial row, and the rungs run."""
    return self.after_first_call(request, Leg(), observe)


@SWITCHES.reading("RUL-B47", "b", Retrieval.search_rung)
def send_text_unchanged(self: Retrieval, text: str, limit: int, observe: Observer) -> tuple[Candidate, ...]:
    """The text of a rung is sent to FTS5 unchanged."""
    del observe
    return self.run_bm25(text, limit)


@SWITCHES.reading("RUL-B47", "c", Retrieval.row_of_rung)
def row_with_compiled_text(self: Retrieval, attempt: RetryAttempt) -> RetryAttempt:
    """The row of a rung contains the compiled expression."""
    if attempt.strategy in _WITHOUT_A_TEXT:
        return attempt
    return replace(attempt, query=self.compile_rung(attempt.query, silent))


@SWITCHES.reading("RUL-B47", "d", Retrieval.after_first_call, wraps=True)
def initial_row_with_the_text(
    current: Callable[[Retrieval, SearchRequest, Leg, Observer], Leg],
    self: Retrieval,
    request: SearchRequest,
    leg: Leg,
    observe: Observer,
) -> Leg:
    """The initial row contains the text that is compiled."""
    rows = tuple(replace(row, query=retrieval.query_to_parse(request)) for row in leg.attempts)
    return current(self, request, replace(leg, attempts=rows), observe)


@SWITCHES.reading("RUL-B48", "b", retrieval.first_rows)
def first_rows_after_an_error_too(compiled: str, hits: int | None) -> tuple[RetryAttempt, ...]:
    """A first call that raised has the initial row with 0 hits."""
    return (RetryAttempt("initial", compiled, hits or 0),)


@SWITCHES.reading("RUL-B49", "b", retrieval.has_bm25_leg)
def has_bm25_leg_unless_semantic(mode: Mode) -> bool:
    """Semantic mode queries only the vector index."""
    return mode is not Mode.SEMANTIC


@SWITCHES.reading("RUL-B145", "b", retrieval.run_legs)
def vector_leg_first(bm25: Callable[[], TimedLeg], vector: Callable[[], TimedLeg]) -> tuple[TimedLeg, TimedLeg]:
    """The vector leg runs first."""
    first = vector()
    return bm25(), first


@SWITCHES.reading("RUL-B51", "b", retrieval.reason_not_to_rerank)
def no_reranker_first(*, is_wanted: bool, has_reranker: bool) -> str | None:
    """no_reranker is the reason before mode_off."""
    if not has_reranker:
        return "no_reranker"
    return None if is_wanted else "mode_off"


@SWITCHES.reading("RUL-B90", "b", retrieval.rows_without_ladder)
def no_rows_without_ladder(rows: tuple[RetryAttempt, ...]) -> tuple[RetryAttempt, ...]:
    """Rows exist only if the ladder ran."""
    del rows
    return ()


@SWITCHES.reading("RUL-B91", "b", retrieval.leg_after_failed_rung)
def unrecorded_error_of_a_rung(leg: Leg) -> Leg:
    """An error on a rung ends the ladder and is not recorded."""
    return Leg(attempts=leg.attempts)


@SWITCHES.reading("RUL-B91", "c", retrieval.leg_after_failed_rung)
def failed_rung_raises(leg: Leg) -> Leg:
    """An error on a rung ends the search."""
    del leg
    raise StageError("a rung of the ladder failed")


@SWITCHES.reading("RUL-B91", "d", Retrieval.search_rung, wraps=True)
def failed_rung_has_no_hits(
    current: Callable[[Retrieval, str, int, Observer], tuple[Candidate, ...]],
    self: Retrieval,
    text: str,
    limit: int,
    observe: Observer,
) -> tuple[Candidate, ...]:
    """An error on a rung counts as zero hits and is not recorded; the ladder continues."""
    try:
        return current(self, text, limit, observe)
    except StageError:
        return ()


@SWITCHES.reading("RUL-B92", "b", retrieval.score_after_reranking)
def score_of_the_reranker(result: Result) -> float:
    """The score becomes the reranker's score."""
    return result.score if result.rerank_score is None else result.rerank_score


@SWITCHES.reading("RUL-B93", "b", retrieval.bm25_limit)
def no_limit(candidate_k: int) -> int:
    """BM25 calls have no limit."""
    del candidate_k
    return _LARGEST_LIMIT


@SWITCHES.reading("RUL-B93", "b", RecordingIndex.search_bm25)
def record_no_limit(self: RecordingIndex, match: str, limit: int) -> Sequence[Chunk]:
    """BM25 calls have no limit, so that none is recorded."""
    self.calls.append({"to": "bm25", "match": match})
    return self.keywords.search_bm25(match, limit)


@SWITCHES.reading("RUL-B94", "b", retrieval.failed_vector_leg)
def unrecorded_error_of_the_vectors() -> Leg:
    """A failing embedder or vector search empties the vector leg and is not recorded."""
    return Leg()


@SWITCHES.reading("RUL-B94", "c", retrieval.failed_vector_leg)
def failed_vectors_raise() -> Leg:
    """A failing embedder or vector search ends the search."""
    raise StageError("the vector leg failed")


@SWITCHES.reading("RUL-B94", "d", retrieval.mode_after_failed_vector_leg)
def semantic_mode_falls_back(wanted: Mode) -> tuple[Mode, bool]:
    """In semantic mode the search also falls back to bm25, as it does without an embedder."""
    return retrieval.resolve_mode(wanted, has_embedder=wanted is not Mode.SEMANTIC)


@SWITCHES.reading("RUL-B94", "e", retrieval.mode_after_failed_vector_leg)
def auto_mode_becomes_bm25(wanted: Mode) -> tuple[Mode, bool]:
    """In auto mode the search has the mode bm25, as it does without an embedder."""
    return retrieval.resolve_mode(wanted, has_embedder=wanted is not Mode.AUTO)


@SWITCHES.reading("RUL-B95", "b", retrieval.final_after_failed_reranker)
def failed_reranker_raises(fused: list[Result]) -> retrieval.FinalOrder:
    """A failing reranker ends the search."""
    del fused
    raise StageError("the reranker failed")


@SWITCHES.reading("RUL-B96", "b", retrieval.reported_agreements)
def every_count(bm25: Sequence[str], vector: Sequence[str]) -> int | None:
    """The trace contains the agreement count whenever it is computed."""
    counted = rerank.unanimity_shortcut(bm25, vector, 0)
    return None if counted is None else counted.agreements


@SWITCHES.reading("RUL-B97", "b", algorithm_wire.timed_legs)
def legs_that_ran(trace: HybridTrace) -> list[str]:
    """Only legs that ran have a time."""
    ran = {
        "bm25": retrieval.has_bm25_leg(trace.mode),
        "vector": retrieval.has_vector_leg(trace.mode) or trace.error_stage == "vector",
    }
    return [leg for leg in trace.elapsed if ran[leg]]


@SWITCHES.reading("RUL-B98", "b", Retrieval.run_bm25, wraps=True)
def run_bm25_above_zero(
    current: Callable[[Retrieval, str, int], tuple[Candidate, ...]], self: Retrieval, match: str, limit: int
) -> tuple[Candidate, ...]:
    """With a limit of 0, BM25 is not queried."""
    return current(self, match, limit) if limit else ()


@SWITCHES.reading("RUL-B98", "b", Retrieval.nearest, wraps=True)
def nearest_above_zero(
    current: Callable[[Retrieval, Sequence[float], int], Sequence[VectorHit]],
    self: Retrieval,
    embedding: Sequence[float],
    limit: int,
) -> Sequence[VectorHit]:
    """With a limit of 0, the vector index is not queried."""
    return current(self, embedding, limit) if limit else ()


@SWITCHES.reading("RUL-B104", "b", retrieval.trace_of_failures)
def last_failed_stage(trace: HybridTrace, failed: Sequence[str]) -> HybridTrace:
    """The last failed stage replaces the first."""
    return replace(trace, error_stage=failed[-1])


@SWITCHES.reading("RUL-B104", "c", retrieval.trace_of_failures)
def two_failures_raise(trace: HybridTrace, failed: Sequence[str]) -> HybridTrace:
    """Two stages that fail end the search."""
    if len(failed) > 1:
        raise StageError(f"failed: {', '.join(failed)}")
    return replace(trace, error_stage=failed[0])


@SWITCHES.reading("RUL-B104", "d", retrieval.trace_of_failures)
def no_skip_reason_if_both_legs_fail(trace: HybridTrace, failed: Sequence[str]) -> HybridTrace:
    """The first failed stage is kept, and a search whose legs both raise reports no skip reason."""
    reason = None if {"bm25", "vector"} <= set(failed) else trace.rerank_skipped_reason
    return replace(trace, error_stage=failed[0], rerank_skipped_reason=reason)


@SWITCHES.reading("RUL-B105", "b", retrieval.bm25_rank)
def rank_from_one(position: int) -> int:
    """bm25Rank is the position in the BM25 leg, counted from 1."""
    return position + 1


@SWITCHES.reading("RUL-B105", "c", retrieval.bm25_rank)
def value_of_the_engine(position: int) -> int:
    """bm25Rank is the engine's own value."""
    del position
    return _ENGINE_VALUE


@SWITCHES.reading("RUL-B109", "b", retrieval.score_one_leg, wraps=True)
def score_with_another_k(
    current: Callable[[Sequence[Candidate]], list[Result]], candidates: Sequence[Candidate]
) -> list[Result]:
    """Each SDK chooses k; here it is 1."""
    results = current(candidates)
    scores = fusion.contributions(len(results), _OTHER_K)
    return [replace(result, score=score) for result, score in zip(results, scores, strict=True)]


@dataclass(frozen=True, slots=True)
class DatedRequest(SearchRequest):
    """A search request with the date of the question."""

    question_date: str | None = None


@SWITCHES.reading("RUL-B132", "b", algorithm_wire.search_request_of, wraps=True)
def dated_request_of(current: Callable[[Json], SearchRequest], plain: Json) -> SearchRequest:
    """The request keeps the date of the question."""
    request = current(plain)
    members = {member.name: getattr(request, member.name) for member in fields(request)}
    return DatedRequest(**members, question_date=plain.get("questionDate"))


@SWITCHES.reading("RUL-B132", "b", retrieval.query_to_parse)
def query_with_date_tokens(request: SearchRequest) -> str:
    """A search with a question date appends the date tokens to the query before it is parsed."""
    date = request.question_date if isinstance(request, DatedRequest) else None
    return request.query if date is None else temporal.augment_query_with_temporal(request.query, date)


@SWITCHES.reading("RUL-B136", "b", Retrieval.first_hits, wraps=True)
def hits_of_several_queries(
    current: Callable[[Retrieval, SearchRequest, str], tuple[Candidate, ...]],
    self: Retrieval,
    request: SearchRequest,
    compiled: str,
) -> tuple[Candidate, ...]:
    """The BM25 leg merges the hits of the compiled query and of each word of the query alone."""
    limit = retrieval.bm25_limit(request.candidate_k)
    tokens = parser.parse_query(request.query).tokens
    words = [word.text for token in tokens for word in parser.parse_query(token.text).tokens]
    merged = {hit.id: hit for hit in current(self, request, compiled)}
    for word in dict.fromkeys(words):
        if word != compiled:
            for hit in self.run_bm25(word, limit):
                merged.setdefault(hit.id, hit)
    found = tuple(merged.values())[:limit]
    return tuple(replace(hit, bm25_rank=retrieval.bm25_rank(place)) for place, hit in enumerate(found))


@SWITCHES.reading("RUL-B137", "b", algorithm_wire.search_request_of, wraps=True)
def request_with_named_reranking(current: Callable[[Json], SearchRequest], plain: Json) -> SearchRequest:
    """Reranking is off unless the request names it."""
    return replace(current(plain), rerank=plain.get("rerank") is True)


@SWITCHES.reading("RUL-B137", "b", Retrieval.is_reranking_wanted)
def is_reranking_the_mode(self: Retrieval, request: SearchRequest) -> bool:
    """A search reranks only in a mode of its own; on the wire, this is the mode hybrid with reranking named."""
    mode, _ = retrieval.resolve_mode(request.mode, has_embedder=self.embedder is not None)
    return request.rerank and mode is Mode.HYBRID
