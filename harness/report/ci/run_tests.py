"""RunSummary → the tests of a run, one for each verdict, in suites of one implementation: the walk of JUnit and CTRF.

`fail` is a failure, `error` an error, `unsupported` is skipped, `pass` and `variant` pass. In the record of a gate, known
results are skipped and all other results that fail the gate are failures. Problems without a case are errors in a suite of
their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from msgspec import Struct

from ...compare.causes import verdict_text
from ...errors import one_line, plural
from ...gate.summary import has_unwritten_reason, status_of
from ...model import FAILING, SETTLED, UNTESTED, RecordedResult, RunRecord, Status, Verdict, replace, where
from ..cause_text import readings_text
from ..failure_spans import short_text
from ..phrases import limits, listing_text
from ..result_text import describe, describe_incident, describe_passes
from ..run_summary import RunSummary
from ..summary_text import answered_texts, gate_defects, missing_text, profile_texts, rate_texts
from ..verdict_looks import LOOKS

_RUN = "parity.run"
"""The suite of problems without a case."""


class RunTest(Struct, frozen=True):
    """A test: a verdict, or without `result` a fact about the run. `tag` is `failure`, `error` or `skipped`, empty if it
    passes; `type`, `message` and `text` say why."""

    name: str
    tag: str = ""
    type: str = ""
    message: str = ""
    text: str = ""
    ms: float = 0
    result: RecordedResult | None = None


class RunSuite(Struct, frozen=True):
    """Tests with a name in common, sentences about them, and a property for each operation whose result has limits."""

    name: str
    tests: list[RunTest]
    output: list[str]
    properties: list[tuple[str, str]]


def run_suites(summary: RunSummary) -> Iterator[RunSuite]:
    """The suites of each implementation, then that of the run itself."""
    for name in sorted(summary.record.implementations):
        results = where(summary.record.results, names={name})
        for suite, of_suite in groupby(results, key=lambda one: one.suite):
            yield _suite(summary, name, suite, list(of_suite))
    texts = [*answered_texts(summary), *profile_texts(summary), *rate_texts(summary)]
    yield RunSuite(_RUN, list(_of_run(summary)), texts, [])


def _suite(summary: RunSummary, name: str, suite: str, results: list[RecordedResult]) -> RunSuite:
    """The results of one implementation; a property for each operation whose result has limits."""
    operations = {result.operation for result in results}
    return RunSuite(
        f"{name}.{suite.replace('/', '.')}",
        [_test(result, summary.record, in_gate=summary.gate is not None) for result in results],
        [
            f"{result.case}: {name} follows {readings_text(result.readings)}."
            for result in results
            if result.verdict is Verdict.VARIANT
        ],
        [
            (one_line(operation.operation), ", ".join(limits(operation)))
            for operation in summary.operations.get(name, ())
            if operation.operation in operations and limits(operation)
        ],
    )


def _test(result: RecordedResult, record: RunRecord, *, in_gate: bool) -> RunTest:
    """One verdict; a flaky case is a failure unless it varies between permitted answers."""
    test = RunTest(result.case.rsplit("/", 1)[-1], ms=result.ms or 0, result=result)
    tag = LOOKS[result.verdict].element
    if not (tag or result.is_unstable or (in_gate and status_of(result) is not None)):
        return test
    lines = list(describe(result, record)) if result.verdict not in UNTESTED else []
    lines += [f"  {line}" for line in describe_passes(result)]
    test = replace(test, tag=tag, type=verdict_text(result), message=short_text(result, record), text="\n".join(lines))
    test = _in_gate(test, result) if in_gate else test
    if result.is_unstable and test.tag not in ("failure", "error"):
        return replace(test, tag="failure", type="flaky", message="The case is flaky.")
    return test


def _in_gate(test: RunTest, result: RecordedResult) -> RunTest:
    """The same in a gate: a known result is skipped with its reason, any other result that fails the gate is a failure."""
    status = status_of(result)
    if status is None:
        return test
    fails = result.verdict in FAILING
    keeps_message = result.expectation is None or (status is Status.NEW and fails)
    test = replace(test, message=f"{status}: {test.message if keeps_message else listing_text(result)}")
    if status in SETTLED and not has_unwritten_reason(result):
        return replace(test, tag="skipped")
    return test if fails else replace(test, tag="failure", type=f"gate/{status}")


def _of_run(summary: RunSummary) -> Iterator[RunTest]:
    """What fails if the run itself is not trustworthy, whatever its verdicts are."""
    for entry in summary.record.skipped:
        yield RunTest(entry.name, "skipped", entry.code, entry.reason)
    problems = [RunTest(name, "error", type_, text, text) for name, type_, text in _problems(summary)]
    yield from problems or [RunTest("the run is complete and every case has a verdict")]


def _problems(summary: RunSummary) -> Iterator[tuple[str, str, str]]:
    """Name, type and text of each problem without a case."""
    for entry in summary.record.metadata.skipped:
        if entry.is_error:
            yield entry.name, entry.code, entry.reason
    for number, incident in enumerate(summary.record.incidents, 1):
        text = f"{describe_incident(incident)}\n{incident.stderr}".strip()
        yield f"incident {number}", f"incident/{incident.kind.value}", text
    for number, missing in enumerate(summary.missing, 1):
        yield f"missing verdicts {number}", f"missing/{missing.code}", missing_text(missing)
    if summary.gate is None:
        return
    for status, text, names in gate_defects(summary.gate):
        yield from ((name, f"gate/{status}", text) for name in names)
    if unwritten := summary.gate.unwritten_reasons:
        yield "reasons", "gate/reason", plural(unwritten, "unwritten reason")
