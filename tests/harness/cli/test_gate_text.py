"""What `parity gate` tells beside the findings: by which file it judged, what to run, and many gaps in few lines."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from commands import parity
from gating import MUMBLED, Gate, another_system, singer

from harness.gate.reader import load_known

ROOT = Path(__file__).resolve().parents[3]
SHIPPED = ROOT / "adapters" / "ts" / "known-divergences.yaml"
BY_SHIPPED = f"known-divergence file: {SHIPPED} (shipped with parity)"


def unsupported_case() -> str:
    """A case that the shipped file lists as unsupported, and that the reference answers."""
    names = (name for one in load_known(SHIPPED).unsupported for name in one.names)
    return next(name for name in names if "/" in name and "*" not in name)


@pytest.mark.parametrize("flaws", ["mumbling", "mumbling hoarse"])
def test_the_file_is_named(gate: Gate, explained: Path, flaws: str) -> None:
    """Green or red, the line above the verdict names the file that was judged by."""
    assert gate(flaws, "--known", explained).stdout.splitlines()[-3] == f"known-divergence file: {explained}"


def test_no_file_is_told(gate: Gate) -> None:
    """Where there is no file that is told as well."""
    assert gate("mumbling").stdout.splitlines()[-3] == "known-divergence file: none"


def test_a_file_that_was_written_is_judged_by(gate: Gate, file: Path) -> None:
    """With --write-known it is the file as it was written."""
    assert f"\nknown-divergence file: {file}\n" in gate("mumbling", "--write-known", file).stdout


@pytest.mark.slow
def test_stale_lines_of_a_file_that_is_not_ones_own(run_parity: Gate, tmp_path: Path) -> None:
    """The text deletes no line of the shipped file. It ends with two commands that write a copy and use it."""
    case = unsupported_case()
    words = ["gate", "--adapter", "reference", "--known", SHIPPED, "--select", case]
    done = run_parity(*words)
    assert done.returncode == 1
    said, _, head, *_ = done.stdout.splitlines()
    assert said.startswith("reference: ")
    lead, update, again = done.stdout.partition("Or update")[2].splitlines()[:3]
    assert lead.startswith(f" a copy of the shipped file {SHIPPED}, which is read-only here.")
    assert head.endswith("of the shipped file: the divergence no longer occurs (stale)")
    assert "Delete" not in done.stdout
    assert done.stdout.count("--write-known") == 1
    assert done.stdout.splitlines()[-3] == BY_SHIPPED
    for command in (update, again):
        assert shlex.split(command)[0] == "parity"
        assert run_parity(*shlex.split(command)[1:]).returncode == 0
    assert (tmp_path / "here" / "known-divergences.yaml").exists()


@pytest.mark.slow
def test_stale_lines_of_the_shipped_file_in_its_checkout(tmp_path: Path) -> None:
    """Whoever works in the checkout may edit the file, and is told what to delete."""
    case = unsupported_case()
    words = ["gate", "--adapter", "reference", "--known", SHIPPED, "--select", case, "--record", tmp_path / "r.jsonl"]
    done = parity(*words, folder=ROOT)
    assert done.stdout.splitlines()[2].startswith("Delete ")
    assert f"file: {SHIPPED.relative_to(ROOT)} (shipped with parity)\n" in done.stdout
    assert f"\nOr update the file {SHIPPED.relative_to(ROOT)} with this command:\n" in done.stdout


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


def test_another_signature_has_the_listed_reason(gate: Gate, explained: Path) -> None:
    """A known case that fails in another way shows the reason of the known failure."""
    text = gate("lisping", "--known", explained).stdout
    assert "; the listed reason: It swallows the end of a word.\n" in text


def test_gaps_are_one_line_an_operation(gate: Gate, echo_corpus: Path) -> None:
    """What is new and unsupported is told by operation and reason with its number; failures stand case by case before."""
    cases = "".join(
        f"  - {{id: more-{n}, requirements: [ECHO-02], origin: spec-text, request: {{text: a}}, answer: {{text: A}}}}\n"
        for n in range(30)
    )
    file = echo_corpus / "cases" / "echo" / "shouted.yaml"
    file.write_text(file.read_text("utf-8") + cases, "utf-8")
    done = gate("mumbling choosy mute")
    listed = [line for line in done.stdout.splitlines() if line.startswith("  ") and line[2] not in " p1"]
    assert done.stdout.splitlines()[2].startswith("Fix or explain 34 cases: ")
    assert f"\n         {MUMBLED}: fail, not a known divergence (signature " in done.stdout
    assert listed == [
        "  echo.shout: 32 cases unsupported, not listed as unsupported (it has no voice)",
        "  echo.say: 1 case unsupported, not listed as unsupported (it wants words)",
    ]
    assert "more" not in done.stdout.replace("more-", "")


@pytest.mark.parametrize("known", [["--known", "nope.yaml"], ["--known=nope.yaml"]])
def test_the_command_that_makes_a_missing_file(
    run_parity: Gate, echo_corpus: Path, tmp_path: Path, known: list[str]
) -> None:
    """It is the one that was given, with --write-known in place of --known, and it works."""
    given = ["gate", "--adapter", singer("mumbling"), *known, "--select", "echo/said", "--corpus", echo_corpus]
    done = run_parity(*given)
    assert done.returncode == 2
    told, _, command = done.stderr.strip().partition(" To create it: ")
    assert told == "parity: nope.yaml: no such file."
    words = shlex.split(command)
    assert sorted(words) == sorted(
        ["parity", *(str(word) for word in given if word not in known), "--write-known", "nope.yaml"]
    )
    assert run_parity(*shlex.split(command)[1:]).returncode == 1
    assert MUMBLED in (tmp_path / "here" / "nope.yaml").read_text("utf-8")


def test_an_adapter_that_does_not_start_writes_no_file(gate: Gate, file: Path) -> None:
    """That the file was not written is said, and the verdict has its reason."""
    done = gate("absent", "--write-known", file)
    assert (done.returncode, file.exists()) == (3, False)
    assert done.stdout.splitlines()[-3:-1] == [
        f"{file} is not written, because no case ran.",
        "gate: RED (singer did not start)",
    ]
    assert "is not written" not in gate("absent").stdout


def test_a_run_that_cannot_be_trusted_is_the_reason(gate: Gate, file: Path) -> None:
    """Where no finding makes a gate red, the brackets say what does."""
    file.write_text("unsupported:\n- {reason: It has no voice., names: [echo.shout]}\n", "utf-8")
    done = gate("mute", "--known", file, "--select", "echo/shouted")
    assert (done.returncode, done.stdout.splitlines()[-2]) == (1, "gate: RED (too few answers)")


def test_an_adapter_that_offers_more_when_it_is_asked(gate: Gate, echo_corpus: Path) -> None:
    """A system that was left out, and that the adapter offers after all, is no reason for a green gate."""
    another_system(echo_corpus)
    done = gate("learning")
    assert (done.returncode, "green" in done.stdout) == (2, False)
    assert "singer offered no operation of flute at its first start" in done.stderr


def test_many_new_failures_are_grouped(gate: Gate, echo_corpus: Path) -> None:
    """Each group has one example with the nearest passing case, and the requirement without a passing case."""
    cases = "".join(
        f"  - {{id: more-{n:02}, requirements: [ECHO-02], origin: spec-text, "
        f"request: {{text: a{n}}}, answer: {{text: A{n}}}}}\n"
        for n in range(30)
    )
    file = echo_corpus / "cases" / "echo" / "shouted.yaml"
    file.write_text(file.read_text("utf-8").replace("ECHO-02", "ECHO-01") + cases, "utf-8")
    lines = gate("mumbling hoarse").stdout.splitlines()
    assert lines[2:4] == [
        "Fix or explain 32 cases: the known-divergence file has no matching entry (new)",
        "  32 failures in 2 groups:",
    ]
    groups = [line.split("  ")[0] for line in map(str.strip, lines) if " × " in line]
    assert groups == ["31 × echo.shout $.text", "1 × echo.say $.text"]
    assert sum("example: " in line for line in lines) == 2
    assert any(line.startswith("         no passing case for ECHO-02 (cited by 30): ") for line in lines)


def test_errors_come_first(gate: Gate, echo_corpus: Path) -> None:
    """A group of errors comes before a larger group of differences."""
    text = (echo_corpus / "cases" / "echo" / "shouted.yaml").read_text("utf-8")
    (echo_corpus / "cases" / "echo" / "sung.yaml").write_text(text.replace("echo/shouted", "echo/sung"), "utf-8")
    groups = [line.strip().split("  ")[0] for line in gate("swoons hoarse").stdout.splitlines() if " × " in line]
    assert groups == ["1 × echo.say error/crash", "2 × echo.shout $.text"]


def test_another_reading_is_information(gate: Gate, disputed: str, file: Path) -> None:
    """The update lists the readings; a case that leaves its reading is in the text, and the gate stays green."""
    assert gate("", "--write-known", file, "--select", disputed).returncode == 0
    assert load_known(file).readings == ()
    assert gate("", "--known", file, "--select", disputed).stdout.splitlines()[-2] == "gate: green"
    done = gate("hoarse", "--known", file, "--select", disputed)
    assert done.returncode == 0
    assert "1 case follows another reading than the file lists:\n" in done.stdout
    assert f"  {disputed}: RUL-E1 the adopted reading → reading b\n" in done.stdout
    assert gate("hoarse", "--write-known", file, "--select", disputed).returncode == 0
    assert "another reading" not in gate("hoarse", "--known", file, "--select", disputed).stdout
    back = gate("", "--known", file, "--select", disputed).stdout
    assert f"  {disputed}: RUL-E1 reading b → the adopted reading\n" in back


@pytest.fixture
def disputed(echo_corpus: Path) -> str:
    """The name of a case that can be answered loud (adopted) or not."""
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
