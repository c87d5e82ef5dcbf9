"""`parity fuzz` on echoes, each wrong in one way."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis.configuration import set_hypothesis_home_dir

from harness.corpus.paths import cache

Fuzz = Callable[..., Any]

ECHOES = Path(__file__).parent / "echoes.py"


def echo(name: str, flaw: str = "none") -> str:
    """The `--adapter` option of an echo with this flaw."""
    return f"{name}={shlex.join([sys.executable, '-S', '-E', str(ECHOES), flaw])}"


@pytest.fixture(autouse=True)
def own_folder_of_hypothesis() -> Iterator[None]:
    """A campaign moves the folder of Hypothesis; the tests behind it get their own back."""
    yield
    set_hypothesis_home_dir(None)


def make_cache(folder: Path) -> None:
    """Makes a cache folder that shares what takes seconds to compute."""
    (folder / "parity").mkdir(parents=True)
    for name in ("corpora", "hypothesis"):
        shared = cache() / name
        shared.mkdir(parents=True, exist_ok=True)
        (folder / "parity" / name).symlink_to(shared)


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache folder of this test, without stored examples; it has the compiled corpora and Hypothesis' tables of Unicode
    of all tests."""
    make_cache(tmp_path / "cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def fuzz(echo_corpus: Path, tmp_path: Path, run_parity: Any, own_cache: None) -> Fuzz:  # noqa: ARG001
    """Runs `parity fuzz` on echoes with these flaws, by name; the first one, `right`, gives the expected answers, since the
    reference offers no echo."""

    def run(*arguments: Any, examples: int = 150, **flaws: str) -> Any:
        chosen = [word for name, flaw in {"right": "none", **flaws}.items() for word in ("--adapter", echo(name, flaw))]
        words = ["fuzz", "--corpus", echo_corpus, "--save", tmp_path / "out", *chosen, *arguments]
        return run_parity(*words, *([] if "--examples" in arguments else ["--examples", examples]))

    return run
