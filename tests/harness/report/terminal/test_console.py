"""What `parity run` prints of a record: pure text, the same for the same record."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import made_records
import made_values
import pytest
from renderers import console

from harness.compare.edits import Changed
from harness.model import (
    ABSENT,
    Difference,
    ErrorKind,
    Incident,
    NotTested,
    NotTestedCode,
    RecordedResult,
    RunMetadata,
    RunOptions,
    RunRecord,
    Verdict,
    replace,
)
from harness.report.difference_text import describe_edit
from harness.report.run_summary import MissingCode, MissingVerdicts, summarise

render = console.render

GOLDENS = Path(__file__).parent / "goldens"

OHM, OMEGA = "\N{OHM SIGN}", "\N{GREEK CAPITAL LETTER OMEGA}"
PARTED = "first differs at character 1: U+03A9 instead of U+2126"

_LOG = "".join(f"line {n}\n" for n in range(9))


def result(case: str, implementation: str, verdict: Verdict = Verdict.PASS, **more: Any) -> RecordedResult:
    return made_records.result(case, implementation, verdict, **{"request": {}, "expected": {"answer": {}}, **more})


def failing(case: str, implementation: str, **more: Any) -> RecordedResult:
    difference = (Difference("$.tune", "fa", "fa fa"),)
    return result(case, implementation, Verdict.FAIL, **{"difference": difference, **more})


def record(*results: RecordedResult, complete: bool = True, incidents: tuple[Incident, ...] = ()) -> RunRecord:
    names = tuple(dict.fromkeys(result.implementation for result in results))
    mute = made_values.mute("`make` failed with status 2.", _LOG)
    metadata = RunMetadata(
        started_at="",
        corpus_digest="",
        cases=len({result.case for result in results}),
        implementations=tuple(mute if name == "mute" else made_values.started(name) for name in names),
        options=RunOptions(corpus="my songs", timeout=2.5, pass_env=("KEY",)),
        skipped=(NotTested("bird", NotTestedCode.NO_TOOLCHAIN, "wings is not on PATH. Grow some."),),
        requirements={"SONG-01": made_records.requirement("SONG-01", "A song is sung to its end.")},
        rulings={
            f"RUL-{n}": replace(made_records.RULING, id=f"RUL-{n}", title=f"Which note is number {n}") for n in range(5)
        },
    )
    return RunRecord(
        metadata=metadata,
        results=results,
        incidents=incidents,
        complete=complete,
        seconds=72.3 if complete else None,
    )


def full() -> RunRecord:
    """Everything that a report can have to say, once."""
    results = []
    for suite in range(15):
        for number in range(3):
            case = f"choir/part_{suite}/verse-{number}"
            results.append(result(case, "alto"))
            results.append(result(case, "mute", Verdict.ERROR, kind=ErrorKind.START, reason="mute: `make` failed."))
            if suite == 3:
                results.append(failing(case, "bass"))
            elif suite == 4 and number:
                results.append(failing(case, "bass", stage="/voice", recovered=True))
            elif suite == 5:
                results.append(result(case, "bass", Verdict.UNSUPPORTED, reason=f"verse {number // 2} is too low"))
            elif suite > 9:
                results.append(result(case, "bass", Verdict.VARIANT, ruling=f"RUL-{suite - 10}", reading="b"))
            elif suite == 9 and number == 2:
                refusal = {"path": "$", "side": "got", "engine": "sqlite-fts5-match", "match": '"', "message": "no end"}
                results.append(result(case, "bass", engine=(refusal,)))
            else:
                results.append(result(case, "bass"))
    incident = made_values.incident("bass", ErrorKind.CRASH, ("choir/part_1/verse-1", "choir/part_1/verse-2"))
    return record(*results, incidents=(incident,))


def test_the_whole_report() -> None:
    """The report of a record with everything in it is the one that was looked at (PARITY_GOLDENS=update rewrites it)."""
    golden = GOLDENS / "full.txt"
    text = render(full(), color=False)
    if os.environ.get("PARITY_GOLDENS") == "update":
        golden.write_text(text, "utf-8")
    assert text == golden.read_text("utf-8")


def test_errors_come_before_differences() -> None:
    """Crashes, timeouts, breaches and raised errors come first, in this order, among the failures and their groups."""
    kinds = (ErrorKind.IMPLEMENTATION, ErrorKind.PROTOCOL, ErrorKind.TIMEOUT, ErrorKind.CRASH)
    errors = [
        replace(result(f"choir/{kind}/v", "bass", Verdict.ERROR, kind=kind, reason="x"), at=f"cases/{kind}.yaml:7")
        for kind in kinds
    ]
    many = [failing(f"choir/loud/v-{n}", "bass") for n in range(5)]
    text = render(record(*many, *errors), color=False)
    assert re.findall(r"^bass: cases/(\S+).yaml:7", text, re.MULTILINE) == ["crash", "timeout", "protocol"]
    groups = re.findall(r"^ +\d × song.sing (\S+)", text, re.MULTILINE)
    assert groups == ["error/crash", "error/timeout", "error/protocol", "error/implementation", "$.tune"]


def test_commands_list_and_show_failures() -> None:
    """Commands, quoted for a shell, show a group, explain and repeat a case, and list the failing cases; a path with white
    space cannot be in an expression of `--select`."""
    many = [failing(f"choir/loud/v-{n}", "bass") for n in range(5)]
    options, path = "--corpus 'my songs'", "'it'\"'\"'s/run.jsonl'"
    text = render(record(*many), color=False, path="it's/run.jsonl")
    assert f"  `parity explain 'OPERATION PLACE' {options} --record {path}` shows a group.\n" in text
    more = f"--adapter bass {options} --timeout 2.5 --pass-env KEY"
    assert f"explain: parity explain cases/choir/loud.yaml:7 {more}\n" in text
    assert f"list:    parity cases {options} --select 'verdict:fail:bass@it'\"'\"'s/run.jsonl'\n" in text
    errors = [replace(one, outcome=made_values.outcome(Verdict.ERROR)) for one in many[:2]]
    both = render(record(*errors, *many[2:]), color=False, path="run.jsonl")
    assert "--select verdict:error:bass@run.jsonl --select verdict:fail:bass@run.jsonl\n" in both
    assert "list:" not in render(record(*many), color=False, path="my run.jsonl")


def test_what_broke_on_the_way_is_counted_at_no_requirement() -> None:
    """A crash or a breach of the protocol tells nothing of the requirements of its case; a raised error does."""
    requirements = [("SONG-01",), ("SONG-02",)]
    broken = [
        result(f"choir/low/{kind}-{n}", "bass", Verdict.ERROR, kind=kind, reason="x", requirements=requirements[n])
        for kind in ErrorKind
        for n in range(2)
    ]
    text = render(record(*broken), color=False)
    assert re.findall(r"^ +(\d+/\d+)  (SONG-\d+)", text, re.MULTILINE) == [("1/1", "SONG-01"), ("1/1", "SONG-02")]
    broken = [one for one in broken if one.kind is not ErrorKind.IMPLEMENTATION]
    assert "requirements with failing cases" not in render(record(*broken), color=False)


def test_the_command_that_repeats_a_case() -> None:
    """The command names adapter and case, and every other option that the run was given, quoted for a shell."""
    text = render(record(failing("choir/low/v", "bass")), color=False)
    options = "--adapter bass --corpus 'my songs' --timeout 2.5 --pass-env KEY --record repeat.jsonl"
    assert f"repeat:  parity run {options} --select choir/low/v\n" in text


def test_a_report_without_colour_holds_no_escape() -> None:
    """Without colour not one escape character is printed, with colour some are."""
    assert "\x1b" not in render(full(), color=False)
    assert "\x1b[" in render(full(), color=True)


def test_nothing_of_an_adapter_can_steer_a_terminal() -> None:
    """Control characters, bidirectional marks and lone surrogates in an answer come out as escapes."""
    hostile = "\x1b[2J\u202e\ud800\r"
    difference = (Difference(f"$.{hostile}", hostile, {hostile: hostile}),)
    one = result("choir/low/v", "bass", Verdict.FAIL, difference=difference, reason=hostile, stderr=hostile)
    two = result("choir/low/w", "bass", Verdict.UNSUPPORTED, reason=hostile)
    one = replace(one, at=f"cases/{hostile}.yaml:7", case=f"choir/low/{hostile}")
    text = render(record(one, two), color=False)
    assert all(character == "\n" or character.isprintable() for character in text)
    text.encode("utf-8")


def test_an_unfinished_record_is_told_and_is_no_success() -> None:
    """An incomplete record has its sentence although every verdict in it is a pass."""
    unfinished = record(result("choir/low/v", "bass"), complete=False)
    assert "The record is incomplete (no footer): 1 of 1 verdict.\n" in render(unfinished, color=False)
    summary = summarise(unfinished)
    assert summary.missing == (MissingVerdicts(MissingCode.INCOMPLETE_RECORD, 1, 1),)
    assert (summary.exit_status, summary.trusted) == (1, False)


@pytest.mark.parametrize(
    ("wanted", "got", "lines"),
    [
        ("b", "c", ['$.x   wanted "b"   got "c"']),
        (None, ABSENT, ["$.x   wanted null   got (absent)"]),
        ("a" * 70, "b" * 70, ["$.x", f'  wanted "{"a" * 70}"', f'  got    "{"b" * 70}"']),
        (OHM, OMEGA, [f'$.x   wanted "{OHM}"   got "{OMEGA}"   {PARTED}']),
        (
            "caf\N{LATIN SMALL LETTER E WITH ACUTE}",
            "cafe\N{COMBINING ACUTE ACCENT}" + "!" * 60,
            [
                "$.x",
                '  wanted "caf\N{LATIN SMALL LETTER E WITH ACUTE}"',
                f'  got    "cafe\N{COMBINING ACUTE ACCENT}{"!" * 60}"',
                "  first differs at character 4: U+0065 instead of U+00E9",
            ],
        ),
    ],
)
def test_a_difference(wanted: Any, got: Any, lines: list[str]) -> None:
    """A short difference stands on one line, a long one on three, the sides below each other."""
    assert list(describe_edit(Changed("$.x", wanted, got))) == lines


def test_a_difference_deep_in_long_texts_is_seen() -> None:
    """Of long texts that part late, the place where they part is shown, at the same column on both sides."""
    _, wanted, got = describe_edit(Changed("$.x", "same " * 400 + "old", "same " * 400 + "new"), 80)
    assert (wanted[-6:], got[-6:]) == (' old"', ' new"') or (wanted.endswith(' old"') and got.endswith(' new"'))
    assert wanted.index("old") == got.index("new")
    assert max(len(wanted), len(got)) <= 80


def test_sections_with_failures_have_a_row() -> None:
    """Each section with a failure has the failing ones of its supported cases; of very many, the number of the others."""
    results = [failing("choir/low/v", "bass"), result("choir/low/w", "bass"), result("choir/high/v", "bass")]
    results += [result("choir/low/v", "alto", Verdict.UNSUPPORTED, reason="no")]
    text = render(record(*results), color=False)
    table = text[text.index("failures by section") :].partition("\n\n")[0].splitlines()
    assert [line.split() for line in table] == [
        ["failures", "by", "section", "bass", "alto"],
        ["choir/low", "1", "of", "2", "unsupported"],
    ]
    many = render(record(*(failing(f"choir/part_{n}/v", "bass") for n in range(70))), color=False)
    assert "… and 10 more sections" in many


def test_incidents_told_alike_are_told_once() -> None:
    """Incidents in the same words share a line with their number."""
    cough, sneeze = (made_values.incident("bass", ErrorKind.CRASH, (), seen) for seen in ("SIGCOUGH", "SIGSNEEZE"))
    text = render(record(result("choir/low/v", "bass"), incidents=(cough, sneeze, cough)), color=False)
    assert "incident: bass: The adapter was killed by SIGCOUGH. (2 times)\n" in text
    assert "incident: bass: The adapter was killed by SIGSNEEZE.\n" in text


def test_exit_status_tells_the_worst() -> None:
    """An implementation that could not start is status 3, whatever else failed; variants and unsupported cases are 0."""
    fine = [result("choir/low/v", "bass"), result("choir/low/w", "bass", Verdict.VARIANT, ruling="RUL-1")]
    unsupported = result("choir/low/x", "bass", Verdict.UNSUPPORTED, reason="no")
    assert summarise(record(*fine, unsupported)).exit_status == 0
    assert summarise(record(*fine, failing("choir/low/x", "bass"))).exit_status == 1
    assert summarise(full()).exit_status == 3


@pytest.mark.parametrize("width", [80, 120])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    """Sentences are wrapped and tables cut; only a command, which is pasted whole, can be wider."""
    lines = render(full(), color=False, width=width).splitlines()
    assert [line for line in lines if len(line) > width and "parity " not in line] == []
