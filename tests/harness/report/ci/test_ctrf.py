"""CTRF: the failing cases; known ones are skipped."""

from __future__ import annotations

import json
from typing import Any

from made_records import HOSTILE, crash, everything, failing, record, result, with_metadata

from harness.model import GateFile, RunRecord, Status, Verdict
from harness.report.ci import ctrf
from harness.report.run_summary import summarise


def ctrf_results(made: RunRecord) -> Any:
    return json.loads("".join(ctrf.stream(summarise(made))))["results"]


def test_known_failures_of_a_gate() -> None:
    """A known failure is skipped, with its reason. A new one stays."""
    listed = failing("choir/verse/first", "bass", expectation=(Status.KNOWN, "It cannot sing."))
    made = with_metadata(
        record(listed, failing("choir/verse/second", "bass")), gate=GateFile(digest="d", unmatched=(), without_reason=0)
    )
    assert [test["status"] for test in ctrf_results(made)["tests"]] == ["skipped", "failed"]
    assert ctrf_results(made)["tests"][0]["message"] == "known: It cannot sing."


def test_every_verdict_in_ctrf() -> None:
    """pass and variant pass, unsupported is skipped, fail and error fail; the summary counts them."""
    made = record(
        result("choir/verse/first", "bass", ms=2.4),
        result("choir/verse/second", "bass", Verdict.VARIANT, ruling="RUL-1", reading="b"),
        result("choir/verse/third", "bass", Verdict.UNSUPPORTED, reason="no voice"),
        failing("choir/verse/fourth", "bass"),
        crash("choir/verse/fifth", "bass"),
    )
    found = ctrf_results(made)
    states = {test["name"]: (test["status"], test["rawStatus"]) for test in found["tests"]}
    assert states == {
        "choir/verse/first (bass)": ("passed", "pass"),
        "choir/verse/second (bass)": ("passed", "variant"),
        "choir/verse/third (bass)": ("skipped", "unsupported"),
        "choir/verse/fourth (bass)": ("failed", "fail"),
        "choir/verse/fifth (bass)": ("failed", "error"),
    }
    counts = {name: found["summary"][name] for name in ("tests", "passed", "failed", "skipped")}
    assert counts == {"tests": 5, "passed": 2, "failed": 2, "skipped": 1}
    assert found["summary"]["stop"] >= found["summary"]["start"]


def test_hostile_texts_are_escaped() -> None:
    """No control character of an implementation reaches the document."""
    text = "".join(ctrf.stream(summarise(everything())))
    assert not [c for c in json.dumps(json.loads(text), ensure_ascii=False) if not c.isprintable()], HOSTILE
