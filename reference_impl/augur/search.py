"""``augur.ts``, search: routing, retrieval, reranking and the trace."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from ..decisions import Decisions, decided
from ..observer import observe
from .filters import Filter, compose_filter
from .fusion import FusionDecisions, Hit, adapt_weight, weighted_rrf_fuse
from .router import Asked, Capabilities, Decision, HeuristicRouter, Strategy
from .signals import ENGLISH, Signals

SECTION = "Augur.search"

POOL_PER_SIDE: Final = 50
POOL: Final = 30
HYBRID_FACTOR: Final = 4


class Adapter(Protocol):
    """A searchable store. A search returns at most ``top_k`` items that pass the filter, best first."""

    def search_vector(self, top_k: int, wanted: Filter | None) -> list[Hit]:
        """The items nearest to the embedding of the query."""

    def search_keyword(self, top_k: int, wanted: Filter | None) -> list[Hit]:
        """The items that match the words of the query best."""


class Reranker(Protocol):
    """A model that reorders candidates."""

    def rerank(self, candidates: Sequence[Hit], top_k: int) -> list[Hit]:
        """The best ``top_k`` candidates, best first."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A query and its limits; ``min_score`` is inclusive."""

    asked: Asked
    top_k: int = 10
    filter: Filter | None = None
    min_score: float | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """Results and trace; ``candidates`` is the number of items that the last retrieval returned."""

    results: Sequence[Hit]
    decision: Decision
    candidates: int
    auto_language: str | None
    auto_language_dropped: bool


@dataclass(frozen=True, slots=True)
class Augur:
    """A store with a router and an optional reranker. ``augur.ts``."""

    adapter: Adapter
    can: Capabilities
    reranker: Reranker | None = None
    router: HeuristicRouter = field(default_factory=HeuristicRouter)
    auto_language_filter: bool = False

    def search(self, request: SearchRequest) -> Found:
        """Retrieves by the decision of the router; without items, repeats without the language filter. ``augur.ts``."""
        decision = self.router.decide(request.asked, self.can, self.reranker is not None)
        language = self._language(decision, request.filter)
        wanted = compose_filter(request.filter, language)
        candidates = self._retrieve(decision, request.top_k, wanted)
        dropped = language is not None and not candidates
        if dropped:
            observe(SECTION, "language filter dropped", language)
            candidates = self._retrieve(decision, request.top_k, request.filter)
        results = self._finished(decision, candidates, request)
        return Found(results, decision, len(candidates), language, dropped)

    def _language(self, decision: Decision, user_filter: Filter | None) -> str | None:
        """The language for the filter; None for English, and if the caller's filter has a language."""
        language = decision.signals.language
        if not self.auto_language_filter or language == ENGLISH or "lang" in (user_filter or {}):
            return None
        return language

    def _retrieve(self, decision: Decision, top_k: int, wanted: Filter | None) -> list[Hit]:
        if decision.reranked:
            return self._pool(decision, wanted)
        if decision.strategy is Strategy.KEYWORD:
            return self.adapter.search_keyword(top_k, wanted)
        if decision.strategy is Strategy.HYBRID:
            return self._hybrid(decision, top_k, wanted)
        return self.adapter.search_vector(top_k, wanted)

    def _pool(self, decision: Decision, wanted: Filter | None) -> list[Hit]:
        """Candidates for the reranker: the supported sides, fused with the adaptive weight."""
        rule = decided(SearchDecisions)
        vec = self.adapter.search_vector(POOL_PER_SIDE, wanted) if rule.has_vector_side(self.can) else []
        kw = self.adapter.search_keyword(POOL_PER_SIDE, wanted) if rule.has_keyword_side(self.can) else []
        return weighted_rrf_fuse(vec, kw, adaptive_weight(decision.signals, vec, kw))[:POOL]

    def _hybrid(self, decision: Decision, top_k: int, wanted: Filter | None) -> list[Hit]:
        """The fused sides of a hybrid search without reranking."""
        vec = self.adapter.search_vector(top_k * HYBRID_FACTOR, wanted)
        kw = self.adapter.search_keyword(top_k * HYBRID_FACTOR, wanted)
        weight = decided(SearchDecisions).weight_without_reranking(decision.signals, vec, kw)
        return weighted_rrf_fuse(vec, kw, weight)[:top_k]

    def _finished(self, decision: Decision, candidates: list[Hit], request: SearchRequest) -> list[Hit]:
        """The final results: reranked if required, cut to ``top_k``, then filtered by ``min_score``."""
        if decision.reranked and self.reranker is not None and decided(SearchDecisions).is_sent_to_reranker(candidates):
            results = self.reranker.rerank(candidates, request.top_k)
        else:
            results = candidates[: request.top_k]
        lowest = request.min_score
        return [hit for hit in results if lowest is None or hit.score >= lowest]


def adaptive_weight(signals: Signals, vec: Sequence[Hit], kw: Sequence[Hit]) -> float:
    """The prior of the query, shifted towards the more confident side. Section "Adaptive weighted-RRF fusion"."""
    prior = decided(FusionDecisions).pick_vector_weight(signals)
    return adapt_weight(prior, [hit.score for hit in vec], [hit.score for hit in kw])


class SearchDecisions(Decisions):
    """What `augur.ts` leaves open, as adopted."""

    def weight_without_reranking(self, signals: Signals, vec: Sequence[Hit], kw: Sequence[Hit]) -> float:
        """RUL-AUGUR-06: a hybrid search without reranking has the prior as the weight."""
        return decided(FusionDecisions).pick_vector_weight(signals)

    def has_vector_side(self, can: Capabilities) -> bool:
        """RUL-AUGUR-16: the pool has a vector side only if the adapter declares vector search, not hybrid search alone."""
        return can.vector

    def has_keyword_side(self, can: Capabilities) -> bool:
        """RUL-AUGUR-16: the pool has a keyword side only if the adapter declares keyword search, not hybrid search alone."""
        return can.keyword

    def is_sent_to_reranker(self, candidates: Sequence[Hit]) -> bool:
        """RUL-AUGUR-15: an empty pool is not sent to the reranker."""
        return bool(candidates)
