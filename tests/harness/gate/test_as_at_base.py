"""The record of a base as what a gate expects: what is worse than there has a status, what is better has none."""

from __future__ import annotations

import pytest
from made_known import CORPUS, ONE, OTHER, TODAY, gate_input, rounds, unsupported

from harness.gate.as_at_base import AS_AT_BASE, as_at_base, expected_as
from harness.gate.findings import findings
from harness.gate.listing import NewReason, listing
from harness.model import (
    Listing,
    RecordedImplementation,
    ResultLine,
    RunMetadata,
    RunRecord,
    Status,
    Verdict,
)

CASE = "s/said/a"
PASS, FAIL, OTHERWISE = gate_input(CASE), gate_input(CASE, Verdict.FAIL), gate_input(CASE, Verdict.FAIL, OTHER)
GAP = unsupported(CASE)
VARIANT = gate_input(CASE, Verdict.VARIANT, readings=(("RUL-1", "b"),))
FLAKY = gate_input(CASE, Verdict.FAIL, flaky=rounds(ONE, ""))
KNOWN = Listing(Status.KNOWN, AS_AT_BASE)


def record(*results: ResultLine, **more: tuple[str, ...]) -> RunRecord:
    entry = RecordedImplementation("singer", "singer", flaky={CASE: more["listed"]} if "listed" in more else {})
    header = RunMetadata(started_at="", corpus_digest="", cases=1, implementations=(entry,))
    return RunRecord(metadata=header, results=results, incidents=(), complete=True)


@pytest.mark.parametrize(
    ("before", "after", "status"),
    [
        (PASS, PASS, None),
        (PASS, FAIL, NewReason.NOT_AT_BASE),
        (PASS, GAP, NewReason.ANSWERED_AT_BASE),
        (PASS, FLAKY, Listing(Status.FLAKY, "")),
        (PASS, VARIANT, Listing(Status.READING, "RUL-1: the adopted reading → reading b")),
        (VARIANT, VARIANT, None),
        (VARIANT, PASS, Listing(Status.READING, "RUL-1: reading b → the adopted reading")),
        (FAIL, PASS, None),
        (FAIL, FAIL, KNOWN),
        (FAIL, OTHERWISE, NewReason.OTHER_AT_BASE),
        (FAIL, GAP, NewReason.ANSWERED_AT_BASE),
        (GAP, GAP, KNOWN),
        (GAP, FAIL, NewReason.NOT_AT_BASE),
        (GAP, PASS, None),
        (FLAKY, FAIL, KNOWN),
        (FLAKY, OTHERWISE, NewReason.OTHER_AT_BASE),
    ],
)
def test_what_is_worse_has_a_status(before: ResultLine, after: ResultLine, status: Listing | NewReason | None) -> None:
    """A new failure, another failure, a lost answer and another reading; a case that varies at the base may do so."""
    expected = expected_as(record(before), "0123abc")
    wanted = Listing(Status.NEW, status) if isinstance(status, NewReason) else status
    assert listing(expected, after, TODAY) == wanted
    new = [finding.status for finding in findings(expected, [after], CORPUS, TODAY)]
    assert new == [Status.NEW] * isinstance(status, NewReason)


def test_a_case_that_a_file_lists_as_flaky_may_fail_as_listed() -> None:
    """The record of the base has what the file of a shipped adapter says about cases that vary."""
    expected = expected_as(record(PASS, listed=(ONE,)), "0123abc")
    assert listing(expected, FAIL, TODAY) == KNOWN
    assert listing(expected, PASS, TODAY) == KNOWN


def test_an_answer_that_the_base_gives_too_is_not_accused() -> None:
    """A failure is then known, and a pass has no status."""
    assert as_at_base(record(FAIL), {CASE}) == {CASE: KNOWN}
    assert as_at_base(record(VARIANT), {CASE}) == {CASE: None}
    assert as_at_base(record(FAIL), ()) == {}
