"""Known divergences against results: what is known, new, stale, unmatched and expired."""

from __future__ import annotations

from typing import Any

import made_values
import pytest
from made_known import (
    CORPUS,
    DEAF,
    IT_IS_DEAF,
    LETTERS,
    MUTE,
    ONE,
    OPEN,
    OTHER,
    REFUTED,
    RULED,
    THIRD,
    TODAY,
    answering,
    disputed,
    explaining,
    fail,
    flaky,
    found,
    judged,
    known,
    predictable,
    seen,
    unsupported,
    with_models,
    without,
)
from scripted import echo_case

from harness.gate.findings import findings, path_findings
from harness.gate.known_divergences import Divergence, KnownDivergences, ListedNames, ListedReading
from harness.gate.listing import GateInput, Judge, NewReason, listing
from harness.gate.readings import ReadingChange, reading_changes
from harness.gate.update import merged
from harness.model import ADOPTED, Choice, Documented, ErrorKind, Listing, Result, Status, Verdict, replace


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


def test_a_known_failure_of_an_operation_known_to_be_unsupported_is_stale() -> None:
    """Of a case that its operation's line explains, another line that says how it fails no longer holds."""
    assert found(known(echo_say="Not public."), unsupported("s/said/a")) == [(Status.STALE, "s/said/a", "known.yaml:5")]


def test_failures_are_told_before_what_is_unsupported() -> None:
    """A failure is found before an unsupported case, whatever order they came in."""
    assert [name for _, name, _ in found(KnownDivergences(), unsupported("s/shouted/a"), fail())] == [
        "s/said/a",
        "s/shouted/a",
    ]


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


def test_a_reading_of_no_case_is_unmatched() -> None:
    """A name among the readings that the corpus does not have is unmatched at its entry."""
    file = KnownDivergences(
        readings=(ListedReading(ruling="RUL-1", reading="b", cases=("s/gone/*",), line=7),), shown="known.yaml"
    )
    assert found(file) == [(Status.UNMATCHED, "s/gone/*", "known.yaml:7")]


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


def test_a_known_failure_keeps_what_another_document_describes() -> None:
    """The listing of a known or expired failure has the note; another failure of the case has not."""
    note = Documented("spec/README", "a mumble")
    file = explaining(ONE, documented=note, expires="2026-11-20")
    assert listing(file, fail(), TODAY) == Listing(Status.EXPIRED, "It mumbles.", note, "known.yaml:5")
    assert listing(explaining(ONE, documented=note), fail(), TODAY) == Listing(Status.KNOWN, "It mumbles.", note)
    other = Listing(Status.NEW, NewReason.OTHER_SIGNATURE, place="known.yaml:5", listed="It mumbles.")
    assert listing(file, fail(signature=OTHER), TODAY) == other
    assert merged(file, [fail(signature=OTHER)], CORPUS).divergences[0].documented is None


def test_an_unobservable_path_is_new_or_stale() -> None:
    """A path without a line is new; a line of a path that is declared no more, or of no operation, is found at its place."""
    names = ("echo.say/notes", "echo.hum/notes")
    listed = ListedNames(reason="It hums.", names=names)
    file = KnownDivergences(unobservable=(listed,), lines=dict.fromkeys(names, 2), shown="known.yaml")
    paths = path_findings(file, ["echo.say/text", "echo.say/notes"], ["echo.say/notes"])
    assert [(one.status, one.name, one.place, one.is_path) for one in paths] == [
        (Status.NEW, "echo.say/text", "", True),
        (Status.STALE, "echo.say/notes", "known.yaml:2", True),
    ]
    assert found(file) == [(Status.UNMATCHED, "echo.hum/notes", "known.yaml:2")]


# Models


def test_a_failure_of_a_case_listed_as_unsupported_is_new() -> None:
    """A model does not hide that a case that the file lists as unsupported is answered now, and fails."""
    listed = replace(with_models(IT_IS_DEAF), unsupported=(ListedNames(reason="Not public.", names=("echo.say",)),))
    assert listing(listed, predictable("a", DEAF, DEAF), TODAY) == Listing(Status.NEW, NewReason.LISTED_AS_UNSUPPORTED)
    new, stale = judged(listed, predictable("a", DEAF, DEAF))
    assert (new.status, new.name, new.causes) == (Status.NEW, "s/said/a", ("deaf",))
    assert (stale.status, stale.name) == (Status.STALE, "echo.say")


def test_a_model_explains_each_failure_that_it_predicts() -> None:
    """A failure that the deviation explains is known, whatever its signature, and has the reason of the entry."""
    known = with_models(IT_IS_DEAF)
    assert judged(known, predictable("a", DEAF, DEAF), predictable("b", DEAF, DEAF)) == []
    assert listing(known, predictable("a", DEAF, DEAF), TODAY) == Listing(Status.KNOWN, "It hears nothing.")


def test_a_refuted_reading_is_a_model_like_a_deviation() -> None:
    """The entry names the ruling and the reading."""
    known = with_models(Divergence(reason="It reads another way.", model="RUL-9=b", cases={}))
    assert known.model.readings == (("RUL-9", "b"),)
    assert judged(known, predictable("a", REFUTED, REFUTED)) == []


