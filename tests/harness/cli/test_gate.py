"""`parity gate` as its users meet it: the exit status, the text of a red gate, the file that it reads."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from gating import MUMBLED, SHOUTED, SIGNATURE, Gate, another_system, singer

ROOT = Path(__file__).resolve().parents[3]
ASKED = "singer: singer 1.0 (Python)"
"""What a gate's text begins with: who was judged."""
NO_FILE = "known-divergence file: none"


def record(tmp_path: Path) -> list[dict[str, Any]]:
    lines = (tmp_path / "here" / "parity-run.jsonl").read_text("ascii").splitlines()
    return [json.loads(line) for line in lines]


def expectations(tmp_path: Path) -> dict[str, Any]:
    return {line["case"]: line.get("expectation") for line in record(tmp_path) if line["type"] == "result"}


def test_a_faultless_adapter_needs_no_file(gate: Gate) -> None:
    """A gate without a file is green when nothing fails, says so in its last line but one, and ends with 0."""
    done = gate()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[:-1] == [
        ASKED,
        "",
        "singer: 4 pass; 0 known divergences",
        NO_FILE,
        "gate: green",
    ]


def test_a_new_failure_is_red_and_shown_in_full(gate: Gate, tmp_path: Path) -> None:
    """A failure that no line explains ends with 1; the text has its signature, its difference, and how to ask again."""
    done = gate("mumbling")
    assert done.returncode == 1
    signature = next(line["signature"] for line in record(tmp_path) if line.get("verdict") == "fail")
    asked, _, head, groups, group, case, *rest = done.stdout.splitlines()
    assert asked == ASKED
    assert head == "Fix or explain 1 case: the known-divergence file has no matching entry (new)"
    assert groups == "  1 failure in 1 group:"
    assert group == '     1 × echo.say $.text   wanted "hello"   got "hell"'
    assert case == f"         {MUMBLED}: fail, not a known divergence (signature {signature})"
    assert '             $.text   wanted "hello"   got "hell"' in rest
    assert "nearest passing case" not in done.stdout  # the only passing case has an empty text
    assert rest[-4:-2] == ["singer: 3 pass, 1 fail; 0 known divergences", NO_FILE]
    assert rest[-2:-1] == ["gate: RED (1 new)"]
    assert signature == SIGNATURE
    assert expectations(tmp_path)[MUMBLED] == {"status": "new", "reason": "not-listed"}


def test_the_command_that_a_red_gate_offers_works(gate: Gate, run_parity: Gate, tmp_path: Path) -> None:
    """The last command in the text of a red gate writes a file that explains what is new, once its reason is written."""
    offered = shlex.split(next(line for line in gate("mumbling").stdout.splitlines() if "--write-known" in line))
    assert offered[:2] == ["parity", "gate"]
    assert run_parity(*offered[1:]).returncode == 1
    written = tmp_path / "here" / offered[-1]
    text = written.read_text("utf-8").replace("reason: TODO", "reason: It mumbles.")
    written.write_text(text, "utf-8")
    assert gate("mumbling", "--known", written).returncode == 0


