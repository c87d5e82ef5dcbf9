"""Workflow commands: a runner reads each title and message as they were, and obeys nothing else in them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from made_records import HOSTILE, entry, everything, failing, record, result, with_metadata

from harness.model import ChangedFile, GateFile, RecordedResult, RunRecord, SdkState, Status, Verdict, replace
from harness.report.ci.workflow_commands import MAX_COMMANDS, Annotation, Level, annotations_of, command, stream
from harness.report.run_summary import summarise


def read(text: str) -> list[tuple[str, dict[str, str], str]]:
    """The level, the members and the message of each command, as a runner reads them."""
    commands = []
    for line in re.split(r"\r\n|\r|\n", text)[:-1]:
        head, _, message = line.removeprefix("::").partition("::")
        level, _, rest = head.partition(" ")
        assert line.startswith("::") and level in [*Level], line
        members = dict(member.split("=", 1) for member in rest.split(","))
        commands.append((level, {name: _plain(value) for name, value in members.items()}, _plain(message)))
    return commands


def _plain(text: str) -> str:
    for code, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, character)
    return text


@pytest.mark.parametrize(
    "text", ["", "::set-env name=PATH::x", "a\n::add-path::/tmp", "a\r::stop-commands::x", "%::x", "a::b,file=x"]
)
def test_no_text_leaves_its_command(text: str) -> None:
    """Neither as a title nor as a message nor as the name of a file. A title is one line."""
    line = command(Annotation(Level.ERROR, text, text, (text, 3)))
    said = text.replace("\r", "\\r")
    title = said.replace("\n", "\\n")
    assert read(line) == [("error", {"title": title, "file": said, "line": "3"}, said)]


def test_hostile_answers_stay_in_their_commands() -> None:
    """Whatever an adapter says, each annotation is one command."""
    summary = summarise(everything())
    assert len(read("".join(stream(summary)))) == len([*annotations_of(summary)])
    [(_, members, _)] = read(command(Annotation(Level.WARNING, HOSTILE, HOSTILE)))
    assert members["title"].isprintable()


SDK = SdkState(
    "0" * 64, "c" * 40, changes=(ChangedFile("src/mouth.go", ((7, 9),)),), reached={"song.sing": ("src/mouth.go",)}
)


def gated(*results: RecordedResult, **defects: Any) -> RunRecord:
    """The record of a gate over a change of `src/mouth.go`."""
    file = GateFile(**{"digest": "d", "unmatched": (), "without_reason": 0, "path": "known.yaml", **defects})
    return with_metadata(record(*results), gate=file, implementations=(replace(entry("bass"), sdk=SDK),))


def told(made: RunRecord) -> list[tuple[str, dict[str, str], str]]:
    return read("".join(stream(summarise(made))))


def test_a_red_gate_shows_its_groups_and_what_the_file_needs() -> None:
    """The result first, an error for each group of new failures at a line of the change, a warning for what only the file
    needs at a line of the file."""
    known = failing("choir/verse/first", "bass", expectation=(Status.KNOWN, "It cannot sing."))
    stale = result(
        "choir/verse/second", "bass", expectation=(Status.STALE, "It could not.", None, "/somewhere/known.yaml:4")
    )
    new = [failing(f"choir/verse/{name}", "bass") for name in ("third", "fourth")]
    mute = result("choir/verse/fifth", "bass", Verdict.UNSUPPORTED, reason="no voice")
    shown = told(
        gated(known, stale, *new, mute, unmatched=("choir/gone",), places={"choir/gone": "/somewhere/known.yaml:6"})
    )
    assert shown == [
        (
            "error",
            {"title": "parity"},
            "gate: red (3 new, 1 stale case, 1 unmatched), 1 known divergence. The summary of this job says what to do.",
        ),
        (
            "error",
            {"title": "bass: song.sing $.tune", "file": "src/mouth.go", "line": "7"},
            '2 cases, e.g. choir/verse/fourth: $.tune wanted "fa" got "so"\nSONG-01  A song is sung to its end.',
        ),
        ("error", {"title": "song.sing: 1 case unsupported"}, "no voice"),
        (
            "warning",
            {"title": "1 stale case", "file": "known.yaml", "line": "4"},
            "The known-divergence file lists a failure that no longer occurs. E.g. choir/verse/second",
        ),
        (
            "warning",
            {"title": "1 unmatched line", "file": "known.yaml", "line": "6"},
            "The corpus has no such case or operation. E.g. choir/gone",
        ),
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
