"""Listing cases and asking for help load none of the heavy libraries."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from toy_corpus import SAID, TEXTS, write_corpus

_PROGRAM = """\
import sys
from harness.cli.main import main
try:
    status = main(sys.argv[1:])
except SystemExit as exit:
    status = exit.code
print("loaded:", *sorted(name for name in sys.modules if "." not in name))
sys.exit(status)
"""


def loaded(*arguments: str) -> set[str]:
    """The top-level modules in memory after `parity` ran with these arguments."""
    root = Path(__file__).resolve().parents[3]
    command = [sys.executable, "-c", _PROGRAM, *arguments]
    done = subprocess.run(command, cwd=root, capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].removeprefix("loaded: ").split())


def test_listing_cases_loads_no_validator_and_no_differ(tmp_path: Path) -> None:
    """`parity cases` reads YAML and schemas without jsonschema."""
    modules = loaded("cases", "--corpus", str(write_corpus(tmp_path)))
    assert "yaml" in modules
    assert modules.isdisjoint({"jsonschema", "referencing", "pytest", "rich"})


@pytest.mark.slow
def test_listing_the_cases_of_an_unchanged_corpus_loads_no_parser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second `parity cases` on the same corpus reads neither YAML nor schemas."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    texts = {**TEXTS, SAID: f"# {'long ' * 20_000}\n{TEXTS[SAID]}"}
    folder = str(write_corpus(tmp_path / "corpus", texts))
    assert {"yaml", "jsonschema_rs"} <= loaded("cases", "--corpus", folder)
    assert loaded("cases", "--corpus", folder).isdisjoint({"yaml", "jsonschema_rs", "sqlite3", "difflib"})


def test_help_loads_nothing_of_a_verb() -> None:
    """`parity --help` and `--version` read no corpus and load no verb; `--help` loads little at all."""
    heavy = {"jsonschema", "yaml", "rich", "rfc8785", "pytest"}
    slow = {"dataclasses", "importlib.metadata", "email", "pathlib", "tempfile", "typing"}
    assert loaded("--help").isdisjoint(heavy | slow)
    assert loaded("--version").isdisjoint(heavy)


@pytest.mark.slow
def test_a_green_run_loads_no_library_for_edits(tmp_path: Path) -> None:
    """DeepDiff is imported when the first failure is shown or charged, and not before."""
    asked = "run", "--adapter", "reference", "--select", "jeffs_brain/trigram/jaccard", "--record", str(tmp_path / "r")
    assert "deepdiff" not in loaded(*asked)
