"""Known divergences against results: what is known, new, stale, unmatched and expired."""

from __future__ import annotations

from typing import Any

import made_values
import pytest
from made_known import (
    CORPUS,
    ONE,
    OPERATION_OF,
    OTHER,
    THIRD,
    TODAY,
    explaining,
    fail,
    found,
    known,
    seen,
    unsupported,
    without,
)
from scripted import echo_case

from harness.gate.findings import Declared, findings
from harness.gate.known_divergences import Divergence, KnownDivergences, ListedReading
from harness.gate.listing import GateInput, Judge, NewReason, Status, listing
from harness.gate.readings import ReadingChange, reading_changes
from harness.gate.update import merged
from harness.model import ErrorKind, Listing, Result, Verdict


def test_a_known_failure_is_no_finding() -> None:
    """A failure with its signature in the file is known, with the reason, and fails no gate."""
    assert found(known(), fail()) == []
    assert listing(known(), fail(), TODAY) == Listing(Status.KNOWN, "It mumbles.")


def test_a_failure_without_a_line_is_new() -> None:
    """A failure that the file does not name is new, and has no place in it."""
    assert found(known(), fail(), fail("s/said/b")) == [(Status.NEW, "s/said/b", "")]


def test_a_known_failure_that_changed_is_new() -> None:
    """A failure with another signature than the known one is new, at the line that knows the old one."""
    assert found(known(), fail(signature=OTHER)) == [(Status.NEW, "s/said/a", "known.yaml:5")]
    assert OTHER in findings(known(), [fail(signature=OTHER)], CORPUS, TODAY)[0].seen


def test_an_error_is_a_failure_like_any_other() -> None:
    """An error without its line is new, and is known by its signature."""
    assert found(KnownDivergences(), seen("s/said/a", Verdict.ERROR, ONE)) == [(Status.NEW, "s/said/a", "")]
    assert found(known(), seen("s/said/a", Verdict.ERROR, ONE)) == []


@pytest.mark.parametrize("signature", [ONE, OTHER])
def test_any_signature_of_a_list_is_known(signature: str) -> None:
    """Of an answer that changes from run to run every listed signature is known, and no other."""
    assert found(explaining(ONE, OTHER), fail(signature=signature)) == []
    assert found(explaining(ONE, OTHER), fail(signature=THIRD)) == [(Status.NEW, "s/said/a", "known.yaml:5")]


@pytest.mark.parametrize("verdict", [Verdict.PASS, Verdict.VARIANT])
def test_a_line_of_a_case_that_passes_is_stale(verdict: Verdict) -> None:
    """A line of a case that passes, by the adopted reading or another, is stale, at its place in the file."""
    assert found(known(), seen("s/said/a", verdict)) == [(Status.STALE, "s/said/a", "known.yaml:5")]
    now = "passes now" if verdict is Verdict.PASS else "is a variant now"
    told = f"the case {now}; delete known.yaml:5: It mumbles."
    assert listing(known(), seen("s/said/a", verdict), TODAY) == Listing(Status.STALE, told)


def test_a_pass_without_a_line_is_not_spoken_of() -> None:
    """A result that needs no explaining has no listing."""
    assert listing(known(), seen("s/said/b"), TODAY) is None
    assert listing(known(), seen("s/said/b", Verdict.VARIANT), TODAY) is None


def test_a_line_of_no_case_is_unmatched() -> None:
    """A line whose name the corpus does not have is unmatched, whatever was selected."""
    assert found(explaining(ONE, case="s/said/gone")) == [(Status.UNMATCHED, "s/said/gone", "known.yaml:5")]
    gone = without("echo.whisper")
    assert found(gone) == [(Status.UNMATCHED, "echo.whisper", "known.yaml:3")]


@pytest.mark.parametrize(("expires", "status"), [("2026-11-20", Status.EXPIRED), ("2026-11-21", Status.KNOWN)])
def test_a_line_holds_to_the_end_of_its_day(expires: str, status: Status) -> None:
    """An entry still holds on the day it names, and is expired on the next."""
    stands = listing(explaining(ONE, expires=expires), fail(), TODAY)
    assert (stands and (stands.status, stands.reason)) == (status, "It mumbles.")


def test_an_expired_line_is_a_finding_at_its_place() -> None:
    """An expired entry is found at the line of its case, with the date; another signature is new instead."""
    expired = explaining(ONE, expires="2026-01-01")
    assert found(expired, fail()) == [(Status.EXPIRED, "s/said/a", "known.yaml:5")]
    assert "2026-01-01" in findings(expired, [fail()], CORPUS, TODAY)[0].seen
    assert found(expired, fail(signature=OTHER)) == [(Status.NEW, "s/said/a", "known.yaml:5")]


def test_what_was_not_selected_is_not_judged() -> None:
    """Neither a divergence nor an expired one nor an unsupported operation is judged if none of its cases was asked."""
    expected = KnownDivergences(
        (Divergence(reason="It mumbles.", cases={"s/said/a": (ONE,)}, expires="2020-01-01"),),
        without("echo.shout").unsupported,
    )
    assert found(expected, seen("s/said/b")) == []


