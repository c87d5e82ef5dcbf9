"""Agreement between implementations: where each case stands, and what is left out."""

from __future__ import annotations

import made_values

from harness.model import Answered, ErrorKind, RecordedResult, RunMetadata, RunRecord, Verdict
from harness.report.agreement import agreement, render

PASS, FAIL, VARIANT, ERROR, UNSUPPORTED = (
    Verdict.PASS,
    Verdict.FAIL,
    Verdict.VARIANT,
    Verdict.ERROR,
    Verdict.UNSUPPORTED,
)


def result(case: str, name: str, verdict: Verdict, sign: str = "", kind: ErrorKind | None = None) -> RecordedResult:
    return RecordedResult(
        case=case,
        at="a.yaml:1",
        operation="echo.say",
        implementation=name,
        request={},
        expected=Answered({}),
        outcome=made_values.outcome(
            verdict,
            kind=kind,
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
