"""Agreement between implementations: where each case stands, and what is left out."""

from __future__ import annotations

import made_values
import pytest

from harness.model import (
    ABSENT,
    Answered,
    Difference,
    Errored,
    ErrorKind,
    Failed,
    ImplementationError,
    Json,
    Raised,
    RecordedImplementation,
    RecordedResult,
    ResultLine,
    RunMetadata,
    RunRecord,
    Variant,
    Verdict,
    replace,
)
from harness.report.agreement import agreement, render

PASS, FAIL, VARIANT, ERROR, UNSUPPORTED = (
    Verdict.PASS,
    Verdict.FAIL,
    Verdict.VARIANT,
    Verdict.ERROR,
    Verdict.UNSUPPORTED,
)


def result(case: str, name: str, verdict: Verdict, sign: str = "", kind: ErrorKind | None = None) -> RecordedResult:
    return ResultLine(
        case=case,
        at="a.yaml:1",
        operation="echo.say",
        requirements=(),
        implementation=name,
        request={},
        expected=Answered({}),
        outcome=made_values.outcome(
            verdict,
            kind=kind,
            answer={"error": {"type": sign}} if kind is ErrorKind.IMPLEMENTATION else None,
            difference=[Difference("$.text", "", sign)],
            signature=sign if verdict is not VARIANT else "",
            reading=sign if verdict is VARIANT else "",
        ),
    )


def record(*results: RecordedResult, names: tuple[str, ...] = ("reference", "ts", "go")) -> RunRecord:
    entries = tuple(map(made_values.started, names))
    metadata = RunMetadata(started_at="", corpus_digest="", cases=0, implementations=entries)
    return RunRecord(metadata=metadata, results=results, incidents=(), complete=True)


def test_each_case_stands_in_one_place() -> None:
    """Alike with the text, alike against it, alike by another reading, parted, and each in its own way."""
    found = agreement(
        record(
            *(result("all", name, PASS) for name in ("reference", "ts", "go")),
            *(result("against", name, FAIL, "s1") for name in ("ts", "go")),
            *(result("read", name, VARIANT, "b") for name in ("ts", "go")),
            result("ts-alone", "ts", PASS),
            result("ts-alone", "go", FAIL, "s1"),
            result("go-alone", "ts", VARIANT, "b"),
            result("go-alone", "go", PASS),
            result("apart", "ts", FAIL, "s1"),
            result("apart", "go", FAIL, "s2"),
            result("read-apart", "ts", VARIANT, "b"),
            result("read-apart", "go", VARIANT, "c"),
        )
    )
    assert found.names == ("ts", "go")
    assert found.matching == ("all",)
    assert found.same_divergence == ("against",)
    assert found.same_reading == ("read",)
    assert found.some_matching == {("ts",): ("ts-alone",), ("go",): ("go-alone",)}
    assert found.all_different == ("apart", "read-apart")
    assert found.cases == 7


def test_what_did_not_answer_agrees_with_nobody() -> None:
    """Unsupported cases and crashes are no answers; an error that the implementation raised is one."""
    found = agreement(
        record(
            result("one-answer", "ts", FAIL, "s1"),
            result("one-answer", "go", UNSUPPORTED),
            result("crash", "ts", ERROR, "c", ErrorKind.CRASH),
            result("crash", "go", ERROR, "c", ErrorKind.CRASH),
            result("raised", "ts", ERROR, "r", ErrorKind.IMPLEMENTATION),
            result("raised", "go", ERROR, "r", ErrorKind.IMPLEMENTATION),
            result("raised", "mute", ERROR, "m", ErrorKind.START),
            names=("reference", "ts", "go", "mute"),
        )
    )
    assert (found.cases, found.same_divergence) == (1, ("raised",))
    assert found.names == ("ts", "go")


def test_the_reference_is_no_second_implementation() -> None:
    """With one implementation beside the reference there is nothing to agree about, and nothing is printed."""
    found = agreement(record(result("a", "reference", PASS), result("a", "ts", PASS), names=("reference", "ts")))
    assert found.cases == 0
    assert list(render(found)) == []


