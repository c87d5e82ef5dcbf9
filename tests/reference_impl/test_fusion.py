"""Reciprocal rank fusion: what holds of all lists."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from reference_impl.jeffs_brain.candidates import Candidate
from reference_impl.jeffs_brain.fusion import reciprocal_rank_fusion

RANKED = st.lists(st.sampled_from("abcdefgh"), unique=True).map(lambda ids: [at(i) for i in ids])


def at(id_: str, path: str | None = None, **known: object) -> Candidate:
    return Candidate(id_, path or f"{id_}.md", **known)  # type: ignore[arg-type]


def ids(*lists: list[Candidate], k: float = 60) -> list[str]:
    return [result.id for result in reciprocal_rank_fusion(lists, k)]


@given(RANKED, RANKED)
def test_two_lists_commute(left: list[Candidate], right: list[Candidate]) -> None:
    """The order of two lists without repeated ids changes neither scores nor ranking."""
    one, other = reciprocal_rank_fusion([left, right]), reciprocal_rank_fusion([right, left])
    assert [(result.id, result.score) for result in one] == [(result.id, result.score) for result in other]


@given(st.lists(RANKED, max_size=4))
def test_every_id_once(lists: list[list[Candidate]]) -> None:
    """The fused ranking holds every id of every list exactly once, with falling scores."""
    fused = reciprocal_rank_fusion(lists)
    assert sorted(result.id for result in fused) == sorted({candidate.id for found in lists for candidate in found})
    assert all(better.score >= worse.score for better, worse in itertools.pairwise(fused))


@given(RANKED)
def test_empty_lists_add_nothing(ranked: list[Candidate]) -> None:
    """A list fused with an empty one is that list alone."""
    assert reciprocal_rank_fusion([[], ranked]) == reciprocal_rank_fusion([ranked])
