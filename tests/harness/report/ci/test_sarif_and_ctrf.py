"""SARIF and CTRF: the failing cases at their places; known ones are suppressed or skipped."""

from __future__ import annotations

import json
from typing import Any

from made_records import HOSTILE, crash, entry, everything, explained, failing, record, result, with_metadata

from harness.model import Cause, Choice, GateFile, RunRecord, SdkState, Status, Verdict, replace
from harness.report.ci import ctrf, sarif
from harness.report.run_summary import summarise
from harness.report.terminal import first_screen


def sarif_run(made: RunRecord, number: int = 0) -> Any:
    return json.loads("".join(sarif.stream(summarise(made))))["runs"][number]


def ctrf_results(made: RunRecord) -> Any:
    return json.loads("".join(ctrf.stream(summarise(made))))["results"]


def place(file: str, line: int) -> Any:
    return {"physicalLocation": {"artifactLocation": {"uri": file}, "region": {"startLine": line}}}


def test_a_failure_lies_at_the_cause_in_the_source() -> None:
    """A cause is in the message; its place is the location, and the case is related. Without one it lies at its case."""
    known = explained(failing("choir/verse/first", "bass"), Choice((), ("deaf",)))
    made = record(known, failing("choir/verse/second", "bass"), result("choir/verse/third", "bass"))
    cause = Cause("deaf", "It does not listen.", "src/ear.go:12")
    made = with_metadata(made, implementations=(replace(entry("bass"), causes=(cause,)),))
    first, second = sarif_run(made)["results"]
    assert first["locations"] == [place("src/ear.go", 12)]
    assert first["message"]["text"].endswith("; as predicted by deaf")
    assert first["relatedLocations"] == [place("cases/choir/verse.yaml", 7)]
    assert second["locations"] == [place("cases/choir/verse.yaml", 7)]
    assert second["message"]["text"] == 'choir/verse/second: $.tune wanted "fa" got "so"'
    assert first["ruleId"] == "SONG-01"
    assert sarif_run(made)["tool"]["driver"]["rules"][0]["shortDescription"]["text"] == "A song is sung to its end."


def test_the_rule_is_the_requirement_that_the_screen_names() -> None:
    """Of several charged requirements both name the one of which most cases fail, whatever the order in the case."""
    both = failing("choir/verse/first", "bass", requirements=("SONG-01", "SONG-02"))
    made = record(
        both,
        failing("choir/verse/second", "bass", requirements=("SONG-02",)),
        result("choir/verse/third", "bass", requirements=("SONG-01",)),
    )
    assert [one["ruleId"] for one in sarif_run(made)["results"]] == ["SONG-02", "SONG-02"]
    screen = first_screen.render(summarise(made), color=False)
    assert ("SONG-02  A song has a tune." in screen, "SONG-01  A song" in screen) == (True, False)


def test_places_in_the_repository_of_a_working_copy() -> None:
    """Places lie below the SDK's folder in its repository; a failure without one lies at the SDK's manifest file."""
    known = explained(failing("choir/verse/first", "bass"), Choice((), ("deaf",)))
    sdk = SdkState("0" * 64, manifest="sdks/go/go.mod")
    cause = Cause("deaf", "It does not listen.", "src/ear.go:12")
    made = record(known, failing("choir/verse/second", "bass"))
    made = with_metadata(made, implementations=(replace(entry("bass"), causes=(cause,), sdk=sdk),))
    first, second = sarif_run(made)["results"]
    assert first["locations"] == [place("sdks/go/src/ear.go", 12)]
    assert second["locations"] == [place("sdks/go/go.mod", 1)]
    assert second["relatedLocations"] == [place("cases/choir/verse.yaml", 7)]


def test_known_failures_of_a_gate() -> None:
    """SARIF suppresses them with the reason; CTRF skips them. A new failure stays."""
    listed = failing("choir/verse/first", "bass", expectation=(Status.KNOWN, "It cannot sing."))
    made = with_metadata(
        record(listed, failing("choir/verse/second", "bass")), gate=GateFile(digest="d", unmatched=(), without_reason=0)
    )
    first, second = sarif_run(made)["results"]
    assert first["suppressions"] == [{"kind": "external", "justification": "It cannot sing."}]
    assert "suppressions" not in second
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
    """No control character of an implementation reaches a document."""
    made = everything()
    for text in ("".join(sarif.stream(summarise(made))), "".join(ctrf.stream(summarise(made)))):
        assert json.loads(text)
        assert not [c for c in json.dumps(json.loads(text), ensure_ascii=False) if not c.isprintable()], HOSTILE
