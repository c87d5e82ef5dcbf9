"""`parity impact`: who gains and who loses if the text adopts a proposal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from commands import Parity

RECORD = Path(__file__).resolve().parents[3] / "docs" / "examples" / "run.jsonl"
"""A kept run of ts 0.2.0 on a few cases."""

pytestmark = pytest.mark.slow


def impact(run_parity: Parity, *arguments: Any) -> Any:
    """The values of a proposal, as JSON."""
    done = run_parity("impact", *arguments, RECORD, "--format", "json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_readings_that_an_sdk_follows_gain(run_parity: Parity) -> None:
    """The failures and the variants of the SDK by two readings pass if the text adopts both; the reference is not judged."""
    found = impact(run_parity, "RUL-B64=b", "RUL-B65=b")
    [ts] = found["implementations"]
    assert (ts["name"], ts["gained"], ts["lost"]) == ("ts", 2, 0)
    assert {(each["before"], each["after"]) for each in ts["verdicts"]} == {("fail", "pass")}
    assert found["requirements"]["INTENT-PREF-06"] == 2
    assert all(changed["expected"] != changed["proposed"] for changed in found["changes"])


def test_the_page_says_who_gains_first(run_parity: Parity) -> None:
    """The table stands on top, and an option can stand between the readings and the records."""
    done = run_parity("impact", "RUL-B64=b", "--deviation", "further-fact-verbs", RECORD, "--markdown")
    assert done.returncode == 0, done.stderr
    head, table = done.stdout.split("\n\n")[:3:2]
    assert head == "## If the specification adopts further-fact-verbs, RUL-B64=b"
    assert table.splitlines()[2].startswith("| ts | ")
    assert "- RUL-B64  its wording states reading a and must change:" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((RECORD,), "Nothing is proposed"),
        (("RUL-B64=b", ""), "the path is empty"),
        (("RUL-B64=b", RECORD, RECORD), "the same run does not count twice"),
        (("RUL-NEXUS-01=b", RECORD), "no case of nexus"),
        (("RUL-B64=z", RECORD), "RUL-B64 has no such reading. Its readings: RUL-B64=b"),
        (("RUL-B64=a", "RUL-B64=b", RECORD), "Name one reading of a ruling"),
        (("--deviation", "further-fact-verb", RECORD), "Did you mean further-fact-verbs?"),
        (("RUL-B64=b",), "No record is named"),
        (("RUL-B64=b", "no-such-file"), "no-such-file: the record cannot be read"),
    ],
)
def test_a_wrong_proposal_is_refused(run_parity: Parity, arguments: tuple[Any, ...], message: str) -> None:
    """The message says what is wrong and what to write."""
    done = run_parity("impact", *arguments)
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr
