"""What holds of hybrid recall for every store and query."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.model import replace
from reference_impl.observer import Step, observing
from reference_impl.tideline import bm25, hybrid, origin
from reference_impl.tideline.hybrid import Settings, recall
from reference_impl.tideline.records import Durability, MemoryRecord, Recalled
from reference_impl.tideline.score import TRUST
from reference_impl.wire.tideline.scripted import Table

NOW = 1_767_225_600_000
DAY = 86_400_000
EMBEDDER = Table({}, (1.0, 0.0))

durabilities = st.builds(
    Durability,
    st.sampled_from(["short", "long", "permanent"]),
    st.floats(0, 1),
    st.floats(0, 1),
    st.integers(0, 100),
    st.integers(-400, 10).map(lambda days: NOW + days * DAY),
)
vectors = st.none() | st.tuples(st.integers(-4, 4), st.integers(-4, 4)) | st.just((1.0,))
sources = st.none() | st.sampled_from(["", "rumour", *TRUST])
contents = st.lists(st.sampled_from("the tea green milk rain fog".split()), max_size=6).map(" ".join)


@st.composite
def stores(draw: st.DrawFn) -> list[MemoryRecord]:
    """Up to eight facts with ids of their own."""
    count = draw(st.integers(0, 8))
    return [
        MemoryRecord(
            str(number),
            draw(contents),
            "knowledge",
            draw(durabilities),
            draw(st.integers(0, 3)),
            embedding=draw(vectors),
            source_type=draw(sources),
        )
        for number in range(count)
    ]


def fact(memory_id: str, content: str, embedding: tuple[float, ...] | None = None, **known: object) -> MemoryRecord:
    durability = Durability("permanent", 0.6, 0.03, 0, NOW)
    return MemoryRecord(memory_id, content, "knowledge", durability, NOW, embedding=embedding, **known)  # type: ignore[arg-type]


def named(found: list[Recalled]) -> list[str]:
    return [recalled.record.memory_id for recalled in found]


@given(stores(), contents)
def test_hits_are_a_prefix(records: list[MemoryRecord], query: str) -> None:
    """Hits come before recoveries, every recovery scores at most half of the lowest hit, and no fact comes twice."""
    found = recall(records, query, NOW, EMBEDDER, Settings(50))
    hits = [recalled for recalled in found if recalled.lexical_rank is not None]
    recoveries = found[len(hits) :]
    assert all(recalled.lexical_rank is None for recalled in recoveries)
    assert all(recalled.score <= 0.5 * (hits[-1].score if hits else 1) for recalled in recoveries)
    assert [recalled.score for recalled in found] == sorted((recalled.score for recalled in found), reverse=True)
    assert len({*named(found)}) == len(found)


@given(stores(), contents)
def test_vectors_never_touch_the_hits(records: list[MemoryRecord], query: str) -> None:
    """Without any embedding the lexical part is the same, scores and order."""
    bare = [replace(record, embedding=None) for record in records]
    hits = [one for one in recall(records, query, NOW, EMBEDDER, Settings(50)) if one.lexical_rank is not None]
    alone = recall(bare, query, NOW, EMBEDDER, Settings(50))
    assert [(one.record.memory_id, one.score) for one in hits] == [(one.record.memory_id, one.score) for one in alone]


@given(stores(), contents, st.integers(-2, 12))
def test_limit(records: list[MemoryRecord], query: str, limit: int) -> None:
    """A limit cuts the list and changes nothing else; one that is not above 0 is 8."""
    whole = named(recall(records, query, NOW, EMBEDDER, Settings(50)))
    assert named(recall(records, query, NOW, EMBEDDER, Settings(limit))) == whole[: limit if limit > 0 else 8]


@given(stores(), contents)
def test_variety_keeps_the_facts(records: list[MemoryRecord], query: str) -> None:
    """Maximal marginal relevance changes the order alone, and the first fact not at all."""
    plain = recall(records, query, NOW, EMBEDDER, Settings(50))
    varied = recall(records, query, NOW, EMBEDDER, Settings(50, mmr_lambda=0.5))
    assert sorted(named(varied)) == sorted(named(plain))
    assert named(varied)[:1] == named(plain)[:1]


@pytest.mark.slow
@given(stores(), contents)
def test_modulated_scores(records: list[MemoryRecord], query: str) -> None:
    """Decay takes half of a lexical score at most, and never adds to it."""
    hits = bm25.search(records, query, NOW)
    assert all(0.5 * hit.relevance <= hit.score <= hit.relevance and hit.relevance > 0 for hit in hits)
    assert {hit.record.memory_id for hit in hits} == {
        hit.record.memory_id for hit in bm25.search(records, query, NOW, modulate=False)
    }


@given(stores(), contents)
def test_reinforcement(records: list[MemoryRecord], query: str) -> None:
    """What was found has one access more; everything else of the store is as it was."""
    found = origin.search(records, query, NOW, None)
    after = origin.reinforced(records, found, NOW)
    for before, now in zip(records, after, strict=True):
        if before.memory_id in named(found):
            assert now.durability.access_count == before.durability.access_count + 1
            assert now.durability.last_accessed_at == NOW
        else:
            assert now == before


def test_steps() -> None:
    """A recall shows its idf, its hits, what the vectors found, and the recoveries."""
    steps: list[Step] = []
    with observing(steps.append):
        recall([fact("a", "tea"), fact("b", "rain", (1.0, 0.0))], "tea", NOW, EMBEDDER)
    assert [(step.section, step.step) for step in steps] == [
        (hybrid.SECTION, "close enough, by similarity"),
        (bm25.SECTION, "idf of the query's terms"),
        (bm25.SECTION, "lexical hits"),
        (hybrid.SECTION, "recoveries"),
    ]
