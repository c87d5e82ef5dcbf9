"""Reciprocal rank fusion: the sum, the merge, the order."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_impl.jeffs_brain.candidates import Candidate
from reference_impl.jeffs_brain.fusion import contributions, reciprocal_rank_fusion

RANKED = st.lists(st.sampled_from("abcdefgh"), unique=True).map(lambda ids: [at(i) for i in ids])


def at(id_: str, path: str | None = None, **known: object) -> Candidate:
    return Candidate(id_, path or f"{id_}.md", **known)  # type: ignore[arg-type]


def ids(*lists: list[Candidate], k: float = 60) -> list[str]:
    return [result.id for result in reciprocal_rank_fusion(lists, k)]


@pytest.mark.parametrize(("k", "first"), [(60, 1 / 61), (0, 1 / 61), (-5, 1 / 61), (0.5, 1 / 1.5), (1, 0.5)])
def test_k(k: float, first: float) -> None:
    """A k above 0 is used as given, any other is replaced by 60."""
    assert contributions(1, k) == [first]


def test_sum_over_lists() -> None:
    """A candidate's score is the sum of what its ranks are worth."""
    fused = reciprocal_rank_fusion([[at("a"), at("b")], [at("b")]])
    assert [(result.id, result.score) for result in fused] == [("b", 1 / 62 + 1 / 61), ("a", 1 / 61)]


def test_repeated_id_in_one_list() -> None:
    """An id that stands twice in one list contributes twice."""
    assert reciprocal_rank_fusion([[at("a"), at("a")]])[0].score == 1 / 61 + 1 / 62


def test_blanks_are_filled_from_later_lists() -> None:
    """Empty texts and absent numbers are filled; the path, a rank of 0 and a similarity of 0 are not overwritten."""
    first = at("a", "first.md", title="kept", bm25_rank=0, vector_similarity=0.0)
    later = at("a", "later.md", title="lost", summary="filled", content=" ", bm25_rank=4, vector_similarity=0.5)
    last = at("a", "last.md", content="lost")
    fused = reciprocal_rank_fusion([[first], [later], [last]])[0].candidate
    assert fused == at("a", "first.md", title="kept", summary="filled", content=" ", bm25_rank=0, vector_similarity=0.0)


def test_absent_numbers_are_filled() -> None:
    """A rank and a similarity that the first list does not know come from a later one."""
    fused = reciprocal_rank_fusion([[at("a", bm25_rank=2)], [at("a", vector_similarity=0.25)]])[0].candidate
    assert (fused.bm25_rank, fused.vector_similarity) == (2, 0.25)


def test_equal_scores_break_by_path() -> None:
    """Equal scores are ordered by path, whatever the ids and lists say."""
    assert ids([at("a", "z.md")], [at("b", "y.md")]) == ["b", "a"]


def test_paths_are_ordered_by_code_units() -> None:
    """A path with a character above U+FFFF sorts before one with U+FF5E, as in JavaScript."""
    assert ids([at("wide", "\uff5e.md")], [at("astral", "\U00010000.md")]) == ["astral", "wide"]


def test_equal_paths_keep_the_order_of_sight() -> None:
    """Chunks of one note with equal scores stay in the order in which the lists brought them."""
    assert ids([at("z", "n.md")], [at("a", "n.md")]) == ["z", "a"]


def test_three_lists_do_not_commute_in_the_last_place() -> None:
    """Sums of three contributions depend on the order of the lists, since doubles are added in list order."""
    by_ranks = {
        ranks: sum((contributions(rank + 1)[rank] for rank in ranks), start=0.0)
        for ranks in itertools.permutations((0, 1, 6))
    }
    assert set(by_ranks.values()) == {0.0474478480153437, 0.04744784801534369}


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
