"""Other readings of ``augur.ts``, search, and of the values in a filter."""

import json
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


class IsSameJson(SearchDecisions, reading="RUL-AUGUR-20=b"):
    def is_same_value(self, wanted: object, found: object) -> bool:
        """Arrays and objects are compared by their content; true is not 1, at any depth."""
        if isinstance(wanted, dict) and isinstance(found, dict):
            return wanted.keys() == found.keys() and all(
                self.is_same_value(wanted[name], found[name]) for name in wanted
            )
        if isinstance(wanted, list) and isinstance(found, list):
            return len(wanted) == len(found) and all(map(self.is_same_value, wanted, found))
        return isinstance(wanted, bool) == isinstance(found, bool) and wanted == found


class HasSameText(SearchDecisions, reading="RUL-AUGUR-20=c"):
    def is_same_value(self, wanted: object, found: object) -> bool:
        """The texts of two primitives are compared; null, arrays and objects match nothing."""
        primitives = isinstance(wanted, str | int | float) and isinstance(found, str | int | float)
        return primitives and _text(wanted) == _text(found)


def _text(value: object) -> str:
    """JavaScript's ``String(value)`` of a text, a boolean or a number of a usual size."""
    if isinstance(value, str):
        return value
    return json.dumps(int(value) if isinstance(value, float) and value.is_integer() else value)
