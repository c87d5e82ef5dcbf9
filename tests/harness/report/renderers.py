"""The reports as functions of a record: each summarises the record and renders the summary."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import harness.report.ci.json_summary
import harness.report.ci.junit
import harness.report.ci.markdown
import harness.report.review.review
import harness.report.site.single_page
import harness.report.terminal.console
import harness.report.terminal.first_screen
from harness.model import RunRecord
from harness.report.run_summary import summarise


@dataclass(frozen=True, slots=True)
class Report:
    """One report."""

    name: str
    of_summary: Callable[..., str]

    def render(self, record: RunRecord, *arguments: Any, **options: Any) -> str:
        """The report of a record."""
        return self.of_summary(summarise(record), *arguments, **options)


console = Report("console", harness.report.terminal.console.render)
first_screen = Report("first_screen", harness.report.terminal.first_screen.render)
html = Report("html", harness.report.site.single_page.render)
json_summary = Report("json_summary", harness.report.ci.json_summary.render)
badge = Report("badge", harness.report.ci.json_summary.render_badge)
junit = Report("junit", harness.report.ci.junit.render)
markdown = Report("markdown", harness.report.ci.markdown.render)
review = Report("review", harness.report.review.review.render)
