"""RunRecord → the text that `parity run` prints: what was left out, the matrix by suite, the first differences."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from harness.errors import one_line, printable
from harness.model import ABSENT, FAILING, Absent, Difference, Incident, Json, RecordedResult, RunRecord, Verdict
from harness.reporting.summary import by_suite, silences, totals

FIRST = 3
"""Failing cases shown in full for each implementation."""

_MOST_DIFFERENCES = 6
_WIDTH = 160
_STYLES = {
    Verdict.PASS: "green",
    Verdict.VARIANT: "cyan",
    Verdict.FAIL: "red",
    Verdict.ERROR: "bold red",
    Verdict.UNSUPPORTED: "dim",
}


def render(record: RunRecord, *, color: bool) -> str:
    """The whole report."""
    out = Console(
        file=io.StringIO(), force_terminal=color, no_color=not color, width=_WIDTH, highlight=False, soft_wrap=True
    )
    for line in _opening(record):
        out.print(Text(line))
    out.print(_matrix(record))
    for name in record.implementations:
        _failures(out, record, name)
    for reasons in _unsupported(record):
        out.print(Text(reasons))
    for incident in record.incidents:
        out.print(Text(describe_incident(incident), style="bold red"))
    for sentence in silences(record):
        out.print(Text(sentence, style="bold red"))
    return out.file.getvalue() if isinstance(out.file, io.StringIO) else ""


def _opening(record: RunRecord) -> Iterator[str]:
    for one in _objects(record.header["implementations"]):
        if one["started"]:
            said = [one["implementation"], one["version"], one["language"], one["runtime"]]
            yield one_line(f"{one['name']}: {' '.join(str(part) for part in said if part)}")
        else:
            yield one_line(f"{one['name']}: did not start")
    for name, reason in record.skipped:
        yield f"{one_line(name)}: left out. {one_line(reason, 400)}"


def _objects(value: Json) -> list[dict[str, Json]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _matrix(record: RunRecord) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("suite", no_wrap=True)
    table.add_column("cases", justify="right")
    for name in record.implementations:
        table.add_column(name, no_wrap=True)
    for suite, row in by_suite(record).items():
        cases = max((counts.total() for counts in row.values()), default=0)
        table.add_row(suite, str(cases), *(_cell(row[name]) for name in record.implementations))
    sums = totals(record)
    cases = max((counts.total() for counts in sums.values()), default=0)
    table.add_row("all", str(cases), *(_cell(sums[name]) for name in record.implementations), style="bold")
    return table


def _cell(counts: Counter[Verdict]) -> Text:
    """`24 pass`, or `20 pass, 3 fail, 1 unsupported`."""
    parts = [Text(f"{counts[verdict]} {verdict}", style=_STYLES[verdict]) for verdict in Verdict if counts[verdict]]
    return Text(", ").join(parts) if parts else Text("-")


def _failures(out: Console, record: RunRecord, name: str) -> None:
    failing = [result for result in record.results if result.implementation == name and result.verdict in FAILING]
    for result in failing[:FIRST]:
        out.print()
        out.print(Text("\n".join(describe(result, record))))
    if len(failing) > FIRST:
        out.print(
            Text(f"\n{name}: {len(failing) - FIRST} more. `parity explain CASE` shows one; the record has them all.")
        )


def _unsupported(record: RunRecord) -> Iterator[str]:
    """What implementations could not be asked: each reason with the number of cases, the commonest first."""
    reasons = Counter(
        (result.implementation, result.reason) for result in record.results if result.verdict is Verdict.UNSUPPORTED
    )
    if reasons:
        yield "\nunsupported:"
    for (name, reason), count in sorted(reasons.items(), key=lambda item: (item[0][0], -item[1])):
        yield f"  {name}  {count} {'case' if count == 1 else 'cases'}: {one_line(reason)}"


def describe(result: RecordedResult, record: RunRecord) -> Iterator[str]:
    """One failing case: place, what was wanted and found, what the specification says, how to repeat it."""
    yield f"{result.at}  {result.case.rsplit('/', 1)[1]}  ({result.implementation})"
    if result.verdict is Verdict.ERROR:
        yield f"  error/{result.kind}: {one_line(result.reason, 400)}"
    if result.stage:
        healed = "; the end result is right all the same" if result.healed else ""
        yield f"  first stage that parts: {result.stage}{healed}"
    for part in result.difference[:_MOST_DIFFERENCES]:
        yield f"  {describe_difference(part)}"
    if len(result.difference) > _MOST_DIFFERENCES:
        yield f"  … and {len(result.difference) - _MOST_DIFFERENCES} more differences"
    for refusal in result.engine:
        yield f"  the engine refuses {quoted(refusal.get('match'))}: {one_line(str(refusal.get('message')))}"
    statements = record.header.get("requirements")
    for requirement in result.requirements:
        found = statements.get(requirement) if isinstance(statements, dict) else None
        statement = found.get("statement") if isinstance(found, dict) else ""
        yield f"  {requirement}  {one_line(str(statement), 300)}"
    if result.ruling:
        yield f"  disputed: {result.ruling}"
    if result.stderr:
        yield f"  standard error: {one_line(result.stderr[-400:], 400)}"
    yield f"  again: parity run --adapter {result.implementation} --select {result.case}"


def describe_difference(part: Difference) -> str:
    """`$.results[2].id   wanted "b"   got "c"`."""
    return f"{one_line(part.path)}   wanted {quoted(part.wanted)}   got {quoted(part.got)}"


def describe_incident(incident: Incident) -> str:
    """An incident in words."""
    suspects = f" while it had {len(incident.suspects)} requests in flight" if incident.suspects else ""
    return (
        f"incident: {incident.implementation}{suspects}: {one_line(incident.seen, 400)} "
        "All of them were answered when asked alone."
        if suspects
        else f"incident: {incident.implementation}: {one_line(incident.seen, 400)}"
    )


def quoted(value: Json | Absent, limit: int = 120) -> str:
    """A value as JSON, cut to `limit` characters, with nothing that could steer a terminal; `nothing` if absent."""
    if value is ABSENT:
        return "nothing"
    return one_line(printable(json.dumps(value, ensure_ascii=False)), limit)


__all__ = ["FIRST", "describe", "describe_difference", "describe_incident", "quoted", "render", "silences"]
