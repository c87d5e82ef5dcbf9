"""Section "Two lanes": BM25 hits first, then facts that only the vectors find, all weighted by trust and decay."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ..observer import Observer, Step, silent
from . import bm25, decay, diversity
from .embedders import Embedder
from .hrr import Vector, cosine
from .records import MemoryRecord, Recalled
from .trust import trust_factor

SECTION = "Two lanes: vector recovery"

DEFAULT_LIMIT: Final = 8
NOISE_FLOOR: Final = 0.3

# Each successive recovery is damped by 10 %. The start of the first one, half of the lowest hit, is from the repository.
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


def recall(
    candidates: Sequence[MemoryRecord],
    query: str,
    now: float,
    embedder: Embedder,
    settings: Settings = DEFAULTS,
    *,
    observe: Observer = silent,
) -> list[Recalled]:
    """The recalled facts, best first. ``candidates`` have passed the origin filter. Section "Two lanes".

    The vectors do not change the order of lexical hits; lexical hits are above every recovery.
    """
    ranks = vector_ranks(candidates, embedder.embed(query), _floor(settings, embedder))
    observe(Step(SECTION, "close enough, by similarity", sorted(ranks, key=ranks.__getitem__)))
    hits = _lexical_lane(candidates, query, now, ranks, observe)
    base = hits[-1].score if hits else 1.0
    recoveries = _recovered(candidates, now, {hit.record.memory_id for hit in hits}, ranks, base)
    observe(Step(SECTION, "recoveries", [[found.record.memory_id, found.score] for found in recoveries]))
    limit = settings.limit if settings.limit > 0 else DEFAULT_LIMIT
    return diversity.pick([*hits, *recoveries], settings.mmr_lambda, limit)


def vector_ranks(candidates: Sequence[MemoryRecord], query: Vector, floor: float) -> dict[str, int]:
    """Id -> rank of the facts with a cosine of at least the floor: most similar first, then in the given order.

    The ranks include lexical hits. A repeated id has its last rank. Section "Two lanes".
    """
    similarities = [(_similarity(query, record.embedding), record.memory_id) for record in candidates]
    close = sorted((pair for pair in similarities if pair[0] >= floor), key=lambda pair: -pair[0])
    return {memory_id: rank for rank, (_, memory_id) in enumerate(close, 1)}


def _similarity(query: Vector, embedding: Vector | None) -> float:
    if embedding is None or len(embedding) != len(query):
        return INCOMPARABLE
    return cosine(query, embedding)


def _floor(settings: Settings, embedder: Embedder) -> float:
    floors = (settings.floor, embedder.floor, NOISE_FLOOR)
    return next(floor for floor in floors if floor is not None)


def _lexical_lane(
    candidates: Sequence[MemoryRecord], query: str, now: float, ranks: dict[str, int], observe: Observer
) -> list[Recalled]:
    """The hits of BM25 times trust; only trust changes their order."""
    hits = [
        Recalled(hit.record, hit.score * _trust(hit.record), rank, ranks.get(hit.record.memory_id))
        for rank, hit in enumerate(bm25.search(candidates, query, now, observe=observe), 1)
    ]
    return sorted(hits, key=lambda found: (-found.score, -found.record.created_at))


def _recovered(
    candidates: Sequence[MemoryRecord], now: float, hits: set[str], ranks: dict[str, int], base: float
) -> list[Recalled]:
    """The facts that only the vectors find, most similar first, each damped once more than the previous one.

    Records with the same id count once, as the last one.
    """
    by_id = {record.memory_id: record for record in candidates}
    missed = [by_id[memory_id] for memory_id in sorted(ranks, key=ranks.__getitem__) if memory_id not in hits]
    return [
        Recalled(
            record,
            base * FIRST_RECOVERY * DAMPING**place * _trust(record) * _modulator(record, now),
            vector_rank=ranks[record.memory_id],
        )
        for place, record in enumerate(missed)
    ]


def _trust(record: MemoryRecord) -> float:
    return trust_factor(record.source_type, record.confidence)


def _modulator(record: MemoryRecord, now: float) -> float:
    return decay.modulator(decay.effective_score(record.durability, now))
