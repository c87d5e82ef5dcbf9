"""The pipeline of Go v0.3.0: errors, modes, and the ladder for poor hits. The errors are also those of Python 22a586e."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from reference_impl.decisions import decided
from reference_impl.jeffs_brain import retrieval, retry_ladder
from reference_impl.jeffs_brain.candidates import Candidate
from reference_impl.jeffs_brain.retrieval import Leg, Retrieval
from reference_impl.jeffs_brain.retry_ladder import RetryLadderDecisions
from reference_impl.jeffs_brain.search import Mode, SearchRequest, SearchResponse, StageError
from reference_impl.readings.jeffs_brain.parser import simple_lower_case

ACTS_ON = ("retrieval.search",)

_JUDGED: Final = 3


class LegError(Exception):
    """A leg failed, and the search ends."""


class AfterFirstCallWithoutError(Retrieval, deviation="first-bm25-error-raises"):
    def retry_if_empty(self, request: SearchRequest, leg: Leg) -> Leg:
        """An error of the first BM25 call ends the search."""
        if leg.error_stage:
            raise LegError(leg.error_stage)
        return super().retry_if_empty(request, leg)


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


@dataclass(frozen=True, slots=True)
class Quality:
    """How much of a question its first hits cover."""

    score: float
    is_good: bool


def quality_of(question: str, hits: Sequence[Candidate]) -> Quality:
    """Counts the words of the question in the first three hits."""
    words = decided(RetryLadderDecisions).query_tokens(question)
    if not hits or not words:
        return Quality(1.0 if hits else 0.0, is_good=bool(hits))
    parts = (f" {hit.path} {hit.title} {hit.summary} {hit.content}" for hit in hits[:_JUDGED])
    text = simple_lower_case("".join(parts))
    found = sum(word in text for word in words)
    coverage = found / len(words)
    strongest = retry_ladder.strongest_term(question)
    bonus = 0.15 if strongest and strongest in text else 0.0
    is_poor = not found or (len(words) >= 4 and found < 2) or (len(words) >= 3 and coverage < 0.34)
    return Quality(min(coverage + bonus, 1.0), is_good=not is_poor)


def is_better(one: Quality, other: Quality) -> bool:
    """Whether the hits of a rung replace the first hits."""
    return (one.is_good and not other.is_good and one.score >= other.score) or one.score >= other.score + 0.2


class ClimbForPoorHits(Retrieval, deviation="ladder-runs-for-poor-hits"):
    def retry_if_empty(self, request: SearchRequest, leg: Leg) -> Leg:
        """The ladder also runs if the first hits have too few words of the query; a rung must be better to be taken."""
        first = quality_of(request.query, leg.candidates)
        if first.is_good or not leg.candidates or leg.error_stage or request.skip_retry_ladder:
            return super().retry_if_empty(request, leg)
        found: tuple[Candidate, ...] = ()

        def if_better(hits: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
            nonlocal found
            found = hits
            return hits if hits and is_better(quality_of(request.query, hits), first) else ()

        rungs = retry_ladder.walk(
            request.query,
            lambda text: if_better(self.search_rung(text, self.bm25_limit(request.candidate_k))),
            lambda tokens: if_better(retrieval.search_trigrams(self, tokens, request.candidate_k)),
        )
        try:
            for rung in rungs:
                row = self.row_of_rung(replace(rung.attempt, hits=len(found)))
                leg = Leg(merged(self, rung.candidates, leg.candidates), (*leg.attempts, row))
        except StageError:
            return self.leg_after_failed_rung(leg)
        return leg


def merged(rule: Retrieval, better: Sequence[Candidate], first: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """The hits of the rung, then the first hits, each once; the first hits alone if the rung has none."""
    if not better:
        return tuple(first)
    distinct: dict[str, Candidate] = {}
    for hit in (*better, *first):
        distinct.setdefault(hit.id or hit.path, hit)
    return tuple(replace(hit, bm25_rank=rule.bm25_rank(place)) for place, hit in enumerate(distinct.values()))
