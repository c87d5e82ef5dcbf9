"""Judging: what is left out, at which stage an answer parts, and which verdict that makes."""

from __future__ import annotations

from typing import Any

import pytest

from harness.compare.causes import first_differing_stage
from harness.compare.json_diff import differences
from harness.compare.unobservable import drop_paths, has_visible_value, reported_paths
from harness.compare.verdict import (
    error_signature,
    judge,
    response_differences,
)
from harness.model import (
    FAILING,
    Answered,
    Case,
    CaseBody,
    Difference,
    Errored,
    Failed,
    ImplementationError,
    Operation,
    Passed,
    Raised,
    Response,
    Result,
    Rules,
    Variant,
    Verdict,
    replace,
)


class TestUntold:
    @pytest.mark.parametrize(
        ("pointers", "wanted"),
        [
            ([], {"a": {"b": 1, "c": [{"d": 1, "e": 2}, {"e": 3}]}, "f/g~": 4, "": 5}),
            (["/a"], {"f/g~": 4, "": 5}),
            (["/a/b", "/a/c"], {"a": {}, "f/g~": 4, "": 5}),
            (["/a/c/*/e"], {"a": {"b": 1, "c": [{"d": 1}, {}]}, "f/g~": 4, "": 5}),
            (["/a/c/0/d"], {"a": {"b": 1, "c": [{"e": 2}, {"e": 3}]}, "f/g~": 4, "": 5}),
            (["/a/c/0"], {"a": {"b": 1, "c": [{"e": 3}]}, "f/g~": 4, "": 5}),
            (["/a/*"], {"a": {}, "f/g~": 4, "": 5}),
            (["/f~1g~0", "/"], {"a": {"b": 1, "c": [{"d": 1, "e": 2}, {"e": 3}]}}),
            (["/*"], {}),
            (["/x/y", "/a/b/c", "/a/c/7/d"], {"a": {"b": 1, "c": [{"d": 1, "e": 2}, {"e": 3}]}, "f/g~": 4, "": 5}),
        ],
    )
    def test_unobservable_places_are_taken_out(self, pointers: list[str], wanted: Any) -> None:
        """A JSON Pointer names a place, `*` every member or element; what is not there is no matter."""
        value: Any = {"a": {"b": 1, "c": [{"d": 1, "e": 2}, {"e": 3}]}, "f/g~": 4, "": 5}
        assert drop_paths(value, pointers) == wanted
        assert list(differences(value, {"a": {"b": 1, "c": [{"d": 1, "e": 2}, {"e": 3}]}, "f/g~": 4, "": 5})) == []

    def test_an_answer_that_tells_what_it_cannot_tell_is_found_out(self) -> None:
        """The pointers that lead to something are named."""
        assert reported_paths({"a": [{"b": 1}], "c": None}, ["/a/*/b", "/a/*/c", "/c", "/d"]) == ["/a/*/b", "/c"]

    def test_nothing_left_says_nothing(self) -> None:
        """A value of empty mappings has nothing to compare; an empty list is something."""
        assert not has_visible_value({}) and not has_visible_value({"a": {"b": {}}})
        assert has_visible_value({"a": []}) and has_visible_value({"a": None}) and has_visible_value({"a": {"b": 0}})

    def test_an_unobservable_place_is_not_compared(self) -> None:
        """What an implementation cannot tell is neither missing nor wrong."""
        wanted, got = Answered({"a": 1, "b": [{"c": 1, "d": 2}]}), Answered({"b": [{"d": 2}]})
        assert list(response_differences(wanted, got, Rules(), ["/a", "/b/*/c"])) == []
        assert [one.path for one in response_differences(wanted, got, Rules(), ["/a"])] == ["$.b[0].c"]

    def test_a_list_of_which_every_element_is_unobservable_goes_whole(self) -> None:
        """An adapter that tells no element cannot pass with an empty list: nothing is left to compare."""
        told = drop_paths({"words": ["a", "b"]}, ["/words/*"])
        assert told == {}
        assert not has_visible_value(told)
        assert reported_paths({"words": []}, ["/words/*"]) == ["/words/*"]
        assert drop_paths({"hits": [{"a": 1, "b": 2}]}, ["/hits/*/a"]) == {"hits": [{"b": 2}]}

    def test_emptied_objects_say_nothing(self) -> None:
        """How many elements a list has is no part of the answer that could be compared by itself."""
        assert not has_visible_value(drop_paths({"hits": [{"a": 1}, {"a": 2}]}, ["/hits/*/a"]))
        assert has_visible_value({"hits": []})


