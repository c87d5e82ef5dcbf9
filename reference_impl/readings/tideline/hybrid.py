"""Other readings of the section "Two lanes": the vector lane and the order of the lanes."""

from collections.abc import Sequence

from ...tideline import hrr, hybrid, tokens
from ...tideline.hrr import Embedder, Vector
from ...tideline.hybrid import HybridDecisions, Near
from ...tideline.records import MemoryRecord, Recalled

ACTS_ON = ("tideline.*",)


class DampedFromTheFirstOne(HybridDecisions, reading="RUL-TIDE-01=b"):
    def damping(self, place: int) -> float:
        """The first recovery is the lowest lexical score, damped once."""
        return float(hybrid.DAMPING ** (place + 1))


class RecoveriesByCosine(HybridDecisions, reading="RUL-TIDE-02=b"):
    def order_of_recoveries(self, recoveries: Sequence[Recalled]) -> list[Recalled]:
        """Recoveries are ordered by cosine, whatever the scores."""
        return list(recoveries)


class HitsInTheOrderOfBm25(HybridDecisions, reading="RUL-TIDE-03=b"):
    def order_of_hits(self, hits: Sequence[Recalled]) -> list[Recalled]:
        """The hits stay in the BM25 order."""
        return list(hits)


class MorphologyReachesTheFloor(HybridDecisions, reading="RUL-TIDE-04=b"):
    def reaches_floor(self, query: Vector, record: MemoryRecord, floor: float) -> bool:
        """A fact is also near if one of its words alone is: the words of a longer text do not hide an inflected word."""
        if super().reaches_floor(query, record, floor):
            return True
        if record.embedding is None:
            return False
        return any(hybrid.similarity(query, hrr.embed(word)) >= floor for word in tokens.words(record.content))


class VectorOfContentWords(HybridDecisions, reading="RUL-TIDE-25=b"):
    def query_vector(self, query: str, embedder: Embedder) -> Vector:
        """The tokens of the query without stopwords are embedded; without a token, there is no vector."""
        words = tokens.tokenize(query)
        return embedder.embed(" ".join(words)) if words else ()

    def reaches_floor(self, query: Vector, record: MemoryRecord, floor: float) -> bool:
        """Without a vector of the query, no fact is recovered, whatever the floor is."""
        return bool(query) and super().reaches_floor(query, record, floor)


class EachRecordRepresentsItself(HybridDecisions, reading="RUL-TIDE-26=b"):
    def representatives(self, near: Sequence[Near], candidates: Sequence[MemoryRecord]) -> list[Near]:
        """Each record is recovered, also if records have one id."""
        return list(near)
