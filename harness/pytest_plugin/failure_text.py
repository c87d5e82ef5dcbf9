"""A verdict in words: the text of a failure, its one line for pytest's short summary, the note on a variant."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from harness.errors import one_line, printable
from harness.model import ErrorKind, Requirement, Result
from harness.report.error_text import outcome_text
from harness.report.text import barred, describe_findings, parting, quoted, standard_error

_MAX_DIFFERENCES = 12


def describe(result: Result, requirements: Mapping[str, Requirement], again: Sequence[str], probe: str) -> str:
    """All that a reader needs of a failing case; `again` are the commands that repeat it, `probe` the one that
    tells why an adapter does not start."""
    return "\n".join(printable(line) for line in _description(result, requirements, again, probe))


def _description(
    result: Result, requirements: Mapping[str, Requirement], again: Sequence[str], probe: str
) -> Iterator[str]:
    case = result.case
    yield f"{case.at}  {case.name.rsplit('/', 1)[1]}  ({result.implementation})"
    yield f"  {case.operation} {one_line(json.dumps(case.recorded_request, ensure_ascii=False), 400)}"
    if result.kind:
        first, *rest = outcome_text(result.outcome).split("\n")
        yield f"  error/{result.kind}: {first}"
        yield from barred(rest)
    yield from (f"  {line}" for line in describe_findings(result, _MAX_DIFFERENCES))
    for requirement in case.requirements:
        yield f"  {requirement}  {one_line(requirements[requirement].statement, 400)}"
    if case.ruling:
        yield f"  disputed: {case.ruling}, adopted reading {case.adopted}"
    yield from standard_error(result.stderr)
    yield from (f"  again: {command}" for command in again)
    if result.kind is ErrorKind.START:
        yield f"  What is wrong with it tells: {probe}"


def in_one_line(result: Result) -> str:
    """What went wrong, for a list of failures."""
    if result.kind:
        return one_line(f"error/{result.kind}: {outcome_text(result.outcome)}")
    first = result.differences[0]
    parts = parting(first.wanted, first.got)
    told = f"{one_line(first.path)}   wanted {quoted(first.wanted)}   got {quoted(first.got)}"
    return f"{told}   {parts}" if parts else told


def reading_of(result: Result) -> str:
    """By which reading of which ruling a variant answers: `RUL-B03 b`."""
    return f"{result.case.ruling} {result.reading}"
