"""Templates: what goes in comes out as text, and a missing value is an error."""

from __future__ import annotations

import pytest
from jinja2 import UndefinedError
from made_records import HOSTILE

from harness.report.document import Code, Heading, Link, Paragraph, Span, Strong, Table, as_html
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
