"""Other readings of the retrieval fusion document's section "FTS Session Scoping": sessions and their URL parameter."""

import re
from collections.abc import Callable, Sequence

from ...javascript import strings
from ...nexus import scope
from ...nexus.scope import Session, SessionId
from ...switches import Switches

SWITCHES = Switches("nexus.*")

_LEADING_DIGITS = re.compile(r"[+-]?[0-9]+")
_WHITE_SPACE = strings.WHITE_SPACE.replace("\ufeff", "\x85")
"""The characters of Unicode's PropList.txt with the property White_Space."""


class _ParameterRefused(Exception):
    """A part of the parameter is no decimal integer."""


@SWITCHES.reading("RUL-NEXUS-09", "b", scope.id_in_part)
def part_as_it_is(part: str) -> str:
    """A part with white space is not an id."""
    return part


@SWITCHES.reading("RUL-NEXUS-23", "b", scope.trimmed)
def without_unicode_white_space(part: str) -> str:
    """White space has the Unicode property White_Space."""
    return part.strip(_WHITE_SPACE)


@SWITCHES.reading("RUL-NEXUS-10", "b", scope.sessions_of_empty_part)
def session_zero() -> list[int]:
    """An empty part is session 0."""
    return [0]


@SWITCHES.reading("RUL-NEXUS-11", "b", scope.sessions_of_other_part)
def leading_digits(part: str) -> list[int]:
    """The leading digits of the part count."""
    match = _LEADING_DIGITS.match(part)
    return [int(match[0])] if match else []


@SWITCHES.reading("RUL-NEXUS-11", "c", scope.sessions_of_other_part)
def parsed_number(part: str) -> list[int]:
    """The number parser of the language decides the value of the whole part; a fraction is no session."""
    for parse in (lambda text: int(text, 0), float):
        try:
            number = parse(part)
        except ValueError:
            continue
        return [int(number)] if number == number // 1 else []
    return []


@SWITCHES.reading("RUL-NEXUS-11", "d", scope.sessions_of_other_part)
def refused_parameter(part: str) -> list[int]:
    """The whole parameter is refused: no session at all."""
    raise _ParameterRefused(part)


@SWITCHES.reading("RUL-NEXUS-11", "d", scope.parse_session_ids, wraps=True)
def no_session_of_a_refused_parameter(parse_session_ids: Callable[[str], list[int]], text: str) -> list[int]:
    """A refused parameter names no session."""
    try:
        return parse_session_ids(text)
    except _ParameterRefused:
        return []


@SWITCHES.reading("RUL-NEXUS-12", "b", scope.listed)
def each_session_once(ids: list[int]) -> list[int]:
    """The list contains each session once."""
    return list(dict.fromkeys(ids))


@SWITCHES.reading("RUL-NEXUS-16", "b", Session.scope_in_unknown_project)
def no_session(session: Session) -> list[SessionId]:
    """If the sessions of the project are unknown, the scope has no session."""
    del session
    return []


@SWITCHES.reading("RUL-NEXUS-17", "b", scope.fts_session_ids, wraps=True)
def list_of_no_project(
    fts_session_ids: Callable[..., list[SessionId]],
    session: Session,
    project_session_ids: Sequence[SessionId] | None,
) -> list[SessionId]:
    """A list of sessions is the scope, although the session belongs to no project."""
    if session.project_id is None and project_session_ids is not None:
        return list(project_session_ids)
    return fts_session_ids(session, project_session_ids)


@SWITCHES.reading("RUL-NEXUS-18", "b", Session.scope_in_project)
def session_for_an_empty_project(session: Session, session_ids: Sequence[SessionId]) -> list[SessionId]:
    """If the list of the project's sessions is empty, the scope is the session alone."""
    return list(session_ids) or [session.id]
