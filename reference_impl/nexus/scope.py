"""Retrieval fusion, section "FTS Session Scoping": the sessions that a search covers, and their URL parameter."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..decisions import Decisions, decided
from ..javascript import strings

SECTION = "FTS Session Scoping"

SessionId = int | str

_DECIMAL = re.compile(r"-?[0-9]+")


@dataclass(frozen=True, slots=True)
class Session:
    """The session that a chat request belongs to; a project groups sessions."""

    id: SessionId
    project_id: SessionId | None = None


def parse_session_ids(text: str) -> list[int]:
    """The ids of ``?sessionIds=1,2,3``, in order. A parameter without a valid id gives an empty scope, not an absent one."""
    rule = decided(ScopeDecisions)
    parts = [rule.id_in_part(part) for part in text.split(",")]
    accepted = parts if rule.is_accepted(parts) else []
    return rule.listed([id_ for part in accepted for id_ in _ids_of(part)])


def _ids_of(part: str) -> list[int]:
    """The id in a part of the parameter, if the part is a decimal integer."""
    rule = decided(ScopeDecisions)
    if not part:
        return rule.sessions_of_empty_part()
    return [int(part)] if is_decimal(part) else rule.sessions_of_other_part(part)


def is_decimal(part: str) -> bool:
    """Whether a part of the parameter is a decimal integer."""
    return _DECIMAL.fullmatch(part) is not None


def fts_session_ids(session: Session, project_session_ids: Sequence[SessionId] | None) -> list[SessionId]:
    """ftsSessionIds: all sessions of the project if the session belongs to one, else the session alone."""
    rule = decided(ScopeDecisions)
    if session.project_id is None:
        return rule.scope_without_project(session, project_session_ids)
    if project_session_ids is None:
        return rule.scope_in_unknown_project(session)
    return rule.scope_in_project(session, project_session_ids)


class ScopeDecisions(Decisions):
    """What the section leaves open about sessions and their URL parameter, as adopted."""

    def scope_without_project(
        self, session: Session, project_session_ids: Sequence[SessionId] | None
    ) -> list[SessionId]:
        """RUL-NEXUS-17: the session's project, not the presence of a list, decides: the scope is the session alone."""
        return [session.id]

    def scope_in_unknown_project(self, session: Session) -> list[SessionId]:
        """RUL-NEXUS-16: if the sessions of the project are unknown, the scope is the session alone."""
        return [session.id]

    def scope_in_project(self, session: Session, session_ids: Sequence[SessionId]) -> list[SessionId]:
        """RUL-NEXUS-18: the scope is the list of the project's sessions as it is, also an empty one."""
        return list(session_ids)

    def id_in_part(self, part: str) -> str:
        """RUL-NEXUS-09: white space around an id does not matter."""
        return self.trimmed(part)

    def trimmed(self, part: str) -> str:
        """RUL-NEXUS-23: white space is what ECMAScript defines as such."""
        return strings.trim(part)

    def sessions_of_empty_part(self) -> list[int]:
        """RUL-NEXUS-10: an empty part names no session."""
        return []

    def sessions_of_other_part(self, _: str) -> list[int]:
        """RUL-NEXUS-11: a part that is no decimal integer names no session."""
        return []

    def is_accepted(self, parts: Sequence[str]) -> bool:
        """RUL-NEXUS-11: the parameter is accepted, whatever its parts are."""
        return True

    def listed(self, ids: list[int]) -> list[int]:
        """RUL-NEXUS-12: the list contains the ids as written, also repeated ones."""
        return ids
