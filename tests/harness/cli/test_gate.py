"""`parity gate` as its users meet it: the exit status, the text, the record, the file that it reads.

What a line of the file explains is tested in `tests/harness/gate`, without a process.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from commands import parity
from gating import MUMBLED, SHOUTED, SIGNATURE, Gate, another_system, more_shouts, singer

from harness.gate.reader import load_known

ROOT = Path(__file__).resolve().parents[3]
SHIPPED = ROOT / "adapters" / "ts" / "known-divergences.yaml"
MUTE = "unsupported:\n- {reason: It has no voice., names: [echo.shout]}\n"
NO_FILE = "known-divergence file: none"


def record(here: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (here / "parity-run.jsonl").read_text("ascii").splitlines()]


def listings(here: Path) -> dict[str, Any]:
    return {line["case"]: line.get("expectation") for line in record(here) if line["type"] == "result"}


def test_a_faultless_adapter_needs_no_file(gate: Gate) -> None:
    """A gate without a file is green when nothing fails, says so in its last line but one, and ends with 0."""
    done = gate()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[:-1] == [
        "singer: singer 1.0 (Python)",
        "",
        "singer: 4 pass; 0 known divergences",
        NO_FILE,
        "gate: green",
    ]


def test_a_new_failure_is_red_and_shown_in_full(gate: Gate, here: Path) -> None:
    """A failure that no line explains ends with 1; the text has its signature and its difference."""
    done = gate("mumbling")
    assert done.returncode == 1
    _, _, head, groups, group, case, *rest = done.stdout.splitlines()
    assert head == "Fix or explain 1 case: the known-divergence file has no matching entry (new)"
    assert groups == "  1 failure in 1 group:"
    assert group == '     1 × echo.say $.text   wanted "hello"   got "hell"'
    assert case == f"         {MUMBLED}: fail, not a known divergence (signature {SIGNATURE})"
    assert '             $.text   wanted "hello"   got "hell"' in rest
    assert "nearest passing case" not in done.stdout  # the only passing case has an empty text
    assert rest[-4:-1] == ["singer: 3 pass, 1 fail; 0 known divergences", NO_FILE, "gate: RED (1 new)"]
    assert [line["signature"] for line in record(here) if line.get("verdict") == "fail"] == [SIGNATURE]
    assert listings(here)[MUMBLED] == {"status": "new", "reason": "not-listed"}


def test_the_command_that_a_red_gate_offers_works(gate: Gate, run_parity: Gate, here: Path) -> None:
    """The last command in the text of a red gate writes a file that explains what is new, once its reason is written."""
    offered = shlex.split(next(line for line in gate("mumbling").stdout.splitlines() if "--write-known" in line))
    assert offered[:2] == ["parity", "gate"]
    assert run_parity(*offered[1:]).returncode == 1
    written = here / offered[-1]
    written.write_text(written.read_text("utf-8").replace("reason: TODO", "reason: It mumbles."), "utf-8")
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


def test_a_known_failure_is_green_and_read_from_no_record(
    gate: Gate, explained: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failure that the file explains ends with 0, and is recorded as known with its reason; its verdict stays fail. The
    gate decides on the results of its run: only the text of a new failure is read from the record."""
    offsets: list[int] = []
    pread = os.pread

    def counted(file: int, size: int, offset: int) -> bytes:
        offsets.append(offset)
        return pread(file, size, offset)

    monkeypatch.setattr(os, "pread", counted)
    done = gate("mumbling", "--known", explained)
    assert (done.returncode, offsets) == (0, [])
    assert done.stdout.splitlines()[2:5] == [
        "singer: 3 pass, 1 fail; 1 known divergence",
        f"known-divergence file: {explained}",
        "gate: green",
    ]
    assert listings(here) == {
        MUMBLED: {"status": "known", "reason": "It swallows the end of a word."},
        "echo/said/nothing": None,
        SHOUTED: None,
        "echo/shouted/nothing": None,
    }
    assert [line["verdict"] for line in record(here) if line.get("case") == MUMBLED] == ["fail"]
    assert gate("lisping", "--known", explained).returncode == 1
    assert offsets


