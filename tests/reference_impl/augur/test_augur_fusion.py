"""Confidence, adaptive weight and weighted fusion: what holds of every ranking."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_impl.augur.fusion import Hit, Side, adapt_weight, top_gap_normalised, weighted_rrf_fuse

scores = st.lists(st.integers(-1000, 1000).map(float), max_size=14)
ranking = scores.map(lambda found: sorted(found, reverse=True))
ids = st.lists(st.sampled_from("abcdefgh"), unique=True)
weights = st.floats(0, 1)


def hits(names: list[str], side: Side) -> list[Hit]:
    return [Hit(name, 1 / place, side) for place, name in enumerate(names, 1)]


def fused(vec: list[str], kw: list[str], weight: float) -> dict[str, float]:
    found = weighted_rrf_fuse(hits(vec, Side.VECTOR), hits(kw, Side.KEYWORD), weight)
    return {hit.id: hit.score for hit in found}


@given(scores)
def test_confidence_lies_between_none_and_one(found: list[float]) -> None:
    """Confidence lies within 0 and 1, also for a list that is not sorted."""
    assert 0 <= top_gap_normalised(found) <= 1


@given(ranking, st.sampled_from([0.25, 2.0, 1024.0]), st.integers(-64, 64))
def test_confidence_knows_no_scale(found: list[float], factor: float, offset: int) -> None:
    """Stretching and moving a ranking leaves its confidence."""
    moved = [score * factor + offset for score in found]
    assert top_gap_normalised(moved) == pytest.approx(top_gap_normalised(found))


@given(ranking, ranking, st.floats(-1, 2))
def test_weight_lies_within_its_bounds(vec: list[float], kw: list[float], prior: float) -> None:
    """The weight lies within 0.10 and 0.90, and within 0.20 of a prior that lies there too."""
    weight = adapt_weight(prior, vec, kw)
    assert 0.10 <= weight <= 0.90
    if 0.10 <= prior <= 0.90:
        assert abs(weight - prior) <= 0.20 + 1e-12


@given(ranking, st.sampled_from([0.3, 0.4, 0.5, 0.7]))
def test_equal_evidence_leaves_the_prior(found: list[float], prior: float) -> None:
    """Two rankings of equal confidence leave the prior."""
    assert adapt_weight(prior, found, found) == prior


@given(ranking, ranking, st.floats(0, 1))
def test_better_vector_evidence_never_lowers_the_weight(vec: list[float], kw: list[float], prior: float) -> None:
    """A fully confident vector side has at least the weight of any other."""
    assert adapt_weight(prior, [1.0, 0.0], kw) >= adapt_weight(prior, vec, kw)


@given(ids, ids, weights)
def test_fused_ids_are_the_union(vec: list[str], kw: list[str], weight: float) -> None:
    """Every id of either side is in the result once, whatever its part."""
    assert sorted(fused(vec, kw, weight)) == sorted({*vec, *kw})


@given(ids, ids, weights)
def test_shared_scores_are_sums(vec: list[str], kw: list[str], weight: float) -> None:
    """An item's score is what each side alone gives it, added up."""
    alone = [fused(vec, [], weight), fused([], kw, weight)]
    for name, score in fused(vec, kw, weight).items():
        assert score == pytest.approx(sum(side.get(name, 0) for side in alone))


@given(ids, ids, st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]))
def test_sides_change_places_with_the_complement(vec: list[str], kw: list[str], weight: float) -> None:
    """The sides exchanged, with the complement of the weight, leave every score."""
    assert fused(vec, kw, weight) == fused(kw, vec, 1 - weight)
