"""Pages of sections, at a terminal and as Markdown."""

from __future__ import annotations

import pytest
from made_records import HOSTILE
from rich.console import Group, RenderableType
from rich.text import Text

from harness.errors import one_line
from harness.report.sections import Medium, render_sections

MARKDOWN = Medium(is_markdown=True)


def page() -> dict[str, list[RenderableType]]:
    return {
        "": [Text("RUL-1  A tune"), Text("question: which?")],
        "readings": [Text("a: this one"), Text("  bass: 2 cases"), Text("    choir/verse/low", no_wrap=True)],
        "nothing": [],
        "differences": [Group(Text("$.tune"), Text("  wanted ```"))],
    }


def test_sections_at_a_terminal() -> None:
    """Empty sections are left out, and sections with a heading are indented."""
    assert render_sections(page(), Medium()) == (
        "RUL-1  A tune\nquestion: which?\n"
        "\nreadings\n  a: this one\n    bass: 2 cases\n      choir/verse/low\n"
        "\ndifferences\n  $.tune\n    wanted ```\n"
    )


def test_sections_as_markdown() -> None:
    """Lines are items below each other, names are code, and a laid-out block has a fence that its text does not close."""
    assert render_sections(page(), MARKDOWN) == (
        "## RUL-1  A tune\n- question: which?\n"
        "\n### readings\n- a: this one\n  - bass: 2 cases\n    - `choir/verse/low`\n"
        "\n### differences\n````text\n$.tune\n  wanted ```\n````\n\n"
    )


@pytest.mark.parametrize("no_wrap", [True, False])
def test_nothing_in_markdown_is_markup_or_a_mention(no_wrap: bool) -> None:
    """Foreign text makes no tag, no link, no mention and no code of its own."""
    text = one_line(f"{HOSTILE} https://example.org", 1000)
    shown = render_sections({"": [Text("title")], "foreign": [Text(text, no_wrap=no_wrap)]}, MARKDOWN)
    line = next(line for line in shown.splitlines() if "someone" in line)
    assert line.startswith("- ```" if no_wrap else "- \\<")
    if not no_wrap:
        assert [part for part in ("@someone", "https://", " <img", "[a]", " `tick") if part in line] == []
