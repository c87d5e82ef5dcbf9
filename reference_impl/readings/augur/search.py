"""Other readings of ``augur.ts``, search."""

from collections.abc import Sequence

from ...augur import fusion
from ...augur.filters import Filter
from ...augur.fusion import FusionDecisions, Hit
from ...augur.router import Capabilities, Decision
from ...augur.search import HYBRID_FACTOR, Augur, SearchDecisions
from ...decisions import decided

ACTS_ON = ("augur.search",)


class AdaptiveHybrid(Augur, reading="RUL-AUGUR-06=b"):
    def hybrid(self, decision: Decision, top_k: int, wanted: Filter | None) -> list[Hit]:
        """Every fusion is adaptive."""
        vec = self.adapter.search_vector(top_k * HYBRID_FACTOR, wanted)
        kw = self.adapter.search_keyword(top_k * HYBRID_FACTOR, wanted)
        prior = decided(FusionDecisions).pick_vector_weight(decision.signals)
        weight = fusion.adapt_weight(prior, [hit.score for hit in vec], [hit.score for hit in kw])
        return fusion.weighted_rrf_fuse(vec, kw, weight)[:top_k]


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
