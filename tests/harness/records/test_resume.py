"""A run that was cut short is finished by `--resume`, with the verdicts of an undisturbed run."""

from __future__ import annotations

import contextlib
import json
import random
import signal
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from harness import VERSION
from harness.model import RecordedImplementation
from harness.records import read_record

pytestmark = pytest.mark.slow

MIXED = ["wrong", "beyond", "raise", "die", *(f"word {number}" for number in range(40))]
FEW = [f"word {number}" for number in range(12)]


def begin(bench: Any, *texts: str, **options: Any) -> None:
    """Leaves the record of a run that was killed after its first verdicts."""
    bench.cases(*texts)
    process = bench.start(*bench.asking(bench.adapter(delay=0.05, **options)), "--record", bench.record)
    bench.wait(lambda: bench.lines() > 2)
    process.kill()
    process.communicate()
    assert not read_record(bench.record).complete


@pytest.mark.parametrize("seed", range(2))
def test_a_run_killed_at_any_moment_ends_with_the_verdicts_of_an_undisturbed_one(bench: Any, seed: int) -> None:
    """After two kills at random moments, a resumed run leaves the verdicts of an undisturbed one, each once."""
    bench.cases(*MIXED)
    asking = bench.asking(bench.adapter("one", delay=0.003), bench.adapter("two"))
    assert bench.run(*asking, "--record", bench.record)[0] == 1
    undisturbed = bench.verdicts()
    bench.record.unlink()
    moments, where = random.Random(seed), "--record"
    for _ in range(2):
        process = bench.start(*asking, where, bench.record)
        bench.wait(bench.record.exists)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(moments.uniform(0, 0.6))
        process.kill()
        process.communicate()
        where = "--resume"
    _, _, err = bench.run(*asking, "--resume", bench.record)
    assert bench.verdicts() == undisturbed, err
    assert read_record(bench.record).complete


def test_what_the_command_line_leaves_open_is_taken_from_the_record(bench: Any) -> None:
    """`--resume FILE` alone asks the adapters, the corpus and the selection that the record was begun with."""
    begin(bench, *FEW)
    status, out, _ = bench.run("run", "--resume", bench.record)
    assert status == 0
    assert "12 cases, 1 implementation, 12 verdicts" in out
    assert read_record(bench.record).complete


def test_how_much_is_kept_is_said(bench: Any) -> None:
    """A resumed run says in one sentence how many results it keeps and how many it asks for."""
    begin(bench, *FEW)
    kept = len(bench.verdicts())
    _, _, err = bench.run("run", "--resume", bench.record)
    assert err == f"parity: kept {kept} results of {bench.record}; {len(FEW) - kept} cases remaining.\n"


def test_what_the_record_has_is_not_asked_again(bench: Any) -> None:
    """The lines that a kill left stand unchanged at the record's beginning."""
    begin(bench, *FEW)
    kept = bench.record.read_bytes()
    kept = kept[: kept.rfind(b"\n") + 1]
    assert bench.run("run", "--resume", bench.record)[0] == 0
    assert bench.record.read_bytes().startswith(kept)


def test_a_half_written_last_line_is_dropped(bench: Any) -> None:
    """The verdict of a line without its end is asked again, and the record has no trace of the half."""
    begin(bench, *FEW)
    whole = bench.record.read_bytes()
    whole = whole[: whole.rfind(b"\n")]
    bench.record.write_bytes(whole[:-5])
    assert bench.run("run", "--resume", bench.record)[0] == 0
    assert len(bench.verdicts()) == len(FEW) == len(set(bench.verdicts()))


@pytest.mark.parametrize("left", [b"", b'{"type":"hea', b'{"type":"header","recordVersion":1,"harn'])
def test_a_record_cut_short_before_its_header_is_begun_afresh(bench: Any, left: bytes) -> None:
    """Nothing has a verdict, so `--resume` runs everything, with the options of the command: the record has none."""
    bench.cases(*FEW)
    bench.record.write_bytes(left)
    status, _, err = bench.run("run", "--resume", bench.record)
    assert (status, bench.record.read_bytes()) == (2, left)
    assert "Name them again" in err
    status, _, err = bench.run(*bench.asking(bench.adapter()), "--resume", bench.record)
    assert status == 0
    assert "has no header; the run starts from the beginning" in err
    assert len(bench.verdicts()) == len(FEW)


def test_a_record_without_only_its_footer_is_given_one(bench: Any) -> None:
    """A kill between the last verdict and the footer leaves nothing to ask, and the footer counts what was there."""
    bench.cases(*FEW)
    assert bench.run(*bench.asking(bench.adapter()), "--record", bench.record)[0] == 0
    lines = bench.record.read_bytes().splitlines(keepends=True)
    bench.record.write_bytes(b"".join(lines[:-1]))
    (bench.folder / "pids").unlink()
    status, _, err = bench.run("run", "--resume", bench.record)
    assert (status, err) == (0, f"parity: kept 12 results of {bench.record}; no case remains.\n")
    assert json.loads(bench.record.read_bytes().splitlines()[-1])["counts"] == {"speaker": {"pass": len(FEW)}}
    assert not (bench.folder / "pids").exists()


