"""Recorded results → the case that they judge, for a case that no corpus has: a finding of a campaign."""

from __future__ import annotations

from ..corpus.case_reader import DEFAULT_REVISION
from ..model import Case, CaseBody, RecordedResult, RunRecord, is_generated


def recorded_case(record: RunRecord, name: str) -> tuple[Case, tuple[RecordedResult, ...]] | None:
    """The generated case of this name, or the only one whose name ends with it, or whose last part begins with it, with its
    results; None if the record has none or several."""
    names = {result.case for result in record.results if is_generated(result.case)}
    chosen = (
        {case for case in names if case == name}
        or {case for case in names if case.rsplit("/", 1)[-1].startswith(name)}
        or {case for case in names if case.endswith(name)}
    )
    if not name or len(chosen) != 1:
        return None
    [full] = chosen
    results = tuple(result for result in record.results if result.case == full)
    return _case(results[0]), results


def _case(result: RecordedResult) -> Case:
    request = result.request if isinstance(result.request, dict) else {}
    return Case(
        name=result.case,
        at=result.at,
        operation=result.operation,
        requirements=result.requirements,
        origin="fuzz",
        revision=DEFAULT_REVISION,
        body=CaseBody(recorded_request=request, expected=result.expected),
    )
