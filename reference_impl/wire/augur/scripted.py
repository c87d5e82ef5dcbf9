"""Test doubles for ``augur.search``: a store and a reranker with scripted results, which record every call."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...augur.fusion import Hit
from ...augur.search import Filter, passes

Calls = list[dict[str, object]]


@dataclass(frozen=True, slots=True)
class ScriptedAdapter:
    """A store with two given rankings; a search returns the first ``top_k`` items that pass the filter."""

    calls: Calls
    vec: Sequence[Hit]
    kw: Sequence[Hit]

    def search_vector(self, top_k: int, wanted: Filter | None) -> list[Hit]:
        """Returns the vector ranking."""
        return self._search("searchVector", self.vec, top_k, wanted)

    def search_keyword(self, top_k: int, wanted: Filter | None) -> list[Hit]:
        """Returns the keyword ranking."""
        return self._search("searchKeyword", self.kw, top_k, wanted)

    def _search(self, call: str, ranking: Sequence[Hit], top_k: int, wanted: Filter | None) -> list[Hit]:
        self.calls.append({"call": call, "topK": top_k, **({} if wanted is None else {"filter": dict(wanted)})})
        return [hit for hit in ranking if passes(wanted, hit.metadata)][:top_k]


@dataclass(frozen=True, slots=True)
class ReversingReranker:
    """A reranker that returns the candidates in reverse order, with unchanged scores."""

    calls: Calls

    def rerank(self, candidates: Sequence[Hit], top_k: int) -> list[Hit]:
        """Returns the last ``top_k`` candidates, last first."""
        self.calls.append({"call": "rerank", "candidates": [hit.id for hit in candidates], "topK": top_k})
        return list(reversed(candidates))[:top_k]
