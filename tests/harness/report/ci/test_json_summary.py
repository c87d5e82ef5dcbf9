"""The summary for programs, and the badge: never greener than the run."""

from __future__ import annotations

import json
from typing import Any

import made_values
import pytest
import renderers
from made_records import CASES, crash, disputed, entry, everything, explained, failing, record, result
from renderers import json_summary

from harness.compare.run_diff import compare
from harness.model import Cause, Choice, RunRecord, Verdict, replace
from harness.report.ci.badge import badge
from harness.report.ci.json_summary import as_value
from harness.report.run_summary import summarise


def told(made: RunRecord, before: RunRecord | None = None) -> Any:
    return json.loads(json_summary.render(made, compare(before, made) if before else None))


def test_counts() -> None:
    """The counts by implementation, by system and by suite, and the status of the run."""
    value = told(everything())
    assert value["implementations"]["bass"]["counts"] == {"variant": 1, "fail": 2, "error": 1, "unsupported": 1}
    assert value["implementations"]["mute"] == {"started": False, "counts": {"error": 5}}
    assert value["systems"]["organ"]["alto"] == {"pass": 1, "fail": 1}
    assert value["suites"]["choir/refrain/high"]["bass"] == {"variant": 1}
    assert (value["exitStatus"], value["complete"], value["cases"]) == (3, True, 5)
    assert value["incidents"] == [
        {"implementation": "bass", "kind": "timeout", "suspects": ["choir/verse/first", "choir/verse/second"]}
    ]


def test_failing_cases_come_with_their_signatures() -> None:
    """Whoever keeps a list of what is known finds the signature and the stage of each failure."""
    assert told(record(failing("choir/verse/first", "bass"), crash("choir/verse/second", "bass")))["failing"] == [
        {
            "case": "choir/verse/first",
            "implementation": "bass",
            "verdict": "fail",
            "requirements": ["SONG-01"],
            "charged": ["SONG-01"],
            "byCause": False,
            "signature": "0123456789ab",
            "stage": "/tune",
        },
        {
            "case": "choir/verse/second",
            "implementation": "bass",
            "verdict": "error",
            "requirements": ["SONG-01"],
            "charged": ["SONG-01"],
            "byCause": False,
            "kind": "crash",
            "signature": "ba9876543210",
        },
    ]


def test_what_changed() -> None:
    """With an older record there is a list of cases for each sort of change."""
    before, after = record(result("choir/verse/first", "bass")), record(failing("choir/verse/first", "bass"))
    assert told(after, before)["changes"]["bass"]["newly failing"] == ["choir/verse/first"]
    assert "changes" not in told(after)


def test_implementations_of_one_record_alone() -> None:
    """Who came and who went is told beside what changed."""
    both = record(result("choir/verse/first", "bass"), result("choir/verse/first", "alto"))
    alone = record(result("choir/verse/first", "bass"))
    came, went = told(both, alone), told(alone, both)
    assert (came["addedImplementations"], came["removedImplementations"]) == (["alto"], [])
    assert (went["addedImplementations"], went["removedImplementations"]) == ([], ["alto"])


def passing(number: int, name: str = "bass") -> list[Any]:
    return [result(f"choir/verse/case-{index}", name) for index in range(number)]


@pytest.mark.parametrize(
    ("made", "message", "color"),
    [
        (record(*passing(3)), "bass 100% of 3 cases do not fail", "brightgreen"),
        (
            record(*passing(1999), failing("choir/verse/last", "bass")),
            "bass 99.9% of 2,000 cases do not fail",
            "yellow",
        ),
        (record(*passing(1), failing("choir/verse/last", "bass")), "bass 50% of 2 cases do not fail", "red"),
        (record(*passing(1, "reference"), *passing(1)), "bass 100% of 1 case does not fail", "brightgreen"),
        (record(*passing(2, "reference")), "reference 100% of 2 cases do not fail", "brightgreen"),
        (record(*passing(3), complete=False), "incomplete", "critical"),
        (record(result("choir/verse/a", "bass", Verdict.UNSUPPORTED)), "incomplete", "critical"),
        (everything(), "not trustworthy", "critical"),
        (
            record(
                *passing(1),
                entries=[entry("bass"), made_values.mute("no")],
            ),
            "incomplete",
            "critical",
        ),
        (
            record(*(one for name in "abcde" for one in passing(1, name))),
            "5 of 5 implementations conform",
            "brightgreen",
        ),
    ],
    ids=[
        "all pass",
        "nearly",
        "half",
        "beside the reference",
        "the reference",
        "cut short",
        "silent",
        "incident",
        "mute",
        "many",
    ],
)
def test_badge(made: RunRecord, message: str, color: str) -> None:
    """The badge keeps to the endpoint format, never rounds a failure away, and is green only for a clean run."""
    value = badge(summarise(made))
    assert value == {"schemaVersion": 1, "label": "parity", "message": message, "color": color}
    assert as_value(summarise(made))["badge"] == value == json.loads(renderers.badge.render(made))


def test_missing_verdicts_have_a_code() -> None:
    """Each gap in the verdicts has a code, the numbers and a sentence; a complete run has none."""
    cut_short = told(record(result("choir/verse/a", "bass"), complete=False))
    assert cut_short["missingVerdicts"] == [
        {
            "code": "incomplete-record",
            "found": 1,
            "expected": 1,
            "text": "The record is incomplete (no footer): 1 of 1 verdict.",
        }
    ]
    assert (cut_short["doubts"], cut_short["exitStatus"]) == (["missing-verdicts"], 1)
    assert told(record(result("choir/verse/a", "bass")))["missingVerdicts"] == []


def test_descriptions_are_values() -> None:
    """The description of each SDK that started: its readings, its causes, and the number of other failures."""
    made = record(
        disputed("bass", "a", CASES[0]),
        disputed("bass", "b", CASES[1]),
        explained(failing("choir/verse/first", "bass"), Choice((("RUL-1", "b"),), ("flat",))),
        failing("choir/verse/second", "bass"),
        entries=[replace(entry("bass"), causes=(Cause("flat", "It sings flat.", "sing.c:7"),)), made_values.mute("no")],
    )
    value = told(made)
    assert value["descriptions"] == {
        "bass": {
            "readings": [
                {"ruling": "RUL-1", "reading": "a", "adopted": True, "cases": 1, "failing": 0},
                {"ruling": "RUL-1", "reading": "b", "adopted": False, "cases": 2, "failing": 1},
            ],
            "mixed": ["RUL-1"],
            "causes": [{"name": "flat", "reason": "It sings flat.", "place": "sing.c:7", "failing": 1}],
            "combined": 0,
            "unexplained": 1,
            "undecided": 0,
        }
    }
    assert [one.get("explainedBy") for one in value["failing"]] == [
        {"readings": {"RUL-1": "b"}, "deviations": ["flat"]},
        None,
    ]
