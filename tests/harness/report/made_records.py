"""Run records made by hand: of everything that can happen one, with texts that would break a page that trusts them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.model import ABSENT, Difference, ErrorKind, Incident, RecordedResult, RunRecord, Verdict

HOSTILE = (
    '</script><script>window.hit = 1</script><img src=x onerror="window.hit = 2"> @someone #1 `tick` ``two`` | '
    "\u2028\u2029\u202e\x1b[2J\x00\ud800\ufffe & ]]> --> \U000e0001 *bold* [a](javascript:hit)"
)
"""What an implementation may answer."""

CASES = ("choir/verse/low", "choir/verse/high", "choir/verse/both")
"""The evidence of the ruling of `ruled`."""


def entry(name: str, **more: Any) -> dict[str, Any]:
    """What a header says of an implementation that started."""
    said = {
        "implementation": f"the {name} singer",
        "version": "1.0",
        "language": "Solfège",
        "runtime": "",
        "source": "",
    }
    return {"name": name, "adapter": name, "started": True, **said, "versions": {}, "unobservable": {}, **more}


def result(case: str, name: str, verdict: Verdict = Verdict.PASS, **more: Any) -> RecordedResult:
    """One verdict; `expected` is an answer with a tune."""
    wanted = {"answer": {"tune": "fa"}}
    return RecordedResult(
        **{
            "case": case,
            "at": f"cases/{case.rsplit('/', 1)[0]}.yaml:7",
            "operation": "song.sing",
            "implementation": name,
            "verdict": verdict,
            "request": {"song": "do re mi"},
            "expected": wanted,
            "answer": wanted if verdict is Verdict.PASS else None,
            "requirements": ("SONG-01",),
            "ms": 1.5,
            **more,
        }
    )


def failing(case: str, name: str, got: Any = "so", **more: Any) -> RecordedResult:
    """A verdict `fail` on the tune."""
    difference = (Difference("$.tune", "fa", got),)
    more = {"answer": {"answer": {"tune": got}}, "difference": difference, "signature": "0123456789ab", **more}
    return result(case, name, Verdict.FAIL, **{"stage": "/tune", **more})


def crash(case: str, name: str, **more: Any) -> RecordedResult:
    """A verdict `error/crash`."""
    more = {"kind": ErrorKind.CRASH, "reason": "It exited with status 9.", "signature": "ba9876543210", **more}
    return result(case, name, Verdict.ERROR, **more)


def record(
    *results: RecordedResult,
    entries: Sequence[dict[str, Any]] = (),
    complete: bool = True,
    incidents: Sequence[Incident] = (),
    skipped: Sequence[tuple[str, str]] = (),
    digest: str = "d",
) -> RunRecord:
    """A record of these results."""
    names = tuple(dict.fromkeys(one.implementation for one in results))
    told = list(entries) or [entry(name) for name in names]
    header: dict[str, Any] = {
        "startedAt": "2026-11-21T10:00:00Z",
        "corpus": {"digest": digest, "cases": len({one.case for one in results})},
        "selection": [],
        "options": {},
        "implementations": told,
        "requirements": {
            "SONG-01": {"level": "MUST", "section": "Singing", "statement": "A song is sung to its end."},
            "SONG-02": {"level": "SHOULD", "section": "Singing", "statement": "A song has a tune."},
        },
        "rulings": {
            "RUL-1": {
                "title": "Which note comes first",
                "adopted": "a",
                "readings": {"a": "The lowest.", "b": "The highest."},
                "why": "The text says so.",
            }
        },
        "fixtures": {"f00d": {"name": "hymnal", "value": ["amazing grace"]}},
    }
    return RunRecord(
        header=header,
        implementations=tuple(one["name"] for one in told),
        skipped=tuple(skipped),
        results=results,
        incidents=tuple(incidents),
        complete=complete,
        seconds=1.25 if complete else None,
    )


def ruled(*results: Any, severity: str = "high", **more: Any) -> RunRecord:
    """A record whose one ruling is complete, with three cases as its evidence."""
    made = record(*results, **more)
    header: Any = made.header
    header["rulings"]["RUL-1"] |= {
        "severity": severity,
        "basis": "normative-sentence",
        "question": "Is the lowest of `notes` first, or the highest?",
        "requirements": ["SONG-01"],
        "evidence": list(CASES),
        "wording": "The lowest note comes first.",
    }
    return made


def disputed(name: str, reading: str, case: str = CASES[0]) -> Any:
    """An answer by one of the ruling's readings, of which `a` is adopted."""
    verdict = Verdict.PASS if reading == "a" else Verdict.VARIANT
    return result(case, name, verdict, reading=reading, ruling="RUL-1")


def against_all(name: str, case: str = CASES[0], **more: Any) -> Any:
    """A disputed answer that parts in its key, which is the same in every reading, and in its tune, which is not."""
    parts = (Difference("$.key", "C", "D", undisputed=True), Difference("$.tune", "fa", "so"))
    return failing(case, name, **{"ruling": "RUL-1", "difference": parts, "stage": "/key", **more})


def everything() -> RunRecord:
    """Every verdict, two systems, hostile texts, an incident, an adapter that did not start, one that was left out."""
    reason = f"mute: `make` failed.\n{HOSTILE}"
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
            reason="mute: `make` failed.",
            operation=one.operation,
        )
        for one in results
        if one.implementation == "alto"
    ]
    mute = {"name": "mute", "adapter": "mute", "started": False, "reason": reason}
    incident = Incident(
        "bass", ErrorKind.TIMEOUT, ("choir/verse/first", "choir/verse/second"), "10 s of silence", HOSTILE
    )
    return record(
        *results,
        *start,
        entries=[entry("alto", source=HOSTILE), entry("bass"), mute],
        incidents=[incident],
        skipped=[("bird", f"wings is not on PATH. {HOSTILE}")],
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
