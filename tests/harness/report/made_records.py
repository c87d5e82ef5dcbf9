"""Run records made by hand: of everything that can happen one, with texts that would break a page that trusts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import made_values

from harness.model import (
    ABSENT,
    Choice,
    Difference,
    Errored,
    ErrorKind,
    Failed,
    Fixture,
    GateFile,
    Incident,
    Listing,
    NotTested,
    NotTestedCode,
    RecordedImplementation,
    RecordedResult,
    Requirement,
    ResultLine,
    Ruling,
    RunMetadata,
    RunRecord,
    Status,
    Verdict,
    replace,
)
from harness.report.failure_groups import FailureGroup, failure_groups

HOSTILE = (
    '</script><script>window.hit = 1</script><img src=x onerror="window.hit = 2"> @someone #1 `tick` ``two`` | '
    "\u2028\u2029\u202e\x1b[2J\x00\ud800\ufffe & ]]> --> \U000e0001 *bold* [a](javascript:hit)"
)
"""What an implementation may answer."""

CASES = ("choir/verse/low", "choir/verse/high", "choir/verse/both")
"""The evidence of the ruling of `ruled`."""


def entry(name: str, **more: Any) -> RecordedImplementation:
    """An implementation that started, in a header."""
    return made_values.started(name, **more)


_OUTCOME = frozenset(
    ("answer", "kind", "reason", "difference", "engine", "signature", "reading", "stage", "recovered", "error")
)


def result(case: str, name: str, verdict: Verdict = Verdict.PASS, **more: Any) -> RecordedResult:
    """One verdict; `expected` is an answer with a tune. `more` are members of a record's line; `expectation` has the
    members of a `Listing` in order."""
    wanted = {"answer": {"tune": "fa"}}
    parts = {"answer": wanted, **more} if verdict is Verdict.PASS else more
    rest = {"requirements": ("SONG-01",), **{key: value for key, value in more.items() if key not in _OUTCOME}}
    charged = () if more.get("kind") is ErrorKind.START else rest["requirements"]
    return ResultLine(
        **{
            "case": case,
            "at": f"cases/{case.rsplit('/', 1)[0]}.yaml:7",
            "operation": "song.sing",
            "implementation": name,
            "request": {"song": "do re mi"},
            "ms": 1.5,
            **rest,
            "outcome": made_values.outcome(
                verdict,
                **{key: parts[key] for key in _OUTCOME & parts.keys()},
                ruling=rest.get("ruling", "RUL-1"),
                charged=charged,
            ),
            "expected": made_values.response(rest.get("expected", wanted)),
            "flaky": made_values.passes(*rest.get("flaky", ())),
            "expectation": _listing(*rest["expectation"]) if rest.get("expectation") else None,
        }
    )


def _listing(status: str, *rest: Any) -> Listing:
    return Listing(Status(status), *rest)


def failing(case: str, name: str, got: Any = "so", **more: Any) -> RecordedResult:
    """A verdict `fail` on the tune."""
    difference = (Difference("$.tune", "fa", got),)
    more = {"answer": {"answer": {"tune": got}}, "difference": difference, "signature": "0123456789ab", **more}
    return result(case, name, Verdict.FAIL, **{"stage": "/tune", **more})


def shifted(case: str, name: str, **more: Any) -> RecordedResult:
    """A verdict `fail` on a list whose first element is missing, so that it differs at each position."""
    parts = (Difference("$.notes[0].id", "a", "b"), Difference("$.notes[1]", {"id": "b"}, ABSENT))
    expected, answer = {"answer": {"notes": [{"id": "a"}, {"id": "b"}]}}, {"answer": {"notes": [{"id": "b"}]}}
    return failing(case, name, **{"expected": expected, "answer": answer, "difference": parts, "stage": "", **more})


def crash(case: str, name: str, **more: Any) -> RecordedResult:
    """A verdict `error/crash`."""
    more = {"kind": ErrorKind.CRASH, **more}
    return result(case, name, Verdict.ERROR, **more)


def record(
    *results: RecordedResult,
    entries: Sequence[RecordedImplementation] = (),
    complete: bool = True,
    incidents: Sequence[Incident] = (),
    skipped: Sequence[NotTested] = (),
    digest: str = "d",
    uses: Mapping[str, tuple[str, ...]] = {},
) -> RunRecord:
    """A record of these results; of a gate if any has a listing."""
    names = tuple(dict.fromkeys(one.implementation for one in results))
    listings = [one.expectation for one in results if one.expectation]
    waiting = sum(one.status == "known" and one.reason.startswith("TODO") for one in listings)
    metadata = RunMetadata(
        gate=GateFile(unmatched=(), without_reason=waiting) if listings else None,
        started_at="2026-11-21T10:00:00Z",
        corpus_digest=digest,
        cases=len({one.case for one in results}),
        implementations=tuple(entries) or tuple(entry(name) for name in names),
        skipped=tuple(skipped),
        requirements={
            "SONG-01": requirement("SONG-01", "A song is sung to its end."),
            "SONG-02": requirement("SONG-02", "A song has a tune.", level="SHOULD"),
        },
        uses=uses,
        rulings={"RUL-1": RULING},
        fixtures={"f00d": Fixture("hymnal", "f00d", ["amazing grace"])},
    )
    return RunRecord(
        metadata=metadata,
        results=results,
        incidents=tuple(incidents),
        complete=complete,
        seconds=1.25 if complete else None,
    )


def groups(*results: RecordedResult, **more: Any) -> list[FailureGroup]:
    """The failure groups of a record of these results."""
    return failure_groups(results, record(*results, **more).metadata)


def requirement(id_: str, statement: str, level: str = "MUST", **more: Any) -> Requirement:
    """A requirement of the section on singing."""
    return Requirement(id=id_, level=level, document="", section="Singing", statement=statement, revision="1.0", **more)


RULING = Ruling(
    id="RUL-1",
    title="Which note comes first",
    requirements=(),
    question="",
    readings={"a": "The lowest.", "b": "The highest."},
    adopted="a",
    basis="",
    why="The text says so.",
    severity="low",
    evidence=(),
    wording="",
    revision="1.0",
    at="cases/choir/rulings.yaml:3",
)


def ruled(*results: Any, severity: str = "high", **more: Any) -> RunRecord:
    """A record whose one ruling is complete, with three cases as its evidence."""
    ruling = replace(
        RULING,
        severity=severity,
        basis="normative-sentence",
        question="Is the lowest of `notes` first, or the highest?",
        requirements=("SONG-01",),
        evidence=CASES,
        wording="The lowest note comes first.",
        better="Notes come in any order.",
    )
    return with_metadata(record(*results, **more), rulings={"RUL-1": ruling})


def with_metadata(made: RunRecord, **changes: Any) -> RunRecord:
    """The record with other metadata."""
    return replace(made, metadata=replace(made.metadata, **changes))


def disputed(name: str, reading: str, case: str = CASES[0]) -> Any:
    """An answer by one of the ruling's readings, of which `a` is adopted."""
    verdict = Verdict.PASS if reading == "a" else Verdict.VARIANT
    difference = () if reading == "a" else (Difference("$.tune", "fa", reading),)
    return result(case, name, verdict, reading=reading, ruling="RUL-1", difference=difference)


