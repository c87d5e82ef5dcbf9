"""Requests of the memory service: scopes of sessions, their URL parameter, and searches of a real index.

Retrieval fusion, section "FTS Session Scoping".
"""

from __future__ import annotations

from typing import Final

from ..common.characters import NEAR_SPACE, NUMBERS, WHITE_SPACE
from ..common.choices import Choices, Json, Recipe
from ..common.texts import character
from .fusion import id_

_WORDS: Final = tuple("rust tokio memory garden Running runs café episode alpha beta".split())

# MATCH expressions that FTS5 accepts.
_QUERIES: Final = (
    "{0}", "{0} {1}", "{0} OR {1}", "{0} AND {1}", "{0} NOT {1}", '"{0} {1}"', "{0}*", "({0} OR {1}) {2}", "{0}",
    "{0} OR {1}", "{1}*", "user_message: {0}", "ai_response: {0} OR {1}", "NEAR({0} {1}, 2)", "^{0}", "{0} + {1}",
    "{{user_message ai_response}}: {0}",
)  # fmt: skip

# Texts that FTS5 refuses, or that it reads in another way than a person.
_REFUSED: Final = (
    "", " ", '"', "{0}-{1}", "{0}?", "AND", "{0} AND", "NOT {0}", "({0}", "{0}'s", "*", "no_column: {0}", "{0}, {1}",
    "{0}.", "NEAR({0}", "{0} or {1}", "'{0}'", "-{0}", "^", "{0} OR OR {1}", "@{0}", '"{0}" "{1}', "and {0}",
)  # fmt: skip

_PARTS: Final = (
    "1", "2", "3", "12", "-4", "0", "007", "", " ", "a", "1.5", "1e3", "0x1", "+1", "1a", "1 2", "--1", "-", "null",
    "NaN", "9007199254740991", "9007199254740992", "１", "1;2", "%31", "'1'", "-0",
)  # fmt: skip


def _parameter(choices: Choices) -> Json:
    parts = []
    for _ in range(1 + choices.below(5)):
        part = str(choices.below(20)) if not choices.one_in(2) else choices.pick(_PARTS)
        kind = choices.below(12)
        if kind == 9:
            part = choices.pick(WHITE_SPACE) + part
        elif kind == 10:
            part += choices.pick((*WHITE_SPACE, *NEAR_SPACE))
        elif kind == 11:
            part += choices.pick(NUMBERS) if choices.one_in(3) else character(choices)
        parts.append(part)
    return {"sessionIds": choices.pick((",", ",", ",", ", ", ";")).join(parts)}


def _scope(choices: Choices) -> Json:
    session: Json = {"id": id_(choices)}
    session |= choices.maybe("projectId", lambda c: c.pick((7, "p", None, 0, "", "0", -1)))
    known = choices.many(id_, 4) if not choices.one_in(4) else None
    return {"session": session, "projectSessionIds": known}


def _message(choices: Choices) -> str:
    return " ".join(choices.some(_WORDS, 5, 1))


def _searched(choices: Choices) -> Json:
    """Each episode has its own number of other words, so that ranks are rarely equal."""
    episodes: list[Json] = []
    messages: list[str] = []
    for number in range(1 + choices.below(5)):
        filler = " ".join(f"w{number}x{word}" for word in range(number * 2))
        session = choices.pick((1, 2, 3, None)) if choices.one_in(3) else 1
        messages.append(_message(choices))
        texts = {"user_message": messages[-1], "ai_response": f"{_message(choices)} {filler}"}
        episodes.append({"id": number + 1, "session_id": session, **texts})
    if choices.one_in(4):
        episodes = choices.shuffled(episodes)
    forms = _REFUSED if choices.one_in(8) else _QUERIES
    known = choices.pick(messages).split()
    words = [choices.pick(known) if not choices.one_in(4) else choices.pick(_WORDS) for _ in range(3)]
    words = [word.upper() if choices.one_in(8) else word for word in words]
    request: Json = {"episodes": episodes, "query": choices.pick(forms).format(*words)}
    request["limit"] = choices.pick((10, 3, 1, 2, 5, 4, 20, 6, 7, 50, 8, 9, 0, -1, -5, 2**53 - 1))
    sessions = (1, 1, 2, "1", 1, 3, "2", None, 9, "a", "1.0", "01", " 1")
    return request | choices.maybe("sessionIds", lambda c: c.some(sessions, 4, 0 if c.one_in(8) else 2), one_in=3)


RECIPES: Final = {
    "nexus.ftsScope": Recipe(_scope, 16),
    "nexus.parseSessionIds": Recipe(_parameter, 24),
    "nexus.ftsSearch": Recipe(_searched, 72),
}
"""Operation -> recipe."""
