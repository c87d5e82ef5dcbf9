"""The embedder: known numbers, the definition written another way, and what holds of every text."""

import cmath
import hashlib
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_impl.decisions import decided
from reference_impl.tideline.hrr import EMPTY_FEATURE, HrrDecisions, cosine, embed, norm, similarity

finite = st.lists(st.floats(-1e6, 1e6).filter(lambda part: part == 0 or abs(part) > 1e-6), min_size=1, max_size=6)


def test_known_phases() -> None:
    """SHA-256 of w:deploy:0 begins with 47a04474, little-endian 41031 and 29764."""
    assert hashlib.sha256(b"w:deploy:0").hexdigest().startswith("47a04474")
    assert decided(HrrDecisions).phases("w:deploy")[:2] == (41031 * 2 * math.pi / 65536, 29764 * 2 * math.pi / 65536)


def test_known_vector() -> None:
    """The empty text's vector begins as published."""
    assert embed("")[:2] == pytest.approx([0.07935413547550284, 0.03892841099936575], abs=1e-12)


@pytest.mark.parametrize("text", ["deploy", "Deploys go out on Tuesdays, never Fridays.", "東京", ""])
def test_sum_of_unit_complex_numbers(text: str) -> None:
    """Each pair of components is the direction of the sum of the features' unit complex numbers."""
    rule = decided(HrrDecisions)
    vector = embed(text)
    atoms = [rule.phases(feature) for feature in rule.features(text) or [EMPTY_FEATURE]]
    for pair in range(128):
        total = sum((cmath.rect(1, angles[pair]) for angles in atoms), start=0j)
        direction = total / abs(total) / math.sqrt(128)
        assert vector[2 * pair] == pytest.approx(direction.real, abs=1e-12)
        assert vector[2 * pair + 1] == pytest.approx(direction.imag, abs=1e-12)


def test_lone_surrogate() -> None:
    """A window that cuts a character is hashed like one with U+FFFD in its place."""
    rule = decided(HrrDecisions)
    assert rule.phases("g:^\ud835x") == rule.phases("g:^\ufffdx")
    assert "g:\udc9c\ud835\udc9c" not in rule.features("𝒜")
    assert any("\ud800" <= character <= "\udfff" for feature in rule.features("𝒜𝒜") for character in feature)


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


def test_morphology_and_synonymy() -> None:
    """An inflected word is near, a synonym is not."""
    assert similarity("deploy", "deploys") > 0.6
    assert abs(similarity("car", "automobile")) < 0.1
