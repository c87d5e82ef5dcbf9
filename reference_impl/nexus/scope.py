"""Retrieval fusion, section "FTS Session Scoping": the sessions that a search covers, and their URL parameter."""

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
    """All sessions of the project if the session belongs to one, else the session alone. Section "FTS Session Scoping".

    If the sessions of the project are unknown, the scope is the session alone; a search is never without a scope.
    """
    if session.project_id is None or project_session_ids is None:
        return [session.id]
    return list(project_session_ids)


def parse_session_ids(text: str) -> list[int]:
    """The ids of ``?sessionIds=1,2,3``, in order; parts that are no decimal integer are skipped.

    A parameter without a valid id gives an empty scope, not an absent one. Section "FTS Session Scoping".
    """
    parts = (part.strip() for part in text.split(","))
    return [int(part) for part in parts if _DECIMAL.fullmatch(part)]
