"""Which readings and deviations explain an answer, and which of them excuse it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import pytest

import harness.compare.attribution
from harness.compare.attribution import Attribution, Combined, Effects, Model
from harness.compare.causes import cause_name
from harness.compare.verdict import errored, judge
from harness.model import (
    ADOPTED,
    ENDLESS,
    Answered,
    BreakContext,
    Case,
    Choice,
    Crash,
    Errored,
    Failed,
    Json,
    Operation,
    Passes,
    Raised,
    Readings,
    Response,
    Result,
    Rules,
    Ruling,
    TimedOut,
    Undecided,
    Variant,
    Verdict,
    replace,
)

LOW, HIGH, KEY, REFUTED = ("RUL-1", "b"), ("RUL-2", "b"), ("RUL-3", "b"), ("RUL-9", "b")
"""Readings of three open rulings, and of one that the text decides."""

DEAF, FLAT = ("", "deaf"), ("", "flat")
"""Two deviations."""


def choice(*alternatives: tuple[str, str]) -> Choice:
    """The choice of these alternatives."""
    return Choice(
        tuple(sorted(one for one in alternatives if one[0])),
        tuple(sorted(n for ruling, n in alternatives if not ruling)),
    )


def parts(chosen: Choice) -> list[tuple[str, str]]:
    """The alternatives of a choice."""
    return [*chosen.readings, *(("", name) for name in chosen.deviations)]


@dataclass
class Table:
    """Answers by case and choice. A choice without a row has the answer of its largest part with a row. `asked` has
    each choice that was compared. Every alternative of a row is reached."""

    rows: Mapping[str, Mapping[Choice, Any]]
    asked: list[Choice] = field(default_factory=list)

    def offers(self, operation: str) -> bool:
        return operation == "song.sing"

    def effects(self, case: Case) -> Effects:
        rows = self.rows[case.name]
        reached = frozenset(one for row in rows for one in parts(row))
        plain = self._response(rows, ADOPTED)
        single = {one: self._response(rows, choice(one)) for one in sorted(reached)}
        return Effects(plain, {one: found for one, found in single.items() if found != plain}, reached)

    def combined(
        self, case: Case, beside: Choice, further: Collection[tuple[str, str]], size: int, limit: int
    ) -> Combined:
        rows = self.rows[case.name]
        known = {frozenset[tuple[str, str]](): self._response(rows, beside)}
        different: dict[Readings, Response] = {}
        for reached in range(1, size + 1):
            for some in combinations(sorted(further), reached):
                if len(dict(some)) < reached:
                    continue
                if len(known) > limit:
                    return Combined(known[frozenset()], different, reached - 1, limit)
                others = [one for one in beside.readings if one[0] not in dict(some)]
                whole = choice(*others, *(("", name) for name in beside.deviations), *some)
                self.asked.append(whole)
                found = known[frozenset(some)] = self._response(rows, whole)
                if all(found != known[frozenset(some) - {one}] for one in some):
                    different[tuple(some)] = found
        return Combined(known[frozenset()], different, size, len(known) - 1)

    def answers(self, cases: Sequence[Case], choices: Sequence[Choice]) -> Sequence[Response | None]:
        self.asked += choices
        return [
            self._response(self.rows[case.name], one) if self.offers(case.operation) else None
            for case, one in zip(cases, choices, strict=True)
        ]

    def needed(self, case: Case, chosen: Choice) -> Choice:
        rows, kept = self.rows[case.name], parts(chosen)
        for one in parts(chosen):
            others = [other for other in kept if other != one]
            if self._response(rows, choice(*others)) == self._response(rows, chosen):
                kept = others
        return choice(*kept)

    @staticmethod
    def _response(rows: Mapping[Choice, Json | Response], wanted: Choice) -> Response:
        parts = [
            row for row in rows if {*row.readings} <= {*wanted.readings} and {*row.deviations} <= {*wanted.deviations}
        ]
        found = rows[max(parts, key=lambda one: len(one.readings) + len(one.deviations))]
        return found if isinstance(found, Answered | Raised) else tune(found)


def tune(value: Json, **more: Json) -> Answered:
    """An answer with this tune."""
    return Answered({"tune": value, **more})


def ruling(id_: str, text: str) -> Ruling:
    """A ruling with the adopted reading a and the other reading b."""
    return Ruling(
        id=id_, title="", requirements=(), question="", readings={"a": "", "b": ""}, adopted="a", basis="", why="",
        severity="low", evidence=(), wording="", revision="1.0", text=text,
    )  # fmt: skip


RULINGS = {id_: ruling(id_, "decides" if id_ == "RUL-9" else "leaves-room") for id_, _ in (LOW, HIGH, KEY, REFUTED)}
OPTIONAL = Rules(properties={"limit": Rules(if_expected=True)})


def case(name: str = "one", expected: Response | None = None, ruling: str = "") -> Case:
    """A case whose expected tune is `fa`."""
    return Case(
        name=name, suite="choir", at="", system="choir", operation="song.sing", request={}, recorded_request={},
        expected=expected or tune("fa"), requirements=(), origin="", revision="1.0",
        ruling=ruling, adopted="a" if ruling else "",
    )  # fmt: skip


def operation(rules: Rules = OPTIONAL) -> Operation:
    """The operation of every case."""
    return Operation("song.sing", "choir", rules, (), frozenset())


def failing(
    got: Json | Response,
    name: str = "one",
    unobservable: Sequence[str] = (),
    expected: Response | None = None,
    ruling: str = "",
) -> Result:
    """The result of an answer that fails its case."""
    response = got if isinstance(got, Answered | Raised) else tune(got)
    made = case(name, expected, ruling)
    result = Result(made, "bass", judge(made, operation(), response, unobservable))
    assert result.verdict in (Verdict.FAIL, Verdict.ERROR)
    return result


def attribution(rows: Mapping[str, Mapping[Choice, Any]], model: Model | None = None, **more: object) -> Attribution:
    """The attribution over a table of answers."""
    made = Attribution(Table(rows), RULINGS, {"song.sing": operation()}, model or Model())
    return replace(made, **more)  # type: ignore[arg-type]


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
        for model in (Model(), Model(deviations=("flat",)), Model(deviations=("flat", "deaf")))
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


PAIR = {ADOPTED: "fa", choice(LOW): "so", choice(HIGH): "la", choice(LOW, HIGH): "ti"}


def shows(reading: tuple[str, str], got: str, name: str = "shown") -> Result:
    """The result of a disputed case whose answer is that of a reading."""
    return Result(case(name), "bass", Variant(tune(got), (reading,)))


def observing(made: Attribution, *results: Result) -> Attribution:
    """The attribution after these results."""
    for one in results:
        made.observe(one)
    return made


def test_two_open_readings_together_excuse_an_answer() -> None:
    """An implementation that follows two open readings may show neither of them alone."""
    made = attribution({"one": PAIR})
    assert made.explain(failing("ti")).readings == (LOW, HIGH)
    assert made.followed == {LOW: 1, HIGH: 1}


def test_three_open_readings_together_excuse_an_answer() -> None:
    """Readings that change nothing alone and in pairs are compared too."""
    rows = {"one": {ADOPTED: "fa", choice(LOW, HIGH, KEY): "ti", choice(REFUTED): "fa"}}
    assert attribution(rows).explain(failing("ti")).readings == (LOW, HIGH, KEY)


SHOWN = {ADOPTED: "do", choice(LOW): "re"}
"""Answers to a disputed case of the first ruling."""


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
    monkeypatch.setattr(harness.compare.attribution, bound, size and 4)
    result = attribution({"one": {**PAIR, choice(KEY): "fa"}}).explain(failing("mi"))
    assert (result.explained_by, result.undecided) == (ADOPTED, Undecided(3 if size else 0, size))
    assert cause_name(result, RULINGS) == "not decided"


def test_comparisons_that_only_explain_have_a_bound_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure is unexplained only if every pair with a deviation was compared."""
    rows = {"one": {ADOPTED: "fa", choice(DEAF): "so", choice(FLAT): "la", choice(REFUTED): "mi"}}
    assert attribution(rows).explain(failing("ti")).undecided is None
    for bound in ("MAX_PAIRS", "MAX_REMARKS"):
        with monkeypatch.context() as bounded:
            bounded.setattr(harness.compare.attribution, bound, 0)
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
    made = attribution({"one": PAIR}, Model(readings=(LOW, HIGH, KEY)))
    assert made.explain(failing("ti")).readings == (LOW, HIGH)
    one_known = attribution({"one": PAIR}, Model(readings=(LOW,)), followed=Counter({HIGH: 2}))
    assert one_known.explain(failing("ti")).readings == (LOW, HIGH)