REASON = "It swallows the end of a word."
OTHER = '    echo/shouted/word: "333333333333"\n'
FINDINGS = {
    "another signature": ("lisping", "", "", f"{{file}}:4  {MUMBLED}: fail, known divergence with another", "1 new"),
    "its listed reason": ("lisping", "", "", f"; the listed reason: {REASON}\n", "1 new"),
    "stale": ("hoarse", "", OTHER, f"(stale)\n  {{file}}:4  {MUMBLED}: it passes now", "1 new, 1 stale case"),
    "unmatched": ("", MUMBLED, "echo/said/gone", "{file}:4  echo/said/gone: no such case", "1 unmatched"),
    "expired": (
        "mumbling",
        "  cases:",
        "  expires: 2020-02-29\n  cases:",
        f"{{file}}:5  {MUMBLED}: fail as before; expired on 2020-02-29",
        "1 expired",
    ),
    "an operation that is answered": (
        "mumbling",
        "",
        MUTE,
        f"{{file}}:6  echo.shout: {SHOUTED} is answered: pass",
        "2 stale cases",
    ),
    "a case that is answered": (
        "mumbling",
        "",
        MUTE.replace("echo.shout", SHOUTED),
        f"{{file}}:6  {SHOUTED}: it is answered now: pass",
        "1 stale case",
    ),
}


@pytest.mark.parametrize(("flaws", "old", "new", "line", "verdict"), FINDINGS.values(), ids=FINDINGS)
def test_a_finding_has_its_line_of_the_file(
    gate: Gate, explained: Path, flaws: str, old: str, new: str, line: str, verdict: str
) -> None:
    """A line that does not hold ends with 1; the text names it, and the last line counts it."""
    text = explained.read_text("utf-8")
    explained.write_text(text.replace(old, new) if old else text + new, "utf-8")
    done = gate(flaws, "--known", explained)
    assert done.returncode == 1
    assert line.format(file=explained) in done.stdout
    assert done.stdout.splitlines()[-2] == f"gate: RED ({verdict})"


def test_an_entry_of_which_nothing_holds_goes_whole(gate: Gate, explained: Path, here: Path) -> None:
    """Where no case of an entry diverges any more, all its lines are named; deleting just these leaves a file that holds."""
    explained.write_text(f"{explained.read_text('utf-8')}# The shouts.\n{MUTE}", "utf-8")
    done = gate("mute", "--known", explained)
    assert done.returncode == 1
    assert done.stdout.splitlines()[2:5] == [
        "Delete 1 whole entry: the divergence no longer occurs (stale)",
        f"  {explained}:2-4  the whole entry, because none of its lines applies:",
        f"  {explained}:4  {MUMBLED}: it passes now",
    ]
    stale = {"status": "stale", "reason": f"the case passes now; delete {explained}:4: {REASON}"}
    assert listings(here)[MUMBLED] == stale
    lines = explained.read_text("utf-8").splitlines(keepends=True)
    explained.write_text("".join([*lines[:1], *lines[4:]]), "utf-8")
    assert gate("mute", "--known", explained).returncode == 0


def test_new_failures_come_first_and_the_command_last(gate: Gate, explained: Path) -> None:
    """With a stale line and a new failure, the text begins with the failure and ends with the command."""
    lines = gate("hoarse", "--known", explained).stdout.splitlines()
    heads = [line for line in lines if line.startswith(("Fix", "Delete", "Or ", "gate:"))]
    assert [head.split(":")[0] for head in heads] == [
        "Fix or explain 1 case",
        "Delete 1 whole entry",
        f"Or update the file {explained} with this command, and replace each TODO with a reason",
        "gate",
    ]