@pytest.mark.parametrize("streams", ["| head -c 0", "2>&1 | head -c 0"])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_goes_away_does_not_make_a_gate_green(
    echo_corpus: Path, tmp_path: Path, streams: str, unbuffered: str
) -> None:
    """A red gate ends with 1, be its text read or not."""
    command = [sys.executable, "-m", "harness", "gate", "--adapter", singer("mumbling"), "--corpus", str(echo_corpus)]
    done = subprocess.run(
        ["bash", "-c", f"{shlex.join(command)} {streams}; exit ${{PIPESTATUS[0]}}"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": unbuffered},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_known_failure_is_green(gate: Gate, explained: Path, tmp_path: Path) -> None:
    """A failure that the file explains ends with 0 and is recorded as known with its reason; its verdict stays fail."""
    done = gate("mumbling", "--known", explained)
    assert done.returncode == 0
    assert done.stdout.splitlines()[2] == "singer: 3 pass, 1 fail; 1 known divergence"
    assert done.stdout.splitlines()[-2] == "gate: green"
    assert expectations(tmp_path) == {
        MUMBLED: {"status": "known", "reason": "It swallows the end of a word."},
        "echo/said/nothing": None,
        SHOUTED: None,
        "echo/shouted/nothing": None,
    }
    assert [line["verdict"] for line in record(tmp_path) if line.get("case") == MUMBLED] == ["fail"]


def test_a_green_gate_reads_no_result_back(gate: Gate, explained: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The gate decides on the results of its run; only the text of a new failure is read from the record."""
    offsets: list[int] = []
    pread = os.pread

    def counted(file: int, size: int, offset: int) -> bytes:
        offsets.append(offset)
        return pread(file, size, offset)

    monkeypatch.setattr(os, "pread", counted)
    assert (gate("mumbling", "--known", explained).returncode, offsets) == (0, [])
    assert gate("lisping", "--known", explained).returncode == 1
    assert offsets


def test_another_failure_of_a_known_case_is_new(gate: Gate, explained: Path) -> None:
    """A case that fails in another way than the file knows is red, at the line that knows the old way."""
    done = gate("lisping", "--known", explained)
    assert done.returncode == 1
    assert f"  {explained}:4  {MUMBLED}: fail, known divergence with another signature (signature " in done.stdout


def test_a_stale_line_is_red_and_named(gate: Gate, explained: Path, tmp_path: Path) -> None:
    """A case that passes again ends with 1, and the text names the line to delete."""
    other = '    echo/shouted/word: "333333333333"\n'
    explained.write_text(explained.read_text("utf-8") + other, "utf-8")
    done = gate("hoarse", "--known", explained)
    assert done.returncode == 1
    line = f"  {explained}:4  {MUMBLED}: it passes now"
    assert f"\nDelete 1 line: the divergence no longer occurs (stale)\n{line}\n" in done.stdout
    assert expectations(tmp_path)[MUMBLED] == {
        "status": "stale",
        "reason": f"the case passes now; delete {explained}:4: It swallows the end of a word.",
    }


def test_an_entry_of_which_nothing_holds_goes_whole(gate: Gate, explained: Path) -> None:
    """Where no case of an entry diverges any more, all its lines are named; deleting just these leaves a file that holds."""
    other = "# The shouts.\nunsupported:\n- {reason: It has no voice., names: [echo.shout]}\n"
    explained.write_text(explained.read_text("utf-8") + other, "utf-8")
    done = gate("mute", "--known", explained)
    assert done.returncode == 1
    assert done.stdout.splitlines()[2:5] == [
        "Delete 1 whole entry: the divergence no longer occurs (stale)",
        f"  {explained}:2-4  the whole entry, because none of its lines applies:",
        f"  {explained}:4  {MUMBLED}: it passes now",
    ]
    assert done.stdout.splitlines()[-2] == "gate: RED (1 stale case)"
    lines = explained.read_text("utf-8").splitlines(keepends=True)
    explained.write_text("".join([*lines[:1], *lines[4:]]), "utf-8")
    assert gate("mute", "--known", explained).returncode == 0


def test_the_last_unsupported_line_can_be_deleted(gate: Gate, file: Path) -> None:
    """A heading of which every line was deleted, as the gate said, explains nothing and is no mistake."""
    file.write_text("divergences:\nunsupported:\n", "utf-8")
    assert gate("", "--known", file).returncode == 0


def test_an_unmatched_line_is_red_and_named(gate: Gate, explained: Path) -> None:
    """A line whose case the corpus does not have ends with 1, whatever was selected."""
    explained.write_text(explained.read_text("utf-8").replace(MUMBLED, "echo/said/gone"), "utf-8")
    done = gate("", "--known", explained, "--select", "echo/shouted")
    assert done.returncode == 1
    assert done.stdout.splitlines()[3] == f"  {explained}:4  echo/said/gone: no such case"
    assert done.stdout.splitlines()[-2] == "gate: RED (1 unmatched)"


def test_an_expired_entry_is_red_and_named(gate: Gate, explained: Path) -> None:
    """An entry whose day has passed ends with 1, with that day."""
    explained.write_text(explained.read_text("utf-8").replace("  cases:", "  expires: 2020-02-29\n  cases:"), "utf-8")
    done = gate("mumbling", "--known", explained)
    assert done.returncode == 1
    assert f"  {explained}:5  {MUMBLED}: fail as before; expired on 2020-02-29" in done.stdout
    assert done.stdout.splitlines()[-2] == "gate: RED (1 expired)"


def test_cases_that_were_not_selected_are_not_judged(gate: Gate, explained: Path) -> None:
    """A stale line is passed over when its case was not asked."""
    assert gate("", "--known", explained, "--select", "echo/shouted").returncode == 0


def test_a_shard_is_gated_like_a_selection(gate: Gate, explained: Path) -> None:
    """Of two shards of a mumbling singer both are green, and that which asks the case knows it."""
    shards = [gate("mumbling", "--known", explained, "--shard", f"{number}/2") for number in (1, 2)]
    assert [done.returncode for done in shards] == [0, 0]
    assert [done.stdout.splitlines()[2] for done in shards] == [
        "singer: 1 pass, 1 fail; 1 known divergence",
        "singer: 2 pass; 0 known divergences",
    ]


def test_what_cannot_be_asked_has_to_be_explained(gate: Gate, file: Path) -> None:
    """An operation that is not offered is new with the adapter's reason, and known once a line explains it."""
    done = gate("mute")
    assert done.returncode == 1
    told = "  echo.shout: 2 cases unsupported, not listed as unsupported (it has no voice)"
    assert told in done.stdout.splitlines()
    file.write_text("unsupported:\n- {reason: It has no voice., names: [echo.shout]}\n", "utf-8")
    assert gate("mute", "--known", file).returncode == 0
    answered = gate("", "--known", file)
    assert answered.returncode == 1
    assert answered.stdout.splitlines()[4] == f"  {file}:2  echo.shout: {SHOUTED} is answered: pass"


def test_one_case_out_of_reach_is_explained_by_its_name(gate: Gate, file: Path) -> None:
    """A single case that cannot be asked is known by its own line, which is stale once it is answered."""
    file.write_text("unsupported:\n- {reason: It wants words., names: [echo/said/nothing]}\n", "utf-8")
    assert gate("choosy", "--known", file).returncode == 0
    answered = gate("", "--known", file)
    assert answered.returncode == 1
    assert answered.stdout.splitlines()[4] == f"  {file}:2  echo/said/nothing: it is answered now: pass"


def test_an_adapter_that_does_not_start_is_no_divergence(gate: Gate, file: Path) -> None:
    """A gate over an adapter that does not start ends with 3, tells why once, and writes no file."""
    done = gate("absent", "--write-known", file)
    assert done.returncode == 3
    assert not file.exists()
    head, said, errors, hint, *rest = done.stdout.splitlines()
    assert head.startswith("singer could not be built or started: ")
    assert (said, errors) == ("    | the singer is ill", "  4 cases are errors (start).")
    assert hint.startswith("  diagnose: parity probe --corpus ")
    assert "singer=" in hint
    assert rest[-2] == "gate: RED (singer did not start)"


def test_a_crash_can_be_known(gate: Gate, file: Path) -> None:
    """A case on which the adapter crashes is new, and known by its signature like any failure."""
    assert gate("faint").returncode == 1
    gate("faint", "--write-known", file)
    file.write_text(file.read_text("utf-8").replace("reason: TODO", "reason: It faints."), "utf-8")
    assert gate("faint", "--known", file).returncode == 0


def test_a_selection_outside_the_system(gate: Gate, echo_corpus: Path) -> None:
    """Where --select and --system name different systems, that is said, and not that the cases are not there."""
    another_system(echo_corpus)
    done = gate("", "--system", "echo", "--select", "flute")
    assert done.returncode == 2
    assert done.stderr == "parity: --select matches no case of --system echo; nothing was run. Change one of the two.\n"


def test_systems_that_an_adapter_does_not_offer_are_not_judged(gate: Gate, echo_corpus: Path) -> None:
    """Cases of a system of which the adapter offers nothing are left out and told; --system has them judged."""
    another_system(echo_corpus)
    done = gate()
    assert (done.returncode, done.stdout.splitlines()[2:4]) == (
        0,
        ["singer: 4 pass; 0 known divergences", "skipped: flute (singer implements none of their operations)"],
    )
    judged = gate("", "--system", "flute", "--system", "echo")
    assert (judged.returncode, judged.stdout.splitlines()[-2]) == (1, "gate: RED (2 new)")
    named = gate("", "--select", "flute/*")
    assert named.returncode == 2
    assert "singer offers no operation of flute" in named.stderr


def test_a_system_that_is_lost_altogether_is_judged(gate: Gate, echo_corpus: Path, file: Path) -> None:
    """A system of which a line of the file speaks is judged although the adapter offers nothing of it."""
    another_system(echo_corpus)
    file.write_text("unsupported:\n- {reason: It is broken., names: [flute/said/word]}\n", "utf-8")
    done = gate("", "--known", file)
    assert (done.returncode, done.stdout.splitlines()[-2]) == (1, "gate: RED (1 new)")
    assert "  flute.play: 1 case unsupported" in done.stdout


@pytest.mark.parametrize("part", [["--select", "echo/said"], ["--shard", "1/2"], ["--system", "flute"]])
def test_the_record_of_a_whole_gate_is_kept(gate: Gate, echo_corpus: Path, tmp_path: Path, part: list[str]) -> None:
    """A gate of a part, however it is named, puts the record of the whole aside, be systems left out of that or not;
    that of another part does not."""
    another_system(echo_corpus)
    gate()
    record, kept = (tmp_path / "here" / name for name in ("parity-run.jsonl", "parity-run-whole-gate.jsonl"))
    held = record.read_bytes()
    done = gate("", *part)
    assert done.stderr == "parity: the record of the whole gate is kept as parity-run-whole-gate.jsonl\n"
    assert kept.read_bytes() == held
    for _ in range(2):
        assert gate("", *part).stderr == ""
        assert kept.read_bytes() == held
    assert record.read_bytes() != held


def test_a_gate_keeps_the_record_of_a_whole_run(
    gate: Gate, run_parity: Gate, echo_corpus: Path, tmp_path: Path
) -> None:
    """A run and a gate have one default record; each keeps the whole record of the other, whole or a part."""
    names = ("parity-run.jsonl", "parity-run-whole.jsonl", "parity-run-whole-gate.jsonl")
    record, kept, kept_gate = (tmp_path / "here" / name for name in names)
    run = ["run", "--adapter", singer(), "--corpus", echo_corpus]
    for part in ([], ["--select", "echo/said"]):
        run_parity(*run)
        held = record.read_bytes()
        done = gate("", *part)
        assert done.stderr == "parity: the record of the whole run is kept as parity-run-whole.jsonl\n"
        assert kept.read_bytes() == held
        gate()
        held_gate = record.read_bytes()
        run_parity(*run, *part)
        assert (kept.read_bytes(), kept_gate.read_bytes()) == (held, held_gate)


def test_a_record_that_was_named_is_written_over(gate: Gate, tmp_path: Path) -> None:
    """With --record nothing is put aside: the place was chosen."""
    for part in ([], ["--select", "echo/said"]):
        assert gate("", "--record", tmp_path / "r.jsonl", *part).stderr == ""
    assert not list(tmp_path.rglob("*-whole.jsonl"))


def test_nothing_is_asked_with_a_broken_file(gate: Gate, file: Path, tmp_path: Path) -> None:
    """A mistake in the file ends with 2 before anything is asked."""
    file.write_text("divergence: []\n", "utf-8")
    done = gate("", "--known", file)
    assert (done.returncode, done.stdout, (tmp_path / "here" / "parity-run.jsonl").exists()) == (2, "", False)
    assert done.stderr.startswith(f"parity: {file}:1\n")


def test_a_file_that_is_not_there_is_refused(gate: Gate, file: Path) -> None:
    """A file that was named and is not there ends with 2 and the command that makes it."""
    done = gate("", "--known", file)
    assert (done.returncode, f"--write-known {file}" in done.stderr) == (2, True)
