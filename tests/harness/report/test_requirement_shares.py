"""Requirements in the order of a report: those without a passing case first, then by the share of failing cases."""

from __future__ import annotations

from made_records import failing, result

from harness.model import Failed, Verdict, replace
from harness.report.requirement_failures import RequirementShare, requirement_shares


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
