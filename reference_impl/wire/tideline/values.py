"""JSON of the operations of Tideline ↔ values. Requests are valid for their schemas."""

import math

from ...tideline import hrr, hybrid
from ...tideline.bm25 import LexicalHit
from ...tideline.hrr import Embedder, Hrr, Vector
from ...tideline.hybrid import Settings
from ...tideline.origin import OWNER, Route
from ...tideline.records import Channel, Durability, MemoryRecord, Origin, Owner, Recalled
from ..operations import Json
from .scripted import Table


def record_of(plain: Json) -> MemoryRecord:
    """Record of its JSON; ``embed: hrr`` stands for the HRR vector of its content."""
    return MemoryRecord(
        memory_id=plain["memoryId"],
        content=plain["content"],
        segment=plain["segment"],
        durability=durability_of(plain),
        created_at=plain["createdAt"],
        lifecycle=plain["lifecycle"],
        embedding=_embedding_of(plain),
        created_by=origin_of(plain.get("createdBy")),
        source_type=plain.get("sourceType"),
        confidence=plain.get("confidence"),
        valid_to=plain.get("validTo"),
    )


def records_of(request: Json) -> list[MemoryRecord]:
    """The records of a request, in order."""
    return [record_of(plain) for plain in request["records"]]


def _embedding_of(plain: Json) -> Vector | None:
    if plain.get("embed") == "hrr":
        return hrr.embed(plain["content"])
    return plain.get("embedding")


def durability_of(plain: Json) -> Durability:
    """The input of decay, from the JSON of a record or of a part of it."""
    return Durability(
        tier=plain["tier"],
        importance=plain["importance"],
        decay_rate=plain["decayRate"],
        access_count=plain["accessCount"],
        last_accessed_at=plain["lastAccessedAt"],
    )


def origin_of(plain: Json | None) -> Origin | None:
    """Origin of ``{kind: owner}`` or ``{kind: channel, ...}``; None for null."""
    if plain is None:
        return None
    if plain["kind"] == "owner":
        return OWNER
    return Channel(plain["channelId"], plain["conversationId"], plain["sessionKey"], plain.get("accountId"))


def origin_json(origin: Origin | None) -> Json | None:
    """JSON of an origin; without an account it has no member ``accountId``."""
    if origin is None:
        return None
    if isinstance(origin, Owner):
        return {"kind": "owner"}
    account = {} if origin.account_id is None else {"accountId": origin.account_id}
    ids = {"channelId": origin.channel_id, "conversationId": origin.conversation_id, "sessionKey": origin.session_key}
    return {"kind": "channel", **ids, **account}


def route_of(plain: Json | None) -> Route | None:
    """Route of its JSON; None for null."""
    if plain is None:
        return None
    return Route(plain["channelId"], plain["conversationId"], plain.get("accountId"))


def embedder_of(plain: Json) -> Embedder:
    """Embedder of ``{kind: hrr}`` or ``{kind: table, ...}``; ``dims`` of a table repeats the length of its vectors."""
    return Hrr() if plain["kind"] == "hrr" else Table(plain["vectors"], plain["default"], plain.get("minSim"))


def settings_of(plain: Json) -> Settings:
    """Options of a recall; an absent one takes its default."""
    defaults = hybrid.DEFAULTS
    return Settings(
        plain.get("limit", defaults.limit), plain.get("minSim"), plain.get("mmrLambda", defaults.mmr_lambda)
    )


def lexical_json(hit: LexicalHit, *, breakdown: bool) -> Json:
    """JSON of a lexical hit: ``{id, score, breakdown?}``."""
    told = {"id": hit.record.memory_id, "score": hit.score}
    if not breakdown:
        return told
    parts = {
        "bm25": hit.relevance,
        "matchedTerms": list(hit.matched_terms),
        "effective": hit.effective,
        "modulator": hit.modulator,
        "score": hit.score,
    }
    return {**told, "breakdown": parts}


def recalled_json(found: Recalled) -> Json:
    """JSON of a recalled fact: ``{id, score, lexRank?, vecRank?}``."""
    ranks = {"lexRank": found.lexical_rank, "vecRank": found.vector_rank}
    present = {name: rank for name, rank in ranks.items() if rank is not None}
    return {"id": found.record.memory_id, "score": found.score, **present}


def state_json(record: MemoryRecord) -> Json:
    """JSON of the members of a record that a recall can change."""
    return {
        "id": record.memory_id,
        "accessCount": record.durability.access_count,
        "lastAccessedAt": record.durability.last_accessed_at,
    }


def number_json(number: float) -> float | str:
    """The number, or the text "NaN" for a number that JSON does not have."""
    return number if math.isfinite(number) else "NaN"
