"""Who follows which reading of a ruling, and whose reading another difference hides."""

from __future__ import annotations

import re
from typing import Any

import pytest
from made_records import CASES, against_all, crash, disputed, explained, failing, result, ruled, with_metadata
from made_site import site
from renderers import review

from harness.model import Choice, Difference, ErrorKind, RunRecord, Verdict, replace
from harness.report.description import descriptions
from harness.report.ruling_adherence import rulings
from harness.report.site.site_paths import case_path

render = review.render


def readings(of: RunRecord) -> dict[str, tuple[dict[str, int], list[int]]]:
    """By implementation its cases by reading; then those by none, hidden ones, plain ones that fail, unsupported ones."""
    (one,) = rulings(of)
    return {
        name: (
            {reading: len(found.results) for reading, found in at.followers.readings.items() if found.results},
            [len(results) for results in (at.none, at.hidden, at.plain, at.followers.unsupported)],
        )
        for name, at in one.positions.items()
    }


def test_a_disputed_case_tells_which_reading_is_followed() -> None:
    """A pass is the adopted reading, a variant the one that it names, a failure none of them."""
    made = ruled(
        disputed("alto", "a"), disputed("bass", "b"), failing(CASES[0], "tenor", ruling="RUL-1"), disputed("alto", "b")
    )
    assert readings(made) == {
        "alto": ({"a": 1, "b": 1}, [0, 0, 0, 0]),
        "bass": ({"b": 1}, [0, 0, 0, 0]),
        "tenor": ({}, [1, 0, 0, 0]),
    }


def test_an_answer_that_varies_from_run_to_run_follows_no_reading() -> None:
    """A review of one run equals that of another, whichever reading such an answer follows this time."""
    reviews = []
    for reading in ("a", "b"):
        made = ruled(disputed("alto", "b", CASES[1]), disputed("alto", reading), disputed("bass", "a"))
        entries = [
            replace(one, flaky={CASES[0]: ()} if one.name == "alto" else {}) for one in made.metadata.implementations
        ]
        made = with_metadata(made, implementations=tuple(entries))
        assert readings(made)["alto"] == ({"b": 1}, [0, 0, 0, 0])
        assert [len(one.readings) for one in descriptions(made)[0].rulings] == [1]
        reviews.append(render(made))
    assert reviews[0] == reviews[1]
    assert "| another reading from run to run | 1 | · |" in reviews[0]


def test_a_pass_that_separates_no_readings_follows_none() -> None:
    """A pass of plain evidence follows the adopted reading only if its result names it, with or without disputed cases."""
    evidence: dict[str, Any] = {"cited_by_rulings": ("RUL-1",)}
    for beside, followed in (((), {}), ((disputed("alto", "b", CASES[2]),), {"b": 1})):
        made = ruled(result(CASES[0], "alto", **evidence), result(CASES[1], "bass", reading="a", **evidence), *beside)
        assert readings(made) == {"alto": (followed, [0, 0, 0, 0]), "bass": ({"a": 1}, [0, 0, 0, 0])}
        (one,) = rulings(made)
        assert {name: len(at.followers.alike) for name, at in one.positions.items()} == {"alto": 1, "bass": 0}
        assert "| a pass that separates no readings | 1 | · |" in render(made)


def test_a_failure_follows_the_reading_that_explains_it() -> None:
    """The page of a case names the reading of a failure as well as that of a variant or a pass."""
    failed = explained(failing(CASES[0], "alto", ruling="RUL-1"), Choice((("RUL-1", "b"),)))
    page = site(ruled(failed, disputed("bass", "b"), disputed("tenor", "a")))[case_path(CASES[0])]
    assert re.findall("Followed by (.*?)[.]<", page) == ["tenor", "alto, bass"]


def test_two_readings_of_one_ruling_are_mixed() -> None:
    """An implementation is mixed if a pass follows one reading and a failure another; a pass that separates no readings
    does not make it so."""
    failed = explained(failing(CASES[0], "alto", cited_by_rulings=("RUL-1",)), Choice((("RUL-1", "b"),)))
    evidence: dict[str, Any] = {"cited_by_rulings": ("RUL-1",)}
    for reading, is_mixed in (("", False), ("a", True)):
        (one,) = rulings(ruled(failed, result(CASES[1], "alto", reading=reading, **evidence)))
        assert one.positions["alto"].followers.is_mixed is is_mixed


def test_readings_of_any_answer_count() -> None:
    """A variant in a plain case counts for its reading; a failure that a reading explains counts apart, and as departing."""
    failed = explained(failing(CASES[0], "bass", ruling="RUL-1"), Choice((("RUL-1", "b"),)))
    made = ruled(result("choir/psalm/low", "alto", Verdict.VARIANT, reading="b"), failed)
    assert readings(made) == {"alto": ({"b": 1}, [0, 0, 0, 0]), "bass": ({}, [0, 0, 0, 0])}
    (one,) = rulings(made)
    assert {name: len(at.failing) for name, at in one.positions["bass"].followers.readings.items()} == {"b": 1}
    assert (one.is_split, [found.case for found in one.results]) == (True, [CASES[0]])


