"""The HTML page: the contents of the file."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from typing import Any

from made_records import HOSTILE, entry, everything, failing, record, result
from renderers import html, page_data

from harness.model import Difference
from harness.report.failure_group_table import page_groups
from harness.report.summary import in_corpus_order, summarise
from harness.report.templates import as_script

render = html.render

TUNE = Difference("$.tune", "fa", "so")


def test_nothing_is_loaded_and_only_our_script_runs() -> None:
    """The policy allows the one script and the one style by their digests; the file names no address."""
    page = render(everything())
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    assert policy
    rules = dict(rule.split(" ", 1) for rule in policy[1].split("; "))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    for tag, rule in (("script", "script-src"), ("style", "style-src")):
        bodies = re.findall(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        assert len(bodies) == 1
        digest = base64.b64encode(hashlib.sha256(bodies[0].encode()).digest()).decode()
        assert rules[rule] == f"'sha256-{digest}'"
    plain = render(record(result("choir/verse/first", "alto")))
    assert not re.search(r"https?://|<link|@import|url\(|\ssrc=|\sstyle=|\son\w+=", plain)
    assert "innerHTML" not in page


def _data(page: str) -> str:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return found[1]


def test_the_data_cannot_end_its_element() -> None:
    """Embedded JSON is ASCII without a character that HTML gives a meaning to, and still the same value."""
    page = render(everything())
    assert _data(page).isascii()
    assert not set(_data(page)) & set("<>&")
    made = in_corpus_order(everything())
    assert json.loads(_data(page)) == json.loads(json.dumps(page_data(made, None, page_groups(summarise(made)))))
    assert json.loads(as_script(HOSTILE)) == HOSTILE


def test_expected_answers_are_in_the_page_once() -> None:
    """A passing answer equal to the expected one, apart from unobservable places, is not in the page; any other is."""
    close = {"answer": {"tune": "fa", "more": 1}}
    made = record(
        result("choir/verse/first", "alto"),
        result("choir/verse/first", "bass", answer=close),
        result("choir/verse/first", "mezzo", expected=close, answer={"answer": {"tune": "fa"}}),
        entries=[entry("alto"), entry("bass"), entry("mezzo", unobservable={"song.sing": ["/more"]})],
    )
    data: Any = page_data(made, None)
    (case,) = data["cases"]
    results: Any = case["results"]
    assert results == {
        "alto": {"verdict": "pass", "ms": 1.5},
        "bass": {"verdict": "pass", "ms": 1.5, "answer": close},
        "mezzo": {"verdict": "pass", "ms": 1.5, "unobservable": ["/more"]},
    }


def test_huge_answers_are_cut() -> None:
    """The page has the beginning of an answer of megabytes, and its differences around the first differing character."""
    long = "x" * 3_000_000
    page = render(record(failing("choir/verse/first", "bass", long)))
    assert len(page) < 100_000
    results: Any = json.loads(_data(page))["cases"][0]["results"]["bass"]
    assert results["answerCut"]["length"] > 3_000_000
    assert results["differences"][0]["got"].endswith("…")


def test_the_summary_needs_no_script() -> None:
    """Headline, alarms and the heat map are in the file itself, every cell with its numbers in words."""
    page = render(everything())
    head = page[: page.index('<section aria-labelledby="browse-heading"')]
    assert (
        '<h1 class="bad">4 of 10 verdicts fail, 1 adapter did not start (mute), 1 incident, bass answered 3 of 5 cases</h1>'
        in head
    )
    assert "wings is not on PATH" in page
    assert "50%<small>1 fail</small>" in head
    assert "not started</a>" in head
    assert "<img" not in page
    assert "\u202e" not in page
    assert '<h1 class="good">No failures</h1>' in render(record(result("choir/verse/first", "alto")))


def test_the_page_of_an_unfinished_record() -> None:
    """The heading of a record without a footer is that the run did not end, whatever its verdicts are."""
    page = render(record(result("choir/verse/first", "alto"), complete=False))
    assert '<h1 class="bad">The run is incomplete</h1>' in page
    assert "The record is incomplete (no footer)" in page