def test_an_incident_stays(bench: Any) -> None:
    """An incident that was recorded before a run was cut short makes the exit status of the resumed run 1."""
    bench.cases("once", *FEW)
    asking = bench.asking(bench.adapter(once=str(bench.folder / "once")))
    assert bench.run(*asking, "--record", bench.record)[0] == 1
    assert len(read_record(bench.record).incidents) == 1
    lines = bench.record.read_bytes().splitlines(keepends=True)
    bench.record.write_bytes(b"".join(lines[:-1]))
    status, out, _ = bench.run("run", "--resume", bench.record)
    assert status == 1
    assert "incident: speaker, with 13 requests in flight" in out


def interrupted_once(condition: Callable[[], bool], bench: Any, asking: list[Any], signal_: signal.Signals) -> None:
    """Leaves a record whose run was interrupted as soon as the condition held."""
    process = bench.start(*asking, "--record", bench.record)
    bench.wait(condition)
    process.send_signal(signal_)
    process.communicate()
    assert not read_record(bench.record).complete


SIGNALS = [signal.SIGINT, signal.SIGKILL]


@pytest.mark.parametrize("signal_", SIGNALS)
def test_a_break_that_nobody_was_found_guilty_of_before_the_interruption_is_an_incident(
    bench: Any, signal_: signal.Signals
) -> None:
    """An adapter that broke once, in a run interrupted before all suspects were judged, is not forgotten by the next."""
    bench.cases("once", *FEW)
    asking = bench.asking(bench.adapter(once=str(bench.folder / "once"), delay=0.1))
    interrupted_once(
        lambda: bench.record.exists() and b'"suspicion"' in bench.record.read_bytes(), bench, asking, signal_
    )
    assert len(read_record(bench.record).incidents) == 1
    status, out, _ = bench.run("run", "--resume", bench.record)
    assert status == 1
    assert "incident: speaker, with 13 requests in flight" in out
    record = read_record(bench.record)
    assert record.complete
    assert len(record.incidents) == 1


def test_a_guilty_case_leaves_no_incident(bench: Any) -> None:
    """A break that is explained by the verdict on a suspect is no incident, neither at once nor after a late kill."""
    bench.cases("die", *FEW)
    asking = bench.asking(bench.adapter())
    assert bench.run(*asking, "--record", bench.record)[0] == 1
    assert read_record(bench.record).incidents == ()
    lines = bench.record.read_bytes().splitlines(keepends=True)
    assert [b'"suspicion"' in line for line in lines].count(True) == 1
    bench.record.write_bytes(b"".join(lines[:-1]))
    assert bench.run("run", "--resume", bench.record)[0] == 1
    assert read_record(bench.record).incidents == ()


def test_a_failed_start_before_the_interruption_is_an_incident(bench: Any) -> None:
    """An adapter that failed to start once, in a run interrupted before its next attempt, is not forgotten either."""
    bench.cases(*FEW)
    script = bench.folder / "late.sh"
    script.write_text('if mkdir "$1"; then exit 5; fi\ntouch "$1/again"\nshift\nexec "$@"\n', "utf-8")
    name, _, command = bench.adapter(start=1).partition("=")
    asking = bench.asking(f"{name}=sh {script} {bench.folder / 'failed'} {command}")
    interrupted_once((bench.folder / "failed" / "again").exists, bench, asking, signal.SIGINT)
    status, out, _ = bench.run("run", "--resume", bench.record)
    assert status == 1
    assert "The adapter did not start" in out
    assert len(read_record(bench.record).incidents) == 1


REFUSALS = {
    "a case was added": "the corpus is not the one that it was begun with",
    "another selection": "begun with 12 cases, and this selection gives other ones",
    "another adapter": "begun with speaker, and this command names other",
    "another version": 'Its version was "1" and is "2"',
    "another parity": "parity 0.0.7 began it",
}


@pytest.mark.parametrize("change", REFUSALS)
def test_another_run_is_refused(bench: Any, change: str) -> None:
    """Another corpus, selection, list of implementations or version is refused, and what the record has is kept."""
    begin(bench, *FEW)
    adapter, more = bench.adapter(delay=0.05), []
    match change:
        case "a case was added":
            bench.cases(*FEW, "one more")
        case "another selection":
            more = ["--select", "echo/said/text-1*"]
        case "another adapter":
            adapter = bench.adapter("other")
        case "another version":
            adapter = bench.adapter(version="2")
        case "another parity":
            now = f'"version":"{VERSION}"'.encode()
            bench.record.write_bytes(bench.record.read_bytes().replace(now, b'"version":"0.0.7"', 1))
    kept = bench.lines()
    status, _, err = bench.run(*bench.asking(adapter), *more, "--resume", bench.record)
    assert status == 2
    assert REFUSALS[change] in err
    assert "Run again without --resume." in err
    assert bench.lines() == kept