def test_the_prediction_of_a_model_is_reduced_to_its_causes() -> None:
    """Of all that is known of an implementation only the parts that change this answer are named."""
    rows = {"one": {ADOPTED: "fa", choice(DEAF): "so", choice(DEAF, LOW): "mi", choice(FLAT): "fa", choice(HIGH): "fa"}}
    made = attribution(rows, Model((HIGH, LOW), ("deaf", "flat")))
    assert made.explain(failing("mi")).explained_by == choice(DEAF, LOW)
    assert dict(made.predicted_failures([case()])) == {"one": choice(DEAF, LOW)}


def test_a_deviation_beside_followed_readings_is_reduced_too() -> None:
    """A deviation that the model does not have is named with the readings of the model that the answer needs."""
    rows = {"one": {ADOPTED: "fa", choice(LOW): "so", choice(HIGH): "fa", choice(DEAF): "re", choice(DEAF, LOW): "mi"}}
    made = attribution(rows, Model(readings=(HIGH, LOW)))
    assert made.explain(failing("mi")).explained_by == choice(DEAF, LOW)


def test_open_readings_of_a_model_predict_no_failure() -> None:
    """Only a deviation or a refuted reading predicts a failure."""
    rows = {"open": {ADOPTED: "fa", choice(LOW): "so"}, "closed": {ADOPTED: "fa", choice(REFUTED): "so"}}
    made = attribution(rows, Model(readings=(LOW, REFUTED)))
    assert dict(made.predicted_failures([case("open"), case("closed")])) == {"closed": choice(REFUTED)}


def test_a_cause_of_the_model_comes_before_another_one() -> None:
    """Two deviations give the answer: the one that the model has is named, although the whole model predicts another."""
    rows = {"one": {ADOPTED: "fa", choice(DEAF): "so", choice(FLAT): "so", choice(FLAT, LOW): "mi"}}
    assert attribution(rows).explain(failing("so")).explained_by == choice(DEAF)
    made = attribution(rows, Model(readings=(LOW,), deviations=("flat",)))
    assert made.explain(failing("so")).explained_by == choice(FLAT)


def test_flaky_results_are_not_explained() -> None:
    """A result that differs between executions is evidence for no reading."""
    result = failing("so")
    flaky = replace(result, flaky=(Passes((1,), result.outcome), Passes((2,), judge(case(), operation(), tune("fa")))))
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
    made = attribution(rows, Model(deviations=("deaf",)))
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
    made = attribution(rows, Model(readings=(LOW,), deviations=("deaf",)))
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
    made = attribution({}, Model(deviations=("deaf",)))
    other = replace(failing("so"), case=replace(case(), operation="organ.play"))
    assert made.explain(other) is other
    assert list(made.predicted_failures([other.case])) == []
