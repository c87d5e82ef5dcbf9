"""Deviations from the algorithms document's sections "Hybrid pipeline" and "Trace"."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from adapters.ts.model.note_dates import KeepsTheDate, question_date
from reference_impl.decisions import decided
from reference_impl.jeffs_brain import retrieval, retry_ladder
from reference_impl.jeffs_brain.aliases import AliasTable
from reference_impl.jeffs_brain.anchors import AnchorsDecisions
from reference_impl.jeffs_brain.candidates import Candidate
from reference_impl.jeffs_brain.parser import parse_query
from reference_impl.jeffs_brain.rerank import RankedDocument, RerankDocument
from reference_impl.jeffs_brain.retrieval import FinalOrder, Leg, Retrieval
from reference_impl.jeffs_brain.search import HybridTrace, Mode, Reranker, SearchRequest, SearchResponse, StageError
from reference_impl.wire.jeffs_brain.values import AlgorithmWireDecisions
from reference_impl.wire.operations import Json

ACTS_ON = ("retrieval.search",)

_CONTROL_MARKS: Final = re.compile(r'[*():^+"?!,;$#@%=]')

_TRIGRAM_HITS: Final = 200
_UNRECORDED_BM25: Final = "unrecorded bm25"
_UNRECORDED_VECTOR: Final = "unrecorded vector"
_UNRECORDED: Final = {_UNRECORDED_BM25: "bm25", _UNRECORDED_VECTOR: "vector"}


class LegError(Exception):
    """A leg failed, and the search ends."""


# Errors of the legs.


class LegWithoutFirstError(Retrieval, deviation="first-bm25-error-unrecorded"):
    def retry_if_empty(self, request: SearchRequest, leg: Leg) -> Leg:
        """An error of the first BM25 call is recorded only if the vector leg fails too."""
        found = super().retry_if_empty(request, leg)
        return replace(found, error_stage=_UNRECORDED_BM25) if leg.error_stage else found


class FailedVectorLeg(Retrieval, deviation="first-bm25-error-unrecorded"):
    def failed_vector_leg(self) -> Leg:
        """An unrecorded error of the vector leg counts as the second one."""
        leg = super().failed_vector_leg()
        return leg if leg.error_stage else replace(leg, error_stage=_UNRECORDED_VECTOR)

    def leg_after_failed_rung(self, leg: Leg) -> Leg:
        """An unrecorded error of a rung counts as that of the BM25 leg."""
        found = super().leg_after_failed_rung(leg)
        return found if found.error_stage else replace(found, error_stage=_UNRECORDED_BM25)

    def trace_of_failures(self, trace: HybridTrace, failed: Sequence[str]) -> HybridTrace:
        """Both legs are recorded together."""
        stages = [_UNRECORDED.get(stage, stage) for stage in failed]
        recorded = stages if {"bm25", "vector"} <= set(stages) else [one for one in failed if one not in _UNRECORDED]
        return super().trace_of_failures(trace, recorded) if recorded else trace


class AfterFirstCallWithoutError(Retrieval, deviation="first-bm25-error-raises"):
    def retry_if_empty(self, request: SearchRequest, leg: Leg) -> Leg:
        """An error of the first BM25 call ends the search."""
        if leg.error_stage:
            raise LegError(leg.error_stage)
        return super().retry_if_empty(request, leg)


# Modes.


class ModeOfLegsWithHits(Retrieval, deviation="auto-mode-without-vector-hits-is-bm25"):
    def mode_after_legs(self, resolved: tuple[Mode, bool], wanted: Mode, vector: Leg) -> tuple[Mode, bool]:
        """In auto mode a vector leg without hits makes the mode bm25."""
        if wanted is Mode.AUTO and not vector.candidates and not vector.error_stage:
            return retrieval.resolve_mode(wanted, has_embedder=False)
        return super().mode_after_legs(resolved, wanted, vector)


class SearchWithAModeForReranking(Retrieval, deviation="auto-mode-without-vector-hits-is-bm25"):
    def search_raw(self, request: SearchRequest) -> SearchResponse:
        """Not so if the search reranks: that is a mode of its own (RUL-B137=b)."""
        reranks = (
            request.mode is Mode.AUTO and request.rerank and self.reranker is not None and self.embedder is not None
        )
        return super().search_raw(replace(request, mode=Mode.HYBRID) if reranks else request)


# Compilation and trigrams.


class SearchTrigramsWithALargerLimit(Retrieval, deviation="trigram-rung-beyond-candidate-k"):
    def search_trigrams(self, tokens: Sequence[str], limit: int) -> tuple[Candidate, ...]:
        """The trigram rung has up to ten times candidateK, and at least 200 hits."""
        return super().search_trigrams(tokens, max(10 * limit, _TRIGRAM_HITS))


class CompileOrStrip(Retrieval, deviation="empty-query-searched-as-written"):
    def compile_query(self, query: str, aliases: AliasTable | None) -> str:
        """If no token is left, the words of the query are searched as written, without some of the marks."""
        if parse_query(query).tokens:
            return super().compile_query(query, aliases)
        return " ".join(_CONTROL_MARKS.sub("", query).split())


# Dates.


class KeepsTheDateForTheSixthRung(KeepsTheDate, deviation="sixth-rung-without-the-date"):
    """The request keeps the date of the question."""


class SearchAgainWithoutTheDate(Retrieval, deviation="sixth-rung-without-the-date"):
    def retry_if_empty(self, request: SearchRequest, leg: Leg) -> Leg:
        """If the ladder ends without hits, a request with a question date runs its first queries again, with a row. The
        trigram rung of such a request finds nothing, because its chunks have no date.
        """
        is_dated = decided(AnchorsDecisions).parse_question_date(question_date(request)) is not None
        climbing = replace(self, trigram_chunks=()) if is_dated else self
        found = super(SearchAgainWithoutTheDate, climbing).retry_if_empty(request, leg)
        if found.candidates or found.error_stage or leg.candidates or request.skip_retry_ladder or not is_dated:
            return found
        first = leg.attempts[0].query
        hits = self.initial_hits(request, first)
        return Leg(hits, (*found.attempts, retry_ladder.RetryAttempt("relaxed_date_bound", first, len(hits))))


# Reranking.


class RequestWithoutDefaultReranking(AlgorithmWireDecisions, deviation="no-reranking-by-default"):
    def search_request_of(self, plain: Json) -> SearchRequest:
        """Reranking is off unless the request turns it on."""
        return replace(super().search_request_of(plain), rerank=plain.get("rerank") is True)


class FinalOrderWithARanking(Retrieval, deviation="empty-ranking-fails"):
    def final_order(self, *arguments: Any) -> FinalOrder:
        """An empty response of the reranker counts as a failed reranker."""
        reranker = self.reranker
        checked = self if reranker is None else replace(self, reranker=_NeverEmpty(reranker))
        return super(FinalOrderWithARanking, checked).final_order(*arguments)


class _NeverEmpty:
    def __init__(self, reranker: Reranker) -> None:
        self._reranker = reranker

    def rerank(self, query: str, documents: Sequence[RerankDocument]) -> Sequence[RankedDocument]:
        ranking = self._reranker.rerank(query, documents)
        if not ranking:
            raise StageError("the response is empty")
        return ranking
