"""How an update writes a known-divergence file from the results of a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from made_known import (
    CORPUS,
    DEAF,
    IT_IS_DEAF,
    LETTERS,
    MUTE,
    ONE,
    OPEN,
    OPERATION_OF,
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
    reasons,
    seen,
    unsupported,
    with_models,
    without,
)

from harness.gate.findings import Declared, findings
from harness.gate.known_divergences import Divergence, KnownDivergences, ListedNames, ListedReading
from harness.gate.listing import GateInput
from harness.gate.readings import reading_changes
from harness.gate.update import changed, merged, updated, with_unobservable
from harness.model import Choice, Status, Verdict, replace

WAITING = "TODO of echo.say $.text"


def divergences(file: KnownDivergences) -> list[tuple[str, dict[str, Any]]]:
    """The entries: reason and cases; `kind` and `before` of an unwritten reason stand beside it."""
    return [
        (
            f"{one.reason}{f' of {one.category}' * bool(one.category)}{f' after {one.before}' * bool(one.before)}",
            dict(one.cases),
        )
        for one in file.divergences
    ]


def test_merging_keeps_reasons_with_their_cases() -> None:
    """A known failure keeps its entry with all that belongs to it; a new one comes under TODO, with its kind."""
    expected = explaining(ONE, link="https://example.org/12", owner="me", since="2026-01-01", expires="2027-01-01")
    file = merged(expected, [fail(), fail("s/said/b", OTHER)], CORPUS)
    assert file.divergences[0] == expected.divergences[0]
    assert divergences(file)[1:] == [(WAITING, {"s/said/b": (OTHER,)})]


def test_merging_is_idle_where_all_is_known() -> None:
    """A file that explains the run is left as it is, and explains it."""
    results = [fail(), seen("s/said/b"), unsupported("s/shouted/a"), unsupported("s/shouted/b")]
    file = merged(known(echo_shout="mute"), results, CORPUS)
    assert (divergences(file), reasons(file)) == ([("It mumbles.", {"s/said/a": (ONE,)})], {"echo.shout": "mute"})


AGAIN = "TODO after It mumbles."


def test_merging_puts_another_signature_in_its_place() -> None:
    """A changed failure gets its new signature and waits for its reason; a list of several takes the new one in."""
    assert divergences(merged(explaining(ONE), [fail(signature=OTHER)], CORPUS)) == [(AGAIN, {"s/said/a": (OTHER,)})]
    assert divergences(merged(explaining(ONE, OTHER), [fail(signature=THIRD)], CORPUS)) == [
        (AGAIN, {"s/said/a": (ONE, OTHER, THIRD)})
    ]


def test_merging_parts_an_entry_of_which_one_case_changed() -> None:
    """The reason stays with the cases that diverge as before, and only those that changed wait for another."""
    both = KnownDivergences(
        (Divergence(reason="It mumbles.", cases={"s/said/a": (ONE,), "s/said/b": (ONE,)}, link="l"),)
    )
    results = [fail(), fail("s/said/b", OTHER)]
    file = merged(both, results, CORPUS)
    assert divergences(file) == [("It mumbles.", {"s/said/a": (ONE,)}), (AGAIN, {"s/said/b": (OTHER,)})]
    assert [one.link for one in file.divergences] == ["l", "l"]
    assert changed(both, results) == ["s/said/b"]


def test_merging_over_a_reason_that_waits_changes_no_text() -> None:
    """What still waits for its reason takes the newest signature, and does not tell of the one before."""
    once = merged(explaining(ONE), [fail(signature=OTHER)], CORPUS)
    assert divergences(merged(once, [fail(signature=THIRD)], CORPUS)) == [(AGAIN, {"s/said/a": (THIRD,)})]


def test_merging_drops_what_is_stale_or_unmatched() -> None:
    """Lines of cases that pass or are not there go, and an entry without cases goes with them."""
    expected = KnownDivergences(
        (Divergence(reason="It mumbles.", cases={"s/said/a": (ONE,), "s/gone/a": (ONE,)}),),
        (ListedNames(reason="mute", names=("echo.whisper", "echo.shout")),),
    )
    file = merged(expected, [seen("s/said/a"), seen("s/shouted/a")], CORPUS)
    assert (file.divergences, file.unsupported) == ((), ())


def test_merging_keeps_what_was_not_selected() -> None:
    """Lines of cases and operations that were not asked stay as they are."""
    file = merged(known(echo_shout="mute"), [seen("s/said/b")], CORPUS)
    assert (divergences(file), reasons(file)) == ([("It mumbles.", {"s/said/a": (ONE,)})], {"echo.shout": "mute"})


def test_new_failures_join_what_waits_for_the_same_reason() -> None:
    """A TODO of any text keeps its place, what belongs to it and its cases. A case whose failure is of another category
    leaves the entry that waits."""
    shouts = Divergence(reason="TODO", category="echo.shout $.text", owner="me", cases={"s/shouted/b": (ONE,)})
    mumbles = Divergence(reason="It mumbles.", cases={"s/said/b": (ONE,)})
    before = KnownDivergences((Divergence(reason="TODO", cases={"s/said/a": (ONE,)}), shouts, mumbles))

    def shout(case: str, category: str = shouts.category) -> GateInput:
        return GateInput(case, "echo.shout", Verdict.FAIL, OTHER, category=category)

    once = merged(before, [shout("s/shouted/a")], CORPUS)
    cases = {"s/shouted/b": (ONE,), "s/shouted/a": (OTHER,)}
    assert once.divergences == (before.divergences[0], replace(shouts, cases=cases), mumbles)
    assert merged(once, [shout("s/shouted/a")], CORPUS) == once
    other = merged(once, [shout("s/shouted/b", "echo.shout error/crash"), fail(signature=OTHER)], CORPUS)
    assert [(one.category, {**one.cases}) for one in other.divergences] == [
        ("", {"s/said/a": (OTHER,)}),
        ("echo.shout $.text", {"s/shouted/a": (OTHER,)}),
        ("", {"s/said/b": (ONE,)}),
        ("echo.shout error/crash", {"s/shouted/b": (OTHER,)}),
    ]


def test_an_operation_that_answers_nothing_gets_one_line() -> None:
    """Where all cases of an operation were asked and none was answered, the operation has a line; its reason is TODO."""
    file = merged(KnownDivergences(), [unsupported("s/shouted/a"), unsupported("s/shouted/b")], CORPUS)
    assert reasons(file) == {"echo.shout": "TODO: no such function"}


def test_an_operation_of_which_a_part_was_asked_gets_lines_of_cases() -> None:
    """Where a case of the operation was not asked, or was answered, each unsupported case has its own line."""
    fresh = merged(KnownDivergences(), [unsupported("s/shouted/a")], CORPUS)
    assert reasons(fresh) == {"s/shouted/a": "TODO: no such function"}
    partly = merged(known(echo_shout="mute"), [unsupported("s/shouted/a"), seen("s/shouted/b")], CORPUS)
    assert reasons(partly) == {"s/shouted/a": "mute"}


@pytest.mark.parametrize(
    "results",
    [
        [fail(), fail("s/said/b", OTHER), unsupported("s/shouted/a"), unsupported("s/shouted/b")],
        [seen("s/said/a"), unsupported("s/said/b"), fail("s/shouted/a", OTHER), unsupported("s/shouted/b")],
        [unsupported("s/said/a"), seen("s/shouted/a", Verdict.VARIANT)],
    ],
)
@pytest.mark.parametrize(
    "before", [KnownDivergences(), known(), known(echo_shout="mute"), explaining(OTHER, case="s/gone/a")]
)
def test_a_merged_file_explains_the_run(before: KnownDivergences, results: list[GateInput]) -> None:
    """Whatever stood in the file and whatever was seen, the merged file leaves nothing to find."""
    assert findings(merged(before, results, CORPUS), results, CORPUS, TODAY) == []


# Globs


SUNG = {f"s/sung/{table}.{row}": f"echo.{table}" for table in ("high", "low") for row in "12"}


ALL = {**OPERATION_OF, **SUNG}
"""A corpus whose suite `s/sung` has two tables, each of an operation of its own."""


def entries(file: KnownDivergences) -> list[tuple[str, ...]]:
    return [one.names for one in file.unsupported]


@pytest.mark.parametrize(
    ("missing", "names"),
    [
        ([*ALL], [("echo.*",)]),
        ([*SUNG], [("echo.high", "echo.low")]),
        (["s/sung/high.1", "s/sung/low.1", "s/sung/low.2"], [("echo.low", "s/sung/high.1")]),
    ],
)
def test_few_names_for_many_cases(missing: list[str], names: list[tuple[str, ...]]) -> None:
    """One reason takes the widest names that mean no other case of the corpus."""
    results = [GateInput(case, ALL[case], Verdict.UNSUPPORTED, reason="no such function") for case in missing]
    results += [GateInput(case, ALL[case], Verdict.PASS) for case in ALL if case not in missing]
    file = merged(KnownDivergences(), results, Declared(ALL))
    assert entries(file) == names
    assert findings(file, results, Declared(ALL), TODAY) == []


def test_a_suite_of_one_operation_is_a_glob_over_cases() -> None:
    """Cases of an operation that is answered elsewhere are named by their table or suite."""
    corpus = {**dict.fromkeys(SUNG, "echo.say"), "s/said/a": "echo.say"}
    results = [GateInput(case, "echo.say", Verdict.UNSUPPORTED, reason=case.split("/")[2][:3]) for case in SUNG]
    results.append(GateInput("s/said/a", "echo.say", Verdict.PASS))
    assert entries(merged(KnownDivergences(), results, Declared(corpus))) == [("s/sung/high.*",), ("s/sung/low.*",)]
    alike = [GateInput(one.case, one.operation, one.verdict, reason="no") for one in results]
    assert entries(merged(KnownDivergences(), alike, Declared(corpus))) == [("s/sung/*",)]


def test_a_glob_is_stale_once_one_of_its_cases_is_answered() -> None:
    """A glob means all its cases; the update then lists the others under the same reason."""
    file = without("s/shouted/*")
    results = [seen("s/shouted/a"), unsupported("s/shouted/b")]
    assert found(file, *results) == [(Status.STALE, "s/shouted/*", "known.yaml:3")]
    assert reasons(merged(file, results, CORPUS)) == {"s/shouted/b": "mute"}
    assert found(without("s/sighed/*")) == [(Status.UNMATCHED, "s/sighed/*", "known.yaml:3")]
    assert found(without("echo.sh*"), unsupported("s/shouted/a")) == []


def test_unsupported_cases_join_the_entry_that_waits_for_their_reason() -> None:
    """A second update adds a case to the unwritten entry with the same reason of the adapter; a written one takes none."""
    once = merged(KnownDivergences(), [unsupported("s/said/a")], CORPUS)
    twice = merged(once, [unsupported("s/said/a"), unsupported("s/shouted/a")], CORPUS)
    assert reasons(twice) == dict.fromkeys(("s/said/a", "s/shouted/a"), "TODO: no such function")
    assert len(twice.unsupported) == 1


# Documents and readings


# Readings and models


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


def test_an_update_keeps_every_signature_of_a_flaky_case() -> None:
    """A case that passes sometimes gets an entry that a pass does not make stale."""
    file = merged(KnownDivergences(), [flaky(ONE, "")], CORPUS)
    assert file.divergences == (Divergence(reason="TODO", category="kind", flaky=True, cases={"s/said/a": (ONE,)}),)
    passing = GateInput("s/said/a", "echo.say", Verdict.PASS)
    assert findings(file, [passing], CORPUS, TODAY) == []
    assert merged(file, [passing], CORPUS) == file
    (entry,) = merged(file, [flaky(OTHER, "")], CORPUS).divergences
    assert entry.cases == {"s/said/a": (ONE, OTHER)}


def test_an_update_writes_a_model_for_a_single_cause() -> None:
    """New failures of one deviation or refuted reading get one entry with a model, the most frequent cause first."""
    results = [predictable("a", REFUTED), predictable("b", DEAF), predictable("c", DEAF), predictable("d")]
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
    made = merged(KnownDivergences(), [predictable("a", both), predictable("b", with_reading)], LETTERS)
    assert [(one.model, [*one.cases]) for one in made.divergences] == [("", ["s/said/a", "s/said/b"])]
    results = [
        predictable("a", both),
        predictable("b", with_reading),
        predictable("c", MUTE),
        answering("d", Verdict.VARIANT, readings=(OPEN,)),
    ]
    made = merged(with_models(IT_IS_DEAF), results, LETTERS)
    assert [one.model for one in made.divergences] == ["deaf", "mute"]
    assert (made.follows, judged(made, *results)) == ((OPEN,), [])


def test_a_reading_that_explains_failures_stays_among_the_followed_ones() -> None:
    """Variants of another reading of the ruling do not replace it, since the models need it."""
    variant = answering("b", Verdict.VARIANT, readings=(("RUL-1", "c"),))
    results = [predictable("a", Choice((OPEN,), ("deaf",))), variant]
    made = merged(with_models(IT_IS_DEAF, follows=(OPEN,)), results, LETTERS)
    assert (made.follows, made.divergences, judged(made, *results)) == ((OPEN,), (IT_IS_DEAF,), [])
    assert merged(with_models(IT_IS_DEAF), results, LETTERS).follows == ()
    assert merged(KnownDivergences(), [variant], LETTERS).follows == (("RUL-1", "c"),)


def test_an_update_writes_no_model_for_a_flaky_case() -> None:
    """A case that does not fail in every execution is listed with its signatures."""
    made = merged(KnownDivergences(), [predictable("a", DEAF, flaky=frozenset({ONE, ""}))], LETTERS)
    assert [(one.model, one.flaky, [*one.cases]) for one in made.divergences] == [("", True, ["s/said/a"])]


def predicting(**failures: str) -> Callable[[Choice], dict[str, Choice]]:
    """Predictions of models: deviation → the letters of the cases in which it predicts a failure."""
    return lambda model: {
        f"s/said/{letter}": Choice(deviations=(name,)) for name in model.deviations for letter in failures[name]
    }


def test_an_update_lists_the_cases_of_a_new_model_that_predicts_too_much() -> None:
    """A deviation explains a failure by chance: its other predictions do not occur, so it is no model. The right one is."""
    results = [predictable("a", DEAF), predictable("b", MUTE), predictable("c", MUTE), answering("d")]
    made, now = updated(KnownDivergences(), results, LETTERS, predicting(deaf="ad", mute="bc"))
    assert made.divergences == (
        Divergence(reason="TODO", model="mute", cases={}),
        Divergence(reason="TODO", category="echo.say $.text", cases={"s/said/a": (ONE,)}),
    )
    assert judged(made, *now) == []
    again, _ = updated(made, now, LETTERS, predicting(mute="bc"))
    assert again == made


def test_an_update_lists_the_failures_that_remain_of_a_model() -> None:
    """A whole run shows that a model predicts too much: its failures become a list without a reason, with the former one.
    In a part of the corpus the model stays."""
    known, predict = with_models(IT_IS_DEAF), predicting(deaf="ab")
    part = [predictable("a", DEAF, DEAF), answering("b", predicted=DEAF)]
    assert updated(known, part, LETTERS, predict)[0].divergences == (IT_IS_DEAF,)
    made, now = updated(known, [*part, answering("c"), answering("d")], LETTERS, predict)
    (one,) = made.divergences
    assert (one.reason, one.before, one.model, one.cases) == (
        "TODO",
        "It hears nothing.",
        "",
        {"s/said/a": (ONE,)},
    )
    assert judged(made, *now) == []


def test_an_update_keeps_a_model_with_its_reason_and_place() -> None:
    """An entry stays while one of its predicted failures occurs or some case is not selected, and goes with its cause."""
    known = with_models(IT_IS_DEAF)
    for results in ([predictable("a", DEAF, DEAF), answering("b", predicted=DEAF)], [answering("b")], []):
        assert merged(known, results, LETTERS).divergences == (IT_IS_DEAF,)
    part = [answering("a", predicted=DEAF), answering("b"), answering("c")]
    assert merged(known, part, LETTERS).divergences == (IT_IS_DEAF,)
    assert merged(known, [*part, answering("d")], LETTERS).divergences == ()


def test_a_changed_case_of_a_model_waits_in_an_entry_without_it() -> None:
    """An entry can have a model and cases; a case with a new signature leaves the model."""
    known = with_models(Divergence(reason="It hears nothing.", model="deaf", cases={"s/said/a": ("222222222222",)}))
    made = merged(known, [predictable("a"), predictable("b", DEAF, DEAF)], LETTERS)
    assert [(one.reason, one.model, [*one.cases]) for one in made.divergences] == [
        ("It hears nothing.", "deaf", []),
        ("TODO", "", ["s/said/a"]),
    ]


# Unobservable paths


def test_an_update_writes_and_deletes_unobservable_paths() -> None:
    """A new path gets a TODO, a listed one keeps its reason, and one that is gone goes with its entry."""
    hums = ListedNames(reason="It hums.", names=("echo.say/notes",))
    waiting = ListedNames(reason="TODO", names=("echo.say/text",))
    file = KnownDivergences(unobservable=(hums,))
    assert with_unobservable(file, ["echo.say/text"], ()).unobservable == (hums, waiting)
    assert with_unobservable(file, (), {"echo.say/notes"}).unobservable == ()