def test_an_unsupported_case_without_a_line_is_new() -> None:
    """What cannot be asked and is not known to be so is new, with the adapter's reason."""
    (finding,) = findings(KnownDivergences(), [unsupported("s/shouted/a")], CORPUS, TODAY)
    assert (finding.status, finding.name) == (Status.NEW, "s/shouted/a")
    assert "no such function" in finding.seen


@pytest.mark.parametrize("name", ["echo.shout", "s/shouted/a"])
def test_a_line_of_the_operation_or_of_the_case_explains_unsupported(name: str) -> None:
    """An unsupported case is known by a line of its own or of its operation."""
    expected = without(name)
    assert found(expected, unsupported("s/shouted/a")) == []
    assert listing(expected, unsupported("s/shouted/a"), TODAY) == Listing(Status.KNOWN, "mute")


@pytest.mark.parametrize("name", ["echo.shout", "s/shouted/a"])
@pytest.mark.parametrize("verdict", [Verdict.PASS, Verdict.FAIL])
def test_an_unsupported_line_is_stale_once_it_is_answered(name: str, verdict: Verdict) -> None:
    """The line is stale as soon as one of its cases is answered, rightly or wrongly."""
    expected = without(name)
    answered = seen("s/shouted/a", verdict, ONE if verdict is Verdict.FAIL else "")
    stale = (Status.STALE, name, "known.yaml:3")
    assert stale in found(expected, answered, unsupported("s/shouted/b"))


def test_a_known_failure_under_a_stale_line_is_stale() -> None:
    """A failure that is known does not hide that its operation's line says that it cannot be asked."""
    stands = listing(known(echo_say="mute"), fail(), TODAY)
    assert stands == Listing(Status.STALE, "the case is answered now; delete known.yaml:7: mute")
    stands = listing(known(echo_say="mute"), unsupported("s/said/a"), TODAY)
    assert stands == Listing(Status.STALE, "the case is unsupported now; delete known.yaml:5: It mumbles.")


def test_a_known_failure_that_became_unsupported_is_new() -> None:
    """That a diverging case can no longer be asked is not what the file expects of it."""
    assert found(known(), unsupported("s/said/a")) == [(Status.NEW, "s/said/a", "known.yaml:5")]


def test_a_known_failure_of_an_operation_known_to_be_unsupported_is_stale() -> None:
    """Of a case that its operation's line explains, another line that says how it fails no longer holds."""
    assert found(known(echo_say="Not public."), unsupported("s/said/a")) == [(Status.STALE, "s/said/a", "known.yaml:5")]


def test_failures_are_told_before_what_is_unsupported() -> None:
    """A failure is found before an unsupported case, whatever order they came in."""
    assert [name for _, name, _ in found(KnownDivergences(), unsupported("s/shouted/a"), fail())] == [
        "s/said/a",
        "s/shouted/a",
    ]


RULED = Declared(OPERATION_OF, dict.fromkeys(OPERATION_OF, "RUL-1"))


def disputed(case: str, reading: str = "") -> GateInput:
    verdict = Verdict.VARIANT if reading else Verdict.PASS
    return GateInput(case, OPERATION_OF[case], verdict, ruling="RUL-1", reading=reading)


def test_a_changed_reading_is_information() -> None:
    """A case that leaves the listed or the adopted reading is reported, and fails no gate."""
    file = KnownDivergences(readings=(ListedReading(ruling="RUL-1", reading="b", cases=("s/said/*",)),))
    results = [disputed("s/said/a"), disputed("s/said/b", "b"), disputed("s/shouted/a", "c"), disputed("s/shouted/b")]
    assert reading_changes(file, results) == [
        ReadingChange("s/said/a", "RUL-1", "b", ""),
        ReadingChange("s/shouted/a", "RUL-1", "", "c"),
    ]
    assert findings(file, results, CORPUS, TODAY) == []


def test_a_reading_that_varies_from_run_to_run_is_no_change() -> None:
    """A flaky line allows its reading and the adopted one, and the update keeps it whatever this run shows."""
    flaky = ListedReading(ruling="RUL-1", reading="b", cases=("s/said/a",), flaky=True)
    file = KnownDivergences(readings=(flaky,))
    assert reading_changes(file, [disputed("s/said/a"), disputed("s/said/b")]) == []
    assert reading_changes(file, [disputed("s/said/a", "b")]) == []
    assert reading_changes(file, [disputed("s/said/a", "c")]) == [ReadingChange("s/said/a", "RUL-1", "b", "c")]
    for reading in ("", "b"):
        assert merged(file, [disputed("s/said/a", reading)], RULED).readings == (flaky,)


def test_a_file_without_readings_reports_no_change() -> None:
    """Only a file that lists readings has something to compare with; an empty list says that all are adopted."""
    assert reading_changes(KnownDivergences(), [disputed("s/said/a", "b")]) == []
    assert len(reading_changes(KnownDivergences(readings=()), [disputed("s/said/a", "b")])) == 1


