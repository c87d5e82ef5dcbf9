"""Other readings of the retrieval fusion document's section "FTS Session Scoping": sessions and their URL parameter."""

import re
from collections.abc import Sequence

from ...javascript import strings
from ...nexus.scope import ScopeDecisions, Session, SessionId

ACTS_ON = ("nexus.*",)

_LEADING_DIGITS = re.compile(r"[+-]?[0-9]+")
_WHITE_SPACE = strings.WHITE_SPACE.replace("\ufeff", "\x85")
"""The characters of Unicode's PropList.txt with the property White_Space."""


class _ParameterRefused(Exception):
    """A part of the parameter is no decimal integer."""


class PartAsItIs(ScopeDecisions, reading="RUL-NEXUS-09=b"):
    """A part with white space is not an id."""

    def id_in_part(self, part: str) -> str:
        return part


class WithoutUnicodeWhiteSpace(ScopeDecisions, reading="RUL-NEXUS-23=b"):
    """White space has the Unicode property White_Space."""

    def trimmed(self, part: str) -> str:
        return part.strip(_WHITE_SPACE)


class SessionZero(ScopeDecisions, reading="RUL-NEXUS-10=b"):
    """An empty part is session 0."""

    def sessions_of_empty_part(self) -> list[int]:
        return [0]


class LeadingDigits(ScopeDecisions, reading="RUL-NEXUS-11=b"):
    """The leading digits of the part count."""

    def sessions_of_other_part(self, part: str) -> list[int]:
        match = _LEADING_DIGITS.match(part)
        return [int(match[0])] if match else []


class ParsedNumber(ScopeDecisions, reading="RUL-NEXUS-11=c"):
    """The number parser of the language decides the value of the whole part; a fraction is no session."""

    def sessions_of_other_part(self, part: str) -> list[int]:
        for parse in (lambda text: int(text, 0), float):
            try:
                number = parse(part)
            except ValueError:
                continue
            return [int(number)] if number == number // 1 else []
        return []


class RefusedParameter(ScopeDecisions, reading="RUL-NEXUS-11=d"):
    """The whole parameter is refused: no session at all."""

    def sessions_of_other_part(self, part: str) -> list[int]:
        raise _ParameterRefused(part)

    def parse_session_ids(self, text: str) -> list[int]:
        """A refused parameter names no session."""
        try:
            return super().parse_session_ids(text)
        except _ParameterRefused:
            return []


class EachSessionOnce(ScopeDecisions, reading="RUL-NEXUS-12=b"):
    """The list contains each session once."""

    def listed(self, ids: list[int]) -> list[int]:
        return list(dict.fromkeys(ids))


class NoSession(Session, reading="RUL-NEXUS-16=b"):
    """If the sessions of the project are unknown, the scope has no session."""

    def scope_in_unknown_project(self) -> list[SessionId]:
        return []


class ListOfNoProject(ScopeDecisions, reading="RUL-NEXUS-17=b"):
    """A list of sessions is the scope, although the session belongs to no project."""

    def fts_session_ids(self, session: Session, project_session_ids: Sequence[SessionId] | None) -> list[SessionId]:
        if session.project_id is None and project_session_ids is not None:
            return list(project_session_ids)
        return super().fts_session_ids(session, project_session_ids)


class SessionForAnEmptyProject(Session, reading="RUL-NEXUS-18=b"):
    """If the list of the project's sessions is empty, the scope is the session alone."""

    def scope_in_project(self, session_ids: Sequence[SessionId]) -> list[SessionId]:
        return list(session_ids) or [self.id]
