"""A document in Markdown and in HTML: what went in comes out as text."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from harness.report.document import Code, Heading, Paragraph, Table, as_html, as_markdown, prose

GITHUB = MarkdownIt("commonmark", {"html": True}).enable("table")


@pytest.mark.parametrize(
    "text", ["a*b*c", "[a](b)", "<b>", "a|b", "# a", "_a_", "~~a~~", "1 & 2", "\\*", "![a](b)", "$x$"]
)
def test_written_text_stays_as_it_is(text: str) -> None:
    """In Markdown and in HTML a text comes out as the characters that went in."""
    (inline,) = [token for token in GITHUB.parse(as_markdown([Paragraph([text])])) if token.children]
    assert "".join(child.content for child in inline.children or ()) == text
    table = GITHUB.parse(as_markdown([Table([["head"]], [[[text]]])]))
    assert [t.content for t in table if t.type == "inline"][-1] != ""
    assert "<b>" not in as_html([Paragraph([text])])


def test_backticks_in_written_text_are_code() -> None:
    """Pairs of backticks make code; a single one is a character."""
    assert prose("the row `initial` is first") == ["the row ", Code("initial", 4000), " is first"]
    assert prose("a ` alone") == ["a ` alone"]


def test_a_page_has_the_documents_title() -> None:
    """The first heading names the page."""
    assert "<title>Notes &lt;1&gt;</title>" in as_html([Heading(1, "Notes <1>")])