def test_three_implementations() -> None:
    """Who keeps to the text is told by name; a case that one of them declines is about the others."""
    found = agreement(
        record(
            result("two-of-three", "ts", PASS),
            result("two-of-three", "go", PASS),
            result("two-of-three", "py", FAIL, "s"),
            result("declined", "ts", FAIL, "s"),
            result("declined", "go", UNSUPPORTED),
            result("declined", "py", FAIL, "s"),
            names=("reference", "ts", "go", "py"),
        )
    )
    assert found.some_matching == {("ts", "go"): ("two-of-three",)}
    assert found.same_divergence == ("declined",)
    assert list(render(found)) == [
        "agreement of ts, go, py in 2 cases with at least two answers:",
        "     1  same answer, but not the specification's: declined",
        "     1  only ts, go match the specification: two-of-three",
    ]


def failed(case: str, name: str, *difference: Difference, **members: Json) -> RecordedResult:
    """A failure with these differences, and the answer."""
    outcome = Failed(Answered(members), difference, signature=repr(difference))
    return replace(result(case, name, FAIL), operation="song.sing", outcome=outcome)


def sung(*results: RecordedResult) -> RunRecord:
    """A record of `ts`, and of `go`, which cannot report two members of the answer."""
    hidden = {"song.sing": ("/key", "/notes/*/length")}
    entries: tuple[RecordedImplementation, ...] = (
        made_values.started("ts"),
        made_values.started("go", unobservable=hidden),
    )
    made = record(*results)
    return replace(made, metadata=replace(made.metadata, implementations=entries))


TUNE, KEY = Difference("$.tune", "fa", "so"), Difference("$.key", "C", "D")
NOTE: Json = {"id": "a", "length": 1}


@pytest.mark.parametrize(
    ("seen", "same"),
    [
        ((TUNE, KEY), True),
        ((TUNE, Difference("$.notes[0].length", 1, 2)), True),
        ((TUNE, Difference("$.notes[1]", ABSENT, NOTE)), False),
        ((KEY,), False),
        ((Difference("$.tune", "fa", "la"),), False),
    ],
)
def test_members_that_one_cannot_report_do_not_count(seen: tuple[Difference, ...], same: bool) -> None:
    """Two answers are the same if they are equal in every member that both implementations report."""
    found = agreement(sung(failed("a", "ts", *seen), failed("a", "go", TUNE)))
    assert (found.same_divergence, found.all_different) == ((("a",), ()) if same else ((), ("a",)))


def test_members_below_a_difference_do_not_count() -> None:
    """A whole element of a list is compared without the member that one implementation cannot report."""
    found = agreement(
        sung(
            failed("a", "ts", Difference("$.notes[0]", NOTE, ABSENT)),
            failed("a", "go", Difference("$.notes[0]", {"id": "a"}, ABSENT)),
        )
    )
    assert found.same_divergence == ("a",)


def test_errors_of_one_type_are_the_same_answer() -> None:
    """An error is known by its type, raised in place of an answer or of another error; its message is not compared."""

    def raised(case: str, name: str, type_: str, message: str) -> RecordedResult:
        one = result(case, name, ERROR, type_, ErrorKind.IMPLEMENTATION)
        if case == "instead-of-an-error":
            outcome = Failed(Raised(type_, message), (Difference("$.error.type", "empty", type_),), signature=message)
            return replace(one, expected=Raised("empty"), outcome=outcome)
        assert isinstance(one.outcome, Errored)
        return replace(one, outcome=replace(one.outcome, cause=ImplementationError(type_, message), signature=message))

    cases = ("instead-of-an-answer", "instead-of-an-error")
    same = [raised(case, name, "unclassified", f"said by {name}") for case in cases for name in ("ts", "go")]
    other = [raised("other", "ts", "unclassified", ""), raised("other", "go", "worse", "")]
    found = agreement(record(*same, *other))
    assert (found.same_divergence, found.all_different) == (cases, ("other",))


def test_the_same_reading_with_another_answer_is_another_answer() -> None:
    """Where a reading allows several answers, implementations that follow it can differ."""
    one, other = (result("a", name, VARIANT, "b") for name in ("ts", "go"))
    assert isinstance(other.outcome, Variant)
    other = replace(other, outcome=replace(other.outcome, differences=(Difference("$.text", "", "else"),)))
    assert agreement(record(one, other)).all_different == ("a",)
    assert agreement(record(one, replace(one, implementation="go"))).same_reading == ("a",)
