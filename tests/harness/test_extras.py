"""A package that an optional part needs is named with a command that installs it."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import shlex
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest
from commands import Parity

from harness.corpus import paths
from harness.extras import install_command

ROOT = Path(__file__).resolve().parents[2]
PIP = [sys.executable, "-m", "pip", "install"]


def test_from_a_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command installs the extra of this checkout, wherever it lies."""
    assert shlex.split(install_command("fuzz", "hypothesis")) == [*PIP, "-e", f"{ROOT}[fuzz]"]
    odd = tmp_path / "my parity's place"
    odd.mkdir()
    (odd / "pyproject.toml").touch()
    monkeypatch.setattr(paths, "_ROOT", odd)
    assert shlex.split(install_command("cluster", "distributed")) == [*PIP, "-e", f"{odd}[cluster]"]


@pytest.mark.parametrize(
    ("extra", "absent", "named"),
    [
        ("fuzz", {"hypothesis", "coverage"}, ["coverage", "hypothesis"]),
        ("fuzz", {"hypothesis"}, ["hypothesis"]),
        ("cluster", {"distributed"}, ["distributed"]),
    ],
)
def test_from_a_wheel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, extra: str, absent: Collection[str], named: list[str]
) -> None:
    """The command names the missing packages, with their versions, as the metadata of the distribution does."""
    _remove(monkeypatch, absent)
    monkeypatch.setattr(paths, "_ROOT", tmp_path)
    words = shlex.split(install_command(extra, "hypothesis"))
    assert words[: len(PIP)] == PIP
    assert [word.partition("<")[0].partition(">")[0] for word in words[len(PIP) :]] == named
    assert all(">=" in word and ";" not in word for word in words[len(PIP) :])


def test_unpacked_and_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without metadata the command names the package alone."""
    _remove(monkeypatch, {"parity"})
    monkeypatch.setattr(paths, "_ROOT", tmp_path)
    assert shlex.split(install_command("fuzz", "hypothesis")) == [*PIP, "hypothesis"]


def _remove(monkeypatch: pytest.MonkeyPatch, names: Collection[str]) -> None:
    """Makes these distributions look absent."""
    for function in ("version", "requires"):
        found = getattr(importlib.metadata, function)

        def absent(name: str, found: Any = found) -> Any:
            if name in names:
                raise importlib.metadata.PackageNotFoundError(name)
            return found(name)

        monkeypatch.setattr(importlib.metadata, function, absent)


@pytest.mark.parametrize(
    ("option", "module", "extra"),
    [
        ([], "hypothesis", "fuzz"),
        (["--coverage"], "coverage", "fuzz"),
        (["--scheduler", "tcp://host:1"], "distributed", "cluster"),
    ],
)
def test_each_part_that_needs_a_package(
    run_parity: Parity, monkeypatch: pytest.MonkeyPatch, option: list[str], module: str, extra: str
) -> None:
    """`parity fuzz` ends with status 2 and the command."""
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *more: None if name == module else find(name, *more))
    done = run_parity("fuzz", *option)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f"which is not installed. Install it: {install_command(extra, module)}\n")