def test_new_failures_are_grouped_and_gaps_are_one_line_an_operation(gate: Gate, echo_corpus: Path) -> None:
    """Each group has one example with the nearest passing case, and the requirement without a passing case. Unsupported
    cases are counted by operation and reason."""
    more_shouts(echo_corpus, 30)
    lines = gate("mumbling hoarse").stdout.splitlines()
    assert lines[2].startswith("Fix or explain 32 cases: ")
    assert lines[3] == "  32 failures in 2 groups:"
    groups = [line.split("  ")[0] for line in map(str.strip, lines) if " × " in line]
    assert groups == ["31 × echo.shout $.text", "1 × echo.say $.text"]
    assert sum("example: " in line for line in lines) == 2
    assert any(line.startswith("         no passing case for ECHO-02 (cited by 30): ") for line in lines)
    text = gate("mumbling choosy mute").stdout
    assert [line for line in text.splitlines() if line.startswith("  ") and line[2] not in " p1"] == [
        "  echo.shout: 32 cases unsupported, not listed as unsupported (it has no voice)",
        "  echo.say: 1 case unsupported, not listed as unsupported (it wants words)",
    ]


def test_errors_come_first(gate: Gate, echo_corpus: Path) -> None:
    """A group of errors comes before a larger group of differences."""
    text = (echo_corpus / "cases" / "echo" / "shouted.yaml").read_text("utf-8")
    (echo_corpus / "cases" / "echo" / "sung.yaml").write_text(text.replace("echo/shouted", "echo/sung"), "utf-8")
    groups = [line.strip().split("  ")[0] for line in gate("swoons hoarse").stdout.splitlines() if " × " in line]
    assert groups == ["1 × echo.say error/crash", "2 × echo.shout $.text"]


def test_an_adapter_that_does_not_start_is_no_divergence(gate: Gate, file: Path) -> None:
    """A gate over an adapter that does not start ends with 3, gives the cause once, and writes no file."""
    done = gate("absent", "--write-known", file)
    assert (done.returncode, file.exists()) == (3, False)
    head, said, errors, hint, *rest = done.stdout.splitlines()
    assert head.startswith("singer could not be built or started: ")
    assert (said, errors) == ("    | the singer is ill", "  4 cases are errors (start).")
    assert hint.startswith("  diagnose: parity probe --corpus ")
    assert "singer=" in hint
    assert rest[:2] == [f"{file} is not written, because no case ran.", "gate: RED (singer did not start)"]
    assert "is not written" not in gate("absent").stdout


def test_a_run_that_cannot_be_trusted_is_the_reason(gate: Gate, file: Path) -> None:
    """Where no finding makes a gate red, the brackets say what does."""
    file.write_text(MUTE, "utf-8")
    done = gate("mute", "--known", file, "--select", "echo/shouted")
    assert (done.returncode, done.stdout.splitlines()[-2]) == (1, "gate: RED (too few answers)")


# Parts of the corpus


def test_a_shard_is_gated_like_a_selection(gate: Gate, explained: Path) -> None:
    """Of two shards of a mumbling singer both are green; only the one with the case judges its line."""
    shards = [gate("mumbling", "--known", explained, "--shard", f"{number}/2") for number in (1, 2)]
    assert [(done.returncode, done.stdout.splitlines()[2]) for done in shards] == [
        (0, "singer: 1 pass, 1 fail; 1 known divergence"),
        (0, "singer: 2 pass; 0 known divergences"),
    ]


