"""Known-divergence files for ranges of versions: the gate uses the one for the version that the implementation reports."""

from __future__ import annotations

from pathlib import Path

import pytest
from gating import MUMBLED, SIGNATURE, Gate

ENTRY = f"""\
divergences:
  - reason: It mumbles.
    cases: {{{MUMBLED}: "{SIGNATURE}"}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "known"
    found.mkdir()
    return found


def test_the_file_for_the_version_is_used(gate: Gate, folder: Path) -> None:
    """The singer reports 1.0. A file for its version comes before one for all."""
    (folder / "known-divergences.yaml").write_text("divergences: []\n")
    assert gate("mumbling", "--known", folder).returncode == 1
    (folder / "known-divergences-1.yaml").write_text(f"versions: '>=1,<2'\n{ENTRY}")
    done = gate("mumbling", "--known", folder)
    assert done.returncode == 0, done.stdout
    assert "known-divergences-1.yaml" in done.stdout
    (folder / "known-divergences-1.yaml").write_text(f"versions: '>=2'\n{ENTRY}")
    assert gate("mumbling", "--known", folder).returncode == 1


def test_no_file_for_the_version(gate: Gate, folder: Path) -> None:
    """It is a usage error that names the version and the ranges."""
    (folder / "known-divergences.yaml").write_text(f"versions: '<1'\n{ENTRY}")
    done = gate("mumbling", "--known", folder / "known-divergences.yaml")
    assert done.returncode == 2
    assert "No known-divergence file is for version 1.0" in done.stderr
    assert "is for <1. Name a file" in done.stderr


@pytest.mark.parametrize("text", ["newest", "1.0", ">=x"])
def test_versions_that_are_no_specifiers(gate: Gate, folder: Path, text: str) -> None:
    """The file, the line and the remedy are named."""
    file = folder / "known-divergences.yaml"
    file.write_text(f"versions: '{text}'\n{ENTRY}")
    done = gate("mumbling", "--known", file)
    assert done.returncode == 2
    assert f"known-divergences.yaml:1\n  versions is {text}, which is no list of version specifiers." in done.stderr


def test_writing_keeps_the_versions(gate: Gate, folder: Path) -> None:
    """`--write-known` changes the entries and keeps the range."""
    file = folder / "known-divergences.yaml"
    file.write_text("versions: '~=1.0'\ndivergences: []\n")
    gate("mumbling", "--write-known", file)
    assert "versions: ~=1.0\n" in file.read_text()
    assert MUMBLED in file.read_text()


def test_an_empty_folder(gate: Gate, folder: Path) -> None:
    """The message names the file that it lacks."""
    done = gate("mumbling", "--known", folder)
    assert (done.returncode, "the folder has no known-divergences.yaml" in done.stderr) == (2, True)
