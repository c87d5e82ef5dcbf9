"""Requirement coverage: gaps, and the implementations that ran the cases."""

from __future__ import annotations

from typing import Any

import made_values
import pytest

from harness.corpus.requirement_coverage import Coverage, CoverageGap, cover
from harness.model import (
    Answered,
    Case,
    CaseBody,
    ErrorKind,
    Requirement,
    ResultLine,
    RunMetadata,
    RunRecord,
    Verdict,
)


def requirement(id_: str, **more: Any) -> Requirement:
    """A requirement of the level MUST."""
    members = {
        "level": "MUST",
        "document": "songs",
        "section": "Singing",
        "statement": "A song is sung.",
        "revision": "1.0",
    }
    return Requirement(**{"id": id_, **members, "at": "cases/choir/requirements.yaml:4", **more})


def case(name: str, *requirements: str, **more: Any) -> Case:
    """A case that cites these requirements."""
    return Case(
        name=name,
        at="cases/choir/verse.yaml:4",
        operation="song.sing",
        requirements=requirements,
        origin="spec-text",
        revision="1.0",
        body=CaseBody(recorded_request={}, expected=Answered({}), **more),
    )


def record(*results: tuple[str, str, Verdict, ErrorKind | None]) -> RunRecord:
    """A record of these verdicts: case, implementation, verdict, kind."""
    recorded = tuple(
        ResultLine(
            case=name,
            at="",
            operation="song.sing",
            requirements=(),
            implementation=who,
            request={},
            expected=Answered({}),
            outcome=made_values.outcome(verdict, kind=kind, charged=("SONG-01",)),
        )
        for name, who, verdict, kind in results
    )
    names = tuple(dict.fromkeys(who for _, who, _, _ in results))
    entries = tuple(map(made_values.started, names))
    metadata = RunMetadata(started_at="", corpus_digest="", cases=0, implementations=entries)
    return RunRecord(metadata=metadata, results=recorded, incidents=(), complete=True)


def gaps(covering: Coverage) -> list[CoverageGap | None]:
    """The gap of each requirement, in catalogue order."""
    return [covering.gap(row) for row in covering.rows]


@pytest.mark.parametrize(
    ("stated", "cases", "gap"),
    [
        ({}, [], CoverageGap.NO_CASE),
        ({}, [{}], CoverageGap.POSITIVE_ONLY),
        ({}, [{}, {"negative": True}], None),
        ({"positive_only": "It refuses nothing."}, [{}], None),
        ({"positive_only": "It refuses nothing."}, [], CoverageGap.NO_CASE),
        ({"unobservable": "It binds callers."}, [], None),
        ({"unobservable": "It binds callers."}, [{}], CoverageGap.CONTRADICTED),
    ],
)
def test_each_gap(stated: dict[str, Any], cases: list[dict[str, Any]], gap: CoverageGap | None) -> None:
    """A requirement without enough cases has a gap, unless it gives a reason."""
    citing = [case(f"choir/verse/{number}", "SONG-01", **more) for number, more in enumerate(cases)]
    assert gaps(cover([requirement("SONG-01", **stated)], citing)) == [gap]


def test_only_an_observable_must_without_a_case_is_an_uncovered_must() -> None:
    """Facts, unobservable requirements and requirements with positive cases only are no uncovered MUST."""
    covering = cover(
        [
            requirement("SONG-01"),
            requirement("SONG-02", level="fact"),
            requirement("SONG-03", unobservable="It binds callers."),
            requirement("SONG-04"),
        ],
        [case("choir/verse/one", "SONG-04")],
    )
    assert [row.requirement.id for row in covering.uncovered_musts()] == ["SONG-01"]


def test_a_case_that_cites_nothing_is_named() -> None:
    """A case without a requirement is found."""
    covering = cover([requirement("SONG-01")], [case("choir/verse/one", "SONG-01"), case("choir/verse/two")])
    assert [one.name for one in covering.citing_nothing] == ["choir/verse/two"]


REACHED = {
    "a wrong answer reaches": ((("alto", Verdict.FAIL, None),), None),
    "another reading reaches": ((("alto", Verdict.VARIANT, None),), None),
    "an error of its own reaches": ((("alto", Verdict.ERROR, ErrorKind.IMPLEMENTATION),), None),
    "unsupported does not": ((("alto", Verdict.UNSUPPORTED, None),), CoverageGap.UNREACHED),
    "never started does not": ((("alto", Verdict.ERROR, ErrorKind.START),), CoverageGap.UNREACHED),
    "the reference does not beside others": (
        (("reference", Verdict.PASS, None), ("alto", Verdict.UNSUPPORTED, None)),
        CoverageGap.UNREACHED,
    ),
    "the reference does where it is alone": ((("reference", Verdict.PASS, None),), None),
    "no verdict": ((), None),
}


@pytest.mark.parametrize(("verdicts", "gap"), REACHED.values(), ids=REACHED)
def test_who_reaches_a_requirement(verdicts: tuple[Any, ...], gap: CoverageGap | None) -> None:
    """An implementation that ran a case reaches its requirements; a case that was not selected does not count."""
    one = case("choir/verse/one", "SONG-01", negative=True)
    seen = record(*((one.name, who, verdict, kind) for who, verdict, kind in verdicts))
    assert gaps(cover([requirement("SONG-01")], [one], seen, "reference")) == [gap]


def test_numbers_by_implementation() -> None:
    """A row counts the cases that an implementation ran, and the cases that it answered by a known reading."""
    cases = [case(f"choir/verse/{verdict}", "SONG-01") for verdict in Verdict]
    seen = record(*((f"choir/verse/{verdict}", "alto", verdict, None) for verdict in Verdict))
    (row,) = cover([requirement("SONG-01")], cases, seen).rows
    assert (row.agreeing("alto"), row.reached_by("alto"), row.reached_by("nobody")) == (2, 4, 0)
