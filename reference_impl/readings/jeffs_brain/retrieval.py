"""Other readings of the algorithms document's sections "Hybrid pipeline" and "Trace"."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Final

from ...jeffs_brain import fusion, parser, rerank, retrieval, temporal
from ...jeffs_brain.candidates import Candidate, Result
from ...jeffs_brain.retrieval import Leg, Retrieval
from ...jeffs_brain.retry_ladder import RetryAttempt
from ...jeffs_brain.search import HybridTrace, Mode, SearchRequest, StageError, VectorHit
from ...wire.jeffs_brain.scripted import ScriptedDecisions
from ...wire.jeffs_brain.values import AlgorithmWireDecisions
from ...wire.operations import Json

ACTS_ON = ("retrieval.search",)

_LARGEST_LIMIT: Final = 2**63 - 1
_ENGINE_VALUE: Final = 7  # no index of the cases reports a value of its own, so every candidate has this one
_OTHER_K: Final = 1
_WITHOUT_A_TEXT: Final = ("trigram_fuzzy", "force-refresh")


class CompileRungWithoutAliases(Retrieval, reading="RUL-B26=b"):
    def compile_rung(self, text: str) -> str:
        """Only the initial query is expanded; a rung searches for the words themselves."""
        return self.compile_query(text, None)


class NoLeg(Retrieval, reading="RUL-B28=b"):
    def leg_of_empty_query(self, request: SearchRequest) -> Leg:
        """An empty compiled query has no BM25 leg: no row and no ladder."""
        return Leg()


class LegWithoutInitialRow(Retrieval, reading="RUL-B28=c"):
    def leg_of_empty_query(self, request: SearchRequest) -> Leg:
        """An empty compiled query has no initial row, and the rungs run."""
        return self.retry_if_empty(request, Leg())


class SendTextUnchanged(Retrieval, reading="RUL-B47=b"):
    def search_rung(self, text: str, limit: int) -> tuple[Candidate, ...]:
        """The text of a rung is sent to FTS5 unchanged."""
        return self.run_bm25(text, limit)


class RowWithCompiledText(Retrieval, reading="RUL-B47=c"):
    def row_of_rung(self, attempt: RetryAttempt) -> RetryAttempt:
        """The row of a rung contains the compiled expression."""
        if attempt.strategy in _WITHOUT_A_TEXT:
            return attempt
        return replace(attempt, query=self.compile_rung(attempt.query))


class InitialRowWithTheText(Retrieval, reading="RUL-B47=d"):
    def retry_if_empty(self, request: SearchRequest, leg: Leg) -> Leg:
        """The initial row contains the text that is compiled."""
        rows = tuple(replace(row, query=self.query_to_parse(request)) for row in leg.attempts)
        return super().retry_if_empty(request, replace(leg, attempts=rows))


class FirstRowsAfterAnErrorToo(Retrieval, reading="RUL-B48=b"):
    def initial_rows(self, compiled: str, hits: int | None) -> tuple[RetryAttempt, ...]:
        """A first call that raised has the initial row with 0 hits."""
        return (RetryAttempt("initial", compiled, hits or 0),)


class HasBm25LegUnlessSemantic(Retrieval, reading="RUL-B49=b"):
    def has_bm25_leg(self, mode: Mode) -> bool:
        """Semantic mode queries only the vector index."""
        return mode is not Mode.SEMANTIC


class VectorLegFirst(Retrieval, reading="RUL-B145=b"):
    def run_legs(self, bm25: Callable[[], Leg], vector: Callable[[], Leg]) -> tuple[Leg, Leg]:
        """The vector leg runs first."""
        first = vector()
        return bm25(), first


class NoRerankerFirst(Retrieval, reading="RUL-B51=b"):
    def reason_not_to_rerank(self, request: SearchRequest) -> str | None:
        """no_reranker is the reason before mode_off."""
        if self.reranker is None:
            return "no_reranker"
        return None if self.is_reranking_wanted(request) else "mode_off"


class NoRowsWithoutLadder(Retrieval, reading="RUL-B90=b"):
    def rows_without_ladder(self, rows: tuple[RetryAttempt, ...]) -> tuple[RetryAttempt, ...]:
        """Rows exist only if the ladder ran."""
        return ()


class UnrecordedErrorOfARung(Retrieval, reading="RUL-B91=b"):
    def leg_after_failed_rung(self, leg: Leg) -> Leg:
        """An error on a rung ends the ladder and is not recorded."""
        return Leg(attempts=leg.attempts)


class FailedRungRaises(Retrieval, reading="RUL-B91=c"):
    def leg_after_failed_rung(self, leg: Leg) -> Leg:
        """An error on a rung ends the search."""
        raise StageError("a rung of the ladder failed")


class FailedRungHasNoHits(Retrieval, reading="RUL-B91=d"):
    def search_rung(self, text: str, limit: int) -> tuple[Candidate, ...]:
        """An error on a rung counts as zero hits and is not recorded; the ladder continues."""
        try:
            return super().search_rung(text, limit)
        except StageError:
            return ()


class ScoreOfTheReranker(Retrieval, reading="RUL-B92=b"):
    def score_after_reranking(self, result: Result) -> float:
        """The score becomes the reranker's score."""
        return result.score if result.rerank_score is None else result.rerank_score


