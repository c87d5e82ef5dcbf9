"""Requests about one fact: decay, trust and origin; and the facts of a store.

Recall page, sections "Trust & decay in the score" and "Origin filtering, fail-closed".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..common.choices import Choices, Json, Recipe
from ..common.numbers import fraction
from ..common.texts import sentence
from .texts import STOP_WORDS, WORDS, threat

DAY: Final = 86_400_000
NOW: Final = 1_780_000_000_000

_SEGMENTS: Final = ("knowledge", "preference", "identity", "project", "correction", "context", "relationship", "<b>")
_SOURCES: Final = (
    "user_instruction", "owner_message", "extraction", "dream", "compaction", "channel_message", "tool_output",
    "retrieved_document", "", "unknown", "User_Instruction", "toString", "__proto__",
)  # fmt: skip
_CONFIDENCES: Final = (1, 0.5, 0, 0.9, 0.3, 1.5, -0.5, 0.1)


def durability(choices: Choices) -> Json:
    """The input of decay: ages from the future to a thousand days, often of a whole number of days."""
    age = choices.pick((0, 1, 11.25, 0.5, 7, 30, 365, 1000, -1, 20000)) if choices.one_in(2) else choices.below(60)
    return {
        "tier": choices.pick(("long", "short", "permanent")),
        "importance": fraction(choices),
        "decayRate": choices.pick((0, 0.5, 1, 2, 10, 0.1, 1e6)),
        "accessCount": choices.pick((0, 1, 2, 5, 10, 100, 2**31, 2**53 - 1)),
        "lastAccessedAt": NOW - age * DAY,
    }


def source(choices: Choices) -> Json:
    """The source and the confidence of a fact; each can be absent."""
    found = choices.maybe("sourceType", lambda c: c.pick(_SOURCES))
    return found | choices.maybe("confidence", lambda c: c.pick(_CONFIDENCES))


def channel(choices: Choices) -> Json:
    """A peer; its members have few values, so that two peers are often equal or differ in one member."""
    found: Json = {"kind": "channel", "channelId": choices.pick(("tg", "tg", "wa", ""))}
    found["conversationId"] = choices.pick(("c1", "c1", "c2"))
    found["sessionKey"] = choices.pick(("s1", "s1", "s1", "s2"))
    return found | choices.maybe("accountId", lambda c: c.pick(("x", "", "y")), one_in=3)


def origin(choices: Choices) -> Json:
    """The owner or a peer."""
    return {"kind": "owner"} if choices.one_in(2) else channel(choices)


def _matched(choices: Choices) -> Json:
    first = origin(choices) if not choices.one_in(8) else None
    second = first if choices.one_in(3) else origin(choices) if not choices.one_in(8) else None
    return {"recordOrigin": first, "filter": second}


def _turn(choices: Choices) -> Json:
    found: Json = {"senderIsOwner": choices.one_in(3), "sessionKey": choices.pick(("s1", "", "s2"))}
    if not choices.one_in(4):
        route = {name: value for name, value in channel(choices).items() if name not in ("kind", "sessionKey")}
        found["channelApprovalRoute"] = route
    return found


def content(choices: Choices, words: Sequence[str] = WORDS) -> str:
    """The text of a fact, mostly with few words, so that several facts share them."""
    kind = choices.below(12)
    if kind == 10:
        return f"{choices.pick(words)} {threat(choices)}"
    if kind == 11:
        return choices.pick(
            ("", "<b>bold</b>", "line\nbreak", "\u2028", "x" * 300, "\U0001f600" * 150, "a\u0007b", "the of")
        )
    found = " ".join(choices.some(words, 4, 1))
    return found if kind < 8 else f"{found} {sentence(choices, (*WORDS, *STOP_WORDS), 2, 1)}"


def lexical(choices: Choices, name: str, words: Sequence[str] = WORDS) -> Json:
    """A fact without its embedding."""
    found: Json = {"memoryId": name, "content": content(choices, words), "segment": choices.pick(_SEGMENTS)}
    if choices.one_in(3):
        found |= durability(choices)
    else:
        found |= {"tier": "long", "importance": choices.pick((0.5, 1, 0)), "decayRate": 0}
        found |= {"accessCount": choices.below(3), "lastAccessedAt": NOW - choices.below(4) * 10 * DAY}
    found["createdAt"] = NOW - choices.pick((1, 1, 2, 10, 0)) * DAY
    found["lifecycle"] = choices.pick(("archived", "pruned")) if choices.one_in(12) else "active"
    found |= choices.maybe("createdBy", origin, one_in=4)
    found |= source(choices) if choices.one_in(3) else {}
    return found | choices.maybe("validTo", lambda c: NOW + c.pick((1, 0, -1, DAY)), one_in=8)


RECIPES: Final = {
    "tideline.effectiveScore": Recipe(lambda choices: {"record": durability(choices), "now": NOW}, 12),
    "tideline.modulator": Recipe(lambda choices: {"effectiveScore": choices.below(1000) / 999}, 2),
    "tideline.trustFactor": Recipe(source, 6),
    "tideline.originMatch": Recipe(_matched, 16),
    "tideline.autoRecallOrigin": Recipe(_turn, 16),
}
"""Operation -> recipe."""
