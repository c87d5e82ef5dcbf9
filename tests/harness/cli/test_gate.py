"""`parity gate` as its users meet it: the exit status, the text, the record, and the file that it reads.

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
from gating import MUMBLED, MUTE, SHOUTED, SIGNATURE, Gate, another_system, listings, more_shouts, record, singer

NO_FILE = "known-divergence file: none"


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
    assert head == "Fix or explain 1 case: there is no known-divergence file (new)"
    assert groups == "  1 failure in 1 group:"
    assert group == '      1 × echo.say $.text   wanted "hello"   got "hell"'
    assert case == f"          {MUMBLED}: fail, not a known divergence (signature {SIGNATURE})"
    assert '              $.text   wanted "hello"   got "hell"' in rest
    assert "nearest passing case" not in done.stdout  # the only passing case has an empty text
    assert rest[-4:-1] == ["singer: 3 pass, 1 fail; 0 known divergences", NO_FILE, "gate: RED (1 new)"]
    assert [line["signature"] for line in record(here) if line.get("verdict") == "fail"] == [SIGNATURE]
    assert listings(here)[MUMBLED] == {"status": "new", "reason": "not-listed"}


@pytest.mark.slow
def test_the_command_that_a_red_gate_offers_works(gate: Gate, run_parity: Gate, here: Path) -> None:
    """The last command in the text of a red gate writes a file that explains what is new, once its reason is written."""
    offered = shlex.split(next(line for line in gate("mumbling").stdout.splitlines() if "--write-known" in line))
    assert offered[:2] == ["parity", "gate"]
    assert run_parity(*offered[1:]).returncode == 1
    written = here / offered[-1]
    written.write_text(written.read_text("utf-8").replace("reason: TODO", "reason: It mumbles."), "utf-8")
    assert gate("mumbling", "--known", written).returncode == 0


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
    lines = done.stdout.splitlines()
    assert [*lines[2:4], lines[-2]] == [
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
    "another signature": ("lisping", "", "", f"; the listed reason: {REASON}\n", "1 new"),
    "stale": ("hoarse", "", OTHER, f"(1 stale case)\n  {{file}}:4  {MUMBLED}: it passes now", "1 new, 1 stale case"),
    "unmatched": ("", MUMBLED, "echo/said/gone", "{file}:4  echo/said/gone: no such case", "1 unmatched"),
    "expired": (
        "mumbling",
        "  cases:",
        "  expires: 2020-02-29\n  cases:",
        f"{{file}}:2-5  this entry expired on 2020-02-29: 1 case, e.g. {MUMBLED}",
        "1 expired",
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
        "Delete 1 whole entry: the divergence no longer occurs (1 stale case)",
        f"  {explained}:2-4  the whole entry, because none of its lines applies:",
        f"  {explained}:4  {MUMBLED}: it passes now",
    ]
    stale = {
        "status": "stale",
        "reason": f"the case passes now; delete {explained}:4: {REASON}",
        "place": f"{explained}:4",
    }
    assert listings(here)[MUMBLED] == stale
    lines = explained.read_text("utf-8").splitlines(keepends=True)
    explained.write_text("".join([*lines[:1], *lines[4:]]), "utf-8")
    assert gate("mute", "--known", explained).returncode == 0


def test_new_failures_are_grouped_and_gaps_are_one_line_an_operation(gate: Gate, echo_corpus: Path) -> None:
    """Each group has one example with the nearest passing case, and the requirement without a passing case. Unsupported
    cases are counted by operation and reason."""
    more_shouts(echo_corpus, 30)
    lines = gate("mumbling hoarse").stdout.splitlines()
    assert lines[2].startswith("Fix or explain 32 cases: ")
    assert lines[3] == "  32 failures in 2 groups:"
    groups = [line.split("  ")[0] for line in map(str.strip, lines) if " × " in line]
    assert groups == ["31 × echo.shout $.text", "1 × echo.say $.text"]
    assert sum(" e.g. echo" in line for line in lines) == 2
    assert any(line.startswith("          no passing case for ECHO-02 (cited by 30): ") for line in lines)
    text = gate("mumbling choosy mute").stdout
    assert [line for line in text.splitlines() if line.startswith("  echo")] == [
        "  echo.shout: 32 cases unsupported, not listed as unsupported (it has no voice)",
        "  echo.say: 1 case unsupported, not listed as unsupported (it wants words)",
    ]


def test_a_red_gate_lists_the_cases_that_make_it_red(
    gate: Gate, run_parity: Gate, explained: Path, echo_corpus: Path
) -> None:
    """The printed command lists every new case, unsupported ones too, and no known failure."""
    more_shouts(echo_corpus, 10)
    text = gate("mumbling choosy hoarse", "--known", explained).stdout
    [command] = [line.removeprefix("  list: ") for line in text.splitlines() if line.startswith("  list: ")]
    listed = [line.split()[0] for line in run_parity(*shlex.split(command)[1:]).stdout.splitlines() if "echo/" in line]
    assert MUMBLED not in listed
    assert len(listed) == 12


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


@pytest.mark.slow
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


def test_a_gate_judges_one_implementation(run_parity: Gate) -> None:
    """Without an adapter, or with two, the command line is refused."""
    assert run_parity("gate").returncode == 2
    assert run_parity("gate", "--adapter", "reference", "--adapter", "ts").returncode == 2


# Unobservable paths and models


SHY = Path(__file__).parent / "adapters" / "shy.py"


NOTES = "echo.say/notes"


@pytest.fixture
def shy(echo_corpus: Path, run_parity: Gate) -> Gate:
    """Gates a singer that hides these paths; its answers have three leaves and two."""
    schema = echo_corpus / "schemas" / "echo" / "echo.say.json"
    value = json.loads(schema.read_text("utf-8"))
    value["$defs"]["answer"]["properties"]["notes"] = {"type": "array", "items": {"type": "string"}}
    schema.write_text(json.dumps(value), "utf-8")
    said = echo_corpus / "cases" / "echo" / "said.yaml"
    text = said.read_text("utf-8").replace("hello", "la")
    text = text.replace("answer: {text: la}", "answer: {text: la, notes: [l, a]}")
    said.write_text(text.replace('answer: {text: ""}', 'answer: {text: "", notes: []}'), "utf-8")
    (echo_corpus / "cases" / "echo" / "shouted.yaml").unlink()

    def gated(hidden: str, *arguments: object) -> subprocess.CompletedProcess[str]:
        command = shlex.join([sys.executable, "-S", str(SHY), *hidden.split()])
        return run_parity("gate", "--adapter", f"shy={command}", "--corpus", echo_corpus, *arguments)

    return gated


def test_a_path_that_the_file_does_not_list_is_new(shy: Gate, run_parity: Gate, here: Path) -> None:
    """The gate is red, names the path and the observed share; every report of its record is red too."""
    done = shy("/notes")
    assert done.returncode == 1
    heading = "Report 1 unobservable path, or give the reason: there is no known-divergence file (new)"
    assert f"{heading} {NOTES}: " in " ".join(done.stdout.split())
    assert "\nshy: 2 pass; 0 known divergences\n  observed 40% of echo.say; not reported: /notes\n" in done.stdout
    assert done.stdout.splitlines()[-2] == "gate: RED (1 new unobservable path)"
    reports = {}
    for form in ("markdown", "html", "json", "badge", "junit"):
        run_parity("report", "parity-run.jsonl", f"--{form}", "report")
        reports[form] = (here / "report").read_text("utf-8")
    assert reports["markdown"].startswith("## gate: red (1 new unobservable path), 0 known divergences\n")
    assert "**New: 1 unobservable path**\n\n- `echo.say/notes`\n" in reports["markdown"]
    assert '<h1 class="bad">' in reports["html"]
    assert f"does not list this unobservable path. <code>{NOTES}</code>" in reports["html"]
    value: Any = json.loads(reports["json"])["gate"]
    assert (value["verdict"], value["newUnobservable"], value["staleUnobservable"]) == ("red", [NOTES], [])
    assert json.loads(reports["badge"])["message"] == "gate red, 1 new unobservable path"
    assert f'name="{NOTES}"' in reports["junit"]


def test_a_path_counts_where_it_hides_an_expected_value(shy: Gate) -> None:
    """A path that no expected answer of the selected cases has needs no line, and lowers no share."""
    done = shy("/encore")
    assert (done.stdout.splitlines()[-2], "observed" in done.stdout) == ("gate: green", False)
    assert shy("/notes/1").returncode == 1
    assert shy("/notes/1", "--select", "echo/said/nothing").returncode == 0