class NoLimit(Retrieval, reading="RUL-B93=b"):
    def bm25_limit(self, candidate_k: int) -> int:
        """BM25 calls have no limit."""
        return _LARGEST_LIMIT


class NoRecordedLimit(ScriptedDecisions, reading="RUL-B93=b"):
    def recorded_limit(self, limit: int) -> dict[str, int]:
        """BM25 calls have no limit, so that none is recorded."""
        return {}


class UnrecordedErrorOfTheVectors(Retrieval, reading="RUL-B94=b"):
    def failed_vector_leg(self) -> Leg:
        """A failing embedder or vector search empties the vector leg and is not recorded."""
        return Leg()


class FailedVectorsRaise(Retrieval, reading="RUL-B94=c"):
    def failed_vector_leg(self) -> Leg:
        """A failing embedder or vector search ends the search."""
        raise StageError("the vector leg failed")


class SemanticModeFallsBack(Retrieval, reading="RUL-B94=d"):
    def mode_after_failed_vector_leg(self, resolved: tuple[Mode, bool], wanted: Mode) -> tuple[Mode, bool]:
        """In semantic mode the search also falls back to bm25, as it does without an embedder."""
        return retrieval.resolve_mode(wanted, has_embedder=False) if wanted is Mode.SEMANTIC else resolved


class AutoModeBecomesBm25(Retrieval, reading="RUL-B94=e"):
    def mode_after_failed_vector_leg(self, resolved: tuple[Mode, bool], wanted: Mode) -> tuple[Mode, bool]:
        """In auto mode the search has the mode bm25, as it does without an embedder."""
        return retrieval.resolve_mode(wanted, has_embedder=False) if wanted is Mode.AUTO else resolved


class FailedRerankerRaises(Retrieval, reading="RUL-B95=b"):
    def final_after_failed_reranker(self, fused: list[Result]) -> retrieval.FinalOrder:
        """A failing reranker ends the search."""
        raise StageError("the reranker failed")


class EveryCount(Retrieval, reading="RUL-B96=b"):
    def reported_agreements(self, bm25: Sequence[str], vector: Sequence[str]) -> int | None:
        """The trace contains the agreement count whenever it is computed."""
        counted = rerank.unanimity_shortcut(bm25, vector, 0)
        return None if counted is None else counted.agreements


class LegsThatRan(Retrieval, reading="RUL-B97=b"):
    def timed_legs(self, trace: HybridTrace) -> list[str]:
        """Only legs that ran have a time."""
        ran = {
            "bm25": self.has_bm25_leg(trace.mode),
            "vector": retrieval.has_vector_leg(trace.mode) or trace.error_stage == "vector",
        }
        return [leg for leg in trace.elapsed if ran[leg]]


class RunBm25AboveZero(Retrieval, reading="RUL-B98=b"):
    def run_bm25(self, match: str, limit: int) -> tuple[Candidate, ...]:
        """With a limit of 0, BM25 is not queried."""
        return super().run_bm25(match, limit) if limit else ()

    def search_vector(self, embedding: Sequence[float], limit: int) -> Sequence[VectorHit]:
        """With a limit of 0, the vector index is not queried."""
        return super().search_vector(embedding, limit) if limit else ()


