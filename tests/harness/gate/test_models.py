"""Results against the models and readings of a known-divergence file, and how an update writes these."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from made_known import (
    ONE,
    OPERATION_OF,
    RULINGS,
    TODAY,
    gate_input,
    rounds,
)

from harness.gate.findings import Declared, GateFinding, findings, masked_listings
from harness.gate.fixed import is_deleted
from harness.gate.known_divergences import Divergence, KnownDivergences, ListedNames
from harness.gate.listing import NewReason, listing
from harness.gate.update import merged, updated
from harness.model import (
    ADOPTED,
    Choice,
    Listing,
    Readings,
    ResultLine,
    Status,
    Verdict,
    replace,
)

RULED = Declared(OPERATION_OF, dict.fromkeys(OPERATION_OF, "RUL-1"))
LETTERS = Declared({f"s/said/{letter}": "echo.say" for letter in "abcd"}, rulings=RULINGS)
"""The corpus of models: four cases of one operation. The text refutes the readings of RUL-9."""
DEAF, MUTE = Choice(deviations=("deaf",)), Choice(deviations=("mute",))
OPEN = ("RUL-1", "b")
REFUTED = Choice((("RUL-9", "b"),))
IT_IS_DEAF = Divergence(reason="It hears nothing.", model="deaf", place="src/ear.ts:7", cases={}, span=(4, 6))


def disputed(case: str, reading: str = "") -> ResultLine:
    readings = (("RUL-1", reading),) if reading else ()
    return gate_input(case, Verdict.VARIANT if reading else Verdict.PASS, readings=readings, ruling="RUL-1")


def with_models(*divergences: Divergence, follows: Readings = (), deaf: str = "") -> KnownDivergences:
    """A file with these entries; the models are on lines 4, 14, … The model `deaf` predicts that these letters fail."""
    lines = {one.model: 10 * number + 4 for number, one in enumerate(divergences) if one.model}
    predicted = {f"s/said/{letter}": DEAF for letter in deaf}
    return KnownDivergences(divergences, follows=follows, lines=lines, shown="known.yaml", predicted=predicted)


def failing(case: str, choice: Choice = ADOPTED, **more: Any) -> ResultLine:
    """A failing case that this choice explains."""
    return gate_input(f"s/said/{case}", Verdict.FAIL, explained_by=choice, **more)


def answering(case: str, verdict: Verdict = Verdict.PASS, readings: Readings = ()) -> ResultLine:
    """A case that does not fail."""
    return gate_input(f"s/said/{case}", verdict, readings=readings)


def judged(known: KnownDivergences, *results: ResultLine) -> list[GateFinding]:
    return findings(known, results, LETTERS, TODAY)


def test_a_failure_of_a_case_listed_as_unsupported_is_new() -> None:
    """A model does not hide that a case that the file lists as unsupported is answered now, and fails."""
    listed = replace(
        with_models(IT_IS_DEAF, deaf="a"), unsupported=(ListedNames(reason="Not public.", names=("echo.say",)),)
    )
    assert listing(listed, failing("a", DEAF), TODAY) == Listing(Status.NEW, NewReason.LISTED_AS_UNSUPPORTED)
    new, stale = judged(listed, failing("a", DEAF))
    assert (new.status, new.name, new.causes) == (Status.NEW, "s/said/a", ("deaf",))
    assert (stale.status, stale.name) == (Status.STALE, "echo.say")


def test_a_model_explains_each_failure_that_it_predicts() -> None:
    """A failure that the deviation explains is known, whatever its signature, and has the reason of the entry."""
    known = with_models(IT_IS_DEAF, deaf="ab")
    assert judged(known, failing("a", DEAF), failing("b", DEAF)) == []
    assert listing(known, failing("a", DEAF), TODAY) == Listing(Status.KNOWN, "It hears nothing.")


def test_a_refuted_reading_is_a_model_like_a_deviation() -> None:
    """The entry names the ruling and the reading."""
    known = with_models(Divergence(reason="It reads another way.", model="RUL-9=b", cases={}))
    assert known.model.readings == (("RUL-9", "b"),)
    assert judged(replace(known, predicted={"s/said/a": REFUTED}), failing("a", REFUTED)) == []


def test_followed_readings_can_go_with_a_deviation() -> None:
    """An explanation is known only if the file has all of its parts."""
    both = Choice((OPEN,), ("deaf",))
    assert judged(with_models(IT_IS_DEAF, follows=(OPEN,)), failing("a", both)) == []
    (one,) = judged(with_models(IT_IS_DEAF), failing("a", both))
    assert (one.reason, one.unlisted) == (NewReason.NOT_LISTED, ("RUL-1=b",))


def test_a_cause_that_the_file_does_not_name_is_named() -> None:
    """A new failure has the deviation that explains it."""
    (one,) = judged(with_models(IT_IS_DEAF), failing("a", MUTE))
    assert (one.status, one.name, one.reason, one.unlisted) == (
        Status.NEW,
        "s/said/a",
        NewReason.NOT_LISTED,
        ("mute",),
    )


def test_a_known_failure_that_becomes_unsupported_keeps_its_reason() -> None:
    """A new unsupported case has the reason of its entry, or of the model that predicts its failure."""
    listed = Divergence(reason="It mumbles.", cases={"s/said/b": (ONE,)})
    known = with_models(IT_IS_DEAF, listed, deaf="a")
    gone = [answering(letter, Verdict.UNSUPPORTED) for letter in "abc"]
    assert [one.listed_reason for one in judged(known, *gone)] == ["It hears nothing.", "It mumbles.", ""]


def test_open_readings_alone_are_no_cause() -> None:
    """A failure that only open readings explain together needs a reason of its own."""
    (one,) = judged(with_models(IT_IS_DEAF), failing("a", Choice((OPEN, ("RUL-2", "b")))))
    assert (one.reason, one.unlisted) == (NewReason.NOT_LISTED, ())


def test_another_failure_than_the_model_predicts_is_new() -> None:
    """The model predicts a failure of the case, and the case fails with another answer."""
    (one,) = judged(with_models(IT_IS_DEAF, deaf="a"), failing("a"))
    assert (one.reason, one.predicted) == (NewReason.OTHER_ANSWER, ("deaf",))


@pytest.mark.parametrize("verdict", [Verdict.PASS, Verdict.VARIANT])
def test_a_model_that_predicts_too_many_failures_is_stale(verdict: Verdict) -> None:
    """All cases that no longer match a model are one finding at its line; the entry is not to be deleted."""
    known = with_models(IT_IS_DEAF, deaf="abc")
    (one,) = judged(known, failing("a", DEAF), answering("b", verdict), answering("c", verdict))
    assert (one.status, one.name, one.place, one.entry, one.off_model) == (
        Status.STALE,
        "deaf",
        "known.yaml:4",
        "",
        ("s/said/b", "s/said/c"),
    )
    expected = listing(known, answering("b", verdict), TODAY)
    assert expected is not None and expected.status == Status.STALE


def test_a_model_whose_cause_is_gone_is_stale() -> None:
    """None of the predicted failures occurs in a whole run: one finding with the lines of the entry. Unsupported cases do
    not count. In a part of the corpus, the other failures are unknown."""
    known = with_models(IT_IS_DEAF, deaf="abc")
    part = [answering("a"), answering("b"), answering("c", Verdict.UNSUPPORTED)]
    *_, wide = judged(known, *part)
    assert (wide.name, wide.off_model, wide.entry) == ("deaf", ("s/said/a", "s/said/b"), "")
    *_, one = judged(known, *part, answering("d"))
    assert (one.status, one.name, one.place, one.entry) == (Status.STALE, "deaf", "known.yaml:4", "known.yaml:4-6")
    assert one.off_model == ()


def test_an_unknown_name_of_a_model_is_unmatched() -> None:
    """A deviation or reading that nothing can answer under is a finding, and an update drops it; cases of its entry stay."""
    with_cases = Divergence(reason="It mumbles.", model="RUL-9=z", cases={"s/said/a": (ONE,)})
    known = with_models(
        Divergence(reason="It is def.", model="def", cases={}), with_cases, follows=(("RUL-7", "b"), OPEN)
    )
    results, names = [failing("a")], {"deaf", "RUL-1=b", "RUL-9=b"}
    unmatched = [(one.name, one.place) for one in findings(known, results, replace(LETTERS, alternatives=names), TODAY)]
    assert unmatched == [("def", "known.yaml:4"), ("RUL-7=b", ""), ("RUL-9=z", "known.yaml:14")]
    assert findings(known, results, LETTERS, TODAY) == []
    made = merged(known, results, replace(LETTERS, alternatives=names))
    assert (made.follows, [(one.model, [*one.cases]) for one in made.divergences]) == (
        (OPEN,),
        [("", ["s/said/a"])],
    )


def test_a_flaky_model_predicts_nothing_and_explains() -> None:
    """The implementation does not follow it in every run, so the choice of the file lacks it."""
    known = with_models(replace(IT_IS_DEAF, flaky=True))
    assert (known.model, known.flaky_models) == (ADOPTED, ("deaf",))
    assert known.modelled(DEAF) == replace(IT_IS_DEAF, flaky=True)
    assert judged(known, failing("a", DEAF), answering("b")) == []


def test_an_update_writes_a_model_for_a_single_cause() -> None:
    """New failures of one deviation or refuted reading get one entry with a model, the most frequent cause first."""
    results = [
        failing("a", REFUTED),
        failing("b", DEAF),
        failing("c", DEAF),
        failing("d"),
    ]
    made = merged(KnownDivergences(), results, LETTERS)
    assert made.divergences == (
        Divergence(reason="TODO", model="deaf", cases={}),
        Divergence(reason="TODO", model="RUL-9=b", cases={}),
        Divergence(reason="TODO", category="echo.say $.text", cases={"s/said/d": (ONE,)}),
    )
    assert judged(made, *results) == []
    assert merged(made, results, LETTERS) == made


def test_an_update_lists_what_no_model_explains_whole() -> None:
    """Two deviations, or a deviation with a reading that is not followed, explain a case only together: it is listed
    unless the file has every part."""
    both, with_reading = Choice(deviations=("deaf", "mute")), Choice((OPEN,), ("deaf",))
    made = merged(KnownDivergences(), [failing("a", both), failing("b", with_reading)], LETTERS)
    assert [(one.model, [*one.cases]) for one in made.divergences] == [("", ["s/said/a", "s/said/b"])]
    results = [
        failing("a", both),
        failing("b", with_reading),
        failing("c", MUTE),
        answering("d", Verdict.VARIANT, readings=(OPEN,)),
    ]
    made = merged(with_models(IT_IS_DEAF), results, LETTERS)
    assert [one.model for one in made.divergences] == ["deaf", "mute"]
    assert (made.follows, judged(made, *results)) == ((OPEN,), [])


def test_a_reading_that_explains_failures_stays_among_the_followed_ones() -> None:
    """Variants of another reading of the ruling do not replace it, since the models need it."""
    variant = answering("b", Verdict.VARIANT, readings=(("RUL-1", "c"),))
    results = [failing("a", Choice((OPEN,), ("deaf",))), variant]
    made = merged(with_models(IT_IS_DEAF, follows=(OPEN,)), results, LETTERS)
    assert (made.follows, made.divergences, judged(made, *results)) == ((OPEN,), (IT_IS_DEAF,), [])
    assert merged(with_models(IT_IS_DEAF), results, LETTERS).follows == ()
    assert merged(KnownDivergences(), [variant], LETTERS).follows == (("RUL-1", "c"),)


def test_an_update_writes_no_model_for_a_flaky_case() -> None:
    """A case that does not fail in every execution is listed with its signatures."""
    made = merged(KnownDivergences(), [failing("a", DEAF, flaky=rounds(ONE, ""))], LETTERS)
    assert [(one.model, one.flaky, [*one.cases]) for one in made.divergences] == [("", True, ["s/said/a"])]


def predicting(**failures: str) -> Callable[[Choice], dict[str, Choice]]:
    """Predictions of models: deviation → the letters of the cases in which it predicts a failure."""
    return lambda model: {
        f"s/said/{letter}": Choice(deviations=(name,)) for name in model.deviations for letter in failures[name]
    }


def test_an_update_lists_the_cases_of_a_new_model_that_predicts_too_much() -> None:
    """A deviation explains a failure by chance: its other predictions do not occur, so it is no model. The right one is."""
    results = [
        failing("a", DEAF),
        failing("b", MUTE),
        failing("c", MUTE),
        answering("d"),
    ]
    made = updated(KnownDivergences(), results, LETTERS, predicting(deaf="ad", mute="bc"))
    assert made.divergences == (
        Divergence(reason="TODO", model="mute", cases={}),
        Divergence(reason="TODO", category="echo.say $.text", cases={"s/said/a": (ONE,)}),
    )
    assert judged(made, *results) == []
    assert updated(made, results, LETTERS, predicting(mute="bc")) == made


def test_an_update_lists_the_failures_that_remain_of_a_model() -> None:
    """A whole run shows that a model predicts too much: its failures become a list without a reason, with the former one.
    In a part of the corpus the model stays."""
    known, predict = with_models(IT_IS_DEAF, deaf="ab"), predicting(deaf="ab")
    part = [failing("a", DEAF), answering("b")]
    assert updated(known, part, LETTERS, predict).divergences == (IT_IS_DEAF,)
    whole = [*part, answering("c"), answering("d")]
    made = updated(known, whole, LETTERS, predict)
    (one,) = made.divergences
    assert (one.reason, one.before, one.model, one.cases) == (
        "TODO",
        "It hears nothing.",
        "",
        {"s/said/a": (ONE,)},
    )
    assert judged(made, *whole) == []


def test_an_update_keeps_a_model_with_its_reason_and_place() -> None:
    """An entry stays while one of its predicted failures occurs or some case is not selected, and goes with its cause."""
    known = with_models(IT_IS_DEAF, deaf="ab")
    for results in ([failing("a", DEAF), answering("b")], [answering("b")], []):
        assert merged(known, results, LETTERS).divergences == (IT_IS_DEAF,)
    known = with_models(IT_IS_DEAF, deaf="a")
    part = [answering("a"), answering("b"), answering("c")]
    assert merged(known, part, LETTERS).divergences == (IT_IS_DEAF,)
    assert merged(known, [*part, answering("d")], LETTERS).divergences == ()


def test_a_changed_case_of_a_model_waits_in_an_entry_without_it() -> None:
    """An entry can have a model and cases; a case with a new signature leaves the model."""
    known = with_models(Divergence(reason="It hears nothing.", model="deaf", cases={"s/said/a": ("222222222222",)}))
    made = merged(known, [failing("a"), failing("b", DEAF)], LETTERS)
    assert [(one.reason, one.model, [*one.cases]) for one in made.divergences] == [
        ("It hears nothing.", "deaf", []),
        ("TODO", "", ["s/said/a"]),
    ]


def test_a_known_failure_that_a_new_one_can_hide_is_masked() -> None:
    """Where an operation has a new failure, a known one that does not show is not called stale."""
    file = with_models(Divergence(reason="It is deaf.", model="deaf"), deaf="ab")
    hidden, broken = answering("a"), gate_input("s/said/c", Verdict.FAIL)
    found = judged(file, hidden, answering("b"), broken, answering("d"))
    assert [(finding.status, finding.name) for finding in found] == [(Status.NEW, "s/said/c"), (Status.MASKED, "deaf")]
    assert masked_listings(found, [hidden, broken]) == {
        "s/said/a": Listing(Status.MASKED, "new failures of echo.say can hide the known failure")
    }
    assert not is_deleted(found[1])
    other = judged(file, hidden, answering("b"), gate_input("s/shouted/a", Verdict.FAIL), answering("d"))
    assert [finding.status for finding in other] == [Status.NEW, Status.STALE]


def test_a_model_of_which_only_other_causes_are_left_is_gone() -> None:
    """A predicted failure that another cause explains now is no trace of the model."""
    file = with_models(
        Divergence(reason="It is deaf.", model="deaf"), Divergence(reason="Mute.", model="mute"), deaf="ab"
    )
    [gone] = judged(file, answering("a"), failing("b", MUTE), answering("c"), answering("d"))
    assert (gone.status, gone.name, gone.off_model, gone.stale) == (Status.STALE, "deaf", (), 1)
    [left] = judged(file, answering("a"), failing("b", DEAF), answering("c"), answering("d"))
    assert left.off_model == ("s/said/a",)
