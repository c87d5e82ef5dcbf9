"""Other readings of the pull request's section "HeuristicRouter alwaysRerank option" and of ``router.ts``.

The reading of a foreign query also concerns the language in ``signals.ts``.
"""

import unicodedata
from collections.abc import Callable
from typing import Final

from ...augur import router, signals
from ...augur.language import ENGLISH, detect_language
from ...augur.router import HeuristicRouter, Reranking, Strategy
from ...augur.signals import Signals
from ...switches import Switches

SWITCHES = Switches("augur.*")

_LAST_LATIN: Final = "\u024f"
_FOREIGN_SHARE: Final = 0.3


@SWITCHES.reading("RUL-AUGUR-01", "b", router.always_rerank_by_default)
def true_by_default() -> bool:
    """True: keyword queries are reranked too."""
    return True


@SWITCHES.reading("RUL-AUGUR-02", "a", router.is_sufficient)
def is_above_the_floor(budget_ms: float | None) -> bool:
    """800 ms is not enough."""
    return budget_ms is None or budget_ms > router.LATENCY_FLOOR_MS


@SWITCHES.reading("RUL-AUGUR-03", "b", HeuristicRouter.ignores_budget)
def never_ignores_budget(heuristic: HeuristicRouter, strategy: Strategy, found: Signals) -> bool:
    """The latency budget overrides everything."""
    del heuristic, strategy, found
    return False


@SWITCHES.reading("RUL-AUGUR-07", "b", HeuristicRouter.decide_rerank, wraps=True)
def rerank_every_query(
    decide_rerank: Callable[..., Reranking],
    heuristic: HeuristicRouter,
    strategy: Strategy,
    found: Signals,
    budget_ms: float | None,
    has_reranker: bool,
) -> Reranking:
    """With ``alwaysRerank``, every query is reranked without exception."""
    if heuristic.always_rerank:
        return decide_rerank(heuristic, strategy, found, None, True)
    return decide_rerank(heuristic, strategy, found, budget_ms, has_reranker)


@SWITCHES.reading("RUL-AUGUR-10", "b", router.foreign_reason)
def reason_without_a_code(language: str) -> str:
    """The reason does not contain the code of the language."""
    del language
    return "non-English query → semantic search"


@SWITCHES.reading("RUL-AUGUR-10", "b", signals.language_of_query)
def language_above_a_share(text: str) -> str:
    """A query is foreign if a share above 0.3 of its characters is neither Latin nor punctuation."""
    foreign = sum(map(_is_foreign, text))
    return detect_language(text) if foreign > _FOREIGN_SHARE * len(text) else ENGLISH


@SWITCHES.reading("RUL-AUGUR-12", "b", router.router_name)
def plain_name_without_always_rerank(always_rerank: bool) -> str:
    """The plain name is the name of the router without ``alwaysRerank``."""
    return "heuristic-v1+always-rerank" if always_rerank else "heuristic-v1"


def _is_foreign(character: str) -> bool:
    return character > _LAST_LATIN and unicodedata.category(character)[0] not in "PZ"
