"""Answers that the gate accuses and that are no worse than at the base."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, cast

import pytest
from made_known import ONE, OTHER, gate_input, rounds

from harness.cli.base_revision import Base
from harness.cli.revisions import Judge
from harness.model import (
    Choice,
    Difference,
    Listing,
    RecordedImplementation,
    ResultLine,
    RunMetadata,
    RunRecord,
    Status,
    Verdict,
    replace,
)
from harness.transport.repository import Revision

REVISION = Revision("0" * 40, "0000000", "2026-11-24", "First", "main")
CASE, NEW = "s/said/a", Listing(Status.NEW, "not-at-base")


def record(*results: ResultLine) -> RunRecord:
    header = RunMetadata(
        started_at="", corpus_digest="", cases=1, implementations=(RecordedImplementation("singer", "singer"),)
    )
    return RunRecord(metadata=header, results=results, incidents=(), complete=True)


def failed(
    signature: str = ONE, *places: str, causes: tuple[str, ...] = (), answer: str = "", **more: Any
) -> ResultLine:
    """A failure with differences at these places."""
    found = gate_input(CASE, Verdict.FAIL, signature, explained_by=Choice(deviations=causes), **more)
    outcome = replace(
        cast(Any, found.outcome),
        differences=tuple(Difference(place, "a", "b") for place in places),
        response=replace(cast(Any, found.outcome).response, value=answer),
    )
    return replace(found, outcome=outcome)


class _Again:
    """Gives this result for each case that is executed again."""

    def __init__(self, result: ResultLine | None) -> None:
        self._result = result

    def again(self, _revision: Revision, _cases: Collection[str], _name: str) -> RunRecord:
        return record(*([self._result] if self._result else []))


TWO = failed(ONE, "$.a", "$.b", answer="two")


@pytest.mark.parametrize(
    ("before", "now", "again", "is_unchanged"),
    [
        pytest.param(TWO, failed(OTHER, "$.c", answer="two"), None, True, id="the same answer"),
        pytest.param(TWO, failed(OTHER, "$.a", answer="one"), None, True, id="fewer differences"),
        pytest.param(TWO, failed(OTHER, "$.a", "$.c", answer="one"), None, False, id="other differences"),
        pytest.param(
            failed(causes=("deaf",), answer="x"), failed(OTHER, "$.c", causes=("deaf",)), None, True, id="a known cause"
        ),
        pytest.param(
            failed(causes=("deaf",), answer="x"), failed(OTHER, "$.c", causes=("mute",)), None, False, id="a new cause"
        ),
        pytest.param(gate_input(CASE), failed(ONE, "$.a"), failed(ONE, "$.a"), True, id="the base varies"),
        pytest.param(gate_input(CASE), failed(ONE, "$.a"), gate_input(CASE), False, id="the base does not vary"),
        pytest.param(
            gate_input(CASE), failed(ONE, flaky=rounds(ONE, "")), gate_input(CASE), False, id="only the change varies"
        ),
    ],
)
def test_what_is_no_worse_is_not_accused(
    before: ResultLine, now: ResultLine, again: ResultLine | None, is_unchanged: bool
) -> None:
    """The same answer, fewer faults, a cause that the base has, or an answer that varies at the base too."""
    base = Base(REVISION, record(before), cast(Judge, _Again(again)))
    assert base.unchanged(record(replace(now, expectation=NEW))) == ({CASE} if is_unchanged else set())