def test_systems_that_an_adapter_does_not_offer_are_not_judged(gate: Gate, echo_corpus: Path, file: Path) -> None:
    """Cases of a system of which the adapter offers nothing are left out and named; --system or a line of the file has them
    judged."""
    another_system(echo_corpus)
    done = gate()
    assert (done.returncode, done.stdout.splitlines()[2:4]) == (
        0,
        ["singer: 4 pass; 0 known divergences", "skipped: flute (singer implements none of their operations)"],
    )
    judged = gate("", "--system", "flute", "--system", "echo")
    assert (judged.returncode, judged.stdout.splitlines()[-2]) == (1, "gate: RED (2 new)")
    named = gate("", "--select", "flute/*")
    assert (named.returncode, "singer offers no operation of flute" in named.stderr) == (2, True)
    file.write_text("unsupported:\n- {reason: It is broken., names: [flute/said/word]}\n", "utf-8")
    lost = gate("", "--known", file)
    assert (lost.returncode, lost.stdout.splitlines()[-2]) == (1, "gate: RED (1 new)")
    assert "  flute.play: 1 case unsupported" in lost.stdout
    outside = gate("", "--system", "echo", "--select", "flute")
    assert (outside.returncode, outside.stderr.partition(";")[0]) == (
        2,
        "parity: --select matches no case of --system echo",
    )


def test_an_adapter_that_offers_more_later(gate: Gate, echo_corpus: Path) -> None:
    """A system that was left out, and that the adapter offers after all, is no reason for a green gate."""
    another_system(echo_corpus)
    done = gate("learning")
    assert (done.returncode, "green" in done.stdout) == (2, False)
    assert "singer offered no operation of flute at its first start" in done.stderr


# The file


def test_no_case_runs_with_a_broken_file(gate: Gate, file: Path, here: Path) -> None:
    """A mistake in the file ends with 2 before any request."""
    file.write_text("divergence: []\n", "utf-8")
    done = gate("", "--known", file)
    assert (done.returncode, done.stdout, (here / "parity-run.jsonl").exists()) == (2, "", False)
    assert done.stderr.startswith(f"parity: {file}:1\n")


@pytest.mark.parametrize("known", [["--known", "nope.yaml"], ["--known=nope.yaml"]])
def test_the_command_that_makes_a_missing_file(
    run_parity: Gate, echo_corpus: Path, here: Path, known: list[str]
) -> None:
    """It is the given one with --write-known in place of --known, and it works."""
    given = ["gate", "--adapter", singer("mumbling"), *known, "--select", "echo/said", "--corpus", echo_corpus]
    done = run_parity(*given)
    assert done.returncode == 2
    message, _, command = done.stderr.strip().partition(" To create it: ")
    assert message == "parity: nope.yaml: no such file."
    words = shlex.split(command)
    rest = (str(word) for word in given if word not in known)
    assert sorted(words) == sorted(["parity", *rest, "--write-known", "nope.yaml"])
    assert run_parity(*words[1:]).returncode == 1
    assert MUMBLED in (here / "nope.yaml").read_text("utf-8")


def test_the_file_for_the_version_is_used(gate: Gate, explained: Path) -> None:
    """The singer reports 1.0. Of a folder, a file for its version comes before one for all; a file for another version, or a
    folder without one, is a usage error."""
    folder = explained.parent / "known"
    folder.mkdir()
    empty = gate("mumbling", "--known", folder)
    assert (empty.returncode, "the folder has no known-divergences.yaml" in empty.stderr) == (2, True)
    for_all, for_one = (folder / f"known-divergences{part}.yaml" for part in ("", "-1"))
    for_all.write_text("divergences: []\n", "utf-8")
    assert gate("mumbling", "--known", folder).returncode == 1
    for_one.write_text(f"versions: '>=1,<2'\n{explained.read_text('utf-8')}", "utf-8")
    done = gate("mumbling", "--known", folder)
    assert (done.returncode, f"known-divergence file: {for_one}\n" in done.stdout) == (0, True)
    for_one.write_text("versions: '>=2'\ndivergences: []\n", "utf-8")
    assert gate("mumbling", "--known", folder).returncode == 1
    refused = gate("mumbling", "--known", for_one)
    assert refused.returncode == 2
    assert f"No known-divergence file is for version 1.0: {for_one} is for >=2. Name a file" in refused.stderr


