"""`parity doctor`: what it finds of toolchains, adapters and versions."""

from __future__ import annotations

import sqlite3
import unicodedata
from pathlib import Path

import pytest
from commands import ROOT, Parity

pytestmark = pytest.mark.slow

GO = """\
#!/bin/sh
[ "$1" = version ] && { echo go version go%s linux/amd64; exit; }
[ "$1" = mod ] && exit
echo 'module: 403 Forbidden' >&2
exit 1
"""


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """An empty folder to be the whole PATH."""
    folder = tmp_path / "tools"
    folder.mkdir()
    return folder


def sandbox(tools: Path) -> dict[str, str]:
    return {"PATH": str(tools), "XDG_CACHE_HOME": str(tools.parent / "cache"), "COLUMNS": "300"}


def add_go(tools: Path, version: str) -> None:
    """A Go that prints its version, fetches nothing, and can build nothing."""
    (tools / "go").write_text(GO % version, "utf-8")
    (tools / "go").chmod(0o755)


def test_missing_toolchains_are_listed_and_harmless(run_parity: Parity, tools: Path) -> None:
    """Without Node and Go the reference is ready, the others are skipped, and the page names the tools to install."""
    done = run_parity("doctor", env=sandbox(tools))
    assert done.returncode in (0, 2), done.stderr  # 2: the shipped corpus has a problem, which has its own tests
    assert "  node  not found, 20 or newer needed by ts\n    Install Node.js" in done.stdout
    assert "  reference  ready: parity reference" in done.stdout
    assert "  go  skipped: " in done.stdout
    assert "go is not on PATH. Install Go" in done.stdout


def test_toolchain_that_is_too_old(run_parity: Parity, tools: Path) -> None:
    """An old Go is listed with both versions."""
    add_go(tools, "1.4.0")
    done = run_parity("doctor", env=sandbox(tools))
    assert "  go  1.4.0 found, 1.25 or newer needed by go" in done.stdout
    assert "go: expected 1.25 or newer, found 1.4.0." in done.stdout
    assert done.returncode != 3


def test_adapter_that_cannot_be_built_is_status_3(run_parity: Parity, tools: Path) -> None:
    """An adapter whose toolchain is here and whose build fails has its reason on one line."""
    add_go(tools, "1.99.0")
    done = run_parity("doctor", env=sandbox(tools))
    assert done.returncode == 3
    reason = "`go build -mod=readonly -o adapter .` failed with status 1. module: 403 Forbidden."
    barred = " ".join(line.lstrip(" |") for line in done.stdout.splitlines() if line.lstrip().startswith("|"))
    assert f"{reason} To judge a working copy: --adapter go=DIR." in barred


def test_versions_of_this_python(run_parity: Parity, tools: Path) -> None:
    """The page has the versions that answers can depend on."""
    done = run_parity("doctor", env=sandbox(tools))
    assert f"Unicode {unicodedata.unidata_version}; SQLite {sqlite3.sqlite_version} with FTS5" in done.stdout


def test_operations_of_the_reference(run_parity: Parity, tools: Path) -> None:
    """What the reference offers stands in the table, areas that say the same in one row."""
    done = run_parity("doctor", env=sandbox(tools))
    rows = {line.split()[0]: line.split() for line in done.stdout.partition("\noperations\n")[2].splitlines()}
    count = len(list((ROOT / "schemas" / "nexus").glob("nexus.*.json")))
    assert rows["query.parse"][1] == "direct"
    assert rows["nexus.*"][1:4] == [f"({count}", "operations)", "direct"]


def test_operations_of_an_adapter_that_cannot_start(run_parity: Parity, tools: Path) -> None:
    """What is declared of an adapter stands in the table all the same, with how an operation is observed."""
    done = run_parity("doctor", env=sandbox(tools))
    table = done.stdout.partition("\noperations\n")[2]
    assert table.splitlines()[0].split() == ["operation", "reference", "go", "python", "ts"]
    (row,) = (line for line in table.splitlines() if line.split()[0] == "rerank.unanimity")
    note = row.split()[3]
    assert row.split()[2:3] == ["observed"]
    assert f"  {note} observed through: the trace of a search in mode hybrid-rerank." in table


def test_page_fits_100_columns(run_parity: Parity, tools: Path) -> None:
    """No line is longer than 100 characters, but for paths."""
    add_go(tools, "1.99.0")
    done = run_parity("doctor", env={**sandbox(tools), "COLUMNS": "100"})
    assert not [line for line in done.stdout.splitlines() if len(line) > 100 and "/" not in line]
