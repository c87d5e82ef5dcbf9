"""Other readings of ``augur.ts``, search."""

from collections.abc import Sequence

from ...augur.fusion import Hit
from ...augur.router import Capabilities
from ...augur.search import SearchDecisions, adaptive_weight
from ...augur.signals import Signals

ACTS_ON = ("augur.search",)


class AdaptiveWeight(SearchDecisions, reading="RUL-AUGUR-06=b"):
    def weight_without_reranking(self, signals: Signals, vec: Sequence[Hit], kw: Sequence[Hit]) -> float:
        """Every fusion is adaptive."""
        return adaptive_weight(signals, vec, kw)


class EveryPool(SearchDecisions, reading="RUL-AUGUR-15=b"):
    def is_sent_to_reranker(self, candidates: Sequence[Hit]) -> bool:
        """The search calls the reranker with an empty list."""
        return True


class VectorOrHybrid(SearchDecisions, reading="RUL-AUGUR-16=b"):
    def has_vector_side(self, can: Capabilities) -> bool:
        """Hybrid search includes the vector side."""
        return can.vector or can.hybrid

    def has_keyword_side(self, can: Capabilities) -> bool:
        """Hybrid search includes the keyword side."""
        return can.keyword or can.hybrid
