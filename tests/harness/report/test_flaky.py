"""Flaky cases are in every report, and no report with one is green."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

from made_records import HOSTILE, failing, record, result
from renderers import console, html, json_summary, junit, markdown

from harness.model import JsonObject, RunRecord
from harness.report.ci.badge import badge as badge_value
from harness.report.ci.json_summary import as_value
from harness.report.run_summary import Doubt, summarise

WANTED: JsonObject = {"passes": [1, 3], "verdict": "pass", "answer": {"answer": {"tune": "fa"}}}

READINGS: tuple[JsonObject, ...] = (
    {"passes": [1, 2], "verdict": "pass", "reading": "a"},
    {"passes": [3], "verdict": "variant", "reading": "b"},
)


def other(got: str = "so") -> JsonObject:
    """The execution that fails."""
    return {"passes": [2], "verdict": "fail", "signature": "0123456789ab", "answer": {"answer": {"tune": got}}}


def shaky(got: str = "so") -> RunRecord:
    """A case that passes twice of three times, and one that never fails but follows another reading once."""
    one = failing("choir/verse/a", "bass", got, flaky=(WANTED, other(got)))
    return record(one, result("choir/verse/b", "bass", flaky=READINGS), result("choir/verse/c", "bass"))


def unstable_only() -> RunRecord:
    """A passing case that fails once, and one that passes."""
    return record(result("choir/verse/b", "bass", flaky=(WANTED, other())), result("choir/verse/c", "bass"))


SENTENCE = "bass: 2 cases are flaky"
PASSES = ['executions 1, 3: pass {"answer":{"tune":"fa"}}', 'execution 2: fail {"answer":{"tune":"so"}}']


def cases(made: RunRecord) -> dict[str | None, list[Any]]:
    found = ElementTree.fromstring(junit.render(made).encode()).iter("testcase")
    return {case.get("name"): list(case) for case in found}


def test_the_same_words_everywhere() -> None:
    """Console, Markdown and page tell count and passes in the same words."""
    assert f"flaky: {SENTENCE}:" in console.render(shaky(), color=False)
    assert all(f"    {line}\n" in console.render(shaky(), color=False) for line in PASSES)
    text = markdown.render(shaky())
    assert text.startswith("## parity: `1 of 3 answers fails, 1 verdict is flaky`\n")
    assert f"**Flaky:** `{SENTENCE}`" in text
    assert f"- `choir/verse/a`: {', '.join(f'`{line}`' for line in PASSES)}" in text
    page = html.render(shaky())
    assert f'<p class="alarm">{SENTENCE}.</p>' in page
    first, second = page.split('<details class="case"')[1:]
    assert all(line.replace('"', "&#34;") in first for line in PASSES)
    assert ["<small>flaky</small>" in one for one in (first, second)] == [True, True]


def test_the_list_for_programs() -> None:
    """JSON has each case with what names its answers, and when they came."""
    assert as_value(summarise(shaky()))["flaky"] == [
        {
            "case": "choir/verse/a",
            "implementation": "bass",
            "answers": [
                {"passes": [1, 3], "verdict": "pass"},
                {"passes": [2], "verdict": "fail", "signature": "0123456789ab"},
            ],
        },
        {
            "case": "choir/verse/b",
            "implementation": "bass",
            "answers": [
                {"passes": [1, 2], "verdict": "pass", "readings": {"RUL-1": "a"}},
                {"passes": [3], "verdict": "variant", "readings": {"RUL-1": "b"}},
            ],
        },
    ]
    assert as_value(summarise(record(result("choir/verse/c", "bass"))))["flaky"] == []


def test_an_unstable_pass_is_not_green() -> None:
    """Where no verdict fails but one is flaky, the status is 1 and no report says that all is well."""
    made = unstable_only()
    summary = summarise(made)
    assert (summary.exit_status, summary.doubts, summary.is_clean) == (1, (Doubt.FLAKY,), False)
    assert badge_value(summary)["message"] == "flaky"
    assert badge_value(summary)["color"] == "critical"
    assert markdown.render(made).startswith("## parity: `1 verdict is flaky`\n")
    assert '<h1 class="bad">1 verdict is flaky</h1>' in html.render(made)
    (failure,) = cases(made)["b"]
    assert (failure.tag, failure.get("type")) == ("failure", "flaky")


def test_another_reading_in_one_execution_is_green() -> None:
    """A case that only varies between readings never fails; it is listed and fails no run and no JUnit test."""
    made = record(result("choir/verse/b", "bass", flaky=READINGS), result("choir/verse/c", "bass"))
    summary = summarise(made)
    assert (summary.exit_status, summary.doubts, summary.is_clean) == (0, (), True)
    assert "flaky: bass: 1 case is flaky:" in console.render(made, color=False)
    assert [child.tag for child in cases(made)["b"]] == []


def test_junit_tells_the_passes() -> None:
    """The text of an flaky failure has what came in which passes."""
    (failure,) = cases(shaky())["a"]
    assert (failure.tag, failure.get("type")) == ("failure", "fail")
    assert all(line in failure.text for line in PASSES)


def test_hostile_answers_stay_text() -> None:
    """Nothing of an flaky answer is markup or steers a terminal."""
    made = shaky(HOSTILE)
    text = console.render(made, color=False)
    assert all(character == "\n" or character.isprintable() for character in text)
    assert "<img" not in html.render(made)
    assert cases(made)["a"]
    assert json.loads(json_summary.render(made))
