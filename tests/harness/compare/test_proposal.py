"""What a proposal changes: expected answers, and the verdicts on recorded answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from made_alternatives import DEAF, HIGH, KEY, LOW, REFUTED, RULINGS, Table, case, choice, operation, tune

from harness.compare.proposal import Assessment, Effect, Impact, ImplementationImpact, JudgedAgain, RecordedAnswers
from harness.compare.verdict import judge
from harness.errors import UsageError
from harness.model import (
    ADOPTED,
    Case,
    Choice,
    NotOffered,
    Outcome,
    Passed,
    Readings,
    Response,
    ResultLine,
    Unsupported,
    Variant,
    Verdict,
    replace,
)

PASS, VARIANT, FAIL = Verdict.PASS, Verdict.VARIANT, Verdict.FAIL


def line(outcome: Outcome, name: str = "one", **more: Any) -> ResultLine:
    """The recorded result of a case."""
    return ResultLine(
        case=name, at="", operation="song.sing", requirements=(), request={}, implementation="bass", outcome=outcome,
        **{"expected": tune("fa"), **more},
    )  # fmt: skip


def passed(name: str = "one") -> ResultLine:
    return line(Passed(tune("fa")), name)


def variant(got: str, *readings: tuple[str, str], name: str = "one") -> ResultLine:
    return line(Variant(tune(got), readings), name)


def failed(got: str, explained_by: Choice = ADOPTED, name: str = "one") -> ResultLine:
    outcome = judge(case(name), operation(), tune(got))
    return line(replace(outcome, explained_by=explained_by), name)


def impact(
    rows: Mapping[str, Mapping[Choice, Any]],
    proposal: Choice,
    *results: ResultLine,
    cases: Sequence[Case] | None = None,
    unobservable: Sequence[str] = (),
) -> Impact:
    """The impact on these results of one implementation."""
    answers = RecordedAnswers(results, {"song.sing": unobservable})
    assessment = Assessment(proposal, Table(rows), RULINGS, {"song.sing": operation()})
    return assessment.impact(cases or [case(name) for name in rows], {"bass": answers})


def on_bass(found: Impact) -> ImplementationImpact:
    [bass] = found.implementations
    return bass


@pytest.mark.parametrize(
    ("result", "after"),
    [
        (passed(), FAIL),
        (variant("so", LOW), PASS),
        (failed("so", choice(LOW)), PASS),
        (variant("la", HIGH), FAIL),
        (variant("mi", HIGH), VARIANT),
        (failed("mi", choice(LOW, HIGH)), VARIANT),
        (failed("re", choice(LOW, DEAF)), FAIL),
        (failed("ti"), FAIL),
    ],
)
def test_an_answer_is_judged_by_the_proposed_one(result: ResultLine, after: Verdict) -> None:
    """The proposed answer passes. Another one is a variant if open readings beside the proposal give it, and else fails."""
    rows = {
        "one": {ADOPTED: "fa", choice(LOW): "so", choice(HIGH): "la", choice(LOW, HIGH): "mi", choice(LOW, DEAF): "re"}
    }
    assert on_bass(impact(rows, choice(LOW), result)).judged == (JudgedAgain("one", result.verdict, after),)


def test_only_what_the_proposal_concerns_is_judged() -> None:
    """A case whose expected answer stays is judged again only if its answer follows another reading of the ruling."""
    rows = {"same": {ADOPTED: "fa"}, "other": {ADOPTED: "fa"}, "new": {ADOPTED: "fa", choice(LOW): "so"}}
    results = [passed("same"), variant("la", ("RUL-1", "c"), name="other"), passed("new")]
    found = impact(rows, choice(LOW), *results)
    assert [changed.case.name for changed in found.changes] == ["new"]
    assert on_bass(found).judged == (JudgedAgain("other", VARIANT, FAIL), JudgedAgain("new", PASS, FAIL))


def test_the_adopted_reading_as_the_text_leaves_no_other() -> None:
    """A proposal of the adopted reading changes no expected answer, and its variants fail."""
    found = impact({"one": {ADOPTED: "fa", choice(LOW): "so"}}, Choice((("RUL-1", "a"),)), variant("so", LOW))
    assert (found.changes, on_bass(found).judged) == ((), (JudgedAgain("one", VARIANT, FAIL),))


def test_a_deviation_can_be_proposed() -> None:
    """The answers of a deviation are the expected ones, so its failures pass."""
    found = impact({"one": {ADOPTED: "fa", choice(DEAF): "so"}}, choice(DEAF), failed("so", choice(DEAF)))
    assert on_bass(found).judged == (JudgedAgain("one", FAIL, PASS),)


def test_what_is_not_judged_is_named() -> None:
    """A change at unobservable places is hidden, and the verdict stays. A case without an answer, or with another expected
    answer when it was recorded, is not judged."""
    rows = {name: {ADOPTED: "fa", choice(LOW): "so"} for name in ("hidden", "none", "old")}
    old = line(Passed(tune("re")), "old", expected=tune("re"))
    results = [line(Passed(tune_without()), "hidden"), line(Unsupported(NotOffered()), "none"), old]
    bass = on_bass(impact(rows, choice(LOW), *results, unobservable=["/tune"]))
    assert (bass.unanswered, bass.outdated) == (("none",), ("old",))
    assert [(each.case, each.effect) for each in bass.judged] == [("hidden", Effect.HIDDEN)]


def tune_without() -> Response:
    """An answer without its unobservable tune."""
    return replace(tune(""), value={})


def test_a_ruling_that_no_case_separates_any_more_is_settled() -> None:
    """Its readings give different answers today, and the same one under the proposal."""
    rows = {
        "key": {ADOPTED: "fa", choice(KEY): "la", choice(LOW): "so", choice(LOW, KEY): "so"},
        "high": {ADOPTED: "fa", choice(HIGH): "la", choice(LOW): "so", choice(LOW, HIGH): "mi"},
        "never": {ADOPTED: "fa"},
    }
    cases = [case("key", ruling="RUL-3"), case("high", ruling="RUL-2"), case("never", ruling=REFUTED[0])]
    assert impact(rows, choice(LOW), cases=cases).settled == ("RUL-3",)


def test_rulings_about_the_same_requirement_are_neighbours() -> None:
    """Their wordings stand beside the proposed one."""
    about: Readings = (("RUL-1", "S-1"), ("RUL-2", "S-1"), ("RUL-3", "S-2"))
    rulings = {id_: replace(RULINGS[id_], requirements=(requirement,)) for id_, requirement in about}
    assessment = Assessment(choice(LOW), Table({}), rulings, {"song.sing": operation()})
    assert assessment.impact([], {}).neighbours == ("RUL-2",)


class Excluding(Table):
    """Answers nothing under more than one alternative."""

    def answers(self, cases: Sequence[Case], choices: Sequence[Choice]) -> Sequence[Response | None]:
        return [None if len(each.readings) > 1 else tune("fa") for _, each in zip(cases, choices, strict=True)]


def test_alternatives_that_exclude_each_other_are_no_proposal() -> None:
    """The error names them."""
    assessment = Assessment(choice(LOW, HIGH), Excluding({}), RULINGS, {"song.sing": operation()})
    with pytest.raises(UsageError, match="RUL-1=b, RUL-2=b: these exclude each other"):
        assessment.impact([case()], {})
