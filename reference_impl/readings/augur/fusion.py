"""Other readings of the pull request's section "Adaptive weighted-RRF fusion" and of ``fusion.ts``."""

from collections.abc import Callable, Sequence

from ...augur import fusion
from ...augur.fusion import RRF_K, Hit
from ...augur.signals import Signals
from ...observer import Observer, silent
from ...switches import Switches

SWITCHES = Switches("augur.*")


@SWITCHES.reading("RUL-AUGUR-04", "b", fusion.visible_range)
def highest_minus_lowest(scores: Sequence[float]) -> float:
    """The range is the highest of the first ten scores minus the lowest of them."""
    return max(scores) - min(scores)


@SWITCHES.reading("RUL-AUGUR-05", "b", fusion.pick_vector_weight)
def prior_of_literal_queries(signals: Signals) -> float:
    """Another assignment, in which the query has 0.3."""
    del signals
    return 0.3


@SWITCHES.reading("RUL-AUGUR-05", "c", fusion.pick_vector_weight)
def prior_of_short_queries(signals: Signals) -> float:
    """Another assignment, in which the query has 0.4."""
    del signals
    return 0.4


@SWITCHES.reading("RUL-AUGUR-05", "d", fusion.pick_vector_weight)
def prior_of_other_queries(signals: Signals) -> float:
    """Another assignment, in which the query has 0.5."""
    del signals
    return 0.5


@SWITCHES.reading("RUL-AUGUR-05", "e", fusion.pick_vector_weight)
def prior_of_long_questions(signals: Signals) -> float:
    """Another assignment, in which the query has 0.7."""
    del signals
    return 0.7


@SWITCHES.reading("RUL-AUGUR-08", "b", fusion.best_first)
def without_contributions_of_zero(hits: Sequence[Hit]) -> list[Hit]:
    """An item with a contribution of 0 is dropped."""
    return sorted((hit for hit in hits if hit.score != 0), key=lambda hit: -hit.score)


@SWITCHES.reading("RUL-AUGUR-08", "c", fusion.weighted_rrf_fuse, wraps=True)
def keyword_side_first(
    weighted_rrf_fuse: Callable[..., list[Hit]],
    vec: Sequence[Hit],
    kw: Sequence[Hit],
    vector_weight: float,
    k: float = RRF_K,
    *,
    observe: Observer = silent,
) -> list[Hit]:
    """Equal scores have the order of the keyword side first."""
    order = {hit.id: place for place, hit in reversed(list(enumerate(kw)))}
    ranked = weighted_rrf_fuse(vec, kw, vector_weight, k, observe=observe)
    return sorted(ranked, key=lambda hit: (-hit.score, order.get(hit.id, len(kw))))


@SWITCHES.reading("RUL-AUGUR-08", "d", fusion.best_first)
def ordered_by_id(hits: Sequence[Hit]) -> list[Hit]:
    """Equal scores are ordered by id."""
    return sorted(hits, key=lambda hit: (-hit.score, hit.id))


@SWITCHES.reading("RUL-AUGUR-21", "b", fusion.contribution)
def weight_over_rank(weight: float, rank: int, k: float) -> float:
    """The weight is divided by k plus the rank, in one step."""
    return weight / (k + rank + 1)


@SWITCHES.reading("RUL-AUGUR-13", "b", fusion.clamp)
def upper_bound_wins(x: float, lo: float, hi: float) -> float:
    """The upper bound wins if the lower one is above it."""
    return min(hi, max(lo, x))


@SWITCHES.reading("RUL-AUGUR-17", "b", fusion.confidence_of_single_result)
def full_confidence() -> float:
    """A single result has the confidence 1."""
    return 1
