"""The text of a failing item: whole, in one line for pytest's short summary, and the reading of a variant."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from ..base.text_limits import MAX_NAME
from ..compare.alignment import result_edits
from ..compare.causes import verdict_text
from ..compare.error_text import outcome_text
from ..corpus.loader import OpenCorpus
from ..errors import one_line, printable
from ..model import ErrorKind, Result
from ..report.difference_text import describe_edit
from ..report.output_text import standard_error
from ..report.result_text import describe_background, describe_failure

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
    lines = _description(result, corpus, again, probe, unobservable)
    return _in_pytest(result, "\n".join(map(printable, lines)))


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
    edits = result_edits(result, unobservable)
    yield from describe_failure(result, edits, corpus.rulings, _MAX_DIFFERENCES)
    yield from describe_background(result, case, corpus.requirements, corpus.rulings)
    yield from standard_error(result.stderr)
    yield from (f"  repeat: {command}" for command in again)
    if result.kind is ErrorKind.START:
        yield f"  diagnose: {probe}"


def _in_pytest(result: Result, text: str) -> str:
    """A text about a result, with pytest's own option for the timeout."""
    return text.replace("(--timeout)", "(--parity-timeout)") if result.kind is ErrorKind.TIMEOUT else text


def in_one_line(result: Result, unobservable: Sequence[str] = ()) -> str:
    """The error, or the first difference in the first stage that differs, in one line."""
    if result.kind:
        return one_line(_in_pytest(result, f"{verdict_text(result)}: {outcome_text(result.outcome)}"))
    first = result_edits(result, unobservable)[0]
    return "   ".join(line.strip() for line in describe_edit(first, _LONGEST_LINE))