def explained(failed: RecordedResult, choice: Choice | None = None, name: str = "") -> RecordedResult:
    """The same failure with this explanation, or of this implementation."""
    assert isinstance(failed.outcome, Failed | Errored)
    found = failed.explained_by if choice is None else choice
    outcome = replace(failed.outcome, explained_by=found)
    return replace(failed, outcome=outcome, implementation=name or failed.implementation)


def against_all(name: str, case: str = CASES[0], **more: Any) -> Any:
    """A disputed answer that parts in its key, which is the same in every reading, and in its tune, which is not."""
    parts = (Difference("$.key", "C", "D", undisputed=True), Difference("$.tune", "fa", "so"))
    return failing(case, name, **{"ruling": "RUL-1", "difference": parts, "stage": "/key", **more})


def everything() -> RunRecord:
    """Every verdict, two systems, hostile texts, an incident, an adapter that did not start, one that was left out."""
    engine = ({"path": "$.tune", "side": "got", "engine": "organ", "match": HOSTILE, "message": "no such pipe"},)
    results = [
        result("choir/verse/first", "alto"),
        failing("choir/verse/first", "bass", HOSTILE, stderr=f"line one\n{HOSTILE}", engine=engine),
        result("choir/verse/second", "alto", request={"song": {"$fixture": "hymnal", "digest": "f00d"}}),
        crash("choir/verse/second", "bass", reason=HOSTILE, requirements=("SONG-02",)),
        result("choir/refrain/high/third", "alto", reading="a", ruling="RUL-1"),
        result(
            "choir/refrain/high/third",
            "bass",
            Verdict.VARIANT,
            reading="b",
            ruling="RUL-1",
            answer={"answer": {"tune": "la"}},
            difference=(Difference("$.tune", "fa", "la"),),
        ),
        result("organ/pipes/fourth", "alto", operation="organ.play"),
        result("organ/pipes/fourth", "bass", Verdict.UNSUPPORTED, operation="organ.play", reason="it has no organ"),
        failing("organ/pipes/fifth", "alto", operation="organ.play"),
        result(
            "organ/pipes/fifth",
            "bass",
            Verdict.FAIL,
            operation="organ.play",
            signature="ffffffffffff",
            answer={"answer": {"pipes": [1, 2]}},
            difference=(Difference("$.tune", "fa", ABSENT), Difference("$.pipes", ABSENT, [1, 2])),
        ),
    ]
    start = [
        result(
            one.case,
            "mute",
            Verdict.ERROR,
            kind=ErrorKind.START,
            reason="`make` failed.",
            operation=one.operation,
        )
        for one in results
        if one.implementation == "alto"
    ]
    incident = made_values.incident("bass", ErrorKind.TIMEOUT, ("choir/verse/first", "choir/verse/second"), "", HOSTILE)
    return record(
        *results,
        *start,
        entries=[entry("alto", source=HOSTILE), entry("bass"), made_values.mute("`make` failed.", HOSTILE)],
        incidents=[incident],
        skipped=[NotTested("bird", NotTestedCode.NO_TOOLCHAIN, f"wings is not on PATH. {HOSTILE}")],
    )


def great(cases: int, implementations: int = 4) -> RunRecord:
    """Many results of ordinary size, one in ten of them failing."""
    filler = [{"id": f"note-{number}", "path": f"wiki/note-{number}.md", "score": number / 7} for number in range(8)]
    results = []
    for number in range(cases):
        case = f"choir/part_{number % 9}/suite_{number % 40}/verse-{number}"
        wanted = {"answer": {"tune": "fa", "results": filler}}
        request = {"song": f"song number {number}", "lists": [filler[:3]]}
        for index in range(implementations):
            more: dict[str, Any] = {"request": request, "expected": wanted}
            if index and (number + index) % 10 == 0:
                got = {"answer": {"tune": "so", "results": filler}}
                difference = (Difference("$.tune", "fa", "so"),)
                more |= {"answer": got, "difference": difference, "signature": "0123456789ab"}
                results.append(result(case, f"voice-{index}", Verdict.FAIL, **more))
            else:
                results.append(result(case, f"voice-{index}", **{**more, "answer": wanted}))
    return record(*results)
