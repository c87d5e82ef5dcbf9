"""No episode of one session is ever visible to another, whatever stands in the scope."""

import sqlite3

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference_impl.nexus.episodes import EpisodeStore, QueryRefused, StoredEpisode
from reference_impl.nexus.scope import Session, fts_session_ids, parse_session_ids
from reference_impl.wire.nexus.operations import OPERATIONS

# Every example builds a database.
moderately = settings(max_examples=40, deadline=None)

WORDS = ["lantern", "rope", "tide"]
SESSION_IDS = [1, 2, 3, 11, 12, 21]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
SESSIONS = st.sampled_from([*SESSION_IDS, None])
SCOPES = st.lists(st.sampled_from([*SESSION_IDS, 0, 99, -1]), max_size=5)
INJECTIONS = [
    "1 OR 1=1",
    "1) OR (1=1",
    "1) OR 1=1 --",
    "' OR '1'='1",
    "1; DROP TABLE episodes",
    "1,2",
    "e.session_id",
    "session_id",
    "(SELECT session_id FROM episodes)",
    "NULL",
    "*",
    "%",
    "?",
    "",
]


@st.composite
def stores(draw: st.DrawFn) -> list[StoredEpisode]:
    rows = draw(st.lists(st.tuples(SESSIONS, TEXTS, TEXTS), min_size=1, max_size=12))
    return [StoredEpisode(id_, *row) for id_, row in enumerate(rows, start=1)]


def sessions_of(episodes: list[StoredEpisode], ids: list[int]) -> set[int | None]:
    by_id = {episode.id: episode.session_id for episode in episodes}
    return {by_id[id_] for id_ in ids}


@moderately
@given(stores(), st.sampled_from(WORDS), SCOPES)
def test_scoped_results(episodes: list[StoredEpisode], word: str, scope: list[int]) -> None:
    """A scoped search finds exactly what an unscoped one finds in those sessions, in the same order."""
    by_id = {episode.id: episode.session_id for episode in episodes}
    with EpisodeStore(episodes) as store:
        everywhere = store.search_episodes(word, 100)
        found = store.search_episodes(word, 100, scope)
    assert found == [id_ for id_ in everywhere if by_id[id_] in scope]


@moderately
@given(stores(), st.sampled_from(WORDS), SCOPES, st.integers(0, 4))
def test_limit_cuts_within_the_scope(episodes: list[StoredEpisode], word: str, scope: list[int], limit: int) -> None:
    """The limit counts episodes of the scope alone."""
    with EpisodeStore(episodes) as store:
        assert store.search_episodes(word, limit, scope) == store.search_episodes(word, 100, scope)[:limit]


@moderately
@given(stores(), st.sampled_from(WORDS))
def test_empty_scope(episodes: list[StoredEpisode], word: str) -> None:
    """An empty list of sessions is a scope, and nothing lies in it."""
    with EpisodeStore(episodes) as store:
        assert store.search_episodes(word, 100, []) == []


@moderately
@given(stores(), st.sampled_from(INJECTIONS), st.sampled_from(SESSION_IDS))
def test_injected_ids(episodes: list[StoredEpisode], injected: str, own: int) -> None:
    """A text that is no number adds nothing to a scope, before or behind a session."""
    with EpisodeStore(episodes) as store:
        alone = store.search_episodes("lantern", 100, [own])
        assert store.search_episodes("lantern", 100, [injected]) == []
        assert store.search_episodes("lantern", 100, [injected, own]) == alone
        assert store.search_episodes("lantern", 100, [own, injected]) == alone


@moderately
@given(stores(), st.text(max_size=20))
def test_any_query_stays_within_the_scope(episodes: list[StoredEpisode], query: str) -> None:
    """Whatever is asked, it is refused or answered from the scope."""
    with EpisodeStore(episodes) as store:
        try:
            found = store.search_episodes(query, 100, [1])
        except QueryRefused:
            return
    assert sessions_of(episodes, found) <= {1}


@pytest.mark.parametrize("query", ["lantern OR rope OR tide", "lantern NOT rope", "l*", "user_message : lantern"])
@moderately
@given(episodes=stores())
def test_operators_stay_within_the_scope(query: str, episodes: list[StoredEpisode]) -> None:
    """No operator of MATCH leaves the scope."""
    with EpisodeStore(episodes) as store:
        assert sessions_of(episodes, store.search_episodes(query, 100, [1, 2])) <= {1, 2}


@moderately
@given(stores(), st.sampled_from(SESSION_IDS), st.none() | st.integers(1, 2), st.none() | SCOPES)
def test_from_the_session_to_the_rows(
    episodes: list[StoredEpisode], own: int, project: int | None, pool: list[int] | None
) -> None:
    """From the session through the query parameter to the rows, nothing outside the session or its project is seen."""
    scope = fts_session_ids(Session(own, project), pool)
    parsed = parse_session_ids(",".join(map(str, scope)))
    with EpisodeStore(episodes) as store:
        seen = sessions_of(episodes, store.search_episodes("lantern", 100, parsed))
    assert seen <= ({own} if project is None or pool is None else set(pool))


@moderately
@given(st.text(alphabet="0123 ,-x１٣\t", max_size=8), stores())
def test_any_parameter_is_a_scope(text: str, episodes: list[StoredEpisode]) -> None:
    """Whatever the parameter says, only sessions that it names in plain digits are seen."""
    named = [part.strip() for part in text.split(",")]
    with EpisodeStore(episodes) as store:
        seen = sessions_of(episodes, store.search_episodes("lantern", 100, parse_session_ids(text)))
    assert {str(session) for session in seen} <= {part.lstrip("0") for part in named}


def test_refused_queries() -> None:
    """What FTS5 cannot read is told as an error, which names the engine's complaint."""
    request = {"episodes": [], "query": "hello?", "limit": 5, "sessionIds": [1]}
    assert OPERATIONS["nexus.ftsSearch"](request) == {"error": 'fts5: syntax error near "?"'}


def test_tables_survive_an_injected_statement() -> None:
    """A statement in an id is a value, and the tables are there afterwards."""
    with EpisodeStore([StoredEpisode(1, 1, "lantern", "")]) as store:
        store.search_episodes("lantern", 5, ["1; DROP TABLE episodes"])
        assert store.search_episodes("lantern", 5, [1]) == [1]


def test_closing() -> None:
    """A store is closed when its block ends."""
    with EpisodeStore([]) as store:
        pass
    with pytest.raises(sqlite3.ProgrammingError):
        store.search_episodes("lantern", 5)
