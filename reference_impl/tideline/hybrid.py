"""Section "Two lanes": BM25 hits first, then facts that only the vectors find, all weighted by trust and decay."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ..decisions import Decisions, decided
from ..observer import observe
from . import bm25, decay, diversity
from .bm25 import Bm25Decisions
from .decay import DecayDecisions
from .hrr import Embedder, Vector, cosine
from .records import MemoryRecord, Recalled
from .trust import trust_factor

SECTION = "Two lanes: vector recovery"

DEFAULT_LIMIT: Final = 8
NOISE_FLOOR: Final = 0.3

FIRST_RECOVERY: Final = 0.5
DAMPING: Final = 0.9

# The cosine of a fact without an embedding, or with one of another length.
INCOMPARABLE: Final = -1.0


@dataclass(frozen=True, slots=True)
class Settings:
    """Options of one recall; a floor of None takes the floor of the embedder, else the default."""

    limit: int = DEFAULT_LIMIT
    floor: float | None = None
    mmr_lambda: float = diversity.OFF


DEFAULTS: Final = Settings()


@dataclass(frozen=True, slots=True)
class Near:
    """A fact that reaches the noise floor; its rank by similarity counts from 1."""

    record: MemoryRecord
    rank: int


def recall(
    candidates: Sequence[MemoryRecord], query: str, now: float, embedder: Embedder, settings: Settings = DEFAULTS
) -> list[Recalled]:
    """The recalled facts, best first. ``candidates`` have passed the origin filter. The vectors do not change the order
    of lexical hits; lexical hits are above every recovery.
    """
    rule = decided(HybridDecisions)
    near = near_facts(candidates, rule.query_vector(query, embedder), _floor(settings, embedder))
    observe(SECTION, "close enough, by similarity", [fact.record.memory_id for fact in near])
    hits = _lexical_lane(candidates, query, now, near)
    base = min((hit.score for hit in hits), default=1.0)
    recoveries = _recovered(near, {hit.record.memory_id for hit in hits}, now, base)
    observe(SECTION, "recoveries", [[found.record.memory_id, found.score] for found in recoveries])
    limit = settings.limit if settings.limit > 0 else DEFAULT_LIMIT
    if settings.mmr_lambda < diversity.OFF:
        return diversity.pick([*hits, *recoveries], settings.mmr_lambda, limit)
    return [*hits, *rule.order_of_recoveries(recoveries)][:limit]


def near_facts(candidates: Sequence[MemoryRecord], query: Vector, floor: float) -> list[Near]:
    """The facts that reach the floor, including lexical hits: most similar first, then in the given order."""
    rule = decided(HybridDecisions)
    close = [record for record in candidates if rule.reaches_floor(query, record, floor)]
    close.sort(key=lambda record: -similarity(query, record.embedding))
    return rule.representatives([Near(record, rank) for rank, record in enumerate(close, 1)], candidates)


def one_of_each_id(near: Sequence[Near], candidates: Sequence[MemoryRecord]) -> list[Near]:
    """The last record of each id, with the last of their ranks."""
    records = {record.memory_id: record for record in candidates}
    ranks = {fact.record.memory_id: fact.rank for fact in near}
    return [Near(records[memory_id], ranks[memory_id]) for memory_id in sorted(ranks, key=ranks.__getitem__)]


def similarity(query: Vector, embedding: Vector | None) -> float:
    """The cosine; -1 without an embedding and for vectors of different lengths."""
    if embedding is None or len(embedding) != len(query):
        return INCOMPARABLE
    return cosine(query, embedding)


def _floor(settings: Settings, embedder: Embedder) -> float:
    floors = (settings.floor, embedder.floor, NOISE_FLOOR)
    return next(floor for floor in floors if floor is not None)


def _lexical_lane(candidates: Sequence[MemoryRecord], query: str, now: float, near: Sequence[Near]) -> list[Recalled]:
    """The hits of BM25 times trust; only trust changes their order."""
    rule = decided(HybridDecisions)
    ranks = {fact.record.memory_id: fact.rank for fact in near}
    hits = [
        Recalled(hit.record, hit.score * rule.factor_of_trust(hit.record), rank, ranks.get(hit.record.memory_id))
        for rank, hit in enumerate(bm25.search(candidates, query, now), 1)
    ]
    return rule.order_of_hits(hits)


def _recovered(near: Sequence[Near], hits: set[str], now: float, base: float) -> list[Recalled]:
    """The facts that only the vectors find, most similar first, each damped once more than the previous one."""
    rule = decided(HybridDecisions)
    effective = decided(DecayDecisions).effective_score_of
    missed = [fact for fact in near if fact.record.memory_id not in hits]
    return [
        Recalled(
            fact.record,
            base
            * rule.damping(place)
            * rule.factor_of_trust(fact.record)
            * decay.modulator(effective(fact.record, now)),
            vector_rank=fact.rank,
        )
        for place, fact in enumerate(missed)
    ]


class HybridDecisions(Decisions):
    """What the section leaves open, as adopted."""

    def query_vector(self, query: str, embedder: Embedder) -> Vector:
        """RUL-TIDE-25: the query is embedded unchanged."""
        return embedder.embed(query)

    def reaches_floor(self, query: Vector, record: MemoryRecord, floor: float) -> bool:
        """RUL-TIDE-04: a fact is near only if the cosine of its embedding is at least the floor."""
        return similarity(query, record.embedding) >= floor

    def representatives(self, near: Sequence[Near], candidates: Sequence[MemoryRecord]) -> list[Near]:
        """RUL-TIDE-26: the last record with an id represents all records with this id, with the last of their ranks."""
        return one_of_each_id(near, candidates)

    def order_of_hits(self, hits: Sequence[Recalled]) -> list[Recalled]:
        """RUL-TIDE-03: trust reorders the hits of BM25."""
        return sorted(hits, key=lambda found: (-found.score, decided(Bm25Decisions).place_among_equals(found.record)))

    def damping(self, place: int) -> float:
        """RUL-TIDE-01: the first recovery starts at half of the lowest hit without damping. Each next one, ``place`` 1
        and above, is damped by 10 % more. The half is from the repository.
        """
        return FIRST_RECOVERY * DAMPING**place

    def order_of_recoveries(self, recoveries: Sequence[Recalled]) -> list[Recalled]:
        """RUL-TIDE-02: recoveries are ordered by the final score, which trust and decay change after damping."""
        return sorted(recoveries, key=lambda found: -found.score)

    def factor_of_trust(self, record: MemoryRecord) -> float:
        """RUL-TIDE-24: trust is a separate factor of the score."""
        return trust_factor(record.source_type, record.confidence)
