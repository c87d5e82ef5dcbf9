"""Models in a known-divergence file: which failures they explain, when they are stale, and how an update writes them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from harness.compare.causes import names_of
from harness.gate.findings import Declared, GateFinding, findings
from harness.gate.known_divergences import Divergence, KnownDivergences, ListedNames
from harness.gate.listing import GateInput, NewReason, Status, listing
from harness.gate.update import merged, updated
from harness.model import ADOPTED, Choice, Listing, Readings, Verdict, replace

TODAY = date(2026, 11, 22)
CORPUS = Declared({f"s/said/{letter}": "echo.say" for letter in "abcd"})
SIGNATURE = "111111111111"
DEAF, MUTE = Choice(deviations=("deaf",)), Choice(deviations=("mute",))
OPEN = ("RUL-1", "b")
REFUTED = Choice((("RUL-9", "b"),))
IT_IS_DEAF = Divergence(reason="It hears nothing.", model="deaf", place="src/ear.ts:7", cases={}, span=(4, 6))


def file(*divergences: Divergence, follows: Readings = ()) -> KnownDivergences:
    """A file with these entries; the models are on lines 4, 14, …"""
    lines = {one.model: 10 * number + 4 for number, one in enumerate(divergences) if one.model}
    return KnownDivergences(divergences, follows=follows, lines=lines, shown="known.yaml")


def fail(case: str, choice: Choice = ADOPTED, predicted: Choice = ADOPTED, **more: Any) -> GateInput:
    """A failing case that this choice explains. Its causes are the deviations and the readings of RUL-9."""
    causes = tuple(name for name in names_of(choice) if "=" not in name or name.startswith("RUL-9"))
    return GateInput(
        f"s/said/{case}",
        "echo.say",
        Verdict.FAIL,
        SIGNATURE,
        category="echo.say $.text",
        explained_by=choice,
        causes=causes,
        predicted=predicted,
        **more,
    )


def seen(case: str, verdict: Verdict = Verdict.PASS, predicted: Choice = ADOPTED, readings: Readings = ()) -> GateInput:
    """A case that does not fail."""
    return GateInput(f"s/said/{case}", "echo.say", verdict, predicted=predicted, readings=readings)


def found(known: KnownDivergences, *results: GateInput) -> list[GateFinding]:
    return findings(known, results, CORPUS, TODAY)


def test_a_failure_of_a_case_listed_as_unsupported_is_new() -> None:
    """A model does not hide that a case that the file lists as unsupported is answered now, and fails."""
    listed = replace(file(IT_IS_DEAF), unsupported=(ListedNames(reason="Not public.", names=("echo.say",)),))
    assert listing(listed, fail("a", DEAF, DEAF), TODAY) == Listing(Status.NEW, NewReason.LISTED_AS_UNSUPPORTED)
    new, stale = found(listed, fail("a", DEAF, DEAF))
    assert (new.status, new.name, new.causes) == (Status.NEW, "s/said/a", ("deaf",))
    assert (stale.status, stale.name) == (Status.STALE, "echo.say")


def test_a_model_explains_each_failure_that_it_predicts() -> None:
    """A failure that the deviation explains is known, whatever its signature, and has the reason of the entry."""
    known = file(IT_IS_DEAF)
    assert found(known, fail("a", DEAF, DEAF), fail("b", DEAF, DEAF)) == []
    assert listing(known, fail("a", DEAF, DEAF), TODAY) == Listing(Status.KNOWN, "It hears nothing.")


def test_a_refuted_reading_is_a_model_like_a_deviation() -> None:
    """The entry names the ruling and the reading."""
    known = file(Divergence(reason="It reads another way.", model="RUL-9=b", cases={}))
    assert known.model.readings == (("RUL-9", "b"),)
    assert found(known, fail("a", REFUTED, REFUTED)) == []


def test_followed_readings_can_go_with_a_deviation() -> None:
    """An explanation is known only if the file has all of its parts."""
    both = Choice((OPEN,), ("deaf",))
    assert found(file(IT_IS_DEAF, follows=(OPEN,)), fail("a", both)) == []
    (one,) = found(file(IT_IS_DEAF), fail("a", both))
    assert (one.reason, one.unlisted) == (NewReason.NOT_LISTED, ("RUL-1=b",))


def test_a_cause_that_the_file_does_not_name_is_named() -> None:
    """A new failure has the deviation that explains it."""
    (one,) = found(file(IT_IS_DEAF), fail("a", MUTE))
    assert (one.status, one.name, one.reason, one.unlisted) == (
        Status.NEW,
        "s/said/a",
        NewReason.NOT_LISTED,
        ("mute",),
    )


def test_a_known_failure_that_becomes_unsupported_keeps_its_reason() -> None:
    """A new unsupported case has the reason of its entry, or of the model that predicts its failure."""
    listed = Divergence(reason="It mumbles.", cases={"s/said/b": (SIGNATURE,)})
    known = file(IT_IS_DEAF, listed)
    gone = [seen("a", Verdict.UNSUPPORTED, DEAF), seen("b", Verdict.UNSUPPORTED), seen("c", Verdict.UNSUPPORTED)]
    assert [one.listed_reason for one in found(known, *gone)] == ["It hears nothing.", "It mumbles.", ""]


def test_open_readings_alone_are_no_cause() -> None:
    """A failure that only open readings explain together needs a reason of its own."""
    (one,) = found(file(IT_IS_DEAF), fail("a", Choice((OPEN, ("RUL-2", "b")))))
    assert (one.reason, one.unlisted) == (NewReason.NOT_LISTED, ())


def test_another_failure_than_the_model_predicts_is_new() -> None:
    """The model predicts a failure of the case, and the case fails with another answer."""
    (one,) = found(file(IT_IS_DEAF), fail("a", predicted=DEAF))
    assert (one.reason, one.predicted) == (NewReason.OTHER_ANSWER, ("deaf",))


@pytest.mark.parametrize("verdict", [Verdict.PASS, Verdict.VARIANT])
def test_a_model_that_predicts_too_many_failures_is_stale(verdict: Verdict) -> None:
    """All cases that no longer match a model are one finding at its line; the entry is not to be deleted."""
    known = file(IT_IS_DEAF)
    (one,) = found(known, fail("a", DEAF, DEAF), seen("b", verdict, DEAF), seen("c", verdict, DEAF))
    assert (one.status, one.name, one.place, one.entry, one.off_model) == (
        Status.STALE,
        "deaf",
        "known.yaml:4",
        "",
        ("s/said/b", "s/said/c"),
    )
    expected = listing(known, seen("b", verdict, DEAF), TODAY)
    assert expected is not None and expected.status == Status.STALE


def test_a_model_whose_cause_is_gone_is_stale() -> None:
    """None of the predicted failures occurs in a whole run: one finding with the lines of the entry. Unsupported cases do
    not count. In a part of the corpus, the other failures are unknown."""
    part = [seen("a", predicted=DEAF), seen("b", predicted=DEAF), seen("c", Verdict.UNSUPPORTED, DEAF)]
    *_, wide = found(file(IT_IS_DEAF), *part)
    assert (wide.name, wide.off_model, wide.entry) == ("deaf", ("s/said/a", "s/said/b"), "")
    *_, one = found(file(IT_IS_DEAF), *part, seen("d"))
    assert (one.status, one.name, one.place, one.entry) == (Status.STALE, "deaf", "known.yaml:4", "known.yaml:4-6")
    assert one.off_model == ()


def test_an_unknown_name_of_a_model_is_unmatched() -> None:
    """A deviation or reading that nothing can answer under is a finding, and an update drops it; cases of its entry stay."""
    with_cases = Divergence(reason="It mumbles.", model="RUL-9=z", cases={"s/said/a": (SIGNATURE,)})
    known = file(Divergence(reason="It is def.", model="def", cases={}), with_cases, follows=(("RUL-7", "b"), OPEN))
    results, names = [fail("a")], {"deaf", "RUL-1=b", "RUL-9=b"}
    unmatched = [(one.name, one.place) for one in findings(known, results, replace(CORPUS, alternatives=names), TODAY)]
    assert unmatched == [("def", "known.yaml:4"), ("RUL-7=b", ""), ("RUL-9=z", "known.yaml:14")]
    assert findings(known, results, CORPUS, TODAY) == []
    made = merged(known, results, replace(CORPUS, alternatives=names))
    assert (made.follows, [(one.model, [*one.cases]) for one in made.divergences]) == ((OPEN,), [("", ["s/said/a"])])


def test_a_model_without_a_selected_case_is_no_finding() -> None:
    """A run of other cases says nothing about a model."""
    assert found(file(IT_IS_DEAF), seen("a")) == []


def test_an_update_writes_a_model_for_a_single_cause() -> None:
    """New failures of one deviation or refuted reading get one entry with a model, the most frequent cause first."""
    results = [fail("a", REFUTED), fail("b", DEAF), fail("c", DEAF), fail("d")]
    made = merged(KnownDivergences(), results, CORPUS)
    assert made.divergences == (
        Divergence(reason="TODO", model="deaf", cases={}),
        Divergence(reason="TODO", model="RUL-9=b", cases={}),
        Divergence(reason="TODO", category="echo.say $.text", cases={"s/said/d": (SIGNATURE,)}),
    )
    assert found(made, *results) == []
    assert merged(made, results, CORPUS) == made


def test_an_update_lists_what_no_model_explains_whole() -> None:
    """Two deviations, or a deviation with a reading that is not followed, explain a case only together: it is listed
    unless the file has every part."""
    both, with_reading = Choice(deviations=("deaf", "mute")), Choice((OPEN,), ("deaf",))
    made = merged(KnownDivergences(), [fail("a", both), fail("b", with_reading)], CORPUS)
    assert [(one.model, [*one.cases]) for one in made.divergences] == [("", ["s/said/a", "s/said/b"])]
    results = [fail("a", both), fail("b", with_reading), fail("c", MUTE), seen("d", Verdict.VARIANT, readings=(OPEN,))]
    made = merged(file(IT_IS_DEAF), results, CORPUS)
    assert [one.model for one in made.divergences] == ["deaf", "mute"]
    assert (made.follows, found(made, *results)) == ((OPEN,), [])


def test_a_reading_that_explains_failures_stays_among_the_followed_ones() -> None:
    """Variants of another reading of the ruling do not replace it, since the models need it."""
    variant = seen("b", Verdict.VARIANT, readings=(("RUL-1", "c"),))
    results = [fail("a", Choice((OPEN,), ("deaf",))), variant]
    made = merged(file(IT_IS_DEAF, follows=(OPEN,)), results, CORPUS)
    assert (made.follows, made.divergences, found(made, *results)) == ((OPEN,), (IT_IS_DEAF,), [])
    assert merged(file(IT_IS_DEAF), results, CORPUS).follows == ()
    assert merged(KnownDivergences(), [variant], CORPUS).follows == (("RUL-1", "c"),)


def test_an_update_writes_no_model_for_a_flaky_case() -> None:
    """A case that does not fail in every execution is listed with its signatures."""
    made = merged(KnownDivergences(), [fail("a", DEAF, flaky=frozenset({SIGNATURE, ""}))], CORPUS)
    assert [(one.model, one.flaky, [*one.cases]) for one in made.divergences] == [("", True, ["s/said/a"])]


def predicting(**failures: str) -> Callable[[Choice], dict[str, Choice]]:
    """Predictions of models: deviation → the letters of the cases in which it predicts a failure."""
    return lambda model: {
        f"s/said/{letter}": Choice(deviations=(name,)) for name in model.deviations for letter in failures[name]
    }


def test_an_update_lists_the_cases_of_a_new_model_that_predicts_too_much() -> None:
    """A deviation explains a failure by chance: its other predictions do not occur, so it is no model. The right one is."""
    results = [fail("a", DEAF), fail("b", MUTE), fail("c", MUTE), seen("d")]
    made, now = updated(KnownDivergences(), results, CORPUS, predicting(deaf="ad", mute="bc"))
    assert made.divergences == (
        Divergence(reason="TODO", model="mute", cases={}),
        Divergence(reason="TODO", category="echo.say $.text", cases={"s/said/a": (SIGNATURE,)}),
    )
    assert found(made, *now) == []
    again, _ = updated(made, now, CORPUS, predicting(mute="bc"))
    assert again == made


def test_an_update_lists_the_failures_that_remain_of_a_model() -> None:
    """A whole run shows that a model predicts too much: its failures become a list without a reason, with the former one.
    In a part of the corpus the model stays."""
    known, predict = file(IT_IS_DEAF), predicting(deaf="ab")
    part = [fail("a", DEAF, DEAF), seen("b", predicted=DEAF)]
    assert updated(known, part, CORPUS, predict)[0].divergences == (IT_IS_DEAF,)
    made, now = updated(known, [*part, seen("c"), seen("d")], CORPUS, predict)
    (one,) = made.divergences
    assert (one.reason, one.before, one.model, one.cases) == (
        "TODO",
        "It hears nothing.",
        "",
        {"s/said/a": (SIGNATURE,)},
    )
    assert found(made, *now) == []


def test_an_update_keeps_a_model_with_its_reason_and_place() -> None:
    """An entry stays while one of its predicted failures occurs or some case is not selected, and goes with its cause."""
    known = file(IT_IS_DEAF)
    for results in ([fail("a", DEAF, DEAF), seen("b", predicted=DEAF)], [seen("b")], []):
        assert merged(known, results, CORPUS).divergences == (IT_IS_DEAF,)
    part = [seen("a", predicted=DEAF), seen("b"), seen("c")]
    assert merged(known, part, CORPUS).divergences == (IT_IS_DEAF,)
    assert merged(known, [*part, seen("d")], CORPUS).divergences == ()


def test_a_changed_case_of_a_model_waits_in_an_entry_without_it() -> None:
    """An entry can have a model and cases; a case with a new signature leaves the model."""
    known = file(Divergence(reason="It hears nothing.", model="deaf", cases={"s/said/a": ("222222222222",)}))
    made = merged(known, [fail("a"), fail("b", DEAF, DEAF)], CORPUS)
    assert [(one.reason, one.model, [*one.cases]) for one in made.divergences] == [
        ("It hears nothing.", "deaf", []),
        ("TODO", "", ["s/said/a"]),
    ]


def test_a_flaky_model_predicts_nothing_and_explains() -> None:
    """The implementation does not follow it in every run, so the choice of the file lacks it."""
    known = file(replace(IT_IS_DEAF, flaky=True))
    assert (known.model, known.flaky_models) == (ADOPTED, ("deaf",))
    assert known.modelled(DEAF) == replace(IT_IS_DEAF, flaky=True)
    assert found(known, fail("a", DEAF), seen("b")) == []
