"""The embedder: what holds of every text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_impl.decisions import decided
from reference_impl.tideline.hrr import HrrDecisions, cosine, embed, norm

finite = st.lists(st.floats(-1e6, 1e6).filter(lambda part: part == 0 or abs(part) > 1e-6), min_size=1, max_size=6)


@given(st.text())
def test_every_vector(text: str) -> None:
    """Every text, with lone surrogates or without words, has a vector of 256 numbers and length 1."""
    vector = embed(text)
    assert len(vector) == 256
    assert norm(vector) == pytest.approx(1, abs=1e-12)
    assert vector == embed(text)


@given(st.text())
def test_every_feature(text: str) -> None:
    """A word of n code units gives one unigram and n trigrams."""
    rule = decided(HrrDecisions)
    units = [len(feature[2:].encode("utf-16-le")) // 2 for feature in rule.features(text) if feature.startswith("w:")]
    assert len(rule.features(text)) == len(units) + sum(units)


@given(finite, finite)
def test_cosine(left: list[float], right: list[float]) -> None:
    """A cosine is symmetric, lies in [-1, 1] up to rounding, and is 0 for unequal lengths and zero vectors."""
    assert cosine(left, right) == cosine(right, left)
    assert abs(cosine(left, right)) <= 1 + 1e-12
    assert cosine(left, [*left, 0.0]) == 0
    assert cosine(left, [0.0] * len(left)) == 0
    assert cosine(left, left) == pytest.approx(1 if any(left) else 0)
