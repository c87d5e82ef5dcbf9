"""Where a record cannot be written, a sentence says so with status 2, and nothing that was there is harmed."""

from __future__ import annotations

import json
import os
import resource
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from commands import NO_BYTECODE, TIME_LIMIT

from harness.records import read_record

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
WORDS = [f"word {number}" for number in range(30)]


def test_every_line_keeps_to_the_schema(bench: Any) -> None:
    """All verdicts, an incident, an adapter that did not start: each line of their record keeps to the schema."""
    bench.cases("wrong", "beyond", "raise", "die", "once", "fine é \U0001f600")
    adapters = [bench.adapter("some", once=str(bench.folder / "once")), "none=/no/such/program"]
    status, _, err = bench.run(*bench.asking(*adapters), "--timeout", 5, "--record", bench.record)
    assert status == 3, err
    schema = json.loads((ROOT / "schemas" / "run-record.schema.json").read_text("utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    content = bench.record.read_bytes()
    assert content.isascii()
    assert b"\r" not in content
    lines = [json.loads(line) for line in content.splitlines()]
    assert [error.message for line in lines for error in validator.iter_errors(line)] == []
    assert {line.get("verdict") for line in lines} >= {"pass", "fail", "error", "unsupported"}
    assert not validator.is_valid({**lines[1], "verdict": "good"})
    assert not validator.is_valid({**lines[0], "more": 1})


def test_a_disk_that_fills_up(bench: Any) -> None:
    """A file that cannot grow ends the run with a sentence; its record can be gone on with when there is room."""
    bench.cases(*WORDS)
    asking = bench.asking(bench.adapter(delay=0.01))
    process = bench.start(
        *asking,
        *("--record", bench.record),
        environment={**os.environ, **NO_BYTECODE},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000)),
    )
    _, err = process.communicate(timeout=TIME_LIMIT)
    assert process.returncode == 2
    assert err.startswith(f"parity: {bench.record}: the record cannot be written: File too large. Make room there")
    assert len(err.splitlines()) == 1
    assert bench.adapters_alive() == []
    assert not read_record(bench.record).complete
    assert bench.run(*asking, "--resume", bench.record)[0] == 0
    assert len(bench.verdicts()) == len(WORDS)


def folder(bench: Any) -> Path:
    (bench.folder / "folder").mkdir()
    return Path(bench.folder / "folder")


def below_a_file(bench: Any) -> Path:
    (bench.folder / "file").write_text("mine", "utf-8")
    return Path(bench.folder / "file" / "run.jsonl")


def named_pipe(bench: Any) -> Path:
    os.mkfifo(bench.folder / "pipe")
    return Path(bench.folder / "pipe")


def device(_: Any) -> Path:
    return Path("/dev/full")


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (folder, "Is a directory. Name a file: --record FILE."),
        (below_a_file, "Name another --record."),
        (named_pipe, "this is no regular file"),
        (device, "this is no regular file"),
    ],
)
def test_a_place_that_holds_no_record(bench: Any, place: Any, said: str) -> None:
    """A folder, a path below a file, a named pipe and a device are refused before anything is asked."""
    bench.cases(*WORDS)
    path = place(bench)
    status, out, err = bench.run(*bench.asking(bench.adapter()), "--record", path)
    assert (status, out) == (2, "")
    assert said in err
    assert str(path) in err
    assert len(err.splitlines()) == 1
    assert not (bench.folder / "pids").exists()


def test_a_second_run_on_the_same_record(bench: Any) -> None:
    """While a run lives, another that would write its record is refused, and the first goes on undisturbed."""
    bench.cases(*WORDS)
    first = bench.start(*bench.asking(bench.adapter(delay=0.5)), "--record", bench.record)
    bench.wait(lambda: bench.lines() > 1)
    status, _, err = bench.run(*bench.asking(bench.adapter("other")), "--record", bench.record)
    assert status == 2
    assert "another run is writing this record. Wait for it, or name another --record." in err
    before = bench.lines()
    bench.wait(lambda: bench.lines() > before)
    assert read_record(bench.record).implementations == ("speaker",)
    first.terminate()
    first.communicate()


def test_a_record_that_the_selection_reads_is_read_before_it_is_written(bench: Any) -> None:
    """`--select verdict:fail@FILE --record FILE` asks what failed in the old record, and writes the new one."""
    bench.cases("wrong", *WORDS)
    asking = bench.asking(bench.adapter())
    assert bench.run(*asking, "--record", bench.record)[0] == 1
    status, _, err = bench.run(*asking, "--select", f"verdict:fail@{bench.record}", "--record", bench.record)
    assert (status, err) == (1, "")
    assert [result.case for result in read_record(bench.record).results] == ["echo/said/text-0"]


def test_a_run_that_never_begins_keeps_the_old_record(bench: Any) -> None:
    """A mistake on the command line leaves the record of the last run as it was."""
    bench.cases(*WORDS)
    asking = bench.asking(bench.adapter())
    assert bench.run(*asking, "--record", bench.record)[0] == 0
    kept = bench.record.read_bytes()
    assert bench.run(*asking, "--select", "no/such/case", "--record", bench.record)[0] == 2
    assert bench.run(*bench.asking("nobody"), "--record", bench.record)[0] == 2
    assert bench.record.read_bytes() == kept
