"""Records of different implementations over the same cases are one record for a report."""

from __future__ import annotations

import pytest
from made_values import started

from harness.errors import RecordError
from harness.model import Answered, NotTested, NotTestedCode, Passed, RecordedResult, RunMetadata, RunRecord, replace
from harness.records import combine


def made(name: str, *, corpus: str = "c", cases: str = "d", complete: bool = True) -> RunRecord:
    """A record of one implementation that passes one case, and that skips `bass`."""
    answer = Answered({})
    result = RecordedResult(
        case="s/a", at="a:1", operation="o", implementation=name, request={}, expected=answer, outcome=Passed(answer)
    )
    metadata = RunMetadata(
        started_at=f"2026-11-2{len(name)}",
        corpus_digest=corpus,
        cases=1,
        cases_digest=cases,
        implementations=(started(name),),
        skipped=tuple(NotTested(name, NotTestedCode.NO_TOOLCHAIN, "no tool") for name in ("bass", "choir")),
    )
    return RunRecord(metadata=metadata, results=(result,), incidents=(), complete=complete)


def test_all_results_are_in_it() -> None:
    """An implementation that one record skips and another runs counts as run."""
    found = combine([("one", made("alto")), ("two", made("bass"))])
    assert found.implementations == ("alto", "bass")
    assert [result.implementation for result in found.results] == ["alto", "bass"]
    assert [one.name for one in found.skipped] == ["choir"]
    assert found.complete


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        (made("bass", corpus="x"), "two: the run used another corpus than one."),
        (made("bass", cases="x"), "two: the run selected other cases than one."),
        (made("alto"), "alto is in one and in two."),
        (made("bass", complete=False), "two: this record has no footer"),
    ],
)
def test_records_that_do_not_belong_together(other: RunRecord, sentence: str) -> None:
    """The message names both records, and the remedy."""
    with pytest.raises(RecordError, match=sentence):
        combine([("one", made("alto")), ("two", replace(other))])
