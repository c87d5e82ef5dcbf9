"""How each verdict looks in the formats, one row each; the site has its colours in `style.css`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..model import Verdict


@dataclass(frozen=True, slots=True)
class Look:
    """The `label` of a narrow column, the `style` in a terminal, the `element` in JUnit (empty: a pass), and the `title` of
    the column on the screen of a run (empty: it has none)."""

    label: str
    style: str
    element: str = ""
    title: str = ""


LOOKS: Mapping[Verdict, Look] = {
    Verdict.PASS: Look("pass", "green", title="pass"),
    Verdict.FAIL: Look("fail", "red", "failure", "fail"),
    Verdict.ERROR: Look("err", "bold red", "error", "error"),
    Verdict.VARIANT: Look("var", "cyan", title="other reading"),
    Verdict.UNSUPPORTED: Look("uns", "dim", "skipped"),
}
"""The look of each verdict, in the order of narrow columns."""
