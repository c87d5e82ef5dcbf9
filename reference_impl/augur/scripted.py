"""The scripted parts of an ``augur.search`` request: a store and a reranker that write down what they are asked."""

from collections.abc import Sequence
from dataclasses import dataclass

from reference_impl.augur.filters import Filter, passes
from reference_impl.augur.fusion import Hit

Calls = list[dict[str, object]]


@dataclass(frozen=True, slots=True)
class ScriptedAdapter:
    """Two rankings given beforehand: what passes the filter, cut to the wanted number."""

    calls: Calls
    vec: Sequence[Hit]
    kw: Sequence[Hit]

    def search_vector(self, top_k: int, wanted: Filter | None) -> list[Hit]:
        """The vector ranking."""
        return self._search("searchVector", self.vec, top_k, wanted)

    def search_keyword(self, top_k: int, wanted: Filter | None) -> list[Hit]:
        """The keyword ranking."""
        return self._search("searchKeyword", self.kw, top_k, wanted)

    def _search(self, call: str, ranking: Sequence[Hit], top_k: int, wanted: Filter | None) -> list[Hit]:
        self.calls.append({"call": call, "topK": top_k, **({} if wanted is None else {"filter": dict(wanted)})})
        return [hit for hit in ranking if passes(wanted, hit.metadata)][:top_k]


@dataclass(frozen=True, slots=True)
class ReversingReranker:
    """The candidates last first, with the scores that they came with, cut to the wanted number."""

    calls: Calls

    def rerank(self, candidates: Sequence[Hit], top_k: int) -> list[Hit]:
        """Candidates in a new order."""
        self.calls.append({"call": "rerank", "candidates": [hit.id for hit in candidates], "topK": top_k})
        return list(reversed(candidates))[:top_k]
