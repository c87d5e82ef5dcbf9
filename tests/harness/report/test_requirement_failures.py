"""What implementations break beyond dispute: taken together by place, under the requirement that fits best."""

from __future__ import annotations

from made_records import CASES, against_all, disputed, failing, record, result, ruled
from renderers import review

from harness.model import Difference, Failed, Verdict, replace
from harness.report.requirement_failures import RequirementShare, requirement_failures, requirement_shares

render = review.render


def test_a_breach_of_a_disputed_case_shows_what_is_undisputed() -> None:
    """Of such an answer the row tells the differences that stand against every reading, and no other."""
    assert 'choir/verse/low: `$.key` wanted `"C"` got `"D"` |' in render(ruled(against_all("alto")))


def test_what_one_difference_breaks_is_one_row() -> None:
    """Cases that part in the same place are one breach, under the requirement that most of them and few others cite."""
    many = [
        failing(f"choir/verse/{number}", "bass", requirements=("SONG-02", f"SONG-1{number}")) for number in range(5)
    ]
    elsewhere = [result(f"choir/verse/more-{number}", "bass", requirements=(f"SONG-1{number}",)) for number in range(5)]
    (found,) = requirement_failures(record(*many, *elsewhere), ["bass"])
    assert (found.requirement, found.place, len(found.of("bass"))) == ("SONG-02", "$.tune", 5)


def test_a_breach_is_where_the_first_stage_parts() -> None:
    """A row is grouped and shown by the first difference in the first stage that parted, as kinds of failure are."""
    one, other = Difference("$.calls", 1, 2), Difference("$.tune", "fa", "so")
    made = record(
        failing(CASES[1], "bass", difference=(one, other), stage="/tune"),
        failing(CASES[0], "bass", difference=(other, one), stage="/tune"),
    )
    assert [found.place for found in requirement_failures(made, ["bass"])] == ["$.tune"]
    assert 'choir/verse/high: `$.tune` wanted `"fa"` got `"so"` and 1 more difference' in render(made)


def test_a_breach_shows_a_case_of_its_requirement() -> None:
    """The example cites the requirement at the head of its row, although another case comes first."""
    first = failing(CASES[0], "bass", requirements=("SONG-01",))
    many = [failing(f"choir/verse/x{number}", "bass", requirements=("SONG-02",)) for number in range(4)]
    sung = [result(f"choir/verse/y{number}", "bass") for number in range(9)]
    text = render(record(first, *many, *sung))
    assert "| **SONG-02** (SHOULD) A song has a tune. In 4 of 5 cases;" in text
    assert "| choir/verse/x0: `$.tune`" in text


def test_a_breach_shows_best_what_is_about_its_requirement() -> None:
    """The example is a plain case that cites the requirement before all others, where there is one."""
    second = failing(CASES[0], "bass", requirements=("SONG-01", "SONG-02"))
    many = [failing(f"choir/verse/x{number}", "bass", requirements=("SONG-02",)) for number in range(3)]
    sung = [result(f"choir/verse/y{number}", "bass") for number in range(9)]
    shaken = against_all("bass", CASES[1], requirements=("SONG-02",), difference=(Difference("$.tune", 1, 2, True),))
    assert "| choir/verse/x0: `$.tune`" in render(record(second, shaken, *many, *sung))


def test_a_breach_names_the_decisions_about_its_place() -> None:
    """A ruling that discusses plain cases which fail in the same place stands in the row."""
    made = ruled(
        failing(CASES[0], "bass", requirements=("SONG-02",)),
        failing(CASES[1], "bass", cited_by_rulings=("RUL-1",), requirements=("SONG-02",)),
    )
    assert "**SONG-02** (SHOULD) A song has a tune. See RUL-1. |" in render(made)


def test_a_breach_names_the_decisions_about_its_requirement() -> None:
    """A requirement that a decision is about leads to it, although the failing cases are no evidence of it."""
    made = ruled(failing(CASES[0], "bass"), disputed("bass", "a", CASES[1]))
    text = render(made)
    assert "**SONG-01** (MUST) A song is sung to its end. See RUL-1. |" in text
    assert "is disputed" not in text
    page = render(made, html=True)
    assert 'See <a href="#RUL-1">RUL-1</a>.' in page
    assert page.count('id="RUL-1"') == 1


