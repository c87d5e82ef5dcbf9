"""The text of a failing item: whole, in one line for pytest's short summary, and the reading of a variant."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from ..base.text_limits import MAX_NAME
from ..compare.alignment import result_edits
from ..compare.error_text import outcome_text
from ..corpus.loader import OpenCorpus
from ..errors import one_line, printable
from ..model import ErrorKind, Result
from ..report.choice_text import explained_by_text
from ..report.difference_text import describe_edit
from ..report.phrases import charge_text, verdict_text
from ..report.result_text import barred, describe_findings, stack_trace, standard_error

_MAX_DIFFERENCES = 12
_LONGEST_LINE = 240


def describe(
    result: Result,
    corpus: OpenCorpus,
    again: Sequence[str],
    probe: str,
    unobservable: Sequence[str] = (),
) -> str:
    """The whole text of a failing case; `again` are the commands that repeat it, `probe` the one that diagnoses an adapter
    that does not start, `unobservable` the JSON Pointers that were not compared."""
    return "\n".join(printable(line) for line in _description(result, corpus, again, probe, unobservable))


def _description(
    result: Result,
    corpus: OpenCorpus,
    again: Sequence[str],
    probe: str,
    unobservable: Sequence[str],
) -> Iterator[str]:
    case = result.case
    yield f"{case.at}  {case.name.rsplit('/', 1)[1]}  ({result.implementation})"
    yield f"  {case.operation} {one_line(json.dumps(case.recorded_request, ensure_ascii=False), MAX_NAME)}"
    if result.kind:
        first, *rest = _error_text(result).split("\n")
        yield f"  {verdict_text(result)}: {first}"
        yield from barred(rest)
    edits = result_edits(result, unobservable)
    yield from (f"  {line}" for line in describe_findings(result, edits, _MAX_DIFFERENCES))
    if explanation := explained_by_text(result, corpus.rulings):
        yield f"  {explanation}"
    yield from stack_trace(result)
    for requirement in result.charged:
        statement = one_line(corpus.requirements[requirement].statement, MAX_NAME)
        yield f"  {charge_text(result, requirement, statement)}"
    if case.ruling:
        title = one_line(corpus.rulings[case.ruling].title)
        yield f"  {case.ruling}  disputed, adopted reading {case.adopted}: {title}"
    for ruling in case.cited_by_rulings:
        yield f"  {ruling}  cites it: {one_line(corpus.rulings[ruling].title)}"
    if case.note:
        yield f"  note: {one_line(' '.join(case.note.split()), MAX_NAME)}"
    yield from standard_error(result.stderr)
    yield from (f"  repeat: {command}" for command in again)
    if result.kind is ErrorKind.START:
        yield f"  diagnose: {probe}"


def _error_text(result: Result) -> str:
    """The text of an error, with pytest's own option for the timeout."""
    text = outcome_text(result.outcome)
    return text.replace("(--timeout)", "(--parity-timeout)") if result.kind is ErrorKind.TIMEOUT else text


def in_one_line(result: Result, unobservable: Sequence[str] = ()) -> str:
    """The error, or the first difference in the first stage that differs, in one line."""
    if result.kind:
        return one_line(f"{verdict_text(result)}: {_error_text(result)}")
    first = result_edits(result, unobservable)[0]
    return "   ".join(line.strip() for line in describe_edit(first, _LONGEST_LINE))