class TestStages:
    @pytest.mark.parametrize(
        ("paths", "stage", "recovered"),
        [
            (["$.a"], "/a", True),
            (["$.a.x[1]", "$.c"], "/a", False),
            (["$.b[0].y"], "/b", True),
            (["$.a", "$.n.m"], "/a", False),
            (["$.c"], "/c", False),
            (["$.d"], "", False),
            (["$.ab", "$.c"], "/c", False),
            (["$.n"], "/n/m", True),
            (["$.n.m[3]"], "/n/m", True),
            (["$.n.other"], "", False),
        ],
    )
    def test_the_first_stage_that_parted(self, paths: list[str], stage: str, recovered: bool) -> None:
        """The first stage with a difference in it is named; it recovered if every later stage is right."""
        stages = ("/a", "/b", "/n/m", "/c")
        assert first_differing_stage([Difference(path, 1, 2) for path in paths], stages) == (stage, recovered)

    def test_no_stages_no_stage(self) -> None:
        """An operation without stages names none."""
        assert first_differing_stage([Difference("$.a", 1, 2)], ()) == ("", False)


def _case(expected: Response, **readings: Response) -> Case:
    return Case(
        name="x/y/z",
        at="cases/x/y.yaml:1",
        operation="x.y",
        requirements=(),
        origin="spec-text",
        revision="1.0",
        ruling="RUL-1" if readings else "",
        body=CaseBody(recorded_request={}, expected=expected, adopted="a" if readings else "", readings=readings),
    )


OPERATION = Operation(
    "x.y",
    "x",
    Rules(),
    ("/first", "/last"),
    (
        "bad",
        "worse",
    ),
)


def _failed(case: Case, response: Response) -> Failed:
    outcome = judge(case, OPERATION, response)
    assert isinstance(outcome, Failed)
    return outcome


