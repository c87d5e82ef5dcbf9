"""The text of a gate: causes and models by name, each finding under its heading."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from made_records import failing, record, result

from harness.gate.findings import GateFinding
from harness.gate.listing import NewReason
from harness.model import GateFile, RecordedResult, Status, Undecided, Verdict, replace
from harness.report.document_terminal import Medium
from harness.report.run_summary import summarise
from harness.report.summary_text import gate_sentence
from harness.report.terminal.gate_text import GateReport, render
from harness.report.terminal.known_file_text import KnownFile

NEW = ("new", NewReason.NOT_LISTED.value)
STALE = ("stale", "the case passes now; delete known.yaml:5: It sang flat.")
CASE, SIGNATURE = "choir/verse/a", "0123456789ab"


def text(*findings: GateFinding, results: Sequence[RecordedResult] = ()) -> str:
    """The text of a gate with these findings."""
    made = record(*(results or [failing(CASE, "bass", expectation=NEW)]))
    summary = summarise(replace(made, metadata=replace(made.metadata, gate=GateFile(unmatched=(), without_reason=0))))
    assert summary.gate is not None
    known_file = KnownFile("known.yaml", False, "parity gate --write-known known.yaml")
    report = GateReport(summary, summary.gate, findings, (), (), known_file)
    return render(report, Medium())


def new(reason: NewReason, **more: Any) -> GateFinding:
    return GateFinding(Status.NEW, CASE, "", SIGNATURE, result=failing(CASE, "bass"), reason=reason, **more)


def stale(name: str, text: str, entry: str = "", off_model: Sequence[str] = ()) -> GateFinding:
    return GateFinding(Status.STALE, name, "known.yaml:4", text, entry, off_model=tuple(off_model), stale=1)


def test_a_new_failure_names_the_cause_that_the_file_lacks() -> None:
    """The line gives the cause and the member that lists it."""
    found = text(new(NewReason.NOT_LISTED, unlisted=("deaf",), causes=("deaf", "mute")))
    assert f"{CASE}: fail, the file lacks `model: deaf`; --write-known adds " in found
    assert f"if all predictions occur (signature {SIGNATURE})" in found


def test_a_reading_that_the_file_lacks_is_named_apart() -> None:
    """An open reading belongs below `follows`, a cause to an entry."""
    found = text(new(NewReason.NOT_LISTED, unlisted=("deaf", "RUL-1=b"), causes=("deaf",)))
    assert "the file lacks `model: deaf` and `RUL-1: b` below `follows:`;" in found
    alone = text(new(NewReason.NOT_LISTED, unlisted=("RUL-1=b",), causes=("deaf",)))
    assert "the file lacks `RUL-1: b` below `follows:`;" in alone


def test_an_expired_entry_is_one_line() -> None:
    """The line has the date, the number of its cases and the first of them."""
    cases = [CASE, "choir/verse/b"]
    found = text(
        *(GateFinding(Status.EXPIRED, one, "", "deaf expired on 2026-01-01", "known.yaml:4-6") for one in cases)
    )
    assert f"\n  known.yaml:4-6  deaf expired on 2026-01-01: 2 cases, e.g. {CASE}\n\n" in found


def test_new_failures_have_the_command_that_lists_them() -> None:
    """The text shows some cases; the command lists all that make the gate red."""
    found = text(new(NewReason.NOT_LISTED), results=[failing(CASE, "bass"), failing("choir/verse/b", "bass")])
    assert "\n  list: parity cases --select verdict:new:bass@RECORD\n" in found
    known = failing("choir/verse/b", "bass", expectation=("known", "It sings flat."))
    assert "\n  list: " not in text(new(NewReason.NOT_LISTED), results=[failing(CASE, "bass"), known])


def test_another_failure_than_predicted() -> None:
    """The line names the part of the model that predicts another answer."""
    found = text(new(NewReason.OTHER_ANSWER, predicted=("deaf",)))
    assert f"{CASE}: fail, not as the known cause deaf predicts (signature {SIGNATURE})" in found


def test_a_reason_stands_once_in_a_group() -> None:
    """The next failures of a group with the same reason say so."""
    results = [failing(f"choir/verse/{name}", "bass") for name in "abc"]
    facts: dict[str, Any] = {"reason": NewReason.NOT_LISTED, "unlisted": ("deaf",), "causes": ("deaf",)}
    found = text(
        *(GateFinding(Status.NEW, one.case, "", SIGNATURE, result=one, **facts) for one in results), results=results
    )
    assert found.count("the file lacks `model: deaf`") == 1
    assert found.count(f": fail likewise (signature {SIGNATURE})") == 2


def test_a_case_off_its_model_is_no_line_to_delete() -> None:
    """Stale entries and cases that no longer match a model have headings of their own; the last line counts both."""
    found = text(
        stale("deaf", "none of the 2 failures that it predicts occurs", "known.yaml:4-6"),
        stale("mute", "1 of the 2 failures that it predicts does not occur", off_model=[CASE]),
        results=[result(CASE, "bass", expectation=STALE), result("choir/verse/b", "bass", expectation=STALE)],
    )
    assert "Delete 1 whole entry: the divergence no longer occurs (1 stale case)\n  known.yaml:4-6  " in found
    assert "known.yaml:4  deaf: none of the 2 failures that it predicts occurs\n" in found
    assert "Correct 1 model: " in found
    assert f"\n  known.yaml:4  mute: 1 of the 2 failures that it predicts does not occur\n      {CASE}\n" in found
    assert "gate: RED (2 stale cases" in found


def test_new_failures_are_counted_by_cause() -> None:
    """The line below the groups names the causes and the violated models of all new failures, listed or not. A search that
    ended at a bound is "not decided"."""
    cases = [f"choir/verse/case-{number:02}" for number in range(30)]
    more: list[dict[str, Any]] = [{"predicted": ("deaf",)}] * 25
    more += [{"causes": ("flat",), "unlisted": ("flat",)}] * 2 + [{}] * 3
    results = [failing(case, "bass") for case in cases]
    results[-1] = replace(results[-1], outcome=replace(results[-1].outcome, undecided=Undecided(41, 2)))
    findings = [
        GateFinding(Status.NEW, one.case, "", SIGNATURE, result=one, reason=NewReason.NOT_LISTED, **facts)
        for one, facts in zip(results, more, strict=True)
    ]
    causes = [
        "by cause:",
        "  not as the known cause deaf predicts (25 cases)",
        "  flat (2 cases)",
        "  unexplained (2 cases)",
        "  not decided (1 case)",
    ]
    assert "".join(f"  {line}\n" for line in causes) in text(*findings, results=results)
    assert "by cause" not in text(new(NewReason.NOT_LISTED))


def test_a_known_failure_that_is_unsupported_now_has_its_reason() -> None:
    """The line of the unsupported case gives the reason that the file has for its failure."""
    gone = result(CASE, "bass", Verdict.UNSUPPORTED, reason="it is silent")
    finding = GateFinding(
        Status.NEW,
        CASE,
        "",
        "it is silent",
        result=gone,
        reason=NewReason.UNSUPPORTED_NOT_LISTED,
        listed_reason="It sings flat.",
    )
    found = text(finding, results=[gone])
    assert "1 case unsupported now (it is silent), where the file lists a failure: It sings flat.\n" in found


def test_one_stale_line_of_several_cases_has_one_number_everywhere() -> None:
    """The last line of the gate and the first line of its reports count the stale cases."""
    gone = [result(f"choir/verse/{name}", "bass", expectation=("stale", "It is off.")) for name in "ab"]
    found = text(stale("deaf", "none of the 2 failures that it predicts occurs", "known.yaml:4-6"), results=gone)
    assert "Delete 1 whole entry: " in found
    assert "gate: RED (2 stale cases)" in found
    summary = summarise(record(*gone))
    assert summary.gate is not None
    assert gate_sentence(summary, summary.gate) == "gate: red (2 stale cases), 0 known divergences"
