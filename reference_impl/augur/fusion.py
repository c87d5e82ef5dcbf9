"""Pull request, section "Adaptive weighted-RRF fusion", and ``fusion.ts``: the weight of two rankings, and their fusion."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from ..decisions import Decisions, decided
from ..observer import observe
from .signals import Signals

SECTION = "Adaptive weighted-RRF fusion"

RRF_K: Final = 60

# Values that the authors tuned on their evaluation of 504 queries.
SHIFT_PER_CONFIDENCE: Final = 0.30
LARGEST_SHIFT: Final = 0.20
LOWEST_WEIGHT, HIGHEST_WEIGHT = 0.10, 0.90
VISIBLE: Final = 10


class Side(StrEnum):
    """The retriever that found an item."""

    VECTOR = "vec"
    KEYWORD = "kw"


@dataclass(frozen=True, slots=True)
class Hit:
    """An item in the ranking of one retriever; filters read its ``metadata``."""

    id: str
    score: float
    side: Side
    metadata: Mapping[str, object] = field(default_factory=dict)


def top_gap_normalised(scores: Sequence[float]) -> float:
    """Confidence of a ranking, 0 to 1: the gap between the first two scores over the range of the first ten. The scores
    are sorted, best first. The result is 0 for an empty list and for a range of 0.
    """
    rule = decided(FusionDecisions)
    if not scores:
        return 0
    if len(scores) == 1:
        return rule.confidence_of_single_result()
    spread = rule.visible_range(scores[:VISIBLE])
    return rule.clamp((scores[0] - scores[1]) / spread, 0, 1) if spread > 0 else 0


def pick_vector_weight(signals: Signals) -> float:
    """pickVectorWeight: the prior weight of the vector side. ``fusion.ts``."""
    if signals.has_quoted_phrase or signals.has_specific_tokens or signals.has_code_like:
        return 0.3
    if signals.word_count <= 2:
        return 0.4
    if signals.is_question and signals.word_count >= 6:
        return 0.7
    return 0.5


def adapt_weight(base_weight: float, vec: Sequence[float], kw: Sequence[float]) -> float:
    """The weight of the vector side: the prior plus a bounded shift towards the more confident side. Both score lists
    are sorted, best first.
    """
    rule = decided(FusionDecisions)
    confidences = top_gap_normalised(vec), top_gap_normalised(kw)
    observe(SECTION, "confidences", list(confidences))
    shift = rule.clamp((confidences[0] - confidences[1]) * SHIFT_PER_CONFIDENCE, -LARGEST_SHIFT, LARGEST_SHIFT)
    weight = rule.clamp(base_weight + shift, LOWEST_WEIGHT, HIGHEST_WEIGHT)
    observe(SECTION, "weight", {"prior": base_weight, "shift": shift, "weight": weight})
    return weight


def weighted_rrf_fuse(vec: Sequence[Hit], kw: Sequence[Hit], vector_weight: float, k: float = RRF_K) -> list[Hit]:
    """weightedRrfFuse: each id once, best first, equal scores vector side first. The vector side has the weight
    ``vector_weight`` (limited to 0 to 1), the keyword side the rest. An item of both sides keeps the content of the vector
    side. An id that is repeated on the vector side counts at its last rank; an id that is repeated on the keyword side
    counts at each rank.
    """
    rule = decided(FusionDecisions)
    of_vec = rule.clamp(vector_weight, 0, 1)
    fused: dict[str, Hit] = {}
    for rank, hit in enumerate(vec):
        fused[hit.id] = replace(hit, score=rule.contribution(of_vec, rank, k))
    for rank, hit in enumerate(kw):
        part = rule.contribution(1 - of_vec, rank, k)
        found = fused.get(hit.id)
        fused[hit.id] = replace(hit, score=part) if found is None else replace(found, score=found.score + part)
    ranked = rule.best_first(list(fused.values()), kw)
    observe(SECTION, "fused", [[hit.id, hit.score] for hit in ranked])
    return ranked


class FusionDecisions(Decisions):
    """What the pull request and `fusion.ts` leave open, as adopted."""

    def clamp(self, x: float, lo: float, hi: float) -> float:
        """RUL-AUGUR-13: ``x`` limited to ``lo`` to ``hi``; ``lo`` wins if it is above ``hi``. ``fusion.ts``, clamp."""
        return max(lo, min(hi, x))

    def confidence_of_single_result(self) -> float:
        """RUL-AUGUR-17: a single result has the confidence 0."""
        return 0

    def visible_range(self, scores: Sequence[float]) -> float:
        """RUL-AUGUR-04: the range is the first score minus the last one, also in a list that is not sorted."""
        return scores[0] - scores[-1]

    def pick_vector_weight(self, signals: Signals) -> float:
        """RUL-AUGUR-05: the prior weight comes from the query alone; the first matching rule decides."""
        return pick_vector_weight(signals)

    def best_first(self, hits: Sequence[Hit], kw: Sequence[Hit]) -> list[Hit]:
        """RUL-AUGUR-08: every item stays; equal scores keep the order of the vector side, then of the keyword side."""
        return sorted(hits, key=lambda hit: -hit.score)

    def contribution(self, weight: float, rank: int, k: float) -> float:
        """RUL-AUGUR-21: one rank, counted from 0, contributes the weight times a reciprocal."""
        return weight * (1 / (k + rank + 1))
