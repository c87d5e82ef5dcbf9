"""The readings of a run against those that a known-divergence file lists, and how an update lists them."""

from __future__ import annotations

from typing import Any

import pytest
from made_known import CORPUS, OPERATION_OF, TODAY, found, gate_input

from harness.gate.findings import Declared
from harness.gate.known_divergences import KnownDivergences, ListedReading
from harness.gate.listing import listing
from harness.gate.readings import ReadingChange, reading_changes
from harness.gate.update import merged
from harness.model import Listing, Readings, ResultLine, Status, Verdict, replace

RULED = Declared(OPERATION_OF, dict.fromkeys(OPERATION_OF, "RUL-1"))


def disputed(case: str, reading: str = "", **more: Any) -> ResultLine:
    readings = (("RUL-1", reading),) if reading else ()
    verdict = Verdict.VARIANT if reading else Verdict.PASS
    return gate_input(f"s/{case}", verdict, readings=readings, ruling="RUL-1", **more)


def plain(case: str, verdict: Verdict, readings: Readings) -> ResultLine:
    return gate_input(f"s/{case}", verdict, readings=readings)


def test_a_reading_that_the_file_does_not_list_has_a_status() -> None:
    """A case that leaves the listed or the adopted reading has the status `reading`, unless readings are free."""
    file = KnownDivergences(readings=(ListedReading(ruling="RUL-1", reading="b", cases=("s/said/*",)),))
    results = [
        disputed("said/a"),
        disputed("said/b", "b"),
        disputed("shouted/a", "c"),
        disputed("shouted/b"),
    ]
    assert reading_changes(file, results) == [
        ReadingChange("s/said/a", "RUL-1", "b", ""),
        ReadingChange("s/shouted/a", "RUL-1", "", "c"),
    ]
    left = Listing(Status.READING, "RUL-1: reading b → the adopted reading")
    assert [listing(file, seen, TODAY) for seen in results[:2]] == [left, None]
    assert listing(replace(file, is_free=True), results[0], TODAY) is None


@pytest.mark.parametrize(
    ("seen", "after"),
    [
        (plain("said/a", Verdict.VARIANT, (("RUL-1", "b"),)), None),
        (plain("said/a", Verdict.VARIANT, (("RUL-2", "d"),)), None),
        (plain("said/a", Verdict.VARIANT, (("RUL-1", "c"),)), "c"),
        (plain("said/a", Verdict.PASS, (("RUL-1", "a"),)), ""),
        (plain("said/a", Verdict.PASS, (("RUL-2", "a"),)), None),
        (disputed("said/a", separates=("a", "c")), None),
        (disputed("said/a", separates=("a", "b")), ""),
    ],
)
def test_a_file_pins_the_readings_of_cases_that_it_does_not_name(seen: ResultLine, after: str | None) -> None:
    """The answer to a case without an entry follows what `follows` says where it shows it, and any listed reading."""
    file = KnownDivergences(follows=(("RUL-1", "b"),))
    if not seen.ruling:
        file = replace(file, readings=(ListedReading(ruling="RUL-2", reading="d", cases=("s/shouted/a",)),))
    assert [change.after for change in reading_changes(file, [seen])] == [after] * (after is not None)


def test_an_update_lists_the_reading_of_a_case_that_is_not_disputed() -> None:
    """A reading that neither `follows` nor a disputed case shows is listed with its case, so that the file holds."""
    results = [plain("said/a", Verdict.VARIANT, (("RUL-1", "b"),)), plain("said/b", Verdict.PASS, (("RUL-1", "a"),))]
    file = merged(KnownDivergences(), results, CORPUS)
    assert file.readings == (ListedReading(ruling="RUL-1", reading="b", cases=("s/said/a",)),)
    assert reading_changes(file, results) == []


def test_a_reading_that_varies_from_run_to_run_is_no_change() -> None:
    """A flaky line allows its reading and the adopted one, and the update keeps it whatever this run shows."""
    flaky = ListedReading(ruling="RUL-1", reading="b", cases=("s/said/a",), flaky=True)
    file = KnownDivergences(readings=(flaky,))
    assert reading_changes(file, [disputed("said/a"), disputed("said/b")]) == []
    assert reading_changes(file, [disputed("said/a", "b")]) == []
    assert reading_changes(file, [disputed("said/a", "c")]) == [ReadingChange("s/said/a", "RUL-1", "b", "c")]
    for reading in ("", "b"):
        assert merged(file, [disputed("said/a", reading)], RULED).readings == (flaky,)


def test_a_reading_that_a_case_cannot_separate_is_no_change() -> None:
    """The file has reading c, which gives the case the answer of b: which of the two a run names depends on other cases."""
    file = KnownDivergences(readings=(ListedReading(ruling="RUL-1", reading="c", cases=("s/said/a",)),))
    assert reading_changes(file, [disputed("said/a", "b", separates=("a", "b"))]) == []
    assert len(reading_changes(file, [disputed("said/a", "b", separates=("a", "b", "c"))])) == 1
    assert len(reading_changes(file, [disputed("said/a", separates=("a", "b"))])) == 1


def test_a_file_without_readings_reports_no_change() -> None:
    """Only a file that lists readings has something to compare with; an empty list says that all are adopted."""
    assert reading_changes(KnownDivergences(), [disputed("said/a", "b")]) == []
    assert len(reading_changes(KnownDivergences(readings=()), [disputed("said/a", "b")])) == 1


def test_a_reading_of_no_case_is_unmatched() -> None:
    """A name among the readings that the corpus does not have is unmatched at its entry."""
    file = KnownDivergences(
        readings=(ListedReading(ruling="RUL-1", reading="b", cases=("s/gone/*",), line=7),), shown="known.yaml"
    )
    assert found(file) == [(Status.UNMATCHED, "s/gone/*", "known.yaml:7")]


def test_the_update_lists_the_present_readings() -> None:
    """An entry for each reading that is not adopted, with one glob if all its cases follow it; unselected cases stay."""
    results = [disputed("said/a", "b"), disputed("said/b", "b"), disputed("shouted/a")]
    file = merged(KnownDivergences(), results, RULED)
    assert file.readings == (ListedReading(ruling="RUL-1", reading="b", cases=("s/said/*",)),)
    assert reading_changes(file, results) == []
    part = merged(file, [disputed("said/a")], RULED)
    assert part.readings == (ListedReading(ruling="RUL-1", reading="b", cases=("s/said/b",)),)
    every = merged(KnownDivergences(), [disputed(case.removeprefix("s/"), "b") for case in OPERATION_OF], RULED)
    assert every.readings == (ListedReading(ruling="RUL-1", reading="b", cases=("*",)),)
