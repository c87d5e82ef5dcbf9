"""Runs that ask or tell a part: `--system`, `--shard`, `--since`, and the folding of what an adapter does not offer."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import ROOT

pytestmark = pytest.mark.slow

SINGER = Path(__file__).parent / "adapters" / "singer.py"

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def sing(echo_corpus: Path, run_parity: Run) -> Run:
    """Runs a singer with these flaws over the echo corpus."""

    def ran(flaws: str, *arguments: object) -> subprocess.CompletedProcess[str]:
        command = shlex.join([sys.executable, "-S", str(SINGER), *flaws.split()])
        return run_parity("run", "--adapter", f"singer={command}", "--corpus", echo_corpus, *arguments)

    return ran


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("ascii").splitlines()]


def asked(path: Path) -> list[str]:
    return [line["case"] for line in lines(path) if line["type"] == "result"]


def test_one_system_is_asked(run_parity: Run, tmp_path: Path) -> None:
    """--system asks the cases of that system alone, and the record says so."""
    record = tmp_path / "r.jsonl"
    assert run_parity("run", "--adapter", "reference", "--system", "nexus", "--record", record).returncode == 0
    assert {name.split("/")[0] for name in asked(record)} == {"nexus"}
    assert lines(record)[0]["options"] == {"systems": ["nexus"]}


def test_a_system_and_a_selection_must_both_hold(run_parity: Run) -> None:
    """A selection within a system lists what both name; of an unknown system nothing is listed."""
    both = run_parity("cases", "--system", "nexus", "--select", "origin:spec-example")
    assert both.stdout
    assert all(line.startswith("nexus/") for line in both.stdout.splitlines())
    assert run_parity("cases", "--system", "nexus", "--select", "tideline/*").returncode == 2
    unknown = run_parity("cases", "--system", "nexsu")
    systems = ", ".join(sorted(path.parent.name for path in (ROOT / "cases").glob("*/requirements.yaml")))
    assert (unknown.returncode, f"Use one of: {systems}" in unknown.stderr) == (2, True)


def test_shards_make_one_run(sing: Run, run_parity: Run, tmp_path: Path) -> None:
    """Two shards ask every case once, tell their place in the header, and merge into the record of the whole."""
    shards = [tmp_path / f"shard-{index}.jsonl" for index in (1, 2)]
    for index, shard in enumerate(shards, 1):
        done = sing("", "--shard", f"{index}/2", "--record", shard)
        assert (done.returncode, done.stdout.splitlines()[-2].split(",")[0]) == (0, "2 cases")
        assert lines(shard)[0]["shard"] == {"index": index, "of": 2}
    whole = tmp_path / "whole.jsonl"
    assert run_parity("merge", *shards, "--record", whole).returncode == 0
    assert sorted(asked(whole)) == sorted([*asked(shards[0]), *asked(shards[1])])
    assert len(asked(whole)) == 4
    assert "shard" not in lines(whole)[0]


def test_a_shard_is_resumed_as_the_same_shard(sing: Run, run_parity: Run, tmp_path: Path) -> None:
    """A shard that was cut short goes on as that shard; as another one it is refused."""
    record = tmp_path / "r.jsonl"
    sing("", "--shard", "2/2", "--record", record)
    before = sorted(asked(record))
    whole = record.read_bytes().splitlines(keepends=True)
    record.write_bytes(b"".join(whole[:2]))
    other = run_parity("run", "--resume", record, "--shard", "1/2")
    assert (other.returncode, "it was begun as shard 2/2, and this is shard 1/2" in other.stderr) == (2, True)
    assert run_parity("run", "--resume", record).returncode == 0
    assert sorted(asked(record)) == before


@pytest.mark.parametrize("text", ["0/2", "3/2", "1", "1/", "/2", "a/b", "1/2/3", "-1/2"])
def test_what_is_no_shard_is_refused(run_parity: Run, text: str) -> None:
    """Anything but I/N with I from 1 to N is a mistake of the command line."""
    done = run_parity("run", "--adapter", "reference", f"--shard={text}")
    assert (done.returncode, "such as 1/4" in done.stderr) == (2, True)


def test_since_tells_only_what_changed(sing: Run, tmp_path: Path) -> None:
    """Compared with an older record a run prints what newly fails and what is fixed; its status is that of the run."""
    before, now = tmp_path / "before.jsonl", tmp_path / "now.jsonl"
    sing("mumbling", "--record", before)
    done = sing("hoarse", "--since", before, "--record", now)
    assert done.returncode == 1
    told = done.stdout.splitlines()
    assert "singer, fixed: 1 case" in told
    assert "singer, newly failing: 1 case" in told
    assert told[-3:] == ["singer: 1 newly failing, 1 fixed", "singer now: 3 pass, 1 fail", f"record: {now}"]
    assert "4 cases" not in done.stdout


def test_since_may_name_the_record_that_is_written_again(sing: Run, tmp_path: Path) -> None:
    """The older record is read before the run writes, so both may be one file."""
    record = tmp_path / "r.jsonl"
    sing("mumbling", "--record", record)
    done = sing("lisping", "--since", record, "--record", record)
    assert done.stdout.splitlines()[-3] == "singer: 1 changed difference"


def test_since_counts_what_was_not_asked_again(sing: Run, tmp_path: Path) -> None:
    """Cases outside the selection are no change, and one line says how many they are."""
    before = tmp_path / "before.jsonl"
    sing("", "--record", before)
    part = sing("", "--since", before, "--select", "echo/said", "--record", tmp_path / "now.jsonl")
    assert part.stdout.splitlines()[:3] == [
        "2 cases are only in the older record, because the other run did not select them. They are not compared.",
        "",
        "singer: no changes",
    ]


def test_since_wants_a_whole_record(sing: Run, tmp_path: Path) -> None:
    """A record that is cut short, or is not there, is refused before anything is asked."""
    before = tmp_path / "before.jsonl"
    sing("", "--record", before)
    before.write_bytes(b"".join(before.read_bytes().splitlines(keepends=True)[:-1]))
    now = tmp_path / "now.jsonl"
    assert sing("", "--since", before, "--record", now).returncode == 2
    assert sing("", "--since", tmp_path / "none.jsonl", "--record", now).returncode == 2
    assert not now.exists()


def test_a_system_that_is_not_offered_is_one_line(run_parity: Run) -> None:
    """Where an adapter offers nothing of a system, its cases are unsupported for one reason."""
    command = shlex.join([sys.executable, "-S", str(SINGER)])
    done = run_parity("run", "-v", "--adapter", f"singer={command}", "--system", "nexus")
    told = done.stdout.splitlines()
    count = told[3].split()[0]
    assert told[2:4] == [
        f"unsupported: singer, {count} cases:",
        f"  {count:>4}  nexus: no operation is implemented",
    ]
    assert f"singer supports none of the {count} cases." in told
    assert done.returncode == 1
