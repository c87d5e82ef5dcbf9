"""Retrieval fusion, section "FTS Session Scoping": whose episodes a search may see, and how the scope travels."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

SECTION = "FTS Session Scoping"

SessionId = int | str

_DECIMAL = re.compile(r"-?[0-9]+")


@dataclass(frozen=True, slots=True)
class Session:
    """The session that a chat request belongs to; a project groups sessions."""

    id: SessionId
    project_id: SessionId | None = None


def fts_session_ids(session: Session, project_session_ids: Sequence[SessionId] | None) -> list[SessionId]:
    """All sessions of the project when the session belongs to one, else the session alone.

    A project whose sessions nobody told leaves the session alone too: a scope is never given up.
    """
    if session.project_id is None or project_session_ids is None:
        return [session.id]
    return list(project_session_ids)


def parse_session_ids(text: str) -> list[int]:
    """The ids of ``?sessionIds=1,2,3``, in order. A part that is no decimal integer names no session.

    The parameter was given, so whatever it says is a scope: where no part names a session it is one without sessions.
    """
    parts = (part.strip() for part in text.split(","))
    return [int(part) for part in parts if _DECIMAL.fullmatch(part)]
