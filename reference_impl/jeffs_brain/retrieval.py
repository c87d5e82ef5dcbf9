"""Algorithms document, sections "Hybrid pipeline" and "Trace": one search, from the query to the results and the trace."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from ..decisions import Decisions, decided
from ..observer import observe
from . import rerank, retry_ladder
from .aliases import AliasTable, expand_aliases
from .candidates import Candidate, Chunk, Result
from .fts5 import compile_to_fts
from .fusion import reciprocal_rank_fusion, score_alone
from .intent import reweight
from .parser import parse_query
from .rerank import RerankDecisions
from .search import (
    Embedder,
    HybridTrace,
    Mode,
    Reranker,
    SearchIndex,
    SearchRequest,
    SearchResponse,
    StageError,
    VectorHit,
)
from .trigram import TrigramIndex

SECTION = "Hybrid pipeline"


@dataclass(frozen=True, slots=True)
class Leg:
    """The list of one leg, the rows of its ladder, and its stage if it failed."""

    candidates: tuple[Candidate, ...] = ()
    attempts: tuple[retry_ladder.RetryAttempt, ...] = ()
    error_stage: str | None = None

    @property
    def ids(self) -> list[str]:
        return [candidate.id for candidate in self.candidates]


TimedLeg = tuple[Leg, float]
"""A leg, and the seconds that it took."""


@dataclass(frozen=True, slots=True)
class FinalOrder:
    """The list after the last step, and what the trace reports of that step."""

    results: list[Result]
    reranked: bool = False
    skipped_reason: str | None = None
    agreements: int | None = None
    error_stage: str | None = None


@dataclass(frozen=True)
class Retrieval(Decisions):
    """``createRetrieval({index, embedder?, reranker?, aliases?, trigramChunks?})``. Section "Hybrid pipeline"."""

    index: SearchIndex
    embedder: Embedder | None = None
    reranker: Reranker | None = None
    aliases: AliasTable | None = None
    trigram_chunks: Sequence[Chunk] | None = None
    clock: Callable[[], float] = time.perf_counter
    _trigrams: TrigramIndex = field(init=False)

    def __post_init__(self) -> None:
        given = self.trigram_chunks
        object.__setattr__(self, "_trigrams", TrigramIndex(self.index.chunks if given is None else lambda: given))

    def search_raw(self, request: SearchRequest) -> SearchResponse:
        """Runs the pipeline: compile, both legs, fuse, reweight, rerank, cut. A failing stage raises no exception.

        Section "Hybrid pipeline".
        """
        rule = decided(RetrievalDecisions)
        # compiled = compileToFTS(expanded)
        compiled = self.compile_request(request)
        # mode = resolveMode(req.mode ?? 'auto', embedder != null)
        mode, fell_back = resolve_mode(request.mode, has_embedder=self.embedder is not None)
        observe(SECTION, "mode", {"mode": mode.value, "fellBackToBM25": fell_back})
        # bmCandidates = runBM25(compiled), or retryLadder(req.query); vecCandidates = index.searchVector(embedding)
        runs = rule.has_bm25_leg(mode), has_vector_leg(mode)
        (bm25, bm25_seconds), (vector, vector_seconds) = rule.run_legs(
            lambda: self._timed(lambda: self._bm25_leg(request, compiled) if runs[0] else Leg()),
            lambda: self._timed(lambda: self._vector_leg(request) if runs[1] else Leg()),
        )
        mode, fell_back = rule.mode_after_legs((mode, fell_back), request.mode, vector)
        # fused = reweightSharedMemoryRanking(req.query, fused)
        fused = reweight(request.query, _fuse(mode, bm25, vector))
        # final = fused, or reranked ++ tail
        final = self.final_order(request, fused, bm25, vector)
        # return { results: final[:topK], trace }
        trace = HybridTrace(
            mode=mode,
            compiled_query=compiled,
            bm25_count=len(bm25.candidates),
            vector_count=len(vector.candidates),
            fell_back_to_bm25=fell_back,
            reranked=final.reranked,
            rerank_skipped_reason=final.skipped_reason,
            agreements=final.agreements,
            error_stage=None,
            attempts=bm25.attempts,
            elapsed={"bm25": bm25_seconds, "vector": vector_seconds},
        )
        if failed := [stage for stage in (bm25.error_stage, vector.error_stage, final.error_stage) if stage]:
            trace = rule.trace_of_failures(trace, failed)
        return SearchResponse(tuple(final.results[: request.top_k]), trace)

    def _timed(self, leg: Callable[[], Leg]) -> TimedLeg:
        """The leg, and the seconds that it took."""
        started = self.clock()
        return leg(), self.clock() - started

    def compile_request(self, request: SearchRequest) -> str:
        """The compiled query of a request. Section "Hybrid pipeline"."""
        rule = decided(RetrievalDecisions)
        return rule.compile_query(rule.query_to_parse(request), self.aliases)

    def _bm25_leg(self, request: SearchRequest, compiled: str) -> Leg:
        """Runs the compiled query, whose row is always the first, then the ladder if there is no hit.

        Sections "Escalation conditions" and "Rungs (ordered)".
        """
        rule = decided(RetrievalDecisions)
        if not compiled:
            return self.leg_of_empty_query(request)
        try:
            candidates = self.first_hits(request, compiled)
        except StageError:
            return self.after_first_call(request, Leg((), rule.first_rows(compiled, None), "bm25"))
        return self.after_first_call(request, Leg(candidates, rule.first_rows(compiled, len(candidates))))

    def leg_of_empty_query(self, request: SearchRequest) -> Leg:
        """RUL-B28: an empty compiled query makes no call; the initial row has 0 hits, and the ladder runs."""
        return self.after_first_call(request, Leg(attempts=decided(RetrievalDecisions).first_rows("", 0)))

    def first_hits(self, request: SearchRequest, compiled: str) -> tuple[Candidate, ...]:
        """RUL-B136: before the ladder, the BM25 leg is one call with the compiled query."""
        return self.run_bm25(compiled, decided(RetrievalDecisions).bm25_limit(request.candidate_k))

    def after_first_call(self, request: SearchRequest, leg: Leg) -> Leg:
        """Runs the ladder if the first call has no hit; an error never starts it. Section "Escalation conditions"."""
        for row in leg.attempts:
            observe(retry_ladder.SECTION, row.strategy, {"query": row.query, "hits": row.hits})
        if leg.candidates or leg.error_stage or request.skip_retry_ladder:
            return replace(leg, attempts=decided(RetrievalDecisions).rows_without_ladder(leg.attempts))
        return self._climb(request, leg)

    def _climb(self, request: SearchRequest, leg: Leg) -> Leg:
        """Runs the rungs of the ladder; the last rung with hits becomes the leg."""
        rule = decided(RetrievalDecisions)
        rungs = retry_ladder.walk(
            request.query,
            lambda text: self.search_rung(text, rule.bm25_limit(request.candidate_k)),
            lambda tokens: self.search_trigrams(tokens, request.candidate_k),
        )
        try:
            for rung in rungs:
                attempts = (*leg.attempts, self.row_of_rung(rung.attempt))
                leg = Leg(rung.candidates or leg.candidates, attempts)
        except StageError:
            return rule.leg_after_failed_rung(leg)
        return leg

    def search_rung(self, text: str, limit: int) -> tuple[Candidate, ...]:
        """RUL-B47: the text of a rung is compiled like any query; if nothing is left, the index is not queried."""
        match = self.compile_rung(text)
        return self.run_bm25(match, limit) if match else ()

    def search_trigrams(self, tokens: Sequence[str], limit: int) -> tuple[Candidate, ...]:
        """The hits of the trigram rung, at most candidateK. Section "Rungs (ordered)"."""
        return _ranked([hit.chunk for hit in self._trigrams.search(tokens, limit)])

    def compile_rung(self, text: str) -> str:
        """RUL-B26: the text of a rung is expanded with the alias table, like the initial query."""
        return decided(RetrievalDecisions).compile_query(text, self.aliases)

    def row_of_rung(self, attempt: retry_ladder.RetryAttempt) -> retry_ladder.RetryAttempt:
        """RUL-B47: the row of a rung contains its text before it is compiled."""
        return attempt

    def run_bm25(self, match: str, limit: int) -> tuple[Candidate, ...]:
        """RUL-B98: BM25 is queried with any limit, also with 0."""
        return _ranked(self.index.search_bm25(match, limit))

    def _vector_leg(self, request: SearchRequest) -> Leg:
        """The vector leg; an error empties it."""
        try:
            hits = self.vector_hits(request)
        except StageError:
            return decided(RetrievalDecisions).failed_vector_leg()
        leg = Leg(tuple(Candidate.of(hit.chunk, vector_similarity=hit.similarity) for hit in hits))
        observe(SECTION, "vector leg", leg.ids)
        return leg

    def vector_hits(self, request: SearchRequest) -> Sequence[VectorHit]:
        """The nearest neighbours of the embedding of the raw query; none for an empty embedding."""
        assert self.embedder is not None
        embedding = self.embedder.embed([request.query])[0]
        return self.nearest(embedding, request.candidate_k) if embedding else ()

    def nearest(self, embedding: Sequence[float], limit: int) -> Sequence[VectorHit]:
        """RUL-B98: the vector index is queried with any limit, also with 0."""
        return self.index.search_vector(embedding, limit)

    def final_order(self, request: SearchRequest, fused: list[Result], bm25: Leg, vector: Leg) -> FinalOrder:
        """The last step of the pipeline: reranks the head, unless a reason to skip applies."""
        section = "Rerank tail preservation"
        if reason := self._reason_not_to_rerank(request, fused):
            observe(section, "skipped", reason)
            return FinalOrder(fused, skipped_reason=reason)
        shortcut = rerank.unanimity_shortcut(bm25.ids, vector.ids)
        agreements = decided(RetrievalDecisions).reported_agreements(bm25.ids, vector.ids)
        observe("Unanimity shortcut", "agreements", agreements)
        if shortcut:
            return FinalOrder(fused, skipped_reason="unanimity", agreements=agreements)
        final = self._reranked(request, fused)
        observe(section, "final order", [result.id for result in final.results])
        return replace(final, agreements=agreements)

    def _reason_not_to_rerank(self, request: SearchRequest, fused: list[Result]) -> str | None:
        """The reasons to skip that the pipeline checks before the shortcut, in its order."""
        rule = decided(RetrievalDecisions)
        if not fused:
            return "empty_candidates"
        is_wanted = self.is_reranking_wanted(request)
        return rule.reason_not_to_rerank(is_wanted=is_wanted, has_reranker=self.reranker is not None)

    def is_reranking_wanted(self, request: SearchRequest) -> bool:
        """RUL-B137: a search reranks in every mode unless the request turns reranking off."""
        return request.rerank

    def _reranked(self, request: SearchRequest, fused: list[Result]) -> FinalOrder:
        """The head in the order of the reranker, then the tail; the fused order if the reranker fails."""
        rule = decided(RetrievalDecisions)
        assert self.reranker is not None
        documents = [decided(RerankDecisions).as_document(result.candidate) for result in fused[: request.rerank_top_n]]
        try:
            ranking = self.reranker.rerank(request.query, documents)
        except StageError:
            return rule.final_after_failed_reranker(fused)
        ranked = rerank.apply_ranking(fused, request.rerank_top_n, ranking)
        scored = [replace(result, score=rule.score_after_reranking(result)) for result in ranked]
        return FinalOrder(scored, reranked=True)


def resolve_mode(wanted: Mode, *, has_embedder: bool) -> tuple[Mode, bool]:
    """The resolved mode, and whether the mode hybrid or semantic fell back to bm25 without an embedder.

    Section "Hybrid pipeline".
    """
    if wanted is Mode.BM25 or not has_embedder:
        return Mode.BM25, wanted in (Mode.HYBRID, Mode.SEMANTIC)
    return (Mode.HYBRID if wanted is Mode.AUTO else wanted), False


def has_vector_leg(mode: Mode) -> bool:
    """Whether the vector leg runs in a resolved mode. Section "Hybrid pipeline"."""
    return mode in (Mode.SEMANTIC, Mode.HYBRID)


def _fuse(mode: Mode, bm25: Leg, vector: Leg) -> list[Result]:
    """Scores one leg by its ranks, or fuses both legs."""
    if mode is Mode.HYBRID:
        return reciprocal_rank_fusion([bm25.candidates, vector.candidates])
    return decided(RetrievalDecisions).score_one_leg(bm25.candidates if mode is Mode.BM25 else vector.candidates)


def _ranked(chunks: Sequence[Chunk]) -> tuple[Candidate, ...]:
    """The candidates of the BM25 leg, with their ranks."""
    rule = decided(RetrievalDecisions)
    return tuple(Candidate.of(chunk, bm25_rank=rule.bm25_rank(position)) for position, chunk in enumerate(chunks))


class RetrievalDecisions(Decisions):
    """What the two sections leave open, as adopted: legs, rows, failed stages and the trace."""

    def run_legs(self, bm25: Callable[[], TimedLeg], vector: Callable[[], TimedLeg]) -> tuple[TimedLeg, TimedLeg]:
        """RUL-B145: the BM25 leg, with its ladder, ends before the vector leg begins."""
        return bm25(), vector()

    def query_to_parse(self, request: SearchRequest) -> str:
        """RUL-B132: a search parses the query of the request; a date of the question has no effect."""
        return request.query

    def compile_query(self, query: str, aliases: AliasTable | None) -> str:
        """Parses the query, expands aliases if there is a table, and compiles the result. Section "Hybrid pipeline"."""
        ast = parse_query(query)
        expanded = ast if aliases is None else expand_aliases(ast, aliases)
        return compile_to_fts(expanded)

    def has_bm25_leg(self, mode: Mode) -> bool:
        """RUL-B49: the BM25 leg runs in every resolved mode, also in semantic."""
        return mode in (Mode.BM25, Mode.SEMANTIC, Mode.HYBRID)

    def mode_after_legs(self, resolved: tuple[Mode, bool], wanted: Mode, vector: Leg) -> tuple[Mode, bool]:
        """The mode stays as resolved before the legs, also if the vector leg has no hits."""
        return self.mode_after_failed_vector_leg(wanted) if vector.error_stage else resolved

    def mode_after_failed_vector_leg(self, wanted: Mode) -> tuple[Mode, bool]:
        """RUL-B94: an embedder or a vector search that fails leaves the mode as it is."""
        return resolve_mode(wanted, has_embedder=True)

    def failed_vector_leg(self) -> Leg:
        """RUL-B94: a failing embedder or vector search empties the vector leg, and the trace names the stage vector."""
        return Leg(error_stage="vector")

    def bm25_limit(self, candidate_k: int) -> int:
        """RUL-B93: the limit of every BM25 call is candidateK."""
        return candidate_k

    def bm25_rank(self, position: int) -> int:
        """RUL-B105: bm25Rank is the position in the BM25 leg, counted from 0."""
        return position

    def first_rows(self, compiled: str, hits: int | None) -> tuple[retry_ladder.RetryAttempt, ...]:
        """RUL-B48: the initial row reports the hits of the first call; a call that raised has no hits and no row."""
        return () if hits is None else (retry_ladder.RetryAttempt("initial", compiled, hits),)

    def rows_without_ladder(self, rows: tuple[retry_ladder.RetryAttempt, ...]) -> tuple[retry_ladder.RetryAttempt, ...]:
        """RUL-B90: the initial row stays also if the ladder does not run."""
        return rows

    def leg_after_failed_rung(self, leg: Leg) -> Leg:
        """RUL-B91: an error on a rung ends the ladder: the earlier rows stay, the leg is empty, and its stage is bm25."""
        return Leg(attempts=leg.attempts, error_stage="bm25")

    def reason_not_to_rerank(self, *, is_wanted: bool, has_reranker: bool) -> str | None:
        """RUL-B51: mode_off is the reason before no_reranker."""
        if not is_wanted:
            return "mode_off"
        return None if has_reranker else "no_reranker"

    def reported_agreements(self, bm25: Sequence[str], vector: Sequence[str]) -> int | None:
        """RUL-B96: the trace contains the agreement count only if the shortcut applies."""
        shortcut = rerank.unanimity_shortcut(bm25, vector)
        return None if shortcut is None else shortcut.agreements

    def final_after_failed_reranker(self, fused: list[Result]) -> FinalOrder:
        """RUL-B95: if the reranker fails, the fused order is final, and the trace names the stage rerank."""
        return FinalOrder(fused, error_stage="rerank")

    def score_after_reranking(self, result: Result) -> float:
        """RUL-B92: the score stays the fused score; the score of the reranker is beside it."""
        return result.score

    def trace_of_failures(self, trace: HybridTrace, failed: Sequence[str]) -> HybridTrace:
        """RUL-B104: errorStage is the first stage that failed, and the rest of the trace stays."""
        return replace(trace, error_stage=failed[0])

    def score_one_leg(self, candidates: Sequence[Candidate]) -> list[Result]:
        """RUL-B109: the k of one list is RRF_DEFAULT_K, as in fusion."""
        return score_alone(candidates)