class LastFailedStage(Retrieval, reading="RUL-B104=b"):
    def trace_of_failures(self, trace: HybridTrace, failed: Sequence[str]) -> HybridTrace:
        """The last failed stage replaces the first."""
        return replace(trace, error_stage=failed[-1])


class TwoFailuresRaise(Retrieval, reading="RUL-B104=c"):
    def trace_of_failures(self, trace: HybridTrace, failed: Sequence[str]) -> HybridTrace:
        """Two stages that fail end the search."""
        if len(failed) > 1:
            raise StageError(f"failed: {', '.join(failed)}")
        return replace(trace, error_stage=failed[0])


class NoSkipReasonIfBothLegsFail(Retrieval, reading="RUL-B104=d"):
    def trace_of_failures(self, trace: HybridTrace, failed: Sequence[str]) -> HybridTrace:
        """The first failed stage is kept, and a search whose legs both raise reports no skip reason."""
        reason = None if {"bm25", "vector"} <= set(failed) else trace.rerank_skipped_reason
        return replace(trace, error_stage=failed[0], rerank_skipped_reason=reason)


class RankFromOne(Retrieval, reading="RUL-B105=b"):
    def bm25_rank(self, position: int) -> int:
        """bm25Rank is the position in the BM25 leg, counted from 1."""
        return position + 1


class ValueOfTheEngine(Retrieval, reading="RUL-B105=c"):
    def bm25_rank(self, position: int) -> int:
        """bm25Rank is the engine's own value."""
        return _ENGINE_VALUE


class ScoreWithAnotherK(Retrieval, reading="RUL-B109=b"):
    def score_one_leg(self, candidates: Sequence[Candidate]) -> list[Result]:
        """Each SDK chooses k; here it is 1."""
        results = super().score_one_leg(candidates)
        scores = fusion.contributions(len(results), _OTHER_K)
        return [replace(result, score=score) for result, score in zip(results, scores, strict=True)]


@dataclass(frozen=True, slots=True)
class DatedRequest(SearchRequest):
    """A search request with the date of the question."""

    question_date: str | None = None


class DatedRequestOf(AlgorithmWireDecisions, reading="RUL-B132=b"):
    def search_request_of(self, plain: Json) -> SearchRequest:
        """The request keeps the date of the question."""
        request = super().search_request_of(plain)
        members = {member.name: getattr(request, member.name) for member in fields(request)}
        return DatedRequest(**members, question_date=plain.get("questionDate"))


class QueryWithDateTokens(Retrieval, reading="RUL-B132=b"):
    def query_to_parse(self, request: SearchRequest) -> str:
        """A search with a question date appends the date tokens to the query before it is parsed."""
        date = request.question_date if isinstance(request, DatedRequest) else None
        return request.query if date is None else temporal.augment_query_with_temporal(request.query, date)


class HitsOfSeveralQueries(Retrieval, reading="RUL-B136=b"):
    def initial_hits(self, request: SearchRequest, compiled: str) -> tuple[Candidate, ...]:
        """The BM25 leg merges the hits of the compiled query and of each word of the query alone."""
        limit = self.bm25_limit(request.candidate_k)
        tokens = parser.parse_query(request.query).tokens
        words = [word.text for token in tokens for word in parser.parse_query(token.text).tokens]
        merged = {hit.id: hit for hit in super().initial_hits(request, compiled)}
        for word in dict.fromkeys(words):
            if word != compiled:
                for hit in self.run_bm25(word, limit):
                    merged.setdefault(hit.id, hit)
        found = tuple(merged.values())[:limit]
        return tuple(replace(hit, bm25_rank=self.bm25_rank(place)) for place, hit in enumerate(found))


class RequestWithNamedReranking(AlgorithmWireDecisions, reading="RUL-B137=b"):
    def search_request_of(self, plain: Json) -> SearchRequest:
        """Reranking is off unless the request names it."""
        return replace(super().search_request_of(plain), rerank=plain.get("rerank") is True)


class IsRerankingTheMode(Retrieval, reading="RUL-B137=b"):
    def is_reranking_wanted(self, request: SearchRequest) -> bool:
        """A search reranks only in a mode of its own; on the wire, this is the mode hybrid with reranking named."""
        mode, _ = retrieval.resolve_mode(request.mode, has_embedder=self.embedder is not None)
        return request.rerank and mode is Mode.HYBRID
