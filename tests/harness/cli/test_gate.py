"""`parity gate` as its users meet it: the exit status, the text, the record, the file that it reads, and the file that
`--write-known` writes: what that keeps, and what it leaves to a person.

What a line of the file explains is tested in `tests/harness/gate`, without a process.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from commands import NO_BYTECODE, ROOT, Parity
from gating import MUMBLED, SHOUTED, SIGNATURE, Gate, another_system, more_shouts, singer

from harness.gate.known_reader import load_known

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


SELECTED = "jeffs_brain/query_dsl/operators/operator-before-a-word-that-strips-to-nothing"


MODEL = "RUL-B03=b"


def sdk(*options: str) -> str:
    """The option that adds the reference with these options: it stands for an SDK whose failures have one cause."""
    return f"--adapter=sdk={shlex.join([sys.executable, '-m', 'harness', 'serve', *options])}"


@pytest.mark.slow
def test_one_model_in_place_of_a_list_of_cases(run_parity: Parity, tmp_path: Path) -> None:
    """An update writes one entry for all failures of the reading; they are then known, and stale without their cause."""
    file, record = tmp_path / "known.yaml", tmp_path / "run.jsonl"
    select = ("--select", SELECTED, "--record", record)
    run_parity("gate", sdk("--reading", MODEL), *select, "--write-known", file)
    text = file.read_text("utf-8")
    assert f"divergences:\n- reason: TODO\n  model: {MODEL}\nunsupported: []\n" in text
    file.write_text(text.replace("TODO", "A dropped word takes its operator with it."), "utf-8")

    known = run_parity("gate", sdk("--reading", MODEL), *select, "--known", file)
    assert (known.returncode, "6 known divergences" in known.stdout) == (0, True), known.stdout
    (cause,) = json.loads(record.read_text("ascii").splitlines()[0])["implementations"][0]["causes"]
    assert cause == {"name": MODEL, "reason": "A dropped word takes its operator with it."}

    stale = run_parity("gate", sdk(), *select, "--known", file)
    assert (stale.returncode, "Correct 1 model: " in stale.stdout) == (1, True)
    assert f"{MODEL}: 6 of the 6 failures that it predicts do not occur" in stale.stdout


OF_SAYING, OF_SHOUTING = (f"TODO echo.{operation} $.text" for operation in ("say", "shout"))
"""What waits for its reason where what is said, or shouted, comes back otherwise."""


def entries(file: Path) -> list[tuple[str, list[str]]]:
    """The reasons of a file, each with its kind of failure and its cases."""
    return [
        (f"{one.reason} {one.category}".rstrip(), [*one.cases]) for one in load_known(file, allow_todo=True).divergences
    ]


def more_sayings(corpus: Path) -> None:
    """Adds the suite `echo/sung`, with another word and nothing once more."""
    text = (corpus / "cases" / "echo" / "said.yaml").read_text("utf-8")
    (corpus / "cases" / "echo" / "sung.yaml").write_text(text.replace("echo/said", "echo/sung"), "utf-8")


def test_each_kind_of_failure_waits_for_a_reason_of_its_own(gate: Gate, echo_corpus: Path, file: Path) -> None:
    """Failures of one operation in one place stand under one TODO, the commonest kind first; a second writing changes
    nothing."""
    more_sayings(echo_corpus)
    done = gate("mumbling hoarse", "--write-known", file)
    assert (done.returncode, "gate: RED (2 unwritten reasons)" in done.stdout) == (1, True)
    assert entries(file) == [(OF_SAYING, [MUMBLED, "echo/sung/word"]), (OF_SHOUTING, ["echo/shouted/word"])]
    before = file.read_bytes()
    assert gate("mumbling hoarse", "--write-known", file).returncode == 1
    assert file.read_bytes() == before


@pytest.mark.slow
def test_errors_of_one_kind_wait_together(gate: Gate, file: Path) -> None:
    """The category of a crash is its kind and its status. It is known by its signature, like any failure."""
    gate("faint", "--write-known", file)
    assert entries(file) == [
        ("TODO echo.say error/crash status 1", [MUMBLED]),
        ("TODO echo.shout error/crash status 1", ["echo/shouted/word"]),
    ]
    file.write_text(file.read_text("utf-8").replace("reason: TODO", "reason: It faints."), "utf-8")
    assert gate("faint", "--known", file).returncode == 0


def test_write_known_leaves_the_reasons_to_a_person(gate: Gate, file: Path) -> None:
    """A written file waits for its reasons: the gate that wrote it ends with 1, and one that reads it with 2."""
    done = gate("mumbling mute", "--write-known", file)
    assert done.returncode == 1
    assert done.stdout.splitlines()[:-1] == [
        f"written: {file} (use it with --known {file})",
        f"{file}:4  The reason still begins with TODO. Write one sentence that gives the reason.",
        "singer: singer 1.0 (Python)",
        "",
        "singer: 1 pass, 1 fail, 2 unsupported; 1 known divergence, 2 known unsupported cases",
        f"known-divergence file: {file}",
        "gate: RED (1 unwritten reason)",
    ]
    refused = gate("mumbling mute", "--known", file)
    assert refused.returncode == 2
    assert f"{file}:4\n  The reason still begins with TODO." in refused.stderr
    text = file.read_text("utf-8").replace("reason: TODO", "reason: It has a cold.")
    file.write_text(text, "utf-8")
    assert gate("mumbling mute", "--known", file).returncode == 0


def test_write_known_brings_a_file_up_to_date(gate: Gate, explained: Path) -> None:
    """A second writing keeps the reasons that still hold, drops what is stale, and adds what is new under TODO. The text
    has each removed line below its reason."""
    assert gate("mumbling hoarse", "--write-known", explained).returncode == 1
    text = explained.read_text("utf-8")
    assert "- reason: It swallows the end of a word.\n  cases:\n    echo/said/word:" in text
    assert "- reason: TODO\n  kind: echo.shout $.text\n  cases:\n    echo/shouted/word:" in text
    done = gate("", "--write-known", explained)
    assert (done.returncode, "word" in explained.read_text("utf-8")) == (0, False)
    assert done.stdout.splitlines()[1:4] == [
        "1 line removed, which this run does not confirm:",
        "  reason: It swallows the end of a word.",
        f"    {MUMBLED}",
    ]
    assert "which this run" not in gate("", "--write-known", explained).stdout


def test_fix_known_deletes_lines_and_nothing_else(gate: Gate, run_parity: Gate, explained: Path, here: Path) -> None:
    """Where lines that do not hold are all that fails, the text has the command that deletes them: without the record of
    this run, so that it also works elsewhere. Beside a new failure, that command writes no TODO."""
    explained.write_text(f"{explained.read_text('utf-8')}{MUTE}readings: []\n", "utf-8")
    text = gate("mute", "--known", explained, "--record", here / "here.jsonl").stdout
    lines = text.splitlines()
    at = lines.index(f"Or delete these lines in the file {explained} with this command:")
    assert "--record" not in lines[at + 1]
    assert lines[at + 1].endswith(f"--fix-known {explained}")
    assert run_parity(*shlex.split(lines[at + 1])[1:]).returncode == 0
    assert load_known(explained).divergences == ()
    assert [entry.names for entry in load_known(explained).unsupported] == [("echo.shout",)]
    mixed = gate("mumbling", "--known", explained).stdout
    lead, command = mixed.partition("To delete the lines that do not hold")[2].splitlines()[:2]
    assert run_parity(*shlex.split(command)[1:]).returncode == 1, lead
    assert (load_known(explained).unsupported, "TODO" in explained.read_text("utf-8")) == ((), False)


def test_a_removed_reason_beside_a_new_failure_is_a_warning(gate: Gate, echo_corpus: Path, explained: Path) -> None:
    """A new failure of the same operation can have the removed reason."""
    more_sayings(echo_corpus)
    text = explained.read_text("utf-8").replace(MUMBLED, "echo/said/nothing")
    explained.write_text(text, "utf-8")
    done = gate("mumbling", "--write-known", explained)
    assert "  Warning: echo.say has 2 new failures in this run." in done.stdout


def test_write_known_does_not_hide_another_failure_under_an_old_reason(gate: Gate, explained: Path) -> None:
    """A case that fails in another way is named, and waits for a reason; a second writing keeps the former reason."""
    done = gate("lisping", "--write-known", explained)
    assert (done.returncode, "gate: RED (1 unwritten reason)" in done.stdout) == (1, True)
    assert "1 case with a new signature; the reason is TODO:\n  echo/said/word\n" in done.stdout
    before = explained.read_bytes()
    assert b"- reason: TODO\n  before: It swallows the end of a word.\n" in before
    again = gate("lisping", "--write-known", explained)
    assert (again.returncode, "the reason is TODO" in again.stdout) == (1, False)
    assert explained.read_bytes() == before


@pytest.mark.skipif(not (shutil.which("node") and shutil.which("npm")), reason="node or npm is not on PATH")
@pytest.mark.slow
def test_a_shipped_file_is_a_beginning_and_never_written(
    gate: Gate, run_parity: Gate, echo_corpus: Path, file: Path
) -> None:
    """Over a shipped adapter's own file, a red gate offers to write one in the current folder; that says how it began."""
    done = run_parity("gate", "--adapter", "ts", "--corpus", echo_corpus, timeout=300)
    if done.returncode == 3:
        pytest.skip(f"the SDK cannot be installed here: {done.stdout.splitlines()[0]}")
    assert "(unmatched)" in done.stdout
    offered = next(line for line in done.stdout.splitlines() if "--write-known" in line)
    assert offered.endswith("--write-known known-divergences.yaml")
    written = run_parity("gate", "--adapter", "ts", "--corpus", echo_corpus, "--write-known", file)
    assert "\nIt starts with the entries of the shipped file " in written.stdout
    assert "shipped with parity" not in run_parity(*shlex.split(offered)[1:-1], file).stdout
    assert "shipped with parity" not in gate("mumbling", "--write-known", file.with_name("other.yaml")).stdout