def test_a_complete_record_is_refused(bench: Any) -> None:
    """A record with its footer is left as it is: there is nothing to resume."""
    bench.cases(*FEW)
    asking = bench.asking(bench.adapter())
    assert bench.run(*asking, "--record", bench.record)[0] == 0
    kept = bench.record.read_bytes()
    status, _, err = bench.run(*asking, "--resume", bench.record)
    assert status == 2
    assert err == f"parity: {bench.record}: this record is complete; there is nothing to resume.\n"
    assert bench.record.read_bytes() == kept


def test_the_record_of_a_gate_is_refused(bench: Any) -> None:
    """A run does not finish what a gate began, whatever was taken out of it; its reports are never green."""
    bench.cases(*FEW)
    gate = ["gate", *bench.asking(bench.adapter())[1:], "--record", bench.record]
    known = bench.folder / "known.yaml"
    known.write_text('divergences:\n- reason: r\n  cases: {echo/said/text-0: "111111111111"}\n', "utf-8")
    assert bench.run(*gate, "--known", known)[0] == 1
    lines = bench.record.read_bytes().splitlines(keepends=True)
    bench.record.write_bytes(b"".join(line for line in lines[:-1] if b'"stale"' not in line))
    kept = bench.record.read_bytes()
    status, _, err = bench.run("run", "--resume", bench.record)
    assert status == 2
    assert err == (
        f"parity: {bench.record}: this is the record of a gate, and a run does not compare with what is known. "
        "Run the gate again: parity gate, with the same options.\n"
    )
    assert bench.record.read_bytes() == kept
    status, out, err = bench.run("report", bench.record, "--markdown", "-", "--json", bench.folder / "summary.json")
    assert status == 2
    assert out.startswith("## gate: red (verdicts are missing), 0 known divergences\n")
    assert "The record is incomplete (no footer)" in out
    assert "Run the gate again: parity gate" in err
    assert "--resume" not in err
    assert json.loads((bench.folder / "summary.json").read_text("utf-8"))["gate"]["verdict"] == "red"


@pytest.mark.parametrize(
    "content", [b"Dear diary\n", b"Dear diary", b'{"type": "result"}\n', b"\x00\xff\n", b"[]\n", b"\n"]
)
def test_what_is_no_record_is_refused_and_kept(bench: Any, content: bytes) -> None:
    """A file of the user's that is no record is refused, and not a byte of it is changed."""
    bench.cases(*FEW)
    bench.record.write_bytes(content)
    status, _, err = bench.run(*bench.asking(bench.adapter()), "--resume", bench.record)
    assert status == 2
    assert str(bench.record) in err
    assert bench.record.read_bytes() == content


def test_a_record_that_is_not_there_is_refused(bench: Any) -> None:
    """A mistyped name is told, and no file of that name appears."""
    bench.cases(*FEW)
    status, _, err = bench.run(*bench.asking(bench.adapter()), "--resume", bench.record)
    assert status == 2
    assert "the record cannot be read: No such file or directory" in err
    assert not bench.record.exists()


def test_an_implementation_that_had_not_spoken_may_be_any(bench: Any) -> None:
    """A run interrupted while one adapter was still starting is finished, and the header then tells what it said."""
    bench.cases(*FEW)
    asking = bench.asking(bench.adapter("quick"), bench.adapter("slow", start=20))
    process = bench.start(*asking, "--record", bench.record)
    bench.wait(bench.record.exists)
    bench.wait((bench.folder / "pids").exists)
    process.terminate()
    process.communicate()
    entry = RecordedImplementation("slow", bench.adapter("slow", start=20))
    assert read_record(bench.record).metadata.implementations[1] == entry
    asking = bench.asking(bench.adapter("quick"), bench.adapter("slow"))
    assert bench.run(*asking, "--resume", bench.record)[0] == 0
    record = read_record(bench.record)
    assert record.complete
    assert all(entry.identity for entry in record.metadata.implementations)
    assert len(bench.verdicts()) == 2 * len(FEW)


def test_a_record_that_another_run_goes_on_writing_is_not_resumed(bench: Any) -> None:
    """While a run lives, its record cannot be resumed by another."""
    bench.cases(*FEW)
    asking = bench.asking(bench.adapter(delay=1))
    process = bench.start(*asking, "--record", bench.record)
    bench.wait(lambda: bench.lines() > 1)
    status, _, err = bench.run(*asking, "--resume", bench.record)
    assert status == 2
    assert "another run is writing this record" in err
    process.kill()
