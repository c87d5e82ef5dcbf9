"""The requirements that failing answers charge: by implementation, and those that every tested implementation breaks."""

from __future__ import annotations

from made_records import CASES, disputed, failing, record, result, ruled

from harness.model import Failed, RecordedResult, RunRecord, Verdict, replace, where
from harness.report.requirement_failures import (
    BrokenRequirement,
    RequirementShare,
    broken_requirements,
    requirement_shares,
)


def broken_in(made: RunRecord, *names: str) -> list[BrokenRequirement]:
    """The requirements that these implementations break in a record."""
    return broken_requirements({name: where(made.results, names={name}) for name in names})


def charging(failure: RecordedResult, *requirements: str, by_cause: bool = True) -> RecordedResult:
    """The failure with these charges."""
    assert isinstance(failure.outcome, Failed)
    return replace(failure, outcome=replace(failure.outcome, charged=requirements, by_cause=by_cause))


def test_a_requirement_is_broken_by_all_or_by_some() -> None:
    """An implementation counts that was tested on the requirement; one without an answer does not meet it."""
    made = record(
        failing(CASES[0], "alto", requirements=("SONG-01",)),
        result(CASES[0], "bass", requirements=("SONG-01",)),
        failing(CASES[1], "alto", requirements=("SONG-02",)),
        failing(CASES[1], "bass", requirements=("SONG-02",)),
        failing(CASES[2], "alto", requirements=("SONG-03",)),
        result(CASES[2], "bass", Verdict.UNSUPPORTED, requirements=("SONG-03",)),
    )
    found = {broken.requirement: broken for broken in broken_in(made, "alto", "bass")}
    assert {id_: (broken.by_all, list(broken.shares)) for id_, broken in found.items()} == {
        "SONG-01": (False, ["alto", "bass"]),
        "SONG-02": (True, ["alto", "bass"]),
        "SONG-03": (True, ["alto"]),
    }


def test_a_ruling_takes_no_charge_away() -> None:
    """A disputed case whose answer fails charges its requirements as any other does."""
    made = ruled(charging(failing(CASES[0], "bass", ruling="RUL-1"), "SONG-01"), disputed("alto", "a", CASES[1]))
    (broken,) = broken_in(made, "alto", "bass")
    assert (broken.requirement, broken.failing) == ("SONG-01", 1)


def test_the_example_is_the_surest_one() -> None:
    """A cause that names the requirement is a better example than a place, and the first charge a better one than others."""
    by_place = charging(failing(CASES[0], "bass"), "SONG-01", by_cause=False)
    second = charging(failing(CASES[1], "bass"), "SONG-02", "SONG-01")
    first = charging(failing(CASES[2], "bass"), "SONG-01")
    (broken, _) = broken_in(record(by_place, second, first), "bass")
    assert (broken.requirement, broken.failing, broken.example.case) == ("SONG-01", 3, CASES[2])


def test_the_order_is_by_share_and_only_charged_requirements_count() -> None:
    """A case counts for each requirement that it cites; a failure counts for those that it charges."""
    both = ("SONG-01", "SONG-02")
    broken = replace(failing("choir/verse/1", "bass"), requirements=both)
    charged = charging(broken, "SONG-02")
    results = [
        charged,
        replace(charged, case="choir/verse/2", requirements=("SONG-01", "SONG-02", "SONG-03")),
        replace(broken, case="choir/verse/3", requirements=("SONG-01",)),
        replace(result("choir/verse/4", "bass", Verdict.UNSUPPORTED), requirements=both),
    ]
    assert requirement_shares(results) == [RequirementShare("SONG-02", 2, 2), RequirementShare("SONG-01", 1, 3)]


def test_a_charge_that_no_case_cites_has_a_row() -> None:
    """A cause can break a requirement that no case of the run cites."""
    made = record(charging(failing(CASES[0], "bass"), "SONG-09"))
    assert [broken.requirement for broken in broken_in(made, "bass")] == ["SONG-09"]
