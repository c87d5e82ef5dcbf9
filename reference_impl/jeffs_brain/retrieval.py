"""Algorithms document, sections "Hybrid pipeline" and "Trace": one search, from the query to the results and the trace.

A comment of the form ``# x = ...`` is a statement of the pseudo-code. The steps of the retry ladder are in
``retry_ladder``, fusion is in ``fusion``, reweighting in ``intent``, the shortcut and the payload in ``rerank``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from ..decisions import Decisions
from ..observer import observe
from . import retry_ladder
from .aliases import AliasTable, expand_aliases
from .candidates import Candidate, Chunk, Result
from .fts5 import compile_to_fts
from .fusion import contributions, reciprocal_rank_fusion
from .intent import reweight
from .parser import parse_query
from .rerank import RankedDocument, RerankDocument, apply_ranking, rerank_document, unanimity_shortcut
from .retry_ladder import RetryAttempt
from .search import (
    Embedder,
    HybridTrace,
    Mode,
    Reranker,
    SearchIndex,
    SearchRequest,
    SearchResponse,
    StageError,
    VectorHits,
)
from .trigram import TrigramIndex

SECTION = "Hybrid pipeline"


@dataclass(frozen=True, slots=True)
class Leg:
    """The list of one leg, the rows of its ladder, its stage if it failed, and the seconds that it took."""

    candidates: tuple[Candidate, ...] = ()
    attempts: tuple[RetryAttempt, ...] = ()
    error_stage: str | None = None
    seconds: float = 0.0

    @property
    def ids(self) -> list[str]:
        return [candidate.id for candidate in self.candidates]


@dataclass(frozen=True, slots=True)
class FinalOrder:
    """The list after the last step, and what the trace reports of that step."""

    results: list[Result]
    reranked: bool = False
    skipped_reason: str | None = None
    agreements: int | None = None
    error_stage: str | None = None


def search_raw(rule: Retrieval, request: SearchRequest) -> SearchResponse:
    """searchRaw: compiles, runs both legs, fuses, reweights, reranks and cuts. A failing stage raises no exception."""
    # compiled = compileToFTS(expanded)
    compiled = rule.compile_request(request)
    # mode = resolveMode(req.mode ?? 'auto', embedder != null)
    mode, fell_back = resolve_mode(request.mode, has_embedder=rule.embedder is not None)
    observe(SECTION, "mode", {"mode": mode.value, "fellBackToBM25": fell_back})
    # -- BM25 leg (with retry ladder on zero hits) --, then -- Vector leg --
    bm25, vector = rule.run_legs(
        partial(_timed, rule, lambda: _bm25_leg(rule, request, compiled) if rule.has_bm25_leg(mode) else Leg()),
        partial(_timed, rule, lambda: _vector_leg(rule, request) if has_vector_leg(mode) else Leg()),
    )
    mode, fell_back = rule.mode_after_legs((mode, fell_back), request.mode, vector)
    # -- Fuse --
    fused = _fuse(rule, mode, bm25, vector)
    # fused = reweightSharedMemoryRanking(req.query, fused)
    fused = reweight(request.query, fused)
    # -- Unanimity shortcut + optional rerank --
    final = _final_order(rule, request, fused, bm25, vector)
    # return { results: final[:topK], trace }
    trace = _trace(rule, compiled, (mode, fell_back), bm25, vector, final)
    return SearchResponse(tuple(final.results[: request.top_k]), trace)


def compile_query(query: str, aliases: AliasTable | None) -> str:
    """The MATCH expression of a query, or of the text of a rung."""
    # ast = parseQuery(req.query)
    ast = parse_query(query)
    # expanded = aliases ? expandAliases(ast, aliases) : ast
    expanded = ast if aliases is None else expand_aliases(ast, aliases)
    # compiled = compileToFTS(expanded)
    return compile_to_fts(expanded)


def resolve_mode(wanted: Mode, *, has_embedder: bool) -> tuple[Mode, bool]:
    """resolveMode: the mode, and whether the mode hybrid or semantic fell back to bm25 without an embedder."""
    if wanted is Mode.BM25 or not has_embedder:
        return Mode.BM25, wanted in (Mode.HYBRID, Mode.SEMANTIC)
    return (Mode.HYBRID if wanted is Mode.AUTO else wanted), False


def has_vector_leg(mode: Mode) -> bool:
    """Whether the vector leg runs in a resolved mode."""
    return mode in (Mode.SEMANTIC, Mode.HYBRID)


def _timed(rule: Retrieval, leg: Callable[[], Leg]) -> Leg:
    """The leg, with the seconds that it took. Section "Trace"."""
    started = rule.clock()
    return replace(leg(), seconds=rule.clock() - started)


def _bm25_leg(rule: Retrieval, request: SearchRequest, compiled: str) -> Leg:
    """The BM25 leg: the compiled query, whose row is the first, then the ladder. Section "Escalation conditions"."""
    if not compiled:
        return rule.leg_of_empty_query(request)
    # bmCandidates = runBM25(compiled)
    try:
        hits = rule.initial_hits(request, compiled)
    except StageError:  # the ladder is skipped, and errorStage is 'bm25'
        return rule.retry_if_empty(request, Leg((), rule.initial_rows(compiled, None), "bm25"))
    return rule.retry_if_empty(request, Leg(hits, rule.initial_rows(compiled, len(hits))))


def _retry_if_empty(rule: Retrieval, request: SearchRequest, leg: Leg) -> Leg:
    """The leg, or the leg of the ladder; an error never starts the ladder. Section "Escalation conditions"."""
    for row in leg.attempts:
        observe(retry_ladder.SECTION, row.strategy, {"query": row.query, "hits": row.hits})
    # if bmCandidates empty and not req.skipRetryLadder:
    if leg.candidates or leg.error_stage or request.skip_retry_ladder:
        return replace(leg, attempts=rule.rows_without_ladder(leg.attempts))
    # bmCandidates = retryLadder(req.query)
    rungs = retry_ladder.walk(
        request.query,
        lambda text: rule.search_rung(text, rule.bm25_limit(request.candidate_k)),
        lambda tokens: search_trigrams(rule, tokens, request.candidate_k),
    )
    try:
        for rung in rungs:  # the last successful rung becomes the leg
            leg = Leg(rung.candidates or leg.candidates, (*leg.attempts, rule.row_of_rung(rung.attempt)))
    except StageError:
        return rule.leg_after_failed_rung(leg)
    return leg


def search_trigrams(rule: Retrieval, tokens: Sequence[str], limit: int) -> tuple[Candidate, ...]:
    """The hits of the trigram rung; their position is their bm25Rank too (RUL-B105). Section "Rungs (ordered)"."""
    hits = rule.trigram_index.search(tokens, limit)
    return tuple(Candidate.of(hit.chunk, bm25_rank=rule.bm25_rank(place)) for place, hit in enumerate(hits))


def _vector_leg(rule: Retrieval, request: SearchRequest) -> Leg:
    """The vector leg; an error empties it."""
    try:
        hits = _vector_hits(rule, request)
    except StageError:
        return rule.failed_vector_leg()
    leg = Leg(tuple(Candidate.of(hit.chunk, vector_similarity=hit.similarity) for hit in hits))
    observe(SECTION, "vector leg", leg.ids)
    return leg


def _vector_hits(rule: Retrieval, request: SearchRequest) -> VectorHits:
    """The nearest neighbours of the query; none for an empty embedding."""
    assert rule.embedder is not None
    # embedding = embedder.embed([req.query])[0]
    embedding = rule.embedder.embed([request.query])[0]
    # if embedding non-empty: vecCandidates = index.searchVector(embedding, candidateK)
    return rule.search_vector(embedding, request.candidate_k) if embedding else ()


def _fuse(rule: Retrieval, mode: Mode, bm25: Leg, vector: Leg) -> list[Result]:
    """The fused list of both legs, or the scored list of the one that the mode names."""
    # fused = reciprocalRankFusion([bmCandidates, vecCandidates], RRF_DEFAULT_K)
    if mode is Mode.HYBRID:
        return reciprocal_rank_fusion([bm25.candidates, vector.candidates])
    # fused = bmCandidates, or vecCandidates, mapped with score 1 / (k + rank + 1)
    return rule.score_one_leg(bm25.candidates if mode is Mode.BM25 else vector.candidates)


def _final_order(rule: Retrieval, request: SearchRequest, fused: list[Result], bm25: Leg, vector: Leg) -> FinalOrder:
    """The fused list, or the reranked head and the tail."""
    # if fused empty or not rerankEnabled or reranker == null: final = fused
    if reason := (rule.reason_not_to_rerank(request) if fused else "empty_candidates"):
        observe("Rerank tail preservation", "skipped", reason)
        return FinalOrder(fused, skipped_reason=reason)
    # shortcut = unanimityShortcut(bmCandidates top-3, vecCandidates top-3)
    shortcut = unanimity_shortcut(bm25.ids, vector.ids)
    agreements = rule.reported_agreements(bm25.ids, vector.ids)
    observe("Unanimity shortcut", "agreements", agreements)
    # final = fused; trace.rerankSkippedReason = 'unanimity'
    if shortcut:
        return FinalOrder(fused, skipped_reason="unanimity", agreements=agreements)
    # reranked = reranker.rerank({ query, documents: headAsRerankDocs })
    documents = [rerank_document(result.candidate) for result in fused[: request.rerank_top_n]]
    try:
        ranking = rule.call_reranker(request.query, documents)
    except StageError:
        final = rule.final_after_failed_reranker(fused)
    else:  # final = reranked ++ tail
        ranked = apply_ranking(fused, request.rerank_top_n, ranking)
        final = FinalOrder(
            [replace(result, score=rule.score_after_reranking(result)) for result in ranked], reranked=True
        )
    observe("Rerank tail preservation", "final order", [result.id for result in final.results])
    return replace(final, agreements=agreements)


def _trace(
    rule: Retrieval, compiled: str, mode: tuple[Mode, bool], bm25: Leg, vector: Leg, final: FinalOrder
) -> HybridTrace:
    """The trace of a search. Section "Trace"."""
    trace = HybridTrace(
        mode=mode[0],
        compiled_query=compiled,
        bm25_count=len(bm25.candidates),
        vector_count=len(vector.candidates),
        fell_back_to_bm25=mode[1],
        reranked=final.reranked,
        rerank_skipped_reason=final.skipped_reason,
        agreements=final.agreements,
        error_stage=None,
        attempts=bm25.attempts,
        elapsed={"bm25": bm25.seconds, "vector": vector.seconds},
    )
    failed = [stage for stage in (bm25.error_stage, vector.error_stage, final.error_stage) if stage]
    trace = rule.trace_of_failures(trace, failed) if failed else trace
    return replace(trace, elapsed={leg: trace.elapsed[leg] for leg in rule.timed_legs(trace)})


@dataclass(frozen=True)
class Retrieval(Decisions):
    """``createRetrieval({index, embedder?, reranker?, aliases?, trigramChunks?})``, and what the two sections leave open,
    as adopted: legs, rows, failed stages and the trace.
    """

    index: SearchIndex
    embedder: Embedder | None = None
    reranker: Reranker | None = None
    aliases: AliasTable | None = None
    trigram_chunks: Sequence[Chunk] | None = None
    clock: Callable[[], float] = time.perf_counter

    @cached_property
    def trigram_index(self) -> TrigramIndex:
        """The index of the given chunks, or of those of the index; it reads them at its first search."""
        given = self.trigram_chunks
        return TrigramIndex(self.index.chunks if given is None else lambda: given)

    def search_raw(self, request: SearchRequest) -> SearchResponse:
        """searchRaw of this retrieval."""
        return search_raw(self, request)

    # Compile and run the legs.

    def compile_request(self, request: SearchRequest) -> str:
        """RUL-B136: one query is compiled for a request."""
        return self.compile_query(self.query_to_parse(request), self.aliases)

    def query_to_parse(self, request: SearchRequest) -> str:
        """RUL-B132: a search parses the query of the request; a date of the question has no effect."""
        return request.query

    def compile_query(self, query: str, aliases: AliasTable | None) -> str:
        """A query that is compiled to nothing stays empty."""
        return compile_query(query, aliases)

    def run_legs(self, bm25: Callable[[], Leg], vector: Callable[[], Leg]) -> tuple[Leg, Leg]:
        """RUL-B145: the BM25 leg, with its ladder, ends before the vector leg begins."""
        return bm25(), vector()

    def has_bm25_leg(self, mode: Mode) -> bool:
        """RUL-B49: the BM25 leg runs in every resolved mode, also in semantic."""
        return mode in (Mode.BM25, Mode.SEMANTIC, Mode.HYBRID)

    def mode_after_legs(self, resolved: tuple[Mode, bool], wanted: Mode, vector: Leg) -> tuple[Mode, bool]:
        """The mode stays as resolved before the legs, also if the vector leg has no hits."""
        return self.mode_after_failed_vector_leg(resolved, wanted) if vector.error_stage else resolved

    def mode_after_failed_vector_leg(self, resolved: tuple[Mode, bool], wanted: Mode) -> tuple[Mode, bool]:
        """RUL-B94: an embedder or a vector search that fails leaves the mode as it is."""
        return resolved

    # BM25 leg.

    def leg_of_empty_query(self, request: SearchRequest) -> Leg:
        """RUL-B28: an empty compiled query makes no call; the initial row has 0 hits, and the ladder runs."""
        return self.retry_if_empty(request, Leg(attempts=self.initial_rows("", 0)))

    def initial_hits(self, request: SearchRequest, compiled: str) -> tuple[Candidate, ...]:
        """RUL-B136: before the ladder, the BM25 leg is one call with the compiled query."""
        return self.run_bm25(compiled, self.bm25_limit(request.candidate_k))

    def initial_rows(self, compiled: str, hits: int | None) -> tuple[RetryAttempt, ...]:
        """RUL-B48: the initial row reports the hits of the first call; a call that raised has no hits and no row."""
        return () if hits is None else (RetryAttempt("initial", compiled, hits),)

    def run_bm25(self, match: str, limit: int) -> tuple[Candidate, ...]:
        """RUL-B98: BM25 is queried with any limit, also with 0."""
        chunks = self.index.search_bm25(match, limit)
        return tuple(Candidate.of(chunk, bm25_rank=self.bm25_rank(place)) for place, chunk in enumerate(chunks))

    def bm25_limit(self, candidate_k: int) -> int:
        """RUL-B93: the limit of every BM25 call is candidateK."""
        return candidate_k

    def bm25_rank(self, position: int) -> int:
        """RUL-B105: bm25Rank is the position in the BM25 leg, counted from 0."""
        return position

    # Retry ladder.

    def retry_if_empty(self, request: SearchRequest, leg: Leg) -> Leg:
        """RUL-B47: the initial row contains the compiled query."""
        return _retry_if_empty(self, request, leg)

    def rows_without_ladder(self, rows: tuple[RetryAttempt, ...]) -> tuple[RetryAttempt, ...]:
        """RUL-B90: the initial row stays also if the ladder does not run."""
        return rows

    def search_rung(self, text: str, limit: int) -> tuple[Candidate, ...]:
        """RUL-B47: the text of a rung is compiled like any query; if nothing is left, the index is not queried."""
        match = self.compile_rung(text)
        return self.run_bm25(match, limit) if match else ()

    def compile_rung(self, text: str) -> str:
        """RUL-B26: the text of a rung is expanded with the alias table, like the initial query."""
        return self.compile_query(text, self.aliases)

    def row_of_rung(self, attempt: RetryAttempt) -> RetryAttempt:
        """RUL-B47: the row of a rung contains its text before it is compiled."""
        return attempt

    def leg_after_failed_rung(self, leg: Leg) -> Leg:
        """RUL-B91: an error on a rung ends the ladder: the earlier rows stay, the leg is empty, and its stage is bm25."""
        return Leg(attempts=leg.attempts, error_stage="bm25")

    # Vector leg.

    def search_vector(self, embedding: Sequence[float], limit: int) -> VectorHits:
        """RUL-B98: the vector index is queried with any limit, also with 0."""
        return self.index.search_vector(embedding, limit)

    def failed_vector_leg(self) -> Leg:
        """RUL-B94: a failing embedder or vector search empties the vector leg, and the trace names the stage vector."""
        return Leg(error_stage="vector")

    # Fuse and rerank.

    def score_one_leg(self, candidates: Sequence[Candidate]) -> list[Result]:
        """RUL-B109: the k of one list is RRF_DEFAULT_K, as in fusion; it keeps its order and repeated ids."""
        return [Result(*scored) for scored in zip(candidates, contributions(len(candidates)), strict=True)]

    def is_reranking_wanted(self, request: SearchRequest) -> bool:
        """RUL-B137, RUL-B108: a search reranks in every mode and with any rerankTopN unless the request turns it off."""
        return request.rerank

    def reason_not_to_rerank(self, request: SearchRequest) -> str | None:
        """RUL-B51: mode_off is the reason before no_reranker."""
        if not self.is_reranking_wanted(request):
            return "mode_off"
        return "no_reranker" if self.reranker is None else None

    def reported_agreements(self, bm25: Sequence[str], vector: Sequence[str]) -> int | None:
        """RUL-B96: the trace contains the agreement count only if the shortcut applies."""
        shortcut = unanimity_shortcut(bm25, vector)
        return None if shortcut is None else shortcut.agreements

    def call_reranker(self, query: str, documents: Sequence[RerankDocument]) -> Sequence[RankedDocument]:
        """RUL-B50: every response of the reranker counts."""
        assert self.reranker is not None
        return self.reranker.rerank(query, documents)

    def score_after_reranking(self, result: Result) -> float:
        """RUL-B92: the score stays the fused score; the score of the reranker is beside it."""
        return result.score

    def final_after_failed_reranker(self, fused: list[Result]) -> FinalOrder:
        """RUL-B95: if the reranker fails, the fused order is final, and the trace names the stage rerank."""
        return FinalOrder(fused, error_stage="rerank")

    # Trace.

    def trace_of_failures(self, trace: HybridTrace, failed: Sequence[str]) -> HybridTrace:
        """RUL-B104: errorStage is the first stage that failed, and the rest of the trace stays."""
        return replace(trace, error_stage=failed[0])

    def timed_legs(self, trace: HybridTrace) -> Collection[str]:
        """RUL-B97: every trace contains the time of both legs."""
        return trace.elapsed
