"""Other readings of the pull request's section "Adaptive weighted-RRF fusion" and of ``fusion.ts``."""

from collections.abc import Sequence

from ...augur.fusion import FusionDecisions, Hit
from ...augur.signals import Signals

ACTS_ON = ("augur.*",)


class HighestMinusLowest(FusionDecisions, reading="RUL-AUGUR-04=b"):
    def visible_range(self, scores: Sequence[float]) -> float:
        """The range is the highest of the first ten scores minus the lowest of them."""
        return max(scores) - min(scores)


class PriorOfLiteralQueries(FusionDecisions, reading="RUL-AUGUR-05=b"):
    def pick_vector_weight(self, signals: Signals) -> float:
        """Another assignment, in which the query has 0.3."""
        return 0.3


class PriorOfShortQueries(FusionDecisions, reading="RUL-AUGUR-05=c"):
    def pick_vector_weight(self, signals: Signals) -> float:
        """Another assignment, in which the query has 0.4."""
        return 0.4


class PriorOfOtherQueries(FusionDecisions, reading="RUL-AUGUR-05=d"):
    def pick_vector_weight(self, signals: Signals) -> float:
        """Another assignment, in which the query has 0.5."""
        return 0.5


class PriorOfLongQuestions(FusionDecisions, reading="RUL-AUGUR-05=e"):
    def pick_vector_weight(self, signals: Signals) -> float:
        """Another assignment, in which the query has 0.7."""
        return 0.7


class WithoutContributionsOfZero(FusionDecisions, reading="RUL-AUGUR-08=b"):
    def best_first(self, hits: Sequence[Hit], kw: Sequence[Hit]) -> list[Hit]:
        """An item with a contribution of 0 is dropped."""
        return sorted((hit for hit in hits if hit.score != 0), key=lambda hit: -hit.score)


class KeywordSideFirst(FusionDecisions, reading="RUL-AUGUR-08=c"):
    def best_first(self, hits: Sequence[Hit], kw: Sequence[Hit]) -> list[Hit]:
        """Equal scores have the order of the keyword side first."""
        order = {hit.id: place for place, hit in reversed(list(enumerate(kw)))}
        return sorted(hits, key=lambda hit: (-hit.score, order.get(hit.id, len(kw))))


class OrderedById(FusionDecisions, reading="RUL-AUGUR-08=d"):
    def best_first(self, hits: Sequence[Hit], kw: Sequence[Hit]) -> list[Hit]:
        """Equal scores are ordered by id."""
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))


class WeightOverRank(FusionDecisions, reading="RUL-AUGUR-21=b"):
    def contribution(self, weight: float, rank: int, k: float) -> float:
        """The weight is divided by k plus the rank, in one step."""
        return weight / (k + rank + 1)


class UpperBoundWins(FusionDecisions, reading="RUL-AUGUR-13=b"):
    def clamp(self, x: float, lo: float, hi: float) -> float:
        """The upper bound wins if the lower one is above it."""
        return min(hi, max(lo, x))


class FullConfidence(FusionDecisions, reading="RUL-AUGUR-17=b"):
    def confidence_of_single_result(self) -> float:
        """A single result has the confidence 1."""
        return 1