class TestVerdicts:
    @pytest.mark.parametrize(
        ("expected", "response", "verdict"),
        [
            (Answered({"a": 1}), Answered({"a": 1}), Verdict.PASS),
            (Answered({"a": 1}), Answered({"a": 2}), Verdict.FAIL),
            (Answered({"a": 1}), Raised("bad"), Verdict.ERROR),
            (Raised("bad"), Raised("bad", "whatever"), Verdict.PASS),
            (Raised("bad"), Raised("worse"), Verdict.FAIL),
            (Raised("bad"), Answered({"a": 1}), Verdict.FAIL),
        ],
    )
    def test_the_verdict_on_an_outcome(self, expected: Response, response: Response, verdict: Verdict) -> None:
        """Equal passes; an answer in the place of an error fails; an error in the place of an answer is an error."""
        outcome = judge(_case(expected), OPERATION, response)
        assert outcome.verdict is verdict
        assert isinstance(outcome, Failed | Errored) == (verdict in FAILING)

    def test_another_recorded_reading_is_a_variant(self) -> None:
        """An answer equal to a reading that was not adopted is a variant, named after it, without a signature."""
        case = _case(Answered({"a": 1}), b=Answered({"a": 2}), c=Raised("bad"))
        for response, verdict, reading in (
            (Answered({"a": 1}), Verdict.PASS, "a"),
            (Answered({"a": 2}), Verdict.VARIANT, "b"),
            (Raised("bad"), Verdict.VARIANT, "c"),
            (Answered({"a": 3}), Verdict.FAIL, ""),
            (Raised("worse"), Verdict.ERROR, ""),
        ):
            outcome = judge(case, OPERATION, response)
            found = outcome.readings[0][1] if isinstance(outcome, Passed | Variant) else ""
            assert (outcome.verdict, found) == (verdict, reading)

    def test_a_pass_follows_no_reading_that_it_cannot_separate(self) -> None:
        """Where the readings expect the same at the observable paths, a pass of a disputed case follows none of them."""
        case = _case(Answered({"a": 1, "n": 1}), b=Answered({"a": 1, "n": 2}))
        for hidden, readings in (((), (("RUL-1", "a"),)), (("/n",), ()), (("/a",), (("RUL-1", "a"),))):
            value = drop_paths({"a": 1, "n": 1}, hidden)
            assert isinstance(value, dict)
            outcome = judge(case, OPERATION, Answered(value), hidden)
            assert isinstance(outcome, Passed)
            assert outcome.readings == readings

    def test_a_reading_can_leave_places_free(self) -> None:
        """Every value at a free place follows the reading, also none; the other places have to match."""
        case = _case(Answered({"a": 1, "n": 1}), b=Answered({"a": 0, "n": 1}, free=("/a",)))
        outcomes: list[tuple[Any, Verdict]] = [
            ({"a": 7, "n": 1}, Verdict.VARIANT),
            ({"n": 1}, Verdict.VARIANT),
            ({"a": 7}, Verdict.FAIL),
        ]
        for value, verdict in outcomes:
            assert judge(case, OPERATION, Answered(value)).verdict is verdict

    def test_a_reading_can_demand_a_part_of_a_text(self) -> None:
        """One of the texts at each such place is enough, in any letter case, with any white space between its words, in a
        text of at most so many characters."""
        contains = (("/of/0/t", ("red ape", "zebra"), 12), ("/of/1/t", ("zebra",), 5))
        case = _case(Answered({"of": []}), b=Answered({"of": [{"t": "red ape"}, {"t": "zebra"}]}, contains=contains))
        outcomes: list[tuple[Any, Verdict]] = [
            ([{"t": " One Red\n\tAPE."}, {"t": "zebra"}], Verdict.VARIANT),
            ([{"t": "Some red ape."}, {"t": "zebra"}], Verdict.FAIL),
            ([{"t": "zebra"}, {"t": "red ape"}], Verdict.FAIL),
            ([{"t": "red ape"}, {"t": ""}], Verdict.FAIL),
            ([{"t": "red ape"}, {"t": ["zebra"]}], Verdict.FAIL),
            ([{"t": "red ape"}, {}], Verdict.FAIL),
            ([{"t": "red ape"}], Verdict.FAIL),
            ([{"t": "red ape"}, {"t": "zebra"}, {"t": "zebra"}], Verdict.FAIL),
        ]
        for value, verdict in outcomes:
            assert judge(case, OPERATION, Answered({"of": value})).verdict is verdict, value
        hidden = judge(case, OPERATION, Answered({"of": [{}, {}]}), ("/of/*/t",))
        assert hidden.verdict is Verdict.VARIANT

    def test_a_member_can_be_compared_only_if_expected(self) -> None:
        """An answer may have such a member where the case does not expect it; where the case does, it has to match."""
        operation = replace(OPERATION, rules=Rules(properties={"a": Rules(if_expected=True)}))
        outcomes: list[tuple[Any, Any, Verdict]] = [
            ({"n": 1}, {"n": 1, "a": 2}, Verdict.PASS),
            ({"n": 1, "a": 1}, {"n": 1, "a": 2}, Verdict.FAIL),
            ({"n": 1, "a": 1}, {"n": 1}, Verdict.FAIL),
        ]
        for expected, value, verdict in outcomes:
            assert judge(_case(Answered(expected)), operation, Answered(value)).verdict is verdict

    def test_what_stands_against_every_reading_is_undisputed(self) -> None:
        """Of a disputed case that fails, a difference is marked if each reading wants the same there and it is not."""
        got = Answered({"a": 3, "n": 9})
        case = _case(Answered({"a": 1, "n": 1}), b=Answered({"a": 2, "n": 1}))
        assert [(part.path, part.undisputed) for part in _failed(case, got).differences] == [
            ("$.a", False),
            ("$.n", True),
        ]
        for raising in (_case(Answered({"n": 1}), b=Raised("bad")), _case(Answered({"n": 1}))):
            assert [part.undisputed for part in _failed(raising, Answered({"n": 9})).differences] == [False]

    def test_a_mark_changes_no_signature(self) -> None:
        """The same difference has the same signature in a plain case and in a disputed one."""
        plain, disputed = _case(Answered({"n": 1})), _case(Answered({"n": 1}), b=Answered({"n": 1, "a": 1}))
        one, other = (_failed(case, Answered({"n": 9})) for case in (plain, disputed))
        assert (one.signature, other.differences[0].undisputed) == (other.signature, True)

    def test_an_error_is_told_with_its_kind_and_message(self) -> None:
        """An error where an answer is expected is the implementation's, with its type and message."""
        cause = ImplementationError("bad", "message")
        assert judge(_case(Answered({})), OPERATION, Raised("bad", "message")) == Errored(cause, error_signature(cause))

    def test_a_wrong_error_is_told_by_its_type(self) -> None:
        """An error of another type than expected is a difference of types, whatever the messages."""
        failed = _failed(_case(Raised("bad", "x")), Raised("worse", "x"))
        assert failed.differences == (Difference("$.error.type", "bad", "worse"),)

    def test_only_a_failure_keeps_a_stack_trace(self) -> None:
        """A raised error has its stack trace if it fails the case, whether the case expects an answer or another error."""
        for expected in (Answered({}), Raised("bad")):
            outcome = judge(_case(expected), OPERATION, Raised("worse", "x", "at f"))
            assert Result(_case(expected), "a", outcome).stack == "at f"
        outcome = judge(_case(Raised("bad")), OPERATION, Raised("bad", "x", "at f"))
        assert outcome == Passed(Raised("bad", "x"))

    def test_only_an_answer_has_stages(self) -> None:
        """A failing answer names the first stage that parted; an answer in the place of an error parts at none."""
        case = _case(Answered({"first": 1, "last": 1}))
        failed = _failed(case, Answered({"first": 2, "last": 1}))
        assert (failed.stage, failed.recovered) == ("/first", True)
        assert _failed(_case(Raised("bad")), Answered({"first": 2})).stage == ""

    def test_unobservable_places_count_for_every_reading(self) -> None:
        """With an unobservable place left out, an answer can pass or be a variant by the rest."""
        case = _case(Answered({"a": 1, "n": 1}), b=Answered({"a": 2, "n": 2}))
        assert judge(case, OPERATION, Answered({"a": 1}), ["/n"]).verdict is Verdict.PASS
        assert judge(case, OPERATION, Answered({"a": 2}), ["/n"]).verdict is Verdict.VARIANT

    def test_an_engine_has_no_influence_on_the_verdict(self) -> None:
        """What a real engine rejects of an expression is noted for both sides, and the verdict stays."""
        rules = Rules(properties={"match": Rules(engine="sqlite-fts5-match")})
        operation = Operation("x.y", "x", rules, (), ())
        passed = judge(_case(Answered({"match": "a AND"})), operation, Answered({"match": "a AND"}))
        assert isinstance(passed, Passed)
        assert [(note.path, note.side) for note in passed.engine] == [("$.match", "wanted")]
        failed = judge(_case(Answered({"match": ""})), operation, Answered({"match": '"a'}))
        assert isinstance(failed, Failed)
        assert [(note.side, note.match) for note in failed.engine] == [("got", '"a')]
