"""The two weights: defaults, patches, the range."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_impl.decisions import decided
from reference_impl.nexus.settings import PatchRefused, Settings, SettingsDecisions, patch_settings
from reference_impl.wire.nexus.operations import OPERATIONS

WEIGHTS = st.integers(0, 5) | st.floats(0, 5)
ANY = st.none() | st.booleans() | st.integers(-10, 10) | st.floats(-10, 10) | st.text(max_size=3) | st.lists(WEIGHTS)


def is_weight(value: object) -> bool:
    try:
        return decided(SettingsDecisions).with_weight(Settings(), "keyword_weight", value).keyword_weight == value
    except PatchRefused:
        return False


@pytest.mark.parametrize("value", [0, 0.0, 0.5, 2, 5, 5.0])
def test_weights(value: float) -> None:
    """Numbers from 0 to 5 are weights, both ends included."""
    assert is_weight(value)


@pytest.mark.parametrize("value", [-0.1, 5.1, -1, 6, "1", "", None, True, False, [1], {}])
def test_other_values(value: object) -> None:
    """Numbers outside the range, texts, booleans, null, lists and objects are none."""
    assert not is_weight(value)


@given(WEIGHTS, WEIGHTS, st.dictionaries(st.sampled_from(["semanticWeight", "keywordWeight", "theme"]), ANY))
def test_patches(semantic: float, keyword: float, patch: dict[str, object]) -> None:
    """A patch is stored as a whole or not at all, and leaves what it does not name."""
    before = Settings(semantic, keyword)
    patched = patch_settings(before, patch)
    weights = {name: value for name, value in patch.items() if name != "theme"}
    assert patched.accepted == all(is_weight(value) for value in weights.values())
    if patched.accepted:
        assert patched.settings.semantic_weight == weights.get("semanticWeight", semantic)
        assert patched.settings.keyword_weight == weights.get("keywordWeight", keyword)
    else:
        assert patched.settings == before


def test_a_service_keeps_what_was_stored() -> None:
    """Each request sees what the earlier ones stored, and a new service has the defaults."""
    requests: list[dict[str, Any]] = [
        {"patchSettings": {"keywordWeight": 2}},
        {"patchSettings": {"keywordWeight": 9}},
        {"getSettings": {}},
    ]
    answers = OPERATIONS["nexus.serveRequests"]({"requests": requests})["answers"]
    stored = {"semanticWeight": 1, "keywordWeight": 2}
    assert answers == [{"accepted": True, "settings": stored}, {"accepted": False, "settings": stored}, stored]
    assert OPERATIONS["nexus.getSettings"]({"fresh": True}) == {"semanticWeight": 1, "keywordWeight": 0}
