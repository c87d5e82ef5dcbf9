"""Other readings of the retrieval fusion document's section "FTS Session Scoping": sessions and their URL parameter."""

import re
from collections.abc import Sequence

from ...javascript import strings
from ...nexus.scope import ScopeDecisions, Session, SessionId, is_decimal

ACTS_ON = ("nexus.*",)

_LEADING_DIGITS = re.compile(r"[+-]?[0-9]+")
_WHITE_SPACE = strings.WHITE_SPACE.replace("\ufeff", "\x85")
"""The characters of Unicode's PropList.txt with the property White_Space."""


class PartAsItIs(ScopeDecisions, reading="RUL-NEXUS-09=b"):
    def id_in_part(self, part: str) -> str:
        """A part with white space is not an id."""
        return part


class WithoutUnicodeWhiteSpace(ScopeDecisions, reading="RUL-NEXUS-23=b"):
    def trimmed(self, part: str) -> str:
        """White space has the Unicode property White_Space."""
        return part.strip(_WHITE_SPACE)


class SessionZero(ScopeDecisions, reading="RUL-NEXUS-10=b"):
    def sessions_of_empty_part(self) -> list[int]:
        """An empty part is session 0."""
        return [0]


class LeadingDigits(ScopeDecisions, reading="RUL-NEXUS-11=b"):
    def sessions_of_other_part(self, part: str) -> list[int]:
        """The leading digits of the part count."""
        match = _LEADING_DIGITS.match(part)
        return [int(match[0])] if match else []


class ParsedNumber(ScopeDecisions, reading="RUL-NEXUS-11=c"):
    def sessions_of_other_part(self, part: str) -> list[int]:
        """The number parser of the language decides the value of the whole part; a fraction is no session."""
        for parse in (lambda text: int(text, 0), float):
            try:
                number = parse(part)
            except ValueError:
                continue
            return [int(number)] if number == number // 1 else []
        return []


class RefusedParameter(ScopeDecisions, reading="RUL-NEXUS-11=d"):
    def is_accepted(self, parts: Sequence[str]) -> bool:
        """The whole parameter is refused: no session at all."""
        return all(not part or is_decimal(part) for part in parts)


class EachSessionOnce(ScopeDecisions, reading="RUL-NEXUS-12=b"):
    def listed(self, ids: list[int]) -> list[int]:
        """The list contains each session once."""
        return list(dict.fromkeys(ids))


class NoSession(ScopeDecisions, reading="RUL-NEXUS-16=b"):
    def scope_in_unknown_project(self, session: Session) -> list[SessionId]:
        """If the sessions of the project are unknown, the scope has no session."""
        return []


class ListOfNoProject(ScopeDecisions, reading="RUL-NEXUS-17=b"):
    def scope_without_project(
        self, session: Session, project_session_ids: Sequence[SessionId] | None
    ) -> list[SessionId]:
        """A list of sessions is the scope, although the session belongs to no project."""
        return [session.id] if project_session_ids is None else list(project_session_ids)


class SessionForAnEmptyProject(ScopeDecisions, reading="RUL-NEXUS-18=b"):
    def scope_in_project(self, session: Session, session_ids: Sequence[SessionId]) -> list[SessionId]:
        """If the list of the project's sessions is empty, the scope is the session alone."""
        return list(session_ids) or [session.id]
