"""Deviations from the algorithms document's sections "Hybrid pipeline" and "Trace"."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from ...jeffs_brain import algorithm_wire, anchors, retrieval, retry_ladder
from ...jeffs_brain.algorithm_wire import Json
from ...jeffs_brain.aliases import AliasTable
from ...jeffs_brain.candidates import Candidate
from ...jeffs_brain.parser import parse_query
from ...jeffs_brain.rerank import RankedDocument, RerankDocument
from ...jeffs_brain.retrieval import FinalOrder, Leg, Retrieval
from ...jeffs_brain.search import HybridTrace, Mode, Reranker, SearchRequest, SearchResponse, StageError
from ...observer import Observer
from ...switches import Switches
from .note_dates import question_date, request_with_date

SWITCHES = Switches("retrieval.search")

_CONTROL_MARKS: Final = re.compile(r'[*():^+"?!,;$#@%=]')

_TRIGRAM_HITS: Final = 200
_UNRECORDED_BM25: Final = "unrecorded bm25"
_UNRECORDED_VECTOR: Final = "unrecorded vector"
_UNRECORDED: Final = {_UNRECORDED_BM25: "bm25", _UNRECORDED_VECTOR: "vector"}


class LegError(Exception):
    """A leg failed, and the search ends."""


# Errors of the legs.


@SWITCHES.deviation("first-bm25-error-unrecorded", Retrieval.after_first_call, wraps=True)
def leg_without_first_error(
    current: Callable[[Retrieval, SearchRequest, Leg, Observer], Leg],
    self: Retrieval,
    request: SearchRequest,
    leg: Leg,
    observe: Observer,
) -> Leg:
    """An error of the first BM25 call is recorded only if the vector leg fails too."""
    found = current(self, request, leg, observe)
    return replace(found, error_stage=_UNRECORDED_BM25) if leg.error_stage else found


@SWITCHES.deviation("first-bm25-error-unrecorded", retrieval.failed_vector_leg, wraps=True)
def failed_vector_leg(current: Callable[[], Leg]) -> Leg:
    """An unrecorded error of the vector leg counts as the second one."""
    leg = current()
    return leg if leg.error_stage else replace(leg, error_stage=_UNRECORDED_VECTOR)


@SWITCHES.deviation("first-bm25-error-unrecorded", retrieval.leg_after_failed_rung, wraps=True)
def failed_rung(current: Callable[[Leg], Leg], leg: Leg) -> Leg:
    """An unrecorded error of a rung counts as that of the BM25 leg."""
    found = current(leg)
    return found if found.error_stage else replace(found, error_stage=_UNRECORDED_BM25)


@SWITCHES.deviation("first-bm25-error-unrecorded", retrieval.trace_of_failures, wraps=True)
def trace_of_recorded_failures(
    current: Callable[[HybridTrace, Sequence[str]], HybridTrace], trace: HybridTrace, failed: Sequence[str]
) -> HybridTrace:
    """Both legs are recorded together."""
    stages = [_UNRECORDED.get(stage, stage) for stage in failed]
    recorded = stages if {"bm25", "vector"} <= set(stages) else [one for one in failed if one not in _UNRECORDED]
    return current(trace, recorded) if recorded else trace


@SWITCHES.deviation("first-bm25-error-raises", Retrieval.after_first_call, wraps=True)
def after_first_call_without_error(
    current: Callable[[Retrieval, SearchRequest, Leg, Observer], Leg],
    self: Retrieval,
    request: SearchRequest,
    leg: Leg,
    observe: Observer,
) -> Leg:
    """An error of the first BM25 call ends the search."""
    if leg.error_stage:
        raise LegError(leg.error_stage)
    return current(self, request, leg, observe)


# Modes.


@SWITCHES.deviation("auto-mode-without-vector-hits-is-bm25", retrieval.mode_after_legs, wraps=True)
def mode_of_legs_with_hits(
    current: Callable[[tuple[Mode, bool], Mode, Leg], tuple[Mode, bool]],
    resolved: tuple[Mode, bool],
    wanted: Mode,
    vector: Leg,
) -> tuple[Mode, bool]:
    """In auto mode a vector leg without hits makes the mode bm25."""
    if wanted is Mode.AUTO and not vector.candidates and not vector.error_stage:
        return retrieval.resolve_mode(wanted, has_embedder=False)
    return current(resolved, wanted, vector)


@SWITCHES.deviation("auto-mode-without-vector-hits-is-bm25", Retrieval.search_raw, wraps=True)
def search_with_a_mode_for_reranking(
    current: Callable[..., SearchResponse], self: Retrieval, request: SearchRequest, **named: Any
) -> SearchResponse:
    """Not so if the search reranks: that is a mode of its own (RUL-B137=b)."""
    reranks = request.mode is Mode.AUTO and request.rerank and self.reranker is not None and self.embedder is not None
    return current(self, replace(request, mode=Mode.HYBRID) if reranks else request, **named)


# Compilation and trigrams.


@SWITCHES.deviation("trigram-rung-beyond-candidate-k", Retrieval.search_trigrams, wraps=True)
def search_trigrams_with_a_larger_limit(
    current: Callable[[Retrieval, Sequence[str], int, Observer], tuple[Candidate, ...]],
    self: Retrieval,
    tokens: Sequence[str],
    limit: int,
    observe: Observer,
) -> tuple[Candidate, ...]:
    """The trigram rung has up to ten times candidateK, and at least 200 hits."""
    return current(self, tokens, max(10 * limit, _TRIGRAM_HITS), observe)


@SWITCHES.deviation("empty-query-searched-as-written", retrieval.compile_query, wraps=True)
def compile_or_strip(
    current: Callable[[str, AliasTable | None, Observer], str],
    query: str,
    aliases: AliasTable | None,
    observe: Observer,
) -> str:
    """If no token is left, the words of the query are searched as written, without some of the marks."""
    if parse_query(query, observe=observe).tokens:
        return current(query, aliases, observe)
    return " ".join(_CONTROL_MARKS.sub("", query).split())


# Dates.


SWITCHES.deviation("sixth-rung-without-the-date", algorithm_wire.search_request_of, wraps=True)(request_with_date)


@SWITCHES.deviation("sixth-rung-without-the-date", Retrieval.after_first_call, wraps=True)
def search_again_without_the_date(
    current: Callable[[Retrieval, SearchRequest, Leg, Observer], Leg],
    self: Retrieval,
    request: SearchRequest,
    leg: Leg,
    observe: Observer,
) -> Leg:
    """If the ladder ends without hits, a request with a question date runs its first queries again, with a row. The
    trigram rung of such a request finds nothing, because its chunks have no date.
    """
    is_dated = anchors.parse_question_date(question_date(request)) is not None
    found = current(replace(self, trigram_chunks=()) if is_dated else self, request, leg, observe)
    if found.candidates or found.error_stage or leg.candidates or request.skip_retry_ladder or not is_dated:
        return found
    first = leg.attempts[0].query
    hits = self.first_hits(request, first)
    return Leg(hits, (*found.attempts, retry_ladder.RetryAttempt("relaxed_date_bound", first, len(hits))))


# Reranking.


@SWITCHES.deviation("no-reranking-by-default", algorithm_wire.search_request_of, wraps=True)
def request_without_default_reranking(current: Callable[[Json], SearchRequest], plain: Json) -> SearchRequest:
    """Reranking is off unless the request turns it on."""
    return replace(current(plain), rerank=plain.get("rerank") is True)


@SWITCHES.deviation("empty-ranking-fails", Retrieval.final_order, wraps=True)
def final_order_with_a_ranking(current: Callable[..., FinalOrder], self: Retrieval, *arguments: Any) -> FinalOrder:
    """An empty response of the reranker counts as a failed reranker."""
    reranker = self.reranker
    return current(self if reranker is None else replace(self, reranker=_NeverEmpty(reranker)), *arguments)


class _NeverEmpty:
    def __init__(self, reranker: Reranker) -> None:
        self._reranker = reranker

    def rerank(self, query: str, documents: Sequence[RerankDocument]) -> Sequence[RankedDocument]:
        ranking = self._reranker.rerank(query, documents)
        if not ranking:
            raise StageError("the response is empty")
        return ranking