def test_disputed_cases_break_nothing() -> None:
    """What may depend on a reading is under its decision and nowhere else."""
    made = record(failing(CASES[0], "bass", ruling="RUL-1"), failing(CASES[1], "bass", cited_by_rulings=("RUL-1",)))
    assert requirement_failures(made, ["bass"]) == []


def test_splitting_and_breaking_are_told_apart() -> None:
    """What some answer is a split; what all that were tested fail is broken by all, and nothing against the text if only
    one was; the unsupported are not tested, which is not a pass."""
    made = record(
        failing(CASES[0], "alto"),
        result(CASES[0], "bass"),
        failing(CASES[1], "alto", "x"),
        failing(CASES[1], "bass", "y"),
        failing(CASES[2], "alto"),
        result(CASES[2], "bass", Verdict.UNSUPPORTED),
        failing("choir/verse/alone", "alto", difference=(Difference("$.key", "C", "D"),), stage="/key"),
        result("choir/verse/alone", "bass", Verdict.UNSUPPORTED),
    )
    found = {
        (one.by_all, one.results[0].case): len(one.results) for one in requirement_failures(made, ["alto", "bass"])
    }
    assert found == {(False, CASES[0]): 1, (True, CASES[1]): 3, (True, "choir/verse/alone"): 1}
    text, _, alone = render(made).partition("## Requirements that the only tested SDK breaks")
    assert "choir/verse/alone" not in text
    assert "| 1 | – |" in alone
    assert "## Requirements on which implementations split" in text
    assert "## Requirements that every tested SDK breaks" in text
    assert "The text may be wrong." in text


def test_a_breach_names_what_its_cases_cite() -> None:
    """Where not every case cites the requirement that is named, what most of the others cite is named as well."""
    alike = [failing(f"choir/verse/{number}", "bass", requirements=("SONG-02",)) for number in range(3)]
    others = [failing(f"choir/verse/x{number}", "bass", requirements=("SONG-01",)) for number in range(2)]
    sung = [result(f"choir/verse/y{number}", "bass") for number in range(9)]
    text = render(record(*alike, *others, *sung))
    assert (
        "| **SONG-02** (SHOULD) A song has a tune. In 3 of 5 cases; "
        "**SONG-01** (MUST) A song is sung to its end. In 2 others. |" in text
    )
    assert "| **SONG-02** (SHOULD) A song has a tune. |" in render(record(*alike))


def test_the_order_is_by_share_and_only_charged_requirements_count() -> None:
    """A case counts for each requirement that it cites; a failure counts for those that it charges."""
    both = ("SONG-01", "SONG-02")
    broken = replace(failing("choir/verse/1", "bass"), requirements=both)
    assert isinstance(broken.outcome, Failed)
    charged = replace(broken, outcome=replace(broken.outcome, charged=("SONG-02",)))
    results = [
        charged,
        replace(charged, case="choir/verse/2", requirements=("SONG-01", "SONG-02", "SONG-03")),
        replace(broken, case="choir/verse/3", requirements=("SONG-01",)),
        replace(result("choir/verse/4", "bass", Verdict.UNSUPPORTED), requirements=both),
    ]
    assert requirement_shares(results) == [RequirementShare("SONG-02", 2, 2), RequirementShare("SONG-01", 1, 3)]


def test_a_charge_that_no_case_cites_has_a_row() -> None:
    """A cause can break a requirement that no case of the run cites."""
    broken = failing(CASES[0], "bass")
    assert isinstance(broken.outcome, Failed)
    charged = replace(broken, outcome=replace(broken.outcome, charged=("SONG-09",), by_cause=True))
    assert [found.requirement for found in requirement_failures(record(charged), ["bass"])] == ["SONG-09"]
    assert "SONG-09" in render(record(charged))
