"""What a release is checked for before its tag."""

from __future__ import annotations

import pytest

from harness import VERSION
from harness.cli.main import VERBS
from tools import release_check


def test_every_verb_is_tried() -> None:
    """A verb that an installed wheel cannot run is noticed before its release."""
    assert {trial.words[0] for trial in release_check.TRIALS} >= {*VERBS}


def test_a_tag_is_the_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tag of another version makes no release."""
    monkeypatch.setenv("GITHUB_REF_TYPE", "tag")
    monkeypatch.setenv("GITHUB_REF_NAME", f"v{VERSION}")
    assert [*release_check.named()] == []
    monkeypatch.setenv("GITHUB_REF_NAME", "v99.0.0")
    assert "v99.0.0" in "".join(release_check.named())
