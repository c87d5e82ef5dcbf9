"""Documents at a terminal and as pages of an issue: the same blocks, each fact once."""

from __future__ import annotations

import pytest
from made_records import HOSTILE
from rich.text import Text

from harness.report.document import Block, Code, Heading, Item, LaidOut, Table, literal, sections
from harness.report.document_terminal import Medium, render_document

MARKDOWN = Medium(is_markdown=True)


def page() -> list[Block]:
    titled: dict[str, list[Block]] = {
        "": [Heading(2, "RUL-1  A tune"), Item("question: which?")],
        "readings": [Item("a: this one"), Item("bass: 2 cases", 1), literal("choir/verse/low", 2)],
        "nothing": [],
        "differences": [LaidOut([Text("$.tune"), Text("  wanted ```")])],
        "causes": [Table(["cause", "cases"], [["deaf", "12"]], numbers=1)],
    }
    return list(sections(titled.items()))


def test_a_document_at_a_terminal() -> None:
    """Empty sections are left out, sections with a heading are indented, and numbers stand at the right of their column."""
    assert render_document(page(), Medium()) == (
        "RUL-1  A tune\nquestion: which?\n"
        "\nreadings\n  a: this one\n    bass: 2 cases\n      choir/verse/low\n"
        "\ndifferences\n  $.tune\n    wanted ```\n"
        "\ncauses\n  cause  cases\n  deaf      12\n"
    )


def test_a_document_as_markdown() -> None:
    """Lines are items below each other, names are code, and a laid-out block has a fence that its text does not close."""
    assert render_document(page(), MARKDOWN) == (
        "## RUL-1  A tune\n\n- question: which?\n"
        "\n### readings\n\n- a: this one\n  - bass: 2 cases\n    - `choir/verse/low`\n"
        "\n### differences\n\n````text\n$.tune\n  wanted ```\n````\n"
        "\n### causes\n\n| cause | cases |\n| :--- | ---: |\n| deaf | 12 |\n"
    )


@pytest.mark.parametrize("is_code", [True, False])
def test_nothing_in_markdown_is_markup_or_a_mention(is_code: bool) -> None:
    """Foreign text makes no tag, no link, no mention and no code of its own."""
    text = f"{HOSTILE} https://example.org"
    shown = render_document([Item([Code(text, 1000)] if is_code else text)], MARKDOWN)
    line = next(line for line in shown.splitlines() if "someone" in line)
    assert line.startswith("- ```" if is_code else "- \\<")
    if not is_code:
        assert [part for part in ("@someone", "https://", " <img", "[a]", " `tick") if part in line] == []


def test_no_line_begins_with_a_part_of_a_foreign_text() -> None:
    """A wrapped line could be a command of a CI log, so literal text stays on its line, whatever the width."""
    shown = render_document([Item(["go is not tested: ", Code("x " * 30 + "\n::error::gone")])], Medium(width=20))
    assert len(shown.splitlines()) == 1
    assert "\\n::error::gone" in shown


def test_a_wrapped_line_keeps_its_indent() -> None:
    """The parts of a long line stand below each other."""
    assert render_document([Item("one two three", 1)], Medium(width=10)) == "  one two\n  three\n"
