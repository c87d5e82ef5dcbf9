"""Other readings of the pull request's section "HeuristicRouter alwaysRerank option" and of ``router.ts``.

The reading of a foreign query also concerns the language in ``signals.ts``.
"""

import unicodedata
from typing import Final

from ...augur import router
from ...augur.router import RouterDecisions, Strategy
from ...augur.signals import ENGLISH, Signals, SignalsDecisions, detect_language

ACTS_ON = ("augur.*",)

_LAST_LATIN: Final = "\u024f"
_FOREIGN_SHARE: Final = 0.3


class TrueByDefault(RouterDecisions, reading="RUL-AUGUR-01=b"):
    def always_rerank_by_default(self) -> bool:
        """True: keyword queries are reranked too."""
        return True


class IsAboveTheFloor(RouterDecisions, reading="RUL-AUGUR-02=a"):
    def is_sufficient(self, budget_ms: float | None) -> bool:
        """800 ms is not enough."""
        return budget_ms is None or budget_ms > router.LATENCY_FLOOR_MS


class NeverIgnoresBudget(RouterDecisions, reading="RUL-AUGUR-03=b"):
    def ignores_budget(self, strategy: Strategy, signals: Signals, always_rerank: bool) -> bool:
        """The latency budget overrides everything."""
        return False


class RerankEveryQuery(RouterDecisions, reading="RUL-AUGUR-07=b"):
    def limits_of_reranking(
        self, budget_ms: float | None, has_reranker: bool, always_rerank: bool
    ) -> tuple[float | None, bool]:
        """With ``alwaysRerank``, every query is reranked without exception."""
        return (None, True) if always_rerank else (budget_ms, has_reranker)


class ReasonWithoutACode(RouterDecisions, reading="RUL-AUGUR-10=b"):
    def foreign_reason(self, language: str) -> str:
        """The reason does not contain the code of the language."""
        return "non-English query → semantic search"


class LanguageAboveAShare(SignalsDecisions, reading="RUL-AUGUR-10=b"):
    def language_of_query(self, text: str) -> str:
        """A query is foreign if a share above 0.3 of its characters is neither Latin nor punctuation."""
        foreign = sum(map(_is_foreign, text))
        return detect_language(text) if foreign > _FOREIGN_SHARE * len(text) else ENGLISH


class PlainNameWithoutAlwaysRerank(RouterDecisions, reading="RUL-AUGUR-12=b"):
    def router_name(self, always_rerank: bool) -> str:
        """The plain name is the name of the router without ``alwaysRerank``."""
        return "heuristic-v1+always-rerank" if always_rerank else "heuristic-v1"


def _is_foreign(character: str) -> bool:
    return character > _LAST_LATIN and unicodedata.category(character)[0] not in "PZ"
