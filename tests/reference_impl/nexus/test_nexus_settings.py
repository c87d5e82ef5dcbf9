"""Patches of the two weights."""

from hypothesis import given
from hypothesis import strategies as st

from reference_impl.decisions import decided
from reference_impl.nexus.settings import PatchRefused, Settings, SettingsDecisions, patch_settings

WEIGHTS = st.integers(0, 5) | st.floats(0, 5)
ANY = st.none() | st.booleans() | st.integers(-10, 10) | st.floats(-10, 10) | st.text(max_size=3) | st.lists(WEIGHTS)


def is_weight(value: object) -> bool:
    try:
        return decided(SettingsDecisions).with_weight(Settings(), "keyword_weight", value).keyword_weight == value
    except PatchRefused:
        return False


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
