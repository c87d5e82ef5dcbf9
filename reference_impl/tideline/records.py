"""Values of all sections: a stored fact, its origin, and a recalled fact."""

from dataclasses import dataclass

from .hrr import Vector


@dataclass(frozen=True, slots=True)
class Owner:
    """The owner of the memory; all sessions of the owner are one origin."""


@dataclass(frozen=True, slots=True)
class Channel:
    """A peer in a chat. ``account_id`` distinguishes accounts of one channel; None if there is only one."""

    channel_id: str
    conversation_id: str
    session_key: str
    account_id: str | None = None


Origin = Owner | Channel


@dataclass(frozen=True, slots=True)
class Durability:
    """The input of decay. ``importance`` is in [0, 1], ``last_accessed_at`` in milliseconds since 1970."""

    tier: str
    importance: float
    decay_rate: float
    access_count: int
    last_accessed_at: float


@dataclass(frozen=True, slots=True)
class MemoryRecord:
    """One fact. Times are in milliseconds since 1970; None is absent. The embedder at the time of writing made
    ``embedding``, so it can have any length.
    """

    memory_id: str
    content: str
    segment: str
    durability: Durability
    created_at: float
    lifecycle: str = "active"
    embedding: Vector | None = None
    created_by: Origin | None = None
    source_type: str | None = None
    confidence: float | None = None
    valid_to: float | None = None


@dataclass(frozen=True, slots=True)
class Recalled:
    """A recalled fact; a rank counts from 1 and is None if the lane did not find the fact. ``lexical_rank`` is the rank
    before trust.
    """

    record: MemoryRecord
    score: float
    lexical_rank: int | None = None
    vector_rank: int | None = None
