"""Results against the listed cases and operations of a known-divergence file: what a gate finds."""

from __future__ import annotations

import pytest
from made_known import (
    CORPUS,
    ONE,
    OTHER,
    THIRD,
    TODAY,
    explaining,
    fail,
    flaky,
    found,
    gate_input,
    known,
    unsupported,
    without,
)
from made_values import outcome

from harness.gate.findings import findings
from harness.gate.known_divergences import Divergence, KnownDivergences
from harness.gate.listing import NewReason, counts, listing, that_ran
from harness.gate.update import merged
from harness.model import (
    Documented,
    ErrorKind,
    Listing,
    ResultLine,
    Status,
    Verdict,
    replace,
)


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
    assert found(KnownDivergences(), gate_input("s/said/a", Verdict.ERROR, ONE)) == [(Status.NEW, "s/said/a", "")]
    assert found(known(), gate_input("s/said/a", Verdict.ERROR, ONE)) == []


@pytest.mark.parametrize("signature", [ONE, OTHER])
def test_any_signature_of_a_list_is_known(signature: str) -> None:
    """Of an answer that changes from run to run every listed signature is known, and no other."""
    assert found(explaining(ONE, OTHER), fail(signature=signature)) == []
    assert found(explaining(ONE, OTHER), fail(signature=THIRD)) == [(Status.NEW, "s/said/a", "known.yaml:5")]


@pytest.mark.parametrize("verdict", [Verdict.PASS, Verdict.VARIANT])
def test_a_line_of_a_case_that_passes_is_stale(verdict: Verdict) -> None:
    """A line of a case that passes, by the adopted reading or another, is stale, at its place in the file."""
    assert found(known(), gate_input("s/said/a", verdict)) == [(Status.STALE, "s/said/a", "known.yaml:5")]
    now = "passes now" if verdict is Verdict.PASS else "is a variant now"
    told = f"the case {now}; delete known.yaml:5: It mumbles."
    assert listing(known(), gate_input("s/said/a", verdict), TODAY) == Listing(Status.STALE, told, place="known.yaml:5")


def test_a_pass_without_a_line_is_not_spoken_of() -> None:
    """A result that needs no explaining has no listing."""
    assert listing(known(), gate_input("s/said/b"), TODAY) is None
    assert listing(known(), gate_input("s/said/b", Verdict.VARIANT), TODAY) is None


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
    assert found(expected, gate_input("s/said/b")) == []


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
    answered = gate_input("s/shouted/a", verdict, ONE if verdict is Verdict.FAIL else "")
    stale = (Status.STALE, name, "known.yaml:3")
    assert stale in found(expected, answered, unsupported("s/shouted/b"))


def test_a_known_failure_under_a_stale_line_is_stale() -> None:
    """A failure that is known does not hide that its operation's line says that it cannot be asked."""
    stands = listing(known(echo_say="mute"), fail(), TODAY)
    assert stands == Listing(Status.STALE, "the case is answered now; delete known.yaml:7: mute", place="known.yaml:7")
    stands = listing(known(echo_say="mute"), unsupported("s/said/a"), TODAY)
    assert stands == Listing(
        Status.STALE, "the case is unsupported now; delete known.yaml:5: It mumbles.", place="known.yaml:5"
    )


def test_a_known_failure_of_an_operation_known_to_be_unsupported_is_stale() -> None:
    """Of a case that its operation's line explains, another line that says how it fails no longer holds."""
    assert found(known(echo_say="Not public."), unsupported("s/said/a")) == [(Status.STALE, "s/said/a", "known.yaml:5")]


def test_failures_are_told_before_what_is_unsupported() -> None:
    """A failure is found before an unsupported case, whatever order they came in."""
    assert [name for _, name, _ in found(KnownDivergences(), unsupported("s/shouted/a"), fail())] == [
        "s/said/a",
        "s/shouted/a",
    ]


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
def test_a_failure_that_does_not_repeat_is_flaky(seen: ResultLine, file: KnownDivergences, status: Status) -> None:
    """It is no finding if the file has no entry; with an entry, each failing outcome has to be listed."""
    found = listing(file, seen, TODAY)
    assert found is not None and found.status == status
    assert bool(findings(file, [seen], CORPUS, TODAY)) == (status is Status.NEW)


def test_max_failures_counts_what_is_new_or_expired() -> None:
    """A known failure is not counted."""
    assert counts(KnownDivergences(), fail(), TODAY)
    assert counts(explaining(ONE, expires="2026-11-20"), fail(), TODAY)
    assert not counts(explaining(ONE), fail(), TODAY)


def test_a_case_that_never_ran_is_no_evidence() -> None:
    """The record lists it as new, and no finding or update has it."""
    never = replace(fail(), outcome=outcome(Verdict.ERROR, kind=ErrorKind.START))
    assert listing(KnownDivergences(), never, TODAY) == Listing(Status.NEW, NewReason.NOT_LISTED)
    assert that_ran([never, fail("s/said/b")]) == (fail("s/said/b"),)


def test_a_known_failure_keeps_what_another_document_describes() -> None:
    """The listing of a known or expired failure has the note; another failure of the case has not."""
    note = Documented("spec/README", "a mumble")
    file = explaining(ONE, documented=note, expires="2026-11-20")
    assert listing(file, fail(), TODAY) == Listing(Status.EXPIRED, "It mumbles.", note, "known.yaml:5")
    assert listing(explaining(ONE, documented=note), fail(), TODAY) == Listing(Status.KNOWN, "It mumbles.", note)
    other = Listing(Status.NEW, NewReason.OTHER_SIGNATURE, place="known.yaml:5", listed="It mumbles.")
    assert listing(file, fail(signature=OTHER), TODAY) == other
    assert merged(file, [fail(signature=OTHER)], CORPUS).divergences[0].documented is None
