"""No fact of one origin is ever visible to another, whichever way it could come out."""

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_impl.tideline import blocks, origin
from reference_impl.tideline.hrr import embed
from reference_impl.tideline.origin import OWNER, Route, auto_recall_origin, is_visible
from reference_impl.tideline.records import Channel, Durability, MemoryRecord, Origin

NOW = 1_767_225_600_000
FRESH = Durability("long", 0.6, 0.03, 0, NOW)

# Every origin that differs from another in one way, in all ways, or in the places of its ids alone.
ORIGINS: list[Origin] = [
    OWNER,
    Channel("chat", "room", "s1"),
    Channel("mail", "room", "s1"),
    Channel("chat", "hall", "s1"),
    Channel("chat", "room", "s2"),
    Channel("room", "chat", "s1"),
    Channel("chat", "room", "s1", "one"),
    Channel("chat", "room", "s1", "two"),
    Channel("", "", ""),
    Channel("a:b", "c", "d"),
    Channel("a", "b:c", "d"),
]
PAIRS = list(itertools.permutations(range(len(ORIGINS)), 2))

ids = st.sampled_from(["", "a", "b", "a:b", "owner"])
channels = st.builds(Channel, ids, ids, ids, st.none() | ids)
origins = st.just(OWNER) | channels
contents = st.lists(st.sampled_from("the tea deploy deploys green milk".split()), max_size=5).map(" ".join)


def fact(memory_id: str, content: str, created_by: Origin | None) -> MemoryRecord:
    return MemoryRecord(memory_id, content, "knowledge", FRESH, NOW, embedding=embed(content), created_by=created_by)


# A fact of every origin that the lexical lane finds, and one that the vector lane alone finds.
STORE = [
    fact(f"{number} {lane}", content, origin)
    for number, origin in enumerate(ORIGINS)
    for lane, content in (("lexical", f"deploy of number{number}"), ("vector", f"deploys number{number}"))
]


@pytest.mark.parametrize(("mine", "theirs"), PAIRS)
def test_pairs_of_origins(mine: int, theirs: int) -> None:
    """A viewer of one origin sees the facts of its own and none of another, in both lanes and in both blocks."""
    viewer = ORIGINS[mine]
    assert is_visible(viewer, viewer)
    assert not is_visible(ORIGINS[theirs], viewer)
    found = [recalled.record.memory_id for recalled in origin.search(STORE, "deploy", NOW, viewer, 50)]
    assert found == [f"{mine} lexical", f"{mine} vector"]
    texts = (
        blocks.context(STORE, "deploy", NOW, viewer=viewer, limit=50, max_chars=10_000),
        blocks.auto_recall(STORE, "deploy", NOW, viewer),
    )
    for text in texts:
        assert text is not None
        assert re.findall(r"number(\d+)", text) == [str(mine)] * 2


@pytest.mark.slow
@given(st.lists(st.tuples(origins | st.none(), contents), max_size=8), contents, origins)
def test_foreign_facts_leave_no_trace(told: list[tuple[Origin | None, str]], query: str, viewer: Origin) -> None:
    """Results, scores and blocks are what they were if the foreign facts were not there at all."""
    everything = [fact(str(number), content, origin) for number, (origin, content) in enumerate(told)]
    own = [record for record in everything if is_visible(record.created_by, viewer)]
    assert origin.search(everything, query, NOW, viewer) == origin.search(own, query, NOW, viewer)
    assert blocks.context(everything, query, NOW, viewer=viewer) == blocks.context(own, query, NOW, viewer=viewer)
    assert blocks.auto_recall(everything, query, NOW, viewer) == blocks.auto_recall(own, query, NOW, viewer)


@given(st.none() | origins, origins, origins)
def test_visibility_is_an_equivalence(first: Origin | None, second: Origin, third: Origin) -> None:
    """Seeing is mutual and passes on, so origins fall into rooms without doors."""
    assert is_visible(first, second) == is_visible(second, first or OWNER)
    if is_visible(first, second) and is_visible(second, third):
        assert is_visible(first, third)


@given(channels)
def test_owner_and_peers(peer: Channel) -> None:
    """The owner never sees a peer's fact, and no peer sees the owner's or one that is older than origins."""
    assert not is_visible(peer, OWNER)
    assert not is_visible(OWNER, peer)
    assert not is_visible(None, peer)


@pytest.mark.parametrize("records", [STORE, [fact("legacy", "deploy", None)]])
def test_auto_recall_without_a_viewer(records: list[MemoryRecord]) -> None:
    """Auto-recall for nobody injects nothing, though the whole store would have something."""
    assert blocks.auto_recalled(records, "deploy", NOW, None) == []
    assert blocks.auto_recall(records, "deploy", NOW, None) is None
    assert origin.search(records, "deploy", NOW, None) != []


@given(st.booleans(), st.none() | st.builds(Route, ids, ids, st.none() | ids), ids)
def test_auto_recall_origin(sender_is_owner: bool, route: Route | None, session_key: str) -> None:
    """Only the owner gets the owner's view, and only a sender with neither ownership nor route gets none."""
    found = auto_recall_origin(sender_is_owner=sender_is_owner, route=route, session_key=session_key)
    assert (found == OWNER) == sender_is_owner
    assert (found is None) == (not sender_is_owner and route is None)