def test_write_known_makes_the_folder_that_it_needs(gate: Gate, tmp_path: Path) -> None:
    """A file that is to be written may lie in a folder that is not there yet, as every file that is written may."""
    file = tmp_path / "not" / "there" / "known.yaml"
    assert gate("mumbling", "--write-known", file).returncode == 1
    assert "echo/said/word" in file.read_text("utf-8")


@pytest.mark.slow
def test_a_file_that_cannot_be_written_anew_keeps_its_reasons(echo_corpus: Path, explained: Path) -> None:
    """Where there is no room, what people wrote is left as it was, and nothing lies beside it."""
    explained.write_text(explained.read_text("utf-8").replace("  cases:", f"  link: {'x' * 99999}\n  cases:"), "utf-8")
    before, beside = explained.read_bytes(), sorted(explained.parent.iterdir())
    words = ["gate", "--adapter", singer("mumbling"), "--corpus", str(echo_corpus), "--write-known", str(explained)]
    done = subprocess.run(
        [
            "bash",
            "-c",
            'ulimit -f 50; exec "$0" -m harness "$@"',
            sys.executable,
            *words,
            "--record",
            echo_corpus / "r",
        ],
        cwd=ROOT,
        env={**os.environ, **NO_BYTECODE},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == f"parity: {explained}: the file cannot be written: File too large. Name another file.\n"
    assert explained.read_bytes() == before
    assert sorted(explained.parent.iterdir()) == beside


@pytest.mark.slow
def test_readings_are_pinned(gate: Gate, disputed: str, file: Path, here: Path) -> None:
    """The update lists the readings. A case that leaves its reading makes the gate red, unless readings are free; a file
    without readings pins none and says so."""
    assert gate("", "--write-known", file, "--select", disputed).returncode == 0
    assert load_known(file).readings == ()
    done = gate("hoarse", "--known", file, "--select", disputed)
    assert (done.returncode, done.stdout.splitlines()[-2]) == (1, "gate: RED (1 changed reading)")
    head = "Check 1 case: users see an answer by another reading (changed reading)"
    assert done.stdout.splitlines()[2:6] == [
        head,
        "  RUL-E1: the adopted reading → reading b: 1 case",
        "    How loud: As it came.",
        f"    {disputed}",
    ]
    assert listings(here)[disputed] == {"status": "reading", "reason": "RUL-E1: the adopted reading → reading b"}
    free = gate("hoarse", "--known", file, "--select", disputed, "--readings", "free")
    assert (free.returncode, "1 case with another reading" in free.stdout) == (0, True)
    assert gate("hoarse", "--write-known", file, "--select", disputed).returncode == 0
    kept = gate("hoarse", "--known", file, "--select", disputed)
    assert (kept.returncode, "another reading" in kept.stdout) == (0, False)
    assert (
        "  RUL-E1: reading b → the adopted reading: 1 case\n" in gate("", "--known", file, "--select", disputed).stdout
    )
    file.write_text("unsupported: []\n", "utf-8")
    assert "\nreadings are not pinned: " in gate("hoarse", "--known", file, "--select", disputed).stdout


@pytest.fixture
def disputed(echo_corpus: Path) -> str:
    """The name of a case with two possible answers: loud (adopted) or not."""
    cases = echo_corpus / "cases" / "echo"
    (cases / "rulings.yaml").write_text(
        "system: echo\nrevision: '1.0'\nrulings:\n"
        "  - {id: RUL-E1, title: How loud, requirements: [ECHO-02], question: Capitals or not?,\n"
        "     readings: {a: Capitals., b: As it came.}, adopted: a, basis: prose,\n"
        "     why: Shouting is loud., severity: low, evidence: [echo/disputed/loud], wording: Say all.}\n",
        "utf-8",
    )
    (cases / "disputed.yaml").write_text(
        "suite: echo/disputed\noperation: echo.shout\ncases:\n"
        "  - {id: loud, requirements: [ECHO-02], origin: spec-text, request: {text: hello},\n"
        "     disputed: {ruling: RUL-E1, adopted: a,\n"
        "     readings: {a: {answer: {text: HELLO}}, b: {answer: {text: hello}}}}}\n",
        "utf-8",
    )
    return "echo/disputed/loud"
