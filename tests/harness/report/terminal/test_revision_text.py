"""The table of a history."""

from __future__ import annotations

from made_records import failing, record, result

from harness.report.document_terminal import Medium
from harness.report.terminal.revision_text import Step, render_history
from harness.transport.repository import Revision


def test_at_a_terminal_the_table_has_only_numbers_that_occur() -> None:
    """A column without a number is left out, and no line is wider than the terminal; Markdown has every column."""
    made = record(result("choir/verse/a", "bass"), failing("choir/verse/b", "bass"))
    steps = [
        Step(Revision("1" * 40, "1111111", "2026-11-01", "A long subject " * 9), made),
        Step(Revision("2" * 40, "2222222", "2026-11-02", "Broken"), problem="It does not build."),
    ]
    lines = render_history(steps, Medium(60), is_repeatable=False).splitlines()
    assert lines[0].split() == ["revision", "date", "subject", "pass", "fail"]
    assert max(map(len, lines)) <= 60
    markdown = render_history(steps, Medium(is_markdown=True), is_repeatable=False)
    assert "unsupported" in markdown.splitlines()[0]
