"""``augur.ts``, ``search``: route, retrieve, rerank, and what the trace tells of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from reference_impl.augur.filters import Filter, compose_filter
from reference_impl.augur.fusion import Hit, adapt_weight, pick_vector_weight, weighted_rrf_fuse
from reference_impl.augur.language import ENGLISH
from reference_impl.augur.router import Asked, Capabilities, Decision, HeuristicRouter, Strategy
from reference_impl.observer import Observer, Step, silent

SECTION = "Augur.search"

POOL_PER_SIDE: Final = 50
POOL: Final = 30
HYBRID_FACTOR: Final = 4


class Adapter(Protocol):
    """A store that can be searched; what passes the filter, best first, at most ``top_k``."""

    def search_vector(self, top_k: int, wanted: Filter | None) -> list[Hit]:
        """The nearest by embedding."""

    def search_keyword(self, top_k: int, wanted: Filter | None) -> list[Hit]:
        """The best by words."""


class Reranker(Protocol):
    """A model that orders candidates anew."""

    def rerank(self, candidates: Sequence[Hit], top_k: int) -> list[Hit]:
        """The best ``top_k``."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A query with its limits; ``min_score`` is inclusive."""

    asked: Asked
    top_k: int = 10
    filter: Filter | None = None
    min_score: float | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """Results with what the trace tells: ``candidates`` counts what the last retrieval gave."""

    results: Sequence[Hit]
    decision: Decision
    candidates: int
    auto_language: str | None
    auto_language_dropped: bool


@dataclass(frozen=True, slots=True)
class Augur:
    """A store with its router; without a reranker nothing is reranked."""

    adapter: Adapter
    can: Capabilities
    reranker: Reranker | None = None
    router: HeuristicRouter = field(default_factory=HeuristicRouter)
    auto_language_filter: bool = False

    def search(self, request: SearchRequest, *, observe: Observer = silent) -> Found:
        """Retrieve by the router's decision; where the language filter leaves nothing, once more without it."""
        decision = self.router.decide(request.asked, self.can, self.reranker is not None, observe=observe)
        language = self._language(decision, request.filter)
        wanted = compose_filter(request.filter, language)
        candidates = self._retrieve(decision, request.top_k, wanted, observe)
        dropped = language is not None and not candidates
        if dropped:
            observe(Step(SECTION, "language filter dropped", language))
            candidates = self._retrieve(decision, request.top_k, request.filter, observe)
        results = self._finished(decision, candidates, request)
        return Found(results, decision, len(candidates), language, dropped)

    def _language(self, decision: Decision, user_filter: Filter | None) -> str | None:
        """The language to filter by: none for English, and none where the caller's filter names one."""
        language = decision.signals.language
        if not self.auto_language_filter or language == ENGLISH or "lang" in (user_filter or {}):
            return None
        return language

    def _retrieve(self, decision: Decision, top_k: int, wanted: Filter | None, observe: Observer) -> list[Hit]:
        if decision.reranked:
            return self._pool(decision, wanted, observe)
        if decision.strategy is Strategy.KEYWORD:
            return self.adapter.search_keyword(top_k, wanted)
        if decision.strategy is Strategy.HYBRID:
            return self._hybrid(decision, top_k, wanted, observe)
        return self.adapter.search_vector(top_k, wanted)

    def _pool(self, decision: Decision, wanted: Filter | None, observe: Observer) -> list[Hit]:
        """Candidates for the reranker: both sides that the store has, fused with the adaptive weight."""
        vec = self.adapter.search_vector(POOL_PER_SIDE, wanted) if self.can.vector else []
        kw = self.adapter.search_keyword(POOL_PER_SIDE, wanted) if self.can.keyword else []
        prior = pick_vector_weight(decision.signals)
        weight = adapt_weight(prior, [hit.score for hit in vec], [hit.score for hit in kw], observe=observe)
        return weighted_rrf_fuse(vec, kw, weight, observe=observe)[:POOL]

    def _hybrid(self, decision: Decision, top_k: int, wanted: Filter | None, observe: Observer) -> list[Hit]:
        """The store's own fusion, with the prior alone as the weight."""
        vec = self.adapter.search_vector(top_k * HYBRID_FACTOR, wanted)
        kw = self.adapter.search_keyword(top_k * HYBRID_FACTOR, wanted)
        return weighted_rrf_fuse(vec, kw, pick_vector_weight(decision.signals), observe=observe)[:top_k]

    def _finished(self, decision: Decision, candidates: list[Hit], request: SearchRequest) -> list[Hit]:
        """Reranked if there is anything to rerank, cut, and last of all held to the lowest score."""
        if decision.reranked and self.reranker is not None and candidates:
            results = self.reranker.rerank(candidates, request.top_k)
        else:
            results = candidates[: request.top_k]
        lowest = request.min_score
        return [hit for hit in results if lowest is None or hit.score >= lowest]
