"""Other readings of ``augur.ts``, search."""

from collections.abc import Sequence

from ...augur import fusion, search
from ...augur.filters import Filter
from ...augur.fusion import Hit
from ...augur.router import Capabilities, Decision
from ...augur.search import HYBRID_FACTOR, Augur
from ...observer import Observer
from ...switches import Switches

SWITCHES = Switches("augur.search")


@SWITCHES.reading("RUL-AUGUR-06", "b", Augur.hybrid)
def adaptive_hybrid(
    augur: Augur, decision: Decision, top_k: int, wanted: Filter | None, observe: Observer
) -> list[Hit]:
    """Every fusion is adaptive."""
    vec = augur.adapter.search_vector(top_k * HYBRID_FACTOR, wanted)
    kw = augur.adapter.search_keyword(top_k * HYBRID_FACTOR, wanted)
    prior = fusion.pick_vector_weight(decision.signals)
    weight = fusion.adapt_weight(prior, [hit.score for hit in vec], [hit.score for hit in kw], observe=observe)
    return fusion.weighted_rrf_fuse(vec, kw, weight, observe=observe)[:top_k]


@SWITCHES.reading("RUL-AUGUR-15", "b", search.is_sent_to_reranker)
def every_pool(candidates: Sequence[Hit]) -> bool:
    """The search calls the reranker with an empty list."""
    del candidates
    return True


@SWITCHES.reading("RUL-AUGUR-16", "b", search.has_vector_side)
def vector_or_hybrid(can: Capabilities) -> bool:
    """Hybrid search includes the vector side."""
    return can.vector or can.hybrid


@SWITCHES.reading("RUL-AUGUR-16", "b", search.has_keyword_side)
def keyword_or_hybrid(can: Capabilities) -> bool:
    """Hybrid search includes the keyword side."""
    return can.keyword or can.hybrid