def test_an_undisputed_difference_hides_the_reading() -> None:
    """A disputed answer that parts where undisputed ones part says nothing of readings; of others' breaches it tells."""
    made = ruled(
        failing(CASES[0], "alto", ruling="RUL-1"),
        failing(CASES[1], "alto"),
        failing(CASES[0], "bass", ruling="RUL-1"),
        result(CASES[1], "bass"),
    )
    assert readings(made) == {"alto": ({}, [0, 1, 0, 0]), "bass": ({}, [1, 0, 0, 0])}
    assert "| hidden by another difference | 1 | · |" in render(made)


@pytest.mark.parametrize("beside", [(), (disputed("alto", "a", CASES[2]),)], ids=["alone", "beside-disputed"])
def test_plain_evidence_hides_nothing(beside: tuple[Any, ...]) -> None:
    """A plain case that fails is counted as that, wherever else the same difference shows and whatever lies beside it."""
    made = ruled(failing(CASES[0], "alto", cited_by_rulings=("RUL-1",)), failing(CASES[1], "alto"), *beside)
    assert readings(made) == {"alto": ({"a": 1} if beside else {}, [0, 0, 1, 0])}
    assert "| another answer to a plain case | 1 |" in render(made)


def test_plain_cases_of_other_decisions_hide_too() -> None:
    """What parts where a plain case that another ruling discusses does is hidden; the ruling's own cases hide nothing."""
    for cited_by_rulings, counts in (
        (("RUL-2",), [0, 1, 0, 0]),
        (("RUL-1",), [1, 0, 1, 0]),
        (("RUL-1", "RUL-2"), [1, 0, 1, 0]),
    ):
        made = ruled(
            failing(CASES[0], "alto", ruling="RUL-1"), failing(CASES[1], "alto", cited_by_rulings=cited_by_rulings)
        )
        assert readings(made) == {"alto": ({}, counts)}


@pytest.mark.parametrize(
    "broken",
    [against_all("alto"), crash(CASES[0], "alto", ruling="RUL-1")],
    ids=["against-every-reading", "crash"],
)
def test_what_stands_against_every_reading_hides_it(broken: Any) -> None:
    """A disputed answer that parts first where all readings are alike, or a crash, hides its reading."""
    made = ruled(broken, disputed("bass", "b"))
    assert readings(made)["alto"] == ({}, [0, 1, 0, 0])


def test_what_another_decision_shows_hides_a_reading() -> None:
    """Where plain cases that another ruling discusses fail in that place, the reading of a disputed case is hidden."""
    key = (Difference("$.key", "C", "D"),)
    made = ruled(
        against_all("alto"), failing(CASES[1], "alto", cited_by_rulings=("RUL-2",), difference=key), against_all("bass")
    )
    assert readings(made)["alto"] == ({}, [0, 1, 0, 0])


def test_what_may_follow_from_a_disputed_difference_hides_nothing() -> None:
    """An answer that parts first where readings part follows none of them, whatever else stands against them all."""
    made = ruled(against_all("alto", stage="/tune"))
    assert readings(made) == {"alto": ({}, [1, 0, 0, 0])}


def test_what_an_error_raised_by_the_implementation_says_stays_open() -> None:
    """An error that an implementation raises by itself can be what a reading is about, so it hides nothing."""
    made = ruled(crash(CASES[0], "alto", ruling="RUL-1", kind=ErrorKind.IMPLEMENTATION))
    assert readings(made) == {"alto": ({}, [1, 0, 0, 0])}


def test_what_was_not_asked_is_no_position() -> None:
    """An unsupported case is counted as not asked, and departs from nothing."""
    made = ruled(result(CASES[0], "alto", Verdict.UNSUPPORTED, ruling="RUL-1", reason="no voice"))
    assert readings(made) == {"alto": ({}, [0, 0, 0, 1])}
    assert not rulings(made)[0].is_split
    assert "| unsupported | 1 |" in render(made)


def test_decisions_on_which_implementations_part_come_first_within_a_severity() -> None:
    """Severity orders the decisions, then whether somebody departs."""
    made = ruled(disputed("alto", "a"))
    one = made.metadata.rulings["RUL-1"]
    ids = ("RUL-LOW", "RUL-AGREED", "RUL-1", "RUL-PARTED")
    found = {id_: replace(one, id=id_, severity="low" if id_ == "RUL-LOW" else one.severity) for id_ in ids}
    results = (*made.results, result(CASES[0], "alto", Verdict.VARIANT, reading="b", ruling="RUL-PARTED"))
    parted = with_metadata(replace(made, results=results), rulings=found)
    assert [found.id for found in rulings(parted)] == ["RUL-PARTED", "RUL-AGREED", "RUL-1", "RUL-LOW"]
