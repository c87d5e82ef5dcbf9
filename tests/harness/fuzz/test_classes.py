"""The classes of differences from the reference: readings explain, and a cause must be known of the implementation."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Fuzzed = Callable[..., Any]

pytestmark = pytest.mark.slow


@pytest.fixture
def fuzzed(tmp_path: Path, run_parity: Any, monkeypatch: pytest.MonkeyPatch) -> Fuzzed:
    """Fuzzes one operation of the reference that follows a switch."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def run(operation: str, *switch: str) -> Any:
        serve = shlex.join([sys.executable, str(Path(sys.executable).with_name("parity")), "serve", *switch])
        options = ["--operation", operation, "--examples", "300", "--save", tmp_path]
        return run_parity("fuzz", "--adapter", f"mine={serve}", *options)

    return run


def test_an_open_reading_explains(fuzzed: Fuzzed) -> None:
    """Nothing is new, and the reading is named."""
    done = fuzzed("query.parse", "--reading", "RUL-B04=b")
    assert done.returncode == 0, done.stdout
    assert "mine explained by: RUL-B04=b" in done.stdout


def test_a_deviation_of_others_is_new_and_named(fuzzed: Fuzzed) -> None:
    """Only an implementation whose known-divergence file names the deviation has it explained."""
    done = fuzzed("trigram.slugText", "--deviation", "low-line-in-slugs")
    assert done.returncode == 1, done.stdout
    assert "explained by: low-line-in-slugs, which is not known of mine" in done.stdout
    assert 'request:  {"path":"_"}' in done.stdout
