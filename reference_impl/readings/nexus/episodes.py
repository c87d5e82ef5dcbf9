"""Other readings of the retrieval fusion document's section "FTS Session Scoping": the keyword search."""

import sqlite3
from collections.abc import Callable, Iterable, Sequence

from ...nexus import episodes
from ...nexus.episodes import EpisodeStore, StoredEpisode
from ...switches import Switches

SWITCHES = Switches("nexus.ftsSearch")

_ALL_EPISODES = "SELECT id, session_id, user_message, ai_response FROM episodes"


@SWITCHES.reading("RUL-NEXUS-08", "b", episodes.is_scope)
def only_a_list_with_sessions_is_a_scope(session_ids: Sequence[int | str | None] | None) -> bool:
    """An empty list is not a scope, and the search finds the episodes of all sessions."""
    return bool(session_ids)


@SWITCHES.reading("RUL-NEXUS-13", "b", episodes.match_expression)
def one_phrase(query: str) -> str:
    """The text is quoted as one phrase."""
    return _quoted(query)


@SWITCHES.reading("RUL-NEXUS-13", "c", episodes.match_expression)
def quoted_words(query: str) -> str:
    """Each word is quoted."""
    return " ".join(map(_quoted, query.split()))


@SWITCHES.reading("RUL-NEXUS-13", "d", episodes.found_by_invalid_expression)
def nothing_is_found(error: sqlite3.OperationalError) -> list[int]:
    """The error is caught, and nothing is found."""
    del error
    return []


@SWITCHES.reading("RUL-NEXUS-14", "b", episodes.bound_session_ids)
def numbers_alone(session_ids: Iterable[int | str | None]) -> tuple[int | str | None, ...]:
    """A string finds nothing."""
    return tuple(id_ for id_ in session_ids if not isinstance(id_, str))


@SWITCHES.reading("RUL-NEXUS-21", "b", episodes.result_order)
def descending_ids() -> str:
    """Episodes of equal rank come by descending id."""
    return "rank, e.id DESC"


@SWITCHES.reading("RUL-NEXUS-22", "b", EpisodeStore.ranked_ids, wraps=True)
def ranked_within_the_scope(
    ranked_ids: Callable[..., list[int]],
    store: EpisodeStore,
    expression: str,
    limit: int,
    session_ids: Sequence[int | str | None] | None,
) -> list[int]:
    """The rank is computed over the episodes of the scope alone."""
    if not episodes.is_scope(session_ids):
        return ranked_ids(store, expression, limit, session_ids)
    bound = episodes.bound_session_ids(session_ids or ())
    scope = f"WHERE session_id IN ({', '.join('?' * len(bound))})"
    rows = store.database.execute(f"{_ALL_EPISODES} {scope}", bound)
    with EpisodeStore(StoredEpisode(*row) for row in rows) as of_the_scope:
        return ranked_ids(of_the_scope, expression, limit, session_ids)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
