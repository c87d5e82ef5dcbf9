"""Ctrl-C and SIGTERM leave a record to go on with, no process, and a sentence that says how."""

from __future__ import annotations

import os
import signal
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import ROOT

from harness.records import read_record

pytestmark = pytest.mark.slow

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
WORDS = [f"word {number}" for number in range(40)]


@pytest.fixture(autouse=True)
def hangup_by_default() -> Iterator[None]:
    """A test session can run under `nohup`, which commands respect: its processes would ignore SIGHUP."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


def interrupted(process: Any, signal_: signal.Signals) -> str:
    """Standard error of a run that the signal ended with status 130."""
    process.send_signal(signal_)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    return str(err)


@pytest.mark.parametrize("signal_", SIGNALS)
def test_while_it_asks(bench: Any, signal_: signal.Signals) -> None:
    """The record is readable and has no footer, the adapter is gone, and the command that goes on is told."""
    bench.cases(*WORDS)
    process = bench.start(*bench.asking(bench.adapter(delay=0.05)), "--record", bench.record)
    bench.wait(lambda: bench.lines() > 2)
    err = interrupted(process, signal_)
    assert f"Go on with: parity run --resume {bench.record}\n" in err
    assert bench.adapters_alive() == []
    record = read_record(bench.record)
    assert not record.complete
    assert 0 < len(record.results) < len(WORDS)
    assert bench.run("run", "--resume", bench.record)[0] == 0


def test_after_one_verdict(bench: Any) -> None:
    """One verdict is told in the singular."""
    bench.cases("one", "other")
    process = bench.start(*bench.asking(bench.adapter(delay=4)), "--record", bench.record)
    bench.wait(lambda: bench.lines() == 2)
    assert "parity: interrupted. The record has 1 verdict. Go on with: " in interrupted(process, signal.SIGINT)


def test_while_an_adapter_is_silent(bench: Any) -> None:
    """An adapter that does not even answer initialize is ended at once."""
    bench.cases(*WORDS)
    process = bench.start(*bench.asking(bench.adapter(start=60)), "--record", bench.record)
    bench.wait(lambda: bench.record.exists())
    interrupted(process, signal.SIGINT)
    assert not read_record(bench.record).results
    assert bench.adapters_alive() == []


def test_twice_is_as_good_as_once(bench: Any) -> None:
    """An impatient second and third Ctrl-C disturb the end of nothing."""
    bench.cases(*WORDS)
    process = bench.start(*bench.asking(bench.adapter(delay=0.05)), "--record", bench.record)
    bench.wait(lambda: bench.lines() > 2)
    for _ in range(3):
        process.send_signal(signal.SIGINT)
    interrupted(process, signal.SIGINT)
    assert bench.adapters_alive() == []
    assert not read_record(bench.record).complete


_NOTICING = """\
import pathlib, sys
marker = pathlib.Path(__file__).with_name("loading")

def notice(event, arguments):
    if event == "open" and str(arguments[0]).endswith("said.yaml") and not marker.exists():
        marker.touch()

sys.addaudithook(notice)
"""


def test_while_the_corpus_is_loaded(bench: Any) -> None:
    """Before anything is asked, an interruption leaves neither record nor traceback."""
    bench.cases(*(f"word {number}" for number in range(20_000)))
    noticing = bench.folder / "noticing"
    noticing.mkdir()
    (noticing / "sitecustomize.py").write_text(_NOTICING, "utf-8")
    environment = {**os.environ, "PYTHONPATH": f"{noticing}{os.pathsep}{ROOT}"}
    process = bench.start(*bench.asking(bench.adapter()), "--record", bench.record, environment=environment)
    bench.wait((noticing / "loading").exists)
    err = interrupted(process, signal.SIGINT)
    assert err.endswith("parity: interrupted. No case was run.\n")
    assert not bench.record.exists()


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_while_it_prints(bench: Any, unbuffered: str) -> None:
    """An interruption while the report is printed says that the record is complete, and does not print on."""
    bench.cases(*["wrong"] * 3)
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    while True:  # a full pipe that nobody reads: printing waits
        try:
            os.write(writer, b" " * 4096)
        except BlockingIOError:
            break
    os.set_blocking(writer, True)
    process = bench.start(
        *bench.asking(bench.adapter()),
        "--record",
        bench.record,
        stdout=writer,
        environment={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    )
    bench.wait(lambda: bench.lines() == 5)
    bench.wait(lambda: Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "S")
    err = interrupted(process, signal.SIGINT)
    os.close(reader)
    os.close(writer)
    assert f"The run itself is complete; its record is {bench.record}." in err


def test_while_an_adapter_is_built(bench: Any, tmp_path: Path) -> None:
    """An interruption of a build leaves no record and asks nothing."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name, script in {
        "node": "#!/bin/sh\necho v22.0.0\n",
        "npm": f'#!/bin/sh\n[ "$1" = --version ] && echo 10.0.0 && exit\necho $$ >> {bench.folder}/pids\nexec sleep 60\n',
    }.items():
        (tools / name).write_text(script, "utf-8")
        (tools / name).chmod(stat.S_IRWXU)
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "XDG_CACHE_HOME": str(tmp_path / "cache")}
    bench.cases(*WORDS)
    process = bench.start(
        *["run", "--corpus", bench.corpus, "--adapter", "ts"], "--record", bench.record, environment=environment
    )
    bench.wait(lambda: bool(bench.adapters_alive()))
    err = interrupted(process, signal.SIGTERM)
    assert err.endswith("parity: interrupted. No case was run.\n")
    assert not bench.record.exists()
    assert bench.adapters_alive() == []
