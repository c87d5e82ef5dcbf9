"""Who follows which reading of a ruling."""

from __future__ import annotations

import re
from typing import Any

from made_records import CASES, disputed, explained, failing, result, ruled, with_metadata
from made_site import site
from renderers import review

from harness.model import Choice, RunRecord, Verdict, replace
from harness.report.description import descriptions
from harness.report.ruling_adherence import rulings
from harness.report.site.site_paths import case_path

render = review.render


def readings(of: RunRecord) -> dict[str, tuple[dict[str, int], list[int]]]:
    """By implementation its cases by reading; then its other failures, passes that separate nothing, and the unsupported."""
    (ruling,) = rulings(of)
    return {
        name: (
            {reading: followed.cases for reading, followed in following.readings.items()},
            [len(results) for results in (following.failing, following.alike, following.unsupported)],
        )
        for name, following in ruling.by.items()
    }


def test_a_disputed_case_tells_which_reading_is_followed() -> None:
    """A pass is the adopted reading, a variant the one that it names, a failure none of them."""
    made = ruled(
        disputed("alto", "a"),
        disputed("bass", "b"),
        failing(CASES[0], "tenor", ruling="RUL-1"),
        disputed("alto", "b"),
        result(CASES[0], "flute", Verdict.UNSUPPORTED, ruling="RUL-1", reason="no voice"),
    )
    assert readings(made) == {
        "alto": ({"a": 1, "b": 1}, [0, 0, 0]),
        "bass": ({"b": 1}, [0, 0, 0]),
        "tenor": ({}, [1, 0, 0]),
        "flute": ({}, [0, 0, 1]),
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
        assert readings(made)["alto"] == ({"b": 1}, [0, 0, 0])
        assert [len(one.readings) for one in descriptions(made)[0].rulings] == [1]
        _, _, outline = render(made).partition("## Outline")
        reviews.append(outline)
    assert reviews[0] == reviews[1]
    assert "- another reading from run to run: `alto` 1" in reviews[0]


def test_a_pass_that_separates_no_readings_follows_none() -> None:
    """A pass of plain evidence follows the adopted reading only if its result names it, with or without disputed cases."""
    evidence: dict[str, Any] = {"cited_by_rulings": ("RUL-1",)}
    for beside, followed in (((), {}), ((disputed("alto", "b", CASES[2]),), {"b": 1})):
        made = ruled(result(CASES[0], "alto", **evidence), result(CASES[1], "bass", reading="a", **evidence), *beside)
        assert readings(made) == {"alto": (followed, [0, 1, 0]), "bass": ({"a": 1}, [0, 0, 0])}


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
        assert one.by["alto"].is_mixed is is_mixed


def test_readings_of_any_answer_count() -> None:
    """A variant in a plain case counts for its reading, and so does a failure that a reading explains; both depart."""
    failed = explained(failing(CASES[0], "bass", ruling="RUL-1"), Choice((("RUL-1", "b"),)))
    made = ruled(result("choir/psalm/low", "alto", Verdict.VARIANT, reading="b"), failed)
    assert readings(made) == {"alto": ({"b": 1}, [0, 0, 0]), "bass": ({"b": 1}, [0, 0, 0])}
    (ruling,) = rulings(made)
    assert [(departure.name, len(departure.by)) for departure in ruling.departures] == [("RUL-1=b", 2)]
    assert [result.case for result in ruling.results] == [CASES[0]]


def test_a_ruling_is_followed_unless_an_sdk_follows_another_reading() -> None:
    """Another reading counts, and so does a failure if nobody follows the adopted one; the reference does not."""
    failure = failing(CASES[0], "alto", cited_by_rulings=("RUL-1",))
    for answers, is_followed in (
        ((disputed("alto", "b"),), False),
        ((failure,), False),
        ((failure, disputed("alto", "a", CASES[1])), True),
        ((result(CASES[0], "alto", Verdict.UNSUPPORTED, ruling="RUL-1"),), True),
        ((disputed("reference", "b"),), True),
    ):
        (ruling,) = rulings(ruled(*answers))
        assert ruling.is_followed is is_followed
