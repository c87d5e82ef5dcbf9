"""RunSummary → JUnit XML that follows the schemas of both Ant and Jenkins: the tests of `run_tests.py`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...base.text_limits import MAX_TEXT
from ...errors import one_line
from ..run_summary import RunSummary
from ..templates import render_template
from .run_tests import run_suites


def render(summary: RunSummary) -> str:
    """The whole document."""
    return "".join(stream(summary))


def stream(summary: RunSummary) -> Iterator[str]:
    """The document in pieces, one for each test suite."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n'
    for number, suite in enumerate(run_suites(summary)):
        yield render_template(
            "ci/junit.xml.jinja",
            id=number,
            name=one_line(suite.name, MAX_TEXT),
            timestamp=one_line(summary.record.metadata.started_at).rstrip("Z") or "1970-01-01T00:00:00",
            tests=suite.tests,
            counts=Counter(test.tag for test in suite.tests),
            output=suite.output,
            properties=suite.properties,
        )
    yield "</testsuites>\n"