def test_the_update_lists_the_present_readings() -> None:
    """An entry for each reading that is not adopted, with one glob if all its cases follow it; unselected cases stay."""
    results = [disputed("s/said/a", "b"), disputed("s/said/b", "b"), disputed("s/shouted/a")]
    file = merged(KnownDivergences(), results, RULED)
    assert file.readings == (ListedReading(ruling="RUL-1", reading="b", cases=("s/said/*",)),)
    assert reading_changes(file, results) == []
    part = merged(file, [disputed("s/said/a")], RULED)
    assert part.readings == (ListedReading(ruling="RUL-1", reading="b", cases=("s/said/b",)),)
    every = merged(KnownDivergences(), [disputed(case, "b") for case in OPERATION_OF], RULED)
    assert every.readings == (ListedReading(ruling="RUL-1", reading="b", cases=("*",)),)


def test_a_reading_of_no_case_is_unmatched() -> None:
    """A name among the readings that the corpus does not have is unmatched at its entry."""
    file = KnownDivergences(
        readings=(ListedReading(ruling="RUL-1", reading="b", cases=("s/gone/*",), line=7),), shown="known.yaml"
    )
    assert found(file) == [(Status.UNMATCHED, "s/gone/*", "known.yaml:7")]


def flaky(*signatures: str) -> GateInput:
    """A result of `s/said/a` whose executions end with these signatures; an empty one passes."""
    failing = next(filter(None, signatures))
    return GateInput("s/said/a", "echo.say", Verdict.FAIL, failing, category="kind", flaky=frozenset(signatures))


@pytest.mark.parametrize(
    ("seen", "file", "status"),
    [
        (flaky(ONE, ""), KnownDivergences(), Status.FLAKY),
        (flaky(ONE, OTHER), KnownDivergences(), Status.NEW),
        (flaky(ONE, ""), explaining(ONE), Status.KNOWN),
        (flaky(ONE, OTHER), explaining(ONE, OTHER), Status.KNOWN),
        (flaky(OTHER, ONE), explaining(ONE), Status.NEW),
        (flaky(ONE, "unsupported"), explaining(ONE), Status.NEW),
        (flaky(OTHER, ""), explaining(ONE), Status.NEW),
    ],
)
def test_a_failure_that_does_not_repeat_is_flaky(seen: GateInput, file: KnownDivergences, status: Status) -> None:
    """It is no finding if the file has no entry; with an entry, each failing outcome has to be listed."""
    found = listing(file, seen, TODAY)
    assert found is not None and found.status == status
    assert bool(findings(file, [seen], CORPUS, TODAY)) == (status is Status.NEW)


def test_an_update_keeps_every_signature_of_a_flaky_case() -> None:
    """A case that passes sometimes gets an entry that a pass does not make stale."""
    file = merged(KnownDivergences(), [flaky(ONE, "")], CORPUS)
    assert file.divergences == (Divergence(reason="TODO", category="kind", flaky=True, cases={"s/said/a": (ONE,)}),)
    passing = GateInput("s/said/a", "echo.say", Verdict.PASS)
    assert findings(file, [passing], CORPUS, TODAY) == []
    assert merged(file, [passing], CORPUS) == file
    (entry,) = merged(file, [flaky(OTHER, "")], CORPUS).divergences
    assert entry.cases == {"s/said/a": (ONE, OTHER)}


def test_the_cases_that_vary_are_listed() -> None:
    """An entry with `flaky` gives its cases with their signatures, a reading with `flaky` the disputed cases it holds."""
    file = KnownDivergences(
        divergences=(
            Divergence(reason="A map.", cases={"s/said/a": ("1", "2")}, flaky=True),
            Divergence(reason="It mumbles.", cases={"s/said/b": ("3",)}),
        ),
        readings=(
            ListedReading(ruling="R", reading="b", cases=("s/sung/*",), flaky=True),
            ListedReading(ruling="R", reading="c", cases=("s/heard/*",)),
        ),
    )
    ruling_of = {"s/sung/a": "R", "s/sung/b": "OTHER", "s/heard/a": "R"}
    assert file.flaky_cases(ruling_of) == {"s/said/a": ("1", "2"), "s/sung/a": ()}


def test_a_judge_keeps_the_cases_that_ran() -> None:
    """Each result is listed at once, with the names that the caller gives. A case that never ran is no evidence: the record
    lists it as new, and no update writes it."""
    judge = Judge(KnownDivergences(), {}, {}, TODAY, lambda _: "category", lambda _: "reason")
    case = echo_case("b")

    def result(verdict: Verdict, **more: Any) -> Result:
        return Result(case, "singer", made_values.outcome(verdict, **more))

    new = Listing(Status.NEW, NewReason.NOT_LISTED)
    assert (judge(result(Verdict.ERROR, kind=ErrorKind.START)), judge.seen) == (new, {})
    failed = result(Verdict.FAIL, signature=ONE)
    assert (judge(failed), judge.counts(failed)) == (new, True)
    seen = GateInput(case.name, case.operation, Verdict.FAIL, ONE, category="category")
    assert judge.seen == {case.name: seen}
    assert judge(result(Verdict.UNSUPPORTED)) == Listing(Status.NEW, NewReason.UNSUPPORTED_NOT_LISTED)
    assert judge.seen[case.name].reason == "reason"
