"""Two results of one case: which change they show, where an answer is flaky."""

from __future__ import annotations

import pytest
from made_records import entry, failing, record, result

from harness.compare.run_diff import Change, compare, confirmed
from harness.model import Cause, Choice, Failed, RecordedResult, Rounds, Verdict, replace
from harness.report.terminal.run_diff_text import unlike_texts

CASE = "choir/verse/a"


def passing() -> RecordedResult:
    return result(CASE, "bass")


def with_passes(*outcomes: RecordedResult) -> RecordedResult:
    """The first result, flaky with the outcomes of all of them."""
    made = tuple(Rounds((number,), one.outcome) for number, one in enumerate(outcomes, 1))
    return replace(failing(CASE, "bass"), flaky=made)


FAILING, OTHER = failing(CASE, "bass"), failing(CASE, "bass", signature="fedcba987654")


@pytest.mark.parametrize(
    ("then", "now", "change"),
    [
        (passing(), with_passes(FAILING, passing()), Change.FLAKY),
        (with_passes(FAILING, passing()), passing(), Change.FLAKY),
        (with_passes(FAILING, passing()), FAILING, Change.FLAKY),
        (FAILING, with_passes(OTHER, FAILING), Change.FLAKY),
        (with_passes(FAILING, passing()), with_passes(passing(), FAILING), None),
        (passing(), with_passes(FAILING, OTHER), Change.NEWLY_FAILING),
        (passing(), FAILING, Change.NEWLY_FAILING),
    ],
)
def test_a_flaky_answer_blames_no_version(then: RecordedResult, now: RecordedResult, change: Change | None) -> None:
    """Two sides with an outcome in common show no change of the implementation."""
    changes = compare(record(then), record(now)).changes["bass"]
    assert [one.change for one in changes] == ([change] if change else [])


def variant() -> RecordedResult:
    return result(CASE, "bass", Verdict.VARIANT, ruling="RUL-1", reading="b")


def explained() -> RecordedResult:
    """A failure with the cause `any-order`."""
    assert isinstance(FAILING.outcome, Failed)
    return replace(FAILING, outcome=replace(FAILING.outcome, explained_by=Choice(deviations=("any-order",))))


@pytest.mark.parametrize(
    ("then", "now", "change"),
    [
        (passing(), variant(), Change.FLAKY),
        (variant(), passing(), Change.FLAKY),
        (passing(), FAILING, Change.FLAKY),
        (FAILING, passing(), Change.FLAKY),
        (passing(), OTHER, Change.NEWLY_FAILING),
        (FAILING, OTHER, Change.DIFFERENCE),
        (passing(), passing(), None),
    ],
)
@pytest.mark.parametrize("side", ["older", "newer"])
def test_a_case_that_the_known_file_lists_as_flaky_is_no_change(
    then: RecordedResult, now: RecordedResult, change: Change | None, side: str
) -> None:
    """Either record has the list. A failure with a signature that the file does not list is a change."""
    listing = (replace(entry("bass"), flaky={CASE: (FAILING.signature,)}),)
    before = record(then, entries=listing if side == "older" else ())
    after = record(now, entries=listing if side == "newer" else ())
    assert [one.change for one in compare(before, after).changes["bass"]] == ([change] if change else [])


def test_a_cause_that_is_not_followed_in_every_run_is_no_change() -> None:
    """Its failure comes and goes; the same failure by a steady cause is new."""
    for flaky, change in ((True, Change.FLAKY), (False, Change.NEWLY_FAILING)):
        listing = (replace(entry("bass"), causes=(Cause("any-order", "A map.", flaky=flaky),)),)
        found = compare(record(passing()), record(explained(), entries=listing))
        assert [one.change for one in found.changes["bass"]] == [change]


@pytest.mark.parametrize(
    ("then_again", "now_again", "change"),
    [
        (passing(), FAILING, Change.NEWLY_FAILING),
        (FAILING, FAILING, Change.FLAKY),
        (passing(), passing(), Change.FLAKY),
        (with_passes(FAILING, passing()), with_passes(passing(), FAILING), Change.FLAKY),
        (passing(), with_passes(FAILING, OTHER), Change.NEWLY_FAILING),
    ],
)
def test_a_change_that_does_not_repeat_is_flaky(
    then_again: RecordedResult, now_again: RecordedResult, change: Change
) -> None:
    """A newly failing case stays one if no run of one version has an outcome of the other."""
    found = compare(record(passing()), record(FAILING))
    changes = confirmed(found, record(then_again), record(now_again)).changes["bass"]
    assert [one.change for one in changes] == [change]


def test_a_case_that_the_other_run_did_not_select_is_no_change() -> None:
    """It is neither added nor removed; a case of the same selection in one record alone is."""
    whole = record(passing(), result("choir/verse/b", "bass"), result("other/verse/c", "bass"))
    part = record(passing())
    found = compare(whole, part)
    assert [(one.change, one.result.case) for one in found.changes["bass"]] == [(Change.REMOVED, "choir/verse/b")]
    assert (found.only_before, found.only_after) == (1, 0)
    [text] = unlike_texts(found, part)
    assert text.startswith("1 case is only in the older record, because the other run did not select")
    selected = replace(part, metadata=replace(part.metadata, selection=("choir/verse/a",)))
    found = compare(selected, whole)
    assert (found.changes["bass"], found.only_before, found.only_after) == ((), 0, 2)
