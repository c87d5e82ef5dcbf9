"""How each verdict looks in the formats, one row each; the site has its colours in `style.css`."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ..model import Verdict


class Look(Struct, frozen=True):
    """The `style` in a terminal, the `element` in JUnit (empty: a pass), and the `title` of its column on the screen of a
    run (empty: it has none)."""

    style: str
    element: str = ""
    title: str = ""


LOOKS: Mapping[Verdict, Look] = {
    Verdict.PASS: Look("green", title="pass"),
    Verdict.VARIANT: Look("cyan", title="other reading"),
    Verdict.FAIL: Look("red", "failure", "fail"),
    Verdict.ERROR: Look("bold red", "error", "error"),
    Verdict.UNSUPPORTED: Look("dim", "skipped"),
}
"""The look of each verdict."""
