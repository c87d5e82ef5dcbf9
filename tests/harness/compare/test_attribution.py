"""Which readings and deviations explain an answer, and which of them excuse it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from made_alternatives import (
    DEAF,
    FLAT,
    HIGH,
    LOW,
    REFUTED,
    RULINGS,
    Table,
    attribution,
    case,
    choice,
    failing,
    operation,
    tune,
)

from harness.compare.attribution import Attribution
from harness.compare.verdict import errored, judge
from harness.model import (
    ADOPTED,
    ENDLESS,
    Answered,
    BreakContext,
    Choice,
    Crash,
    Errored,
    Failed,
    Json,
    Raised,
    Result,
    Rounds,
    TimedOut,
    Variant,
    Verdict,
    replace,
)


def test_one_open_reading_excuses_an_answer() -> None:
    """An answer that one open reading gives is a variant, with its differences from the expected answer."""
    found = attribution({"one": {ADOPTED: "fa", choice(LOW): "so"}}).explain(failing("so"))
    assert isinstance(found.outcome, Variant)
    assert (found.readings, [part.path for part in found.differences]) == ((LOW,), ["$.tune"])


def test_a_raised_error_can_follow_a_reading() -> None:
    """A raised error is compared by its type, whatever its message."""
    rows = {"one": {ADOPTED: "fa", choice(LOW): Raised("too-low")}}
    assert attribution(rows).explain(failing(Raised("too-low", "sorry"))).readings == (LOW,)
    assert attribution(rows).explain(failing(Raised("too-high"))).explained_by == ADOPTED


def test_an_unclassified_error_has_only_known_deviations() -> None:
    """Every defect raises an unclassified error, so it proves no deviation that the implementation does not have."""
    rows = {"one": {ADOPTED: "fa", choice(DEAF): Raised("unclassified")}}
    found = [
        attribution(rows, model).explain(failing(Raised("unclassified", "panic"))).explained_by
        for model in (Choice(), Choice(deviations=("flat",)), Choice(deviations=("flat", "deaf")))
    ]
    assert found == [ADOPTED, ADOPTED, choice(DEAF)]


@pytest.mark.parametrize("cause", [REFUTED, DEAF])
def test_a_refuted_reading_and_a_deviation_excuse_nothing(cause: tuple[str, str]) -> None:
    """The answer still fails, and the failure names its cause."""
    found = attribution({"one": {ADOPTED: "fa", choice(cause): "so"}}).explain(failing("so"))
    assert isinstance(found.outcome, Failed)
    assert found.explained_by == choice(cause)


def test_an_open_reading_comes_before_a_cause_of_failures() -> None:
    """A deviation is no explanation of an answer that an open reading gives."""
    rows = {"one": {ADOPTED: "fa", choice(LOW): "so", choice(DEAF): "so"}}
    assert attribution(rows).explain(failing("so")).readings == (LOW,)


def test_what_no_alternative_gives_is_unexplained() -> None:
    """A failure without an explanation is unchanged."""
    result = failing("la")
    assert attribution({"one": {ADOPTED: "fa", choice(LOW): "so"}}).explain(result) is result


def test_the_prediction_of_a_model_is_reduced_to_its_causes() -> None:
    """Of all that is known of an implementation only the parts that change this answer are named."""
    rows = {"one": {ADOPTED: "fa", choice(DEAF): "so", choice(DEAF, LOW): "mi", choice(FLAT): "fa", choice(HIGH): "fa"}}
    made = attribution(rows, Choice((HIGH, LOW), ("deaf", "flat")))
    assert made.explain(failing("mi")).explained_by == choice(DEAF, LOW)
    assert dict(made.predicted_failures([case()])) == {"one": choice(DEAF, LOW)}


def test_a_deviation_beside_followed_readings_is_reduced_too() -> None:
    """A deviation that the model does not have is named with the readings of the model that the answer needs."""
    rows = {"one": {ADOPTED: "fa", choice(LOW): "so", choice(HIGH): "fa", choice(DEAF): "re", choice(DEAF, LOW): "mi"}}
    made = attribution(rows, Choice(readings=(HIGH, LOW)))
    assert made.explain(failing("mi")).explained_by == choice(DEAF, LOW)


def test_open_readings_of_a_model_predict_no_failure() -> None:
    """Only a deviation or a refuted reading predicts a failure."""
    rows = {"open": {ADOPTED: "fa", choice(LOW): "so"}, "closed": {ADOPTED: "fa", choice(REFUTED): "so"}}
    made = attribution(rows, Choice(readings=(LOW, REFUTED)))
    assert dict(made.predicted_failures([case("open"), case("closed")])) == {"closed": choice(REFUTED)}


def test_a_cause_of_the_model_comes_before_another_one() -> None:
    """Two deviations give the answer: the one that the model has is named, although the whole model predicts another."""
    rows = {"one": {ADOPTED: "fa", choice(DEAF): "so", choice(FLAT): "so", choice(FLAT, LOW): "mi"}}
    assert attribution(rows).explain(failing("so")).explained_by == choice(DEAF)
    made = attribution(rows, Choice(readings=(LOW,), deviations=("flat",)))
    assert made.explain(failing("so")).explained_by == choice(FLAT)


def test_flaky_results_are_not_explained() -> None:
    """A result that differs between executions is evidence for no reading."""
    result = failing("so")
    flaky = replace(result, flaky=(Rounds((1,), result.outcome), Rounds((2,), judge(case(), operation(), tune("fa")))))
    made = attribution({"one": {ADOPTED: "fa", choice(LOW): "so"}})
    assert made.explain(flaky) is flaky
    assert list(made.explain_all([flaky])) == [flaky]
    assert not made.followed


def test_an_error_without_an_answer_is_not_explained() -> None:
    """A crash gives no answer that a reading could give."""
    crash = Result(case(), "bass", Errored(Crash(9), "0123456789ab"))
    made = attribution({"one": {ADOPTED: "fa"}})
    assert made.explain(crash) is crash
    assert made.source.asked == []  # type: ignore[attr-defined]


def passing(*cited: str, ruling: str = "", **more: Json) -> Result:
    """The result of an answer that passes a case which these rulings cite."""
    made = replace(case(expected=tune("fa", **more), ruling=ruling), cited_by_rulings=cited)
    return Result(made, "bass", judge(made, operation(), made.expected))


@pytest.mark.parametrize(
    ("predicted", "followed"), [("so", (("RUL-9", "a"),)), ("fa", ()), (Raised("bad"), (("RUL-9", "a"),))]
)
def test_a_pass_follows_the_adopted_reading_where_readings_differ(predicted: Any, followed: Any) -> None:
    """A pass of a plain case that a ruling cites follows a reading only if another one predicts another answer."""
    made = attribution({"one": {ADOPTED: "fa", choice(REFUTED): predicted}})
    (found,) = made.separate([passing("RUL-9")])
    assert (found.verdict, found.readings) == (Verdict.PASS, followed)


def test_a_pass_that_fits_two_readings_follows_none() -> None:
    """Where one of the other readings predicts the same answer, or none is predicted, a pass follows no reading."""
    rows = {"one": {ADOPTED: "fa", choice(REFUTED): "so", choice(("RUL-9", "c")): "fa"}}
    made = attribution(rows)
    three = replace(RULINGS["RUL-9"], readings={"a": "", "b": "", "c": ""})
    made.rulings = RULINGS | {"RUL-9": three}
    assert [one.readings for one in made.separate([passing("RUL-9")])] == [()]
    silent = Attribution(Table(rows), RULINGS, {"song.sing": operation()})
    [found] = silent.separate([replace(passing("RUL-9"), case=replace(passing("RUL-9").case, operation="song.hum"))])
    assert found.readings == ()


def test_a_pass_keeps_its_own_reading() -> None:
    """A pass of a disputed case that another ruling cites follows a reading of each."""
    made = attribution({"one": {ADOPTED: "fa", choice(REFUTED): "so"}})
    [found] = made.separate([passing("RUL-1", "RUL-9", ruling="RUL-1")])
    assert found.readings == (("RUL-1", "a"), ("RUL-9", "a"))


def test_a_pass_follows_no_reading_at_an_unobservable_path() -> None:
    """Readings that differ only at a path which the implementation cannot report are not separated."""
    rows = {"one": {ADOPTED: tune("fa", key="C"), choice(REFUTED): tune("fa", key="D")}}
    for hidden, followed in (((), (("RUL-9", "a"),)), (("/key",), ())):
        received = tune("fa") if hidden else tune("fa", key="C")
        result = passing("RUL-9", key="C")
        judged = replace(result, outcome=judge(result.case, operation(), received, hidden))
        made = attribution(rows, unobservable={"song.sing": hidden})
        assert [one.readings for one in made.separate([judged])] == [followed]


def test_a_timeout_is_explained_by_a_cause_that_never_answers() -> None:
    """It is no reading, and an alternative that raises another error does not explain it; an unsent case has no cause."""
    rows = {"one": {ADOPTED: tune("fa"), choice(DEAF): Raised(ENDLESS), choice(FLAT): Raised("unclassified")}}
    made = attribution(rows, Choice(deviations=("deaf",)))
    hung = Result(case(), "bass", errored(TimedOut(10.0)))
    assert made.explain(hung).explained_by == choice(DEAF)
    assert list(made.predicted_failures([hung.case])) == [("one", choice(DEAF))]
    assert attribution({"one": {ADOPTED: tune("fa"), choice(FLAT): Raised("unclassified")}}).explain(hung) == hung
    unsent = Result(case(), "bass", errored(TimedOut(10.0, context=BreakContext(unsent_after=10))))
    assert made.explain(unsent) is unsent


def test_unobservable_paths_do_not_count() -> None:
    """A path that the implementation cannot report hides no reading."""
    rows = {"one": {ADOPTED: tune("fa", key="C"), choice(LOW): tune("so", key="D")}}
    result = failing("so", unobservable=("/key",), expected=tune("fa", key="C"))
    assert attribution(rows).explain(result).explained_by == ADOPTED
    seen = attribution(rows, unobservable={"song.sing": ("/key",)})
    assert seen.explain(result).readings == (LOW,)
    assert [part.path for part in seen.explain(result).differences] == ["$.tune"]


def test_places_that_the_case_leaves_out_do_not_count() -> None:
    """An optional member counts only if the case expects it, and a place that allows every value never counts."""
    rows = {"one": {ADOPTED: tune("fa", limit=1), choice(LOW): tune("so", limit=1)}}
    assert attribution(rows).explain(failing("so")).readings == (LOW,)
    expected = failing(tune("so", limit=2), expected=tune("fa", limit=1))
    assert attribution(rows).explain(expected).explained_by == ADOPTED
    free = Answered({"tune": "fa"}, free=("/words",))
    with_words = {"one": {ADOPTED: tune("fa", words="la la"), choice(LOW): tune("so", words="la la")}}
    assert attribution(with_words).explain(failing(tune("so", words="do re"), expected=free)).readings == (LOW,)


def test_a_cause_changes_a_place_that_the_case_compares() -> None:
    """A part of the model that shows only in a member that the case leaves out is no cause of its failure."""
    rows = {
        "one": {
            ADOPTED: tune("fa", limit=1),
            choice(LOW): tune("fa", limit=2),
            choice(DEAF): tune("so", limit=1),
            choice(LOW, DEAF): tune("so", limit=2),
        }
    }
    made = attribution(rows, Choice(readings=(LOW,), deviations=("deaf",)))
    assert made.explain(failing("so")).explained_by == choice(DEAF)
    assert list(made.predicted_failures([failing("so").case])) == [("one", choice(DEAF))]


AMBIGUOUS = {ADOPTED: "fa", choice(LOW): "so", choice(HIGH): "so"}


def test_the_ruling_of_the_case_decides_between_two_readings() -> None:
    """A disputed case follows a reading of its own ruling, however often another one is followed."""
    made = attribution({"one": AMBIGUOUS}, followed=Counter({LOW: 9}))
    assert made.explain(failing("so", ruling="RUL-2")).readings == (HIGH,)


def test_the_reading_that_is_followed_most_decides_between_two() -> None:
    """The order of the results does not matter; without evidence the first ruling is named."""
    rows = {"one": AMBIGUOUS, "two": AMBIGUOUS, "high": {ADOPTED: "fa", choice(HIGH): "so"}}
    results = [failing("so"), failing("so", "high"), failing("so", "two")]
    for listed in (results, results[::-1]):
        assert {one.readings for one in attribution(rows).explain_all(listed)} == {(HIGH,)}
    assert attribution(rows).explain(failing("so")).readings == (LOW,)


def test_readings_are_counted_once() -> None:
    """Each explained answer counts once for its reading."""
    made = attribution({"one": {ADOPTED: "fa", choice(LOW): "so"}})
    list(made.explain_all([failing("so")]))
    assert made.followed == {LOW: 1}
    made.explain(failing("so"))
    assert made.followed == {LOW: 2}


def test_an_operation_that_the_source_does_not_answer() -> None:
    """Without an answer of the source nothing is explained or predicted."""
    made = attribution({}, Choice(deviations=("deaf",)))
    other = replace(failing("so"), case=replace(case(), operation="organ.play"))
    assert made.explain(other) is other
    assert list(made.predicted_failures([other.case])) == []