@pytest.mark.slow
def test_stale_lines_of_the_shipped_file(run_parity: Gate, here: Path) -> None:
    """Outside the checkout the text deletes no line of the shipped file, and ends with two commands that write a copy and
    use it. Who works in the checkout may edit the file."""
    names = (name for one in load_known(SHIPPED).unsupported for name in one.names)
    case = next(name for name in names if "/" in name and "*" not in name)
    words = ["gate", "--adapter", "reference", "--known", SHIPPED, "--select", case]
    done = run_parity(*words)
    assert done.returncode == 1
    assert done.stdout.splitlines()[2].endswith("of the shipped file: the divergence no longer occurs (stale)")
    lead, update, again = done.stdout.partition("Or update")[2].splitlines()[:3]
    assert lead.startswith(f" a copy of the shipped file {SHIPPED}, which this command does not change.")
    assert ("Delete" in done.stdout, done.stdout.count("--write-known")) == (False, 1)
    assert done.stdout.splitlines()[-3] == f"known-divergence file: {SHIPPED} (shipped with parity)"
    for command in (update, again):
        assert shlex.split(command)[0] == "parity"
        assert run_parity(*shlex.split(command)[1:]).returncode == 0
    assert (here / "known-divergences.yaml").exists()
    shown = SHIPPED.relative_to(ROOT)
    done = parity(*words, "--record", here / "r.jsonl", folder=ROOT)
    assert done.stdout.splitlines()[2].startswith("Delete ")
    assert f"file: {shown} (shipped with parity)\n" in done.stdout
    assert f"\nOr update the file {shown} with this command:\n" in done.stdout


def test_a_gate_judges_one_implementation(run_parity: Gate) -> None:
    """Without an adapter, or with two, the command line is refused."""
    assert run_parity("gate").returncode == 2
    assert run_parity("gate", "--adapter", "reference", "--adapter", "ts").returncode == 2


def test_since_shows_what_changed(gate: Gate, explained: Path, tmp_path: Path) -> None:
    """The text lists the changes since an older record, which may be the file that the gate writes again; they decide
    nothing, and its reports list them too. The command that updates the file lacks the option."""
    gate("mumbling", "--record", tmp_path / "old.jsonl")
    done = gate("hoarse", "--known", explained, "--since", tmp_path / "old.jsonl", "--record", tmp_path / "new.jsonl")
    text = done.stdout.splitlines()
    start = next(at for at, line in enumerate(text) if line.startswith("Changes since the older record of "))
    assert "  singer, fixed: 1 case" in text[start:]
    assert "  singer: 1 newly failing, 1 fixed" in text[start:]
    assert (done.returncode, text[-2]) == (1, "gate: RED (1 new, 1 stale case)")
    assert not [line for line in text if "--write-known" in line and "--since" in line]
    again = gate(
        "mumbling", "--known", explained, "--since", tmp_path / "new.jsonl", "--record", tmp_path / "new.jsonl"
    )
    assert (again.returncode, again.stdout.splitlines()[-2]) == (0, "gate: green")
    assert "  singer: 1 newly failing, 1 fixed" in again.stdout.splitlines()


def test_since_refuses_a_record_of_something_else(
    gate: Gate, run_parity: Gate, echo_corpus: Path, tmp_path: Path, here: Path
) -> None:
    """A record of another corpus, implementation or system, or one that is cut short, ends with 2 before any request."""
    another_system(echo_corpus)
    old, others = tmp_path / "old.jsonl", tmp_path / "others.jsonl"
    gate("", "--record", old)
    ask = ["run", "--corpus", echo_corpus, "--record", others]
    run_parity(*ask, "--adapter", singer().replace("singer=", "choir="))
    cases = {"not of singer": (others, []), "Name a record of the same system": (old, ["--system", "flute"])}
    for sentence, (record_, more) in cases.items():
        done = gate("", "--since", record_, *more)
        assert (done.returncode, sentence in done.stderr) == (2, True), done.stderr
    more_shouts(echo_corpus, 1)
    done = gate("", "--since", old)
    assert (done.returncode, "is of another corpus: digest" in done.stderr) == (2, True)
    assert not (here / "parity-run.jsonl").exists()
