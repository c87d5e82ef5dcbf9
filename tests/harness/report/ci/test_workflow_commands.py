"""Workflow commands: a runner reads each title and message as they were, and obeys nothing else in them."""

from __future__ import annotations

import re

import pytest
from made_records import HOSTILE, everything, failing, record, result

from harness.model import GateFile, RecordedResult, RunRecord, Status, Verdict, replace
from harness.report.ci.workflow_commands import MAX_COMMANDS, Annotation, Level, annotations_of, command, stream
from harness.report.run_summary import summarise


def read(text: str) -> list[tuple[str, str, str]]:
    """The level, the title and the message of each command, as a runner reads them."""
    commands = []
    for line in re.split(r"\r\n|\r|\n", text)[:-1]:
        head, _, message = line.removeprefix("::").partition("::")
        level, _, title = head.partition(" title=")
        assert line.startswith("::") and level in [*Level] and "," not in title and ":" not in title, line
        for code, character in (("%3A", ":"), ("%2C", ",")):
            title = title.replace(code, character)
        commands.append((level, _plain(title), _plain(message)))
    return commands


def _plain(text: str) -> str:
    return text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "::set-env name=PATH::x",
        "a\n::add-path::/tmp",
        "a\r::stop-commands::x",
        "%0A::x",
        "%250A,b:c",
        "a::b,file=x",
    ],
)
def test_no_text_leaves_its_command(text: str) -> None:
    """Neither as a title nor as a message."""
    escaped = text.replace("\r", "\\r")
    assert read(command(Annotation(Level.ERROR, text, text))) == [("error", escaped, escaped)]


def test_hostile_answers_stay_in_their_commands() -> None:
    """Whatever an adapter says, each annotation is one command."""
    summary = summarise(everything())
    assert len(read("".join(stream(summary)))) == len([*annotations_of(summary)])
    said = read(command(Annotation(Level.WARNING, HOSTILE, HOSTILE)))
    assert said[0][1].isprintable()


def gated(*results: RecordedResult, **defects: object) -> RunRecord:
    """The record of a gate."""
    made = record(*results)
    file = GateFile(**{"digest": "d", "unmatched": (), "without_reason": 0, **defects})  # type: ignore[arg-type]
    return replace(made, metadata=replace(made.metadata, gate=file))


def told(made: RunRecord) -> list[tuple[str, str, str]]:
    return read("".join(stream(summarise(made))))


def test_a_red_gate_shows_its_groups_and_what_the_file_needs() -> None:
    """The result first, an error for each group of new failures, a warning for what only the file needs."""
    known = failing("choir/verse/first", "bass", expectation=(Status.KNOWN, "It cannot sing."))
    stale = result("choir/verse/second", "bass", expectation=(Status.STALE, "It could not."))
    new = [failing(f"choir/verse/{name}", "bass") for name in ("third", "fourth")]
    mute = result("choir/verse/fifth", "bass", Verdict.UNSUPPORTED, reason="no voice")
    shown = told(gated(known, stale, *new, mute, unmatched=("choir/gone",)))
    assert shown == [
        (
            "error",
            "parity",
            "gate: red (3 new, 1 stale case, 1 unmatched), 1 known divergence. The summary of this job says what to do.",
        ),
        (
            "error",
            "bass: song.sing $.tune",
            '2 cases, e.g. choir/verse/fourth: $.tune wanted "fa" got "so"\nSONG-01  A song is sung to its end.',
        ),
        ("error", "song.sing: 1 case unsupported", "no voice"),
        (
            "warning",
            "1 stale case",
            "The known-divergence file lists a failure that no longer occurs. Delete its line. E.g. choir/verse/second",
        ),
        ("warning", "1 unmatched line", "The corpus has no such case or operation. E.g. choir/gone"),
    ]


def test_a_green_gate_shows_nothing() -> None:
    """Known failures are no annotation."""
    assert told(gated(failing("choir/verse/first", "bass", expectation=(Status.KNOWN, "It cannot sing.")))) == []


def test_no_more_than_github_shows() -> None:
    """The last of ten says how many groups are left."""
    failures = [failing(f"choir/verse/{number}", "bass", operation=f"song.sing{number}") for number in range(14)]
    shown = told(gated(*failures))
    assert len(shown) == MAX_COMMANDS
    assert shown[-1][2] == "and 6 more. The summary of this job has them all."
