"""Other readings of the section "Two lanes": the vector lane and the order of the lanes."""

from collections.abc import Callable, Sequence

from ...switches import Switches
from ...tideline import hrr, hybrid, tokens
from ...tideline.embedders import Embedder
from ...tideline.hrr import Vector
from ...tideline.hybrid import Near
from ...tideline.records import MemoryRecord, Recalled

SWITCHES = Switches("tideline.*")


@SWITCHES.reading("RUL-TIDE-01", "b", hybrid.damping)
def damped_from_the_first_one(place: int) -> float:
    """The first recovery is the lowest lexical score, damped once."""
    return float(hybrid.DAMPING ** (place + 1))


@SWITCHES.reading("RUL-TIDE-02", "b", hybrid.order_of_recoveries)
def recoveries_by_cosine(recoveries: Sequence[Recalled]) -> list[Recalled]:
    """Recoveries are ordered by cosine, whatever the scores."""
    return list(recoveries)


@SWITCHES.reading("RUL-TIDE-03", "b", hybrid.order_of_hits)
def hits_in_the_order_of_bm25(hits: Sequence[Recalled]) -> list[Recalled]:
    """The hits stay in the BM25 order."""
    return list(hits)


@SWITCHES.reading("RUL-TIDE-04", "b", hybrid.reaches_floor, wraps=True)
def morphology_reaches_the_floor(
    current: Callable[[Vector, MemoryRecord, float], bool], query: Vector, record: MemoryRecord, floor: float
) -> bool:
    """A fact is also near if one of its words alone is: the words of a longer text do not hide an inflected word."""
    if current(query, record, floor):
        return True
    if record.embedding is None:
        return False
    return any(hybrid.similarity(query, hrr.embed(word)) >= floor for word in tokens.words(record.content))


@SWITCHES.reading("RUL-TIDE-25", "b", hybrid.query_vector)
def vector_of_content_words(query: str, embedder: Embedder) -> Vector:
    """The tokens of the query without stopwords are embedded; without a token, there is no vector."""
    words = tokens.tokenize(query)
    return embedder.embed(" ".join(words)) if words else ()


@SWITCHES.reading("RUL-TIDE-25", "b", hybrid.near_facts, wraps=True)
def nothing_is_near_no_vector(
    current: Callable[[Sequence[MemoryRecord], Vector, float], list[Near]],
    candidates: Sequence[MemoryRecord],
    query: Vector,
    floor: float,
) -> list[Near]:
    """Without a vector of the query, no fact is recovered, whatever the floor is."""
    return current(candidates, query, floor) if query else []


@SWITCHES.reading("RUL-TIDE-26", "b", hybrid.representatives)
def each_record_represents_itself(near: Sequence[Near], candidates: Sequence[MemoryRecord]) -> list[Near]:
    """Each record is recovered, also if records have one id."""
    del candidates
    return list(near)
