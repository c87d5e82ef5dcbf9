"""Retrieval fusion, section "FTS Session Scoping": the sessions that a search covers, and their URL parameter."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..decisions import Decisions
from ..javascript import strings

SECTION = "FTS Session Scoping"

SessionId = int | str

_DECIMAL = re.compile(r"-?[0-9]+")


@dataclass(frozen=True, slots=True)
class Session(Decisions):
    """The session that a chat request belongs to; a project groups sessions."""

    id: SessionId
    project_id: SessionId | None = None

    def scope_in_project(self, session_ids: Sequence[SessionId]) -> list[SessionId]:
        """RUL-NEXUS-18: the scope is the list of the project's sessions as it is, also an empty one."""
        return list(session_ids)

    def scope_in_unknown_project(self) -> list[SessionId]:
        """RUL-NEXUS-16: if the sessions of the project are unknown, the scope is the session alone."""
        return [self.id]


class ScopeDecisions(Decisions):
    """What the section leaves open about sessions and their URL parameter, as adopted."""

    def fts_session_ids(self, session: Session, project_session_ids: Sequence[SessionId] | None) -> list[SessionId]:
        """RUL-NEXUS-17: the session's project, not the presence of a list, decides the scope. All sessions of the
        project if the session belongs to one, else the session alone; a search is never without a scope.
        """
        if session.project_id is None:
            return [session.id]
        if project_session_ids is None:
            return session.scope_in_unknown_project()
        return session.scope_in_project(project_session_ids)

    def parse_session_ids(self, text: str) -> list[int]:
        """The ids of ``?sessionIds=1,2,3``, in order; parts that are no decimal integer are skipped. A parameter
        without a valid id gives an empty scope, not an absent one.
        """
        ids: list[int] = []
        for part in map(self.id_in_part, text.split(",")):
            if not part:
                ids += self.sessions_of_empty_part()
            elif _DECIMAL.fullmatch(part):
                ids.append(int(part))
            else:
                ids += self.sessions_of_other_part(part)
        return self.listed(ids)

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

    def listed(self, ids: list[int]) -> list[int]:
        """RUL-NEXUS-12: the list contains the ids as written, also repeated ones."""
        return ids
