"""What the sections work on: a fact as the store keeps it, where it came from, and how recall found it."""

from dataclasses import dataclass

from reference_impl.tideline.hrr import Vector


@dataclass(frozen=True, slots=True)
class Owner:
    """The person whose memory it is: every session of theirs is one origin."""


@dataclass(frozen=True, slots=True)
class Channel:
    """A peer in a chat. ``account_id`` tells accounts of one channel apart; None where there is only one."""

    channel_id: str
    conversation_id: str
    session_key: str
    account_id: str | None = None


Origin = Owner | Channel


@dataclass(frozen=True, slots=True)
class Durability:
    """What decay looks at. ``importance`` lies in [0, 1], ``last_accessed_at`` is in milliseconds since 1970."""

    tier: str
    importance: float
    decay_rate: float
    access_count: int
    last_accessed_at: float


@dataclass(frozen=True, slots=True)
class MemoryRecord:
    """One fact. Times are milliseconds since 1970; None is absent.

    ``embedding`` was made when the fact was written, by the embedder of that day, so its length can be any.
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
    """A recalled fact; a rank counts from 1 and is None in a lane that did not find the fact.

    ``lexical_rank`` is the rank before trust.
    """

    record: MemoryRecord
    score: float
    lexical_rank: int | None = None
    vector_rank: int | None = None
