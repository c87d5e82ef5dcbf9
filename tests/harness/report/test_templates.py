"""Templates: what goes in comes out as text, and a missing value is an error."""

from __future__ import annotations

from html import unescape

import pytest
from jinja2 import UndefinedError
from made_records import HOSTILE
from rich.text import Text

from harness.report.document import Code, Heading, LaidOut, Link, Paragraph, Span, Strong, Table, as_html
from harness.report.templates import render_template


def test_a_value_is_escaped_wherever_it_stands() -> None:
    """In text, in an attribute and in the title, no value becomes markup, and no character steers a terminal."""
    spans: list[Span] = [HOSTILE, Strong(HOSTILE, HOSTILE), Code(HOSTILE, 1000), Link(HOSTILE, HOSTILE)]
    page = as_html([Heading(1, HOSTILE, HOSTILE), Paragraph(spans), Table([spans], [[spans]])])
    assert "<script" not in page
    assert "<img" not in page
    assert not set(page) & {"\u202e", "\u2028", "\x1b", "\x00"}
    assert page.count("&lt;/script&gt;") == 2 * (1 + 2 + 3 * 6)


def test_a_missing_value_is_an_error() -> None:
    """A template does not render without a value."""
    with pytest.raises(UndefinedError):
        render_template("document.html.jinja", title="")


@pytest.mark.parametrize("command", ["::error::gone", "  ::add-mask::x", "##[error]gone", "##vso[task.complete]"])
def test_no_line_of_a_page_is_a_command_of_a_ci_log(command: str) -> None:
    """A page that a CI log prints shows the text of a command to a browser, and the log finds none."""
    page = as_html([Paragraph([f"a {command}", Code(command)]), LaidOut([Text(f"one\n{command}")])])
    lines = [line.strip() for line in page.splitlines()]
    assert [line for line in lines if line.startswith("::") or "##[" in line or "##vso[" in line] == []
    assert unescape(page).count(command) == 3
