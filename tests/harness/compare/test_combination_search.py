"""Readings that excuse an answer together, what contradicts them, and the bounds of the search."""

from __future__ import annotations

from collections import Counter

import pytest
from made_alternatives import (
    DEAF,
    FLAT,
    HIGH,
    KEY,
    LOW,
    REFUTED,
    RULINGS,
    Table,
    attribution,
    case,
    choice,
    failing,
    observing,
    operation,
    shows,
    tune,
)
from made_values import ruling

from harness.compare import attribution as attribution_module
from harness.compare import combination_search
from harness.compare.attribution import Attribution
from harness.compare.causes import cause_name
from harness.model import (
    ADOPTED,
    Choice,
    Result,
    Undecided,
    Variant,
    Verdict,
)

PAIR = {ADOPTED: "fa", choice(LOW): "so", choice(HIGH): "la", choice(LOW, HIGH): "ti"}

SHOWN = {ADOPTED: "do", choice(LOW): "re"}
"""Answers to a disputed case of the first ruling."""


def test_two_open_readings_together_excuse_an_answer() -> None:
    """An implementation that follows two open readings may show neither of them alone."""
    made = attribution({"one": PAIR})
    assert made.explain(failing("ti")).readings == (LOW, HIGH)
    assert made.followed == {LOW: 1, HIGH: 1}


def test_three_open_readings_together_excuse_an_answer() -> None:
    """Readings that change nothing alone and in pairs are compared too."""
    rows = {"one": {ADOPTED: "fa", choice(LOW, HIGH, KEY): "ti", choice(REFUTED): "fa"}}
    assert attribution(rows).explain(failing("ti")).readings == (LOW, HIGH, KEY)


def test_a_reading_that_another_answer_contradicts_excuses_nothing_with_others() -> None:
    """The implementation follows the adopted reading where the combination predicts another answer."""
    made = observing(attribution({"one": PAIR, "shown": SHOWN}), shows(("RUL-1", "a"), "do"))
    found = made.explain(failing("ti"))
    assert (found.verdict, found.explained_by, found.undecided) == (Verdict.FAIL, choice(LOW, HIGH), None)


@pytest.mark.parametrize(
    "more", [choice(LOW, HIGH), choice(LOW, KEY)], ids=["the combination gives the answer", "another reading hides it"]
)
def test_an_answer_that_the_combination_can_give_contradicts_nothing(more: Choice) -> None:
    """In a disputed case, one reading can hide another one."""
    made = observing(attribution({"one": PAIR, "shown": {**SHOWN, more: "do"}}), shows(("RUL-1", "a"), "do"))
    assert made.explain(failing("ti")).readings == (LOW, HIGH)


def test_a_reading_that_is_followed_elsewhere_is_not_contradicted() -> None:
    """An implementation that follows two readings of one ruling is inconsistent, which reports show, and no failure."""
    rows = {"one": PAIR, "low": PAIR, "shown": SHOWN}
    made = observing(attribution(rows), shows(("RUL-1", "a"), "do"))
    assert [one.readings for one in made.explain_all([failing("ti"), failing("so", "low")])] == [(LOW, HIGH), (LOW,)]


@pytest.mark.parametrize(("bound", "size"), [("MAX_TRIED_FOR_ONE", 1), ("MAX_TRIED", 1), ("MAX_SEARCHED", 0)])
def test_a_search_that_ends_at_a_bound_decides_nothing(bound: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The failure says how many readings were compared together; nothing calls it unexplained."""
    monkeypatch.setattr(combination_search if size else attribution_module, bound, size and 4)
    result = attribution({"one": {**PAIR, choice(KEY): "fa"}}).explain(failing("mi"))
    assert (result.explained_by, result.undecided) == (ADOPTED, Undecided(3 if size else 0, size))
    assert cause_name(result, RULINGS) == "not decided"


def test_comparisons_that_only_explain_have_a_bound_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure is unexplained only if every pair with a deviation was compared."""
    rows = {"one": {ADOPTED: "fa", choice(DEAF): "so", choice(FLAT): "la", choice(REFUTED): "mi"}}
    assert attribution(rows).explain(failing("ti")).undecided is None
    for bound in ("MAX_PAIRS", "MAX_REMARKS"):
        with monkeypatch.context() as bounded:
            bounded.setattr(combination_search, bound, 0)
            assert attribution(rows).explain(failing("ti")).undecided == Undecided(0, 3)


def test_a_combination_excuses_if_each_part_is_followed_elsewhere() -> None:
    """Answers that follow each reading alone are evidence, also if they come later."""
    rows = {"one": PAIR, "low": PAIR, "high": PAIR}
    whole = [failing("ti"), failing("so", "low"), failing("la", "high")]
    assert [one.readings for one in attribution(rows).explain_all(whole)] == [(LOW, HIGH), (LOW,), (HIGH,)]


def test_all_readings_that_are_followed_elsewhere_excuse_together() -> None:
    """More readings than a combination has are compared at once, also with one more or one less."""
    rulings = {id_: ruling(id_, "leaves-room") for id_ in ("RUL-1", "RUL-2", "RUL-3", "RUL-4", "RUL-5")}
    readings = [(id_, "b") for id_ in rulings]
    whole = readings[:4]
    rows = {ADOPTED: "fa", choice(*whole): "ti", choice(*readings): "do"}
    for known in (whole, whole[:3], readings):
        made = Attribution(Table({"one": rows}), rulings, {"song.sing": operation()})
        made.followed.update(known)
        assert made.explain(failing("ti")).readings == tuple(whole)


def test_a_pass_of_a_disputed_case_is_evidence() -> None:
    """A variant of a disputed case counts as a reading that is followed."""
    made = attribution({"one": PAIR}, followed=Counter({LOW: 1}))
    made.observe(Result(case("other"), "bass", Variant(tune("x"), (HIGH,))))
    assert made.explain(failing("ti")).readings == (LOW, HIGH)


def test_a_combination_excuses_if_the_model_has_its_parts() -> None:
    """The readings of the model need no other evidence, and one that changes nothing is not named."""
    made = attribution({"one": PAIR}, Choice(readings=(LOW, HIGH, KEY)))
    assert made.explain(failing("ti")).readings == (LOW, HIGH)
    one_known = attribution({"one": PAIR}, Choice(readings=(LOW,)), followed=Counter({HIGH: 2}))
    assert one_known.explain(failing("ti")).readings == (LOW, HIGH)
