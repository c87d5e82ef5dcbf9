"""Words that the documents of Jeffs Brain treat specially: stop words of three lists, operators, words of the patterns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from ..common.texts import PLAIN

_LISTS: Final = json.loads(
    (Path(__file__).parents[2] / "reference_impl/jeffs_brain/stopwords.json").read_text(encoding="utf-8")
)

STOP_WORDS: Final[tuple[str, ...]] = tuple(sorted({*_LISTS["en"], *_LISTS["nl"], *_LISTS["retry"]}))
"""Every word of a list, sorted."""

# Words that one list has and another has not, and their neighbours by one letter.
NEAR_STOP_WORDS: Final[tuple[str, ...]] = (
    *sorted(set(_LISTS["retry"]) ^ (set(_LISTS["en"]) | set(_LISTS["nl"]))),
    *"thé Thee theə lists doing'S don´t ofof hebbenn één zijn’s İs ıs".split(),
)

FILLER: Final[tuple[str, ...]] = tuple(
    "and or not And Or Not AND OR NOT aNd nOt AND: OR, (NOT) NOT* and* ANDOR NAND".split()
)

INTENT_QUERY_WORDS: Final[tuple[str, ...]] = (
    *"recommend suggest recommendation suggestion tip tips advice idea ideas should".split(),
    *"count total sum list many bought ordered spent earned sold drove travelled traveled watched".split(),
    *"visited completed finished submitted booked picked pick".split(),
)

INTENT_QUERY_PHRASES: Final[tuple[str, ...]] = (
    "what should i", "which should i", "how many", "in total", "add up", "what are all", "did i", "have i", "was i",
    "were i", "picked up", "pick up", "did I buy", "have I spent", "how much did i spend", "tips", "recommend", "list",
    "count", "total", "bought", "ordered", "visited", "advice", "ideas", "sum", "suggestion",
)  # fmt: skip

NOTE_PHRASES: Final[tuple[str, ...]] = (
    "prefer", "prefers", "preferred", "like", "liked", "loves", "want", "needed", "avoids", "dislikes", "hated",
    "enjoy", "interested in", "looking for", "tip", "tips", "advice", "suggest", "suggestions", "suggesteds",
    "suggested", "recommendation", "recommends", "recommended", "idea", "options", "guide", "tracking", "tracker",
    "checklist", "rollup", "roll-up", "summary", "recap", "overview", "aggregate", "combined", "overall", "in total",
    "total", "totaled", "totalled", "totalling", "i bought", "we went", "I took", "we started", "i  ordered",
    "I\nbooked", "i got", "I picked up", "we sold", "hi bought", "[date: 2026-04-18]", "[observed on: x]", "[Date:",
    "[observed  on:", "[ date:", "(date:", "prefere", "likes", "unlike", "roll up", "roll–up",
)  # fmt: skip

PATH_PARTS: Final[tuple[str, ...]] = (
    "notes/", "memory/global/", "memory/project/", "Memory/Global/", "memory/global", "memory//global/",
    "user-preference-", "user-fact-", "milestone-", "User-Fact-", "memory/global/User-Preference-", "MILESTONE-",
    "user-preference", "user-fact", "a/", "wiki/",
)  # fmt: skip

NAMES: Final[tuple[str, ...]] = tuple(
    "coffee travel bike budget kubernetes-notes weekly-summary tips x é 日本 2026-04-18 note.md".split()
)

QUERY_WORDS: Final[tuple[str, ...]] = (*PLAIN, *INTENT_QUERY_WORDS)
"""Words of queries that mostly survive the filter."""
