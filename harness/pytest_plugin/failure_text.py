"""A verdict as text: the text of a failure, its line in pytest's short summary, the note on a variant."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from harness.compare.alignment import response_edits
from harness.compare.edits import Edit
from harness.errors import one_line, printable
from harness.model import ErrorKind, Requirement, Result
from harness.report.difference_text import describe_edit
from harness.report.text import barred, describe_findings, standard_error

_MAX_DIFFERENCES = 12
_LONGEST_LINE = 240


def describe(
    result: Result,
    requirements: Mapping[str, Requirement],
    again: Sequence[str],
    probe: str,
    unobservable: Sequence[str] = (),
) -> str:
    """The text of a failing case; `again` are the commands that repeat it, `probe` the one that checks an adapter that
    does not start, `unobservable` the JSON Pointers that were not compared."""
    return "\n".join(printable(line) for line in _description(result, requirements, again, probe, unobservable))


def _description(
    result: Result,
    requirements: Mapping[str, Requirement],
    again: Sequence[str],
    probe: str,
    unobservable: Sequence[str],
) -> Iterator[str]:
    case, judgement = result.case, result.judgement
    yield f"{case.at}  {case.name.rsplit('/', 1)[1]}  ({result.implementation})"
    yield f"  {case.operation} {one_line(json.dumps(case.recorded_request, ensure_ascii=False), 400)}"
    if judgement.kind:
        first, *rest = judgement.reason.split("\n")
        yield f"  error/{judgement.kind}: {first}"
        yield from barred(rest)
    edits = _edits(result, unobservable)
    yield from (f"  {line}" for line in describe_findings(judgement, edits, _MAX_DIFFERENCES))
    for requirement in case.requirements:
        yield f"  {requirement}  {one_line(requirements[requirement].statement, 400)}"
    if case.ruling:
        yield f"  disputed: {case.ruling}, adopted reading {case.adopted}"
    yield from standard_error(result.stderr)
    yield from (f"  repeat: {command}" for command in again)
    if judgement.kind is ErrorKind.START:
        yield f"  check it with: {probe}"


def in_one_line(result: Result, unobservable: Sequence[str] = ()) -> str:
    """The error or the first difference, for a list of failures."""
    judgement = result.judgement
    if judgement.kind:
        return one_line(f"error/{judgement.kind}: {judgement.reason}")
    first, *_ = _edits(result, unobservable)
    return "   ".join(line.strip() for line in describe_edit(first, _LONGEST_LINE))


def _edits(result: Result, unobservable: Sequence[str]) -> Sequence[Edit]:
    judgement = result.judgement
    return response_edits(judgement.difference, result.case.expected, judgement.outcome, unobservable)


def reading_of(result: Result) -> str:
    """The ruling and the reading that a variant follows: `RUL-B03 b`."""
    return f"{result.case.ruling} {result.judgement.reading}"