def test_followed_readings_can_go_with_a_deviation() -> None:
    """An explanation is known only if the file has all of its parts."""
    both = Choice((OPEN,), ("deaf",))
    assert judged(with_models(IT_IS_DEAF, follows=(OPEN,)), predictable("a", both)) == []
    (one,) = judged(with_models(IT_IS_DEAF), predictable("a", both))
    assert (one.reason, one.unlisted) == (NewReason.NOT_LISTED, ("RUL-1=b",))


def test_a_cause_that_the_file_does_not_name_is_named() -> None:
    """A new failure has the deviation that explains it."""
    (one,) = judged(with_models(IT_IS_DEAF), predictable("a", MUTE))
    assert (one.status, one.name, one.reason, one.unlisted) == (
        Status.NEW,
        "s/said/a",
        NewReason.NOT_LISTED,
        ("mute",),
    )


def test_a_known_failure_that_becomes_unsupported_keeps_its_reason() -> None:
    """A new unsupported case has the reason of its entry, or of the model that predicts its failure."""
    listed = Divergence(reason="It mumbles.", cases={"s/said/b": (ONE,)})
    known = with_models(IT_IS_DEAF, listed)
    gone = [
        answering("a", Verdict.UNSUPPORTED, DEAF),
        answering("b", Verdict.UNSUPPORTED),
        answering("c", Verdict.UNSUPPORTED),
    ]
    assert [one.listed_reason for one in judged(known, *gone)] == ["It hears nothing.", "It mumbles.", ""]


def test_open_readings_alone_are_no_cause() -> None:
    """A failure that only open readings explain together needs a reason of its own."""
    (one,) = judged(with_models(IT_IS_DEAF), predictable("a", Choice((OPEN, ("RUL-2", "b")))))
    assert (one.reason, one.unlisted) == (NewReason.NOT_LISTED, ())


def test_another_failure_than_the_model_predicts_is_new() -> None:
    """The model predicts a failure of the case, and the case fails with another answer."""
    (one,) = judged(with_models(IT_IS_DEAF), predictable("a", predicted=DEAF))
    assert (one.reason, one.predicted) == (NewReason.OTHER_ANSWER, ("deaf",))


@pytest.mark.parametrize("verdict", [Verdict.PASS, Verdict.VARIANT])
def test_a_model_that_predicts_too_many_failures_is_stale(verdict: Verdict) -> None:
    """All cases that no longer match a model are one finding at its line; the entry is not to be deleted."""
    known = with_models(IT_IS_DEAF)
    (one,) = judged(known, predictable("a", DEAF, DEAF), answering("b", verdict, DEAF), answering("c", verdict, DEAF))
    assert (one.status, one.name, one.place, one.entry, one.off_model) == (
        Status.STALE,
        "deaf",
        "known.yaml:4",
        "",
        ("s/said/b", "s/said/c"),
    )
    expected = listing(known, answering("b", verdict, DEAF), TODAY)
    assert expected is not None and expected.status == Status.STALE


def test_a_model_whose_cause_is_gone_is_stale() -> None:
    """None of the predicted failures occurs in a whole run: one finding with the lines of the entry. Unsupported cases do
    not count. In a part of the corpus, the other failures are unknown."""
    part = [answering("a", predicted=DEAF), answering("b", predicted=DEAF), answering("c", Verdict.UNSUPPORTED, DEAF)]
    *_, wide = judged(with_models(IT_IS_DEAF), *part)
    assert (wide.name, wide.off_model, wide.entry) == ("deaf", ("s/said/a", "s/said/b"), "")
    *_, one = judged(with_models(IT_IS_DEAF), *part, answering("d"))
    assert (one.status, one.name, one.place, one.entry) == (Status.STALE, "deaf", "known.yaml:4", "known.yaml:4-6")
    assert one.off_model == ()


def test_an_unknown_name_of_a_model_is_unmatched() -> None:
    """A deviation or reading that nothing can answer under is a finding, and an update drops it; cases of its entry stay."""
    with_cases = Divergence(reason="It mumbles.", model="RUL-9=z", cases={"s/said/a": (ONE,)})
    known = with_models(
        Divergence(reason="It is def.", model="def", cases={}), with_cases, follows=(("RUL-7", "b"), OPEN)
    )
    results, names = [predictable("a")], {"deaf", "RUL-1=b", "RUL-9=b"}
    unmatched = [(one.name, one.place) for one in findings(known, results, replace(LETTERS, alternatives=names), TODAY)]
    assert unmatched == [("def", "known.yaml:4"), ("RUL-7=b", ""), ("RUL-9=z", "known.yaml:14")]
    assert findings(known, results, LETTERS, TODAY) == []
    made = merged(known, results, replace(LETTERS, alternatives=names))
    assert (made.follows, [(one.model, [*one.cases]) for one in made.divergences]) == ((OPEN,), [("", ["s/said/a"])])


def test_a_flaky_model_predicts_nothing_and_explains() -> None:
    """The implementation does not follow it in every run, so the choice of the file lacks it."""
    known = with_models(replace(IT_IS_DEAF, flaky=True))
    assert (known.model, known.flaky_models) == (ADOPTED, ("deaf",))
    assert known.modelled(DEAF) == replace(IT_IS_DEAF, flaky=True)
    assert judged(known, predictable("a", DEAF), answering("b")) == []
