"""Crashes, timeouts and protocol errors come before differences, and no report folds them away."""

from __future__ import annotations

from made_records import failing, groups, record, result
from renderers import console, html, markdown

from harness.model import ErrorKind, RecordedResult, Verdict
from harness.report.failure_groups import MAX_FIRST, count_first

KINDS = (ErrorKind.CRASH, ErrorKind.TIMEOUT, ErrorKind.PROTOCOL)


def broken() -> list[RecordedResult]:
    """Twelve groups of breaks, of four operations and three kinds each, and a difference in each case of a suite."""
    return [
        *(failing(f"choir/verse/difference-{number}", "bass") for number in range(20)),
        *(
            result(f"choir/break/{kind}-{part}", "bass", Verdict.ERROR, kind=kind, operation=f"choir.part{part}")
            for part in range(4)
            for kind in KINDS
        ),
    ]


def test_all_breaks_are_among_the_first_groups() -> None:
    """Every group of breaks comes before the others, however many they are."""
    made = groups(*broken())
    assert count_first(made) == 12
    assert [group.results[0].kind for group in made[:12]] == [kind for kind in KINDS for _ in range(4)]
    assert count_first(groups(failing("choir/verse/a", "bass"))) == MAX_FIRST


def test_no_break_is_in_a_fold() -> None:
    """At the terminal each group of breaks has a line; in Markdown and HTML each comes before the first fold."""
    made = record(*broken())
    at_terminal = console.render(made, color=False)
    folded = markdown.render(made).partition("<details>")[0]
    visible = html.render(made).partition("Failure groups")[2].partition("<details>")[0]
    for kind in KINDS:
        for part in range(4):
            assert f"choir.part{part} error/{kind}" in at_terminal
            assert f"`choir.part{part}` `error/{kind}" in folded
            assert f"choir.part{part}" in visible


def test_the_cases_in_full_are_of_different_kinds() -> None:
    """The three cases that the terminal shows in full are one crash, one timeout and one protocol error."""
    text = console.render(record(*broken()), color=False)
    shown = [line.split()[0] for line in text.splitlines() if line.startswith("  error/")]
    assert shown == ["error/crash:", "error/timeout:", "error/protocol:"]
