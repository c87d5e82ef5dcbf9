"""Fusing two ranked lists: what holds of all lists and weights."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_impl.nexus.fusion import Episode, EpisodeId, fuse_episode_results, rrf_score
from reference_impl.nexus.settings import Settings

RANKED = st.lists(st.integers(1, 12), unique=True, max_size=8)
WEIGHT = st.floats(0, 5, allow_subnormal=False)
POSITIVE = st.floats(0.01, 5)


def episodes(ids: list[int]) -> list[Episode]:
    return [Episode(id_) for id_ in ids]


def scored(
    semantic: list[int], keyword: list[int], weights: Settings, limit: int | None = None
) -> dict[EpisodeId, float]:
    found = fuse_episode_results(episodes(semantic), episodes(keyword), weights, limit)
    return {one.episode.id: one.score for one in found}


def ids(semantic: list[int], keyword: list[int], weights: Settings, limit: int | None = None) -> list[EpisodeId]:
    return list(scored(semantic, keyword, weights, limit))


def place(ranked: list[int], id_: int) -> int | None:
    return ranked.index(id_) + 1 if id_ in ranked else None


@given(RANKED, RANKED, POSITIVE, POSITIVE)
def test_scores_follow_the_formula(semantic: list[int], keyword: list[int], one: float, other: float) -> None:
    """Every episode of either list has the score that its two places give it."""
    weights = Settings(one, other)
    wanted = {id_: rrf_score(place(semantic, id_), place(keyword, id_), weights) for id_ in {*semantic, *keyword}}
    assert scored(semantic, keyword, weights) == wanted


@given(RANKED, RANKED, WEIGHT, WEIGHT)
def test_order(semantic: list[int], keyword: list[int], one: float, other: float) -> None:
    """Scores fall, and equal ones keep the order of sight, semantic list first."""
    found = scored(semantic, keyword, Settings(one, other))
    seen: list[EpisodeId] = list(dict.fromkeys([*semantic, *keyword]))
    keys = [(-score, seen.index(id_)) for id_, score in found.items()]
    assert keys == sorted(keys)


@pytest.mark.slow
@given(RANKED, RANKED, POSITIVE, st.integers(0, 20))
def test_keyword_weight_zero(semantic: list[int], keyword: list[int], weight: float, limit: int) -> None:
    """Without a keyword weight the result is the head of the semantic list, whatever the keyword list holds."""
    assert ids(semantic, keyword, Settings(weight, 0), limit) == semantic[:limit]


@given(RANKED, RANKED)
def test_semantic_weight_zero(semantic: list[int], keyword: list[int]) -> None:
    """Without a semantic weight the keyword list comes first and the rest of the semantic list follows in its order."""
    rest = [id_ for id_ in semantic if id_ not in keyword]
    assert ids(semantic, keyword, Settings(0, 1)) == [*keyword, *rest]


@given(RANKED, RANKED, POSITIVE, POSITIVE, st.integers(0, 20))
def test_length(semantic: list[int], keyword: list[int], one: float, other: float, limit: int) -> None:
    """With both weights above 0 the limit or the union of the lists decides how many come back."""
    assert len(ids(semantic, keyword, Settings(one, other), limit)) == min(limit, len({*semantic, *keyword}))


@pytest.mark.slow
@given(RANKED, RANKED, POSITIVE, POSITIVE, st.integers(-3, 0))
def test_powers_of_two_scale(semantic: list[int], keyword: list[int], one: float, other: float, power: int) -> None:
    """Both weights times a power of two scale every score and change no place."""
    plain, scaled = Settings(one, other), Settings(one * 2**power, other * 2**power)
    wanted = [(id_, score * 2**power) for id_, score in scored(semantic, keyword, plain).items()]
    assert list(scored(semantic, keyword, scaled).items()) == wanted


@given(RANKED, RANKED, POSITIVE, POSITIVE)
def test_swapping_sides(semantic: list[int], keyword: list[int], one: float, other: float) -> None:
    """Lists swapped together with their weights keep every score."""
    assert scored(semantic, keyword, Settings(one, other)) == scored(keyword, semantic, Settings(other, one))


@given(RANKED, st.lists(st.integers(1, 4), max_size=6), POSITIVE)
def test_falling_scores(semantic: list[int], keyword: list[int], weight: float) -> None:
    """Also with ids that repeat in the keyword list, scores fall and ids come back once."""
    found = fuse_episode_results(episodes(semantic), episodes(keyword), Settings(1, weight))
    assert len({one.episode.id for one in found}) == len(found)
    assert all(better.score >= worse.score for better, worse in itertools.pairwise(found))
