"""Algorithms document, sections "Hybrid pipeline" and "Trace": one search, from the query to the results and the trace."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from ..observer import Observer, Step, silent
from . import rerank, retry_ladder
from .aliases import AliasTable, expand_aliases
from .candidates import Candidate, Chunk, Result
from .fts5 import compile_to_fts
from .fusion import reciprocal_rank_fusion, score_alone
from .intent import reweight
from .parser import parse_query
from .search import (
    Embedder,
    HybridTrace,
    Mode,
    Reranker,
    SearchIndex,
    SearchRequest,
    SearchResponse,
    StageError,
)
from .trigram import TrigramIndex

SECTION = "Hybrid pipeline"


@dataclass(frozen=True, slots=True)
class _Leg:
    candidates: tuple[Candidate, ...] = ()
    attempts: tuple[retry_ladder.RetryAttempt, ...] = ()
    error_stage: str | None = None

    @property
    def ids(self) -> list[str]:
        return [candidate.id for candidate in self.candidates]


@dataclass(frozen=True, slots=True)
class _Final:
    results: list[Result]
    reranked: bool = False
    skipped_reason: str | None = None
    agreements: int | None = None
    error_stage: str | None = None


@dataclass(frozen=True)
class Retrieval:
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

    def search_raw(self, request: SearchRequest, *, observe: Observer = silent) -> SearchResponse:
        """Runs the pipeline: compile, both legs, fuse, reweight, rerank, cut. A failing stage raises no exception.

        Section "Hybrid pipeline".
        """
        compiled = self._compile(request.query, observe)
        mode, fell_back = resolve_mode(request.mode, has_embedder=self.embedder is not None)
        observe(Step(SECTION, "mode", {"mode": mode.value, "fellBackToBM25": fell_back}))
        started = self.clock()
        bm25 = self._bm25_leg(request, compiled, observe)
        bm25_ended = self.clock()
        vector = self._vector_leg(request, mode, observe)
        elapsed = {"bm25": bm25_ended - started, "vector": self.clock() - bm25_ended}
        fused = reweight(request.query, _fuse(mode, bm25, vector, observe), observe=observe)
        final = self._rerank(request, fused, bm25, vector, observe)
        trace = HybridTrace(
            mode=mode,
            compiled_query=compiled,
            bm25_count=len(bm25.candidates),
            vector_count=len(vector.candidates),
            fell_back_to_bm25=fell_back,
            reranked=final.reranked,
            rerank_skipped_reason=final.skipped_reason,
            agreements=final.agreements,
            error_stage=bm25.error_stage or vector.error_stage or final.error_stage,
            attempts=bm25.attempts,
            elapsed=elapsed,
        )
        return SearchResponse(tuple(final.results[: request.top_k]), trace)

    def _compile(self, query: str, observe: Observer) -> str:
        """Parses the query, expands aliases if there is a table, and compiles the result."""
        ast = parse_query(query, observe=observe)
        expanded = ast if self.aliases is None else expand_aliases(ast, self.aliases, observe=observe)
        return compile_to_fts(expanded, observe=observe)

    def _bm25_leg(self, request: SearchRequest, compiled: str, observe: Observer) -> _Leg:
        """Runs the compiled query, then the ladder if there is no hit; an error never starts the ladder.

        Section "Escalation conditions".
        """
        try:
            leg = self._initial(request, compiled, observe)
        except StageError:
            return _Leg(error_stage="bm25")
        if leg.candidates or request.skip_retry_ladder:
            return leg
        return self._climb(request, leg, observe)

    def _initial(self, request: SearchRequest, compiled: str, observe: Observer) -> _Leg:
        """Rung 0, whose row is always the first. Section "Rungs (ordered)"."""
        candidates = self._run_bm25(compiled, request.candidate_k)
        attempt = retry_ladder.RetryAttempt("initial", compiled, len(candidates))
        observe(Step(retry_ladder.SECTION, "initial", {"query": compiled, "hits": attempt.hits}))
        return _Leg(candidates, (attempt,))

    def _climb(self, request: SearchRequest, leg: _Leg, observe: Observer) -> _Leg:
        """Runs the rungs of the ladder; the text of a rung is compiled like the original query."""
        limit = request.candidate_k
        rungs = retry_ladder.walk(
            request.query,
            lambda text: self._run_bm25(self._compile(text, observe), limit),
            lambda tokens: _ranked([hit.chunk for hit in self._trigrams.search(tokens, limit, observe=observe)]),
            observe=observe,
        )
        try:
            for rung in rungs:
                leg = replace(leg, candidates=rung.candidates, attempts=(*leg.attempts, rung.attempt))
        except StageError:
            return replace(leg, error_stage="bm25")
        return leg

    def _run_bm25(self, match: str, limit: int) -> tuple[Candidate, ...]:
        """Searches the index; an empty expression means "no FTS leg" and makes no call."""
        return _ranked(self.index.search_bm25(match, limit)) if match else ()

    def _vector_leg(self, request: SearchRequest, mode: Mode, observe: Observer) -> _Leg:
        """The nearest neighbours of the embedding of the raw query, in the modes hybrid and semantic."""
        if self.embedder is None or mode not in (Mode.HYBRID, Mode.SEMANTIC):
            return _Leg()
        try:
            embedding = self.embedder.embed([request.query])[0]
            hits = self.index.search_vector(embedding, request.candidate_k) if embedding else ()
        except StageError:
            return _Leg(error_stage="vector")
        leg = _Leg(tuple(Candidate.of(hit.chunk, vector_similarity=hit.similarity) for hit in hits))
        observe(Step(SECTION, "vector leg", leg.ids))
        return leg

    def _rerank(
        self, request: SearchRequest, fused: list[Result], bm25: _Leg, vector: _Leg, observe: Observer
    ) -> _Final:
        """The last step of the pipeline: reranks the head, unless a reason to skip applies."""
        section = "Rerank tail preservation"
        if reason := self._reason_not_to_rerank(request, fused):
            observe(Step(section, "skipped", reason))
            return _Final(fused, skipped_reason=reason)
        shortcut = rerank.unanimity_shortcut(bm25.ids, vector.ids)
        observe(Step("Unanimity shortcut", "agreements", shortcut and shortcut.agreements))
        if shortcut:
            return _Final(fused, skipped_reason="unanimity", agreements=shortcut.agreements)
        final = self._reranked(request, fused)
        observe(Step(section, "final order", [result.id for result in final.results]))
        return final

    def _reason_not_to_rerank(self, request: SearchRequest, fused: list[Result]) -> str | None:
        """The reasons to skip that the pipeline checks before the shortcut, in its order."""
        if not fused:
            return "empty_candidates"
        if not request.rerank:
            return "mode_off"
        return "no_reranker" if self.reranker is None else None

    def _reranked(self, request: SearchRequest, fused: list[Result]) -> _Final:
        """The head in the order of the reranker; the fused order if the reranker fails."""
        assert self.reranker is not None
        documents = [rerank.as_document(result.candidate) for result in fused[: request.rerank_top_n]]
        try:
            ranking = self.reranker.rerank(request.query, documents)
        except StageError:
            return _Final(fused, error_stage="rerank")
        return _Final(rerank.apply_ranking(fused, request.rerank_top_n, ranking), reranked=True)


def resolve_mode(wanted: Mode, *, has_embedder: bool) -> tuple[Mode, bool]:
    """The resolved mode, and whether the mode hybrid or semantic fell back to bm25 without an embedder.

    Section "Hybrid pipeline".
    """
    if wanted is Mode.BM25 or not has_embedder:
        return Mode.BM25, wanted in (Mode.HYBRID, Mode.SEMANTIC)
    return (Mode.HYBRID if wanted is Mode.AUTO else wanted), False


def _fuse(mode: Mode, bm25: _Leg, vector: _Leg, observe: Observer) -> list[Result]:
    """Scores one leg by its ranks, or fuses both legs."""
    if mode is Mode.HYBRID:
        return reciprocal_rank_fusion([bm25.candidates, vector.candidates], observe=observe)
    return score_alone(bm25.candidates if mode is Mode.BM25 else vector.candidates)


def _ranked(chunks: Sequence[Chunk]) -> tuple[Candidate, ...]:
    """The candidates of the BM25 leg, ranked from 0."""
    return tuple(Candidate.of(chunk, bm25_rank=rank) for rank, chunk in enumerate(chunks))
