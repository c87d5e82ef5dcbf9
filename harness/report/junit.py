"""RunRecord → JUnit XML, by the rules that the schemas of Ant and of Jenkins have in common.

A suite for each implementation and suite of cases, a test case for each verdict: `fail` is a failure, `error` an error,
`unsupported` is skipped, `pass` and `variant` passed. In the record of a gate what is known is skipped, and all else that
fails the gate is a failure. What cannot be laid to one case stands in a suite of its own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from harness.compare.known_divergences import Status
from harness.errors import one_line, printable
from harness.model import FAILING, RecordedResult, RunRecord, Verdict
from harness.report.case_order import in_corpus_order
from harness.report.error_text import outcome_text
from harness.report.failure_groups import first_difference
from harness.report.gate_summary import gated, is_waiting, status_of
from harness.report.summary import unanswered_implementations
from harness.report.text import describe, describe_incident, describe_passes, plural, quoted

_TAGS = {Verdict.FAIL: "failure", Verdict.ERROR: "error", Verdict.UNSUPPORTED: "skipped"}
_RUN = "parity.run"
"""The suite of what cannot be laid to one case."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """A result and how it is shown: the element that tells it, none if it passed, with that one's type and message."""

    result: RecordedResult
    tag: str
    type: str
    message: str


def render(record: RunRecord) -> str:
    """The whole document."""
    record = in_corpus_order(record)
    in_gate = gated(record) is not None
    root = Element("testsuites")
    suites: dict[tuple[str, str], list[RecordedResult]] = defaultdict(list)
    for result in record.results:
        suites[result.implementation, result.suite].append(result)
    for (name, suite), results in sorted(suites.items(), key=lambda item: item[0]):
        _suite(root, record, name, suite, [_shown(one, in_gate) for one in results])
    _run(root, record)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _shown(result: RecordedResult, in_gate: bool) -> _Shown:
    """How one verdict is shown; what is answered otherwise when asked again has not passed."""
    shown = _Shown(result, _TAGS.get(result.verdict, ""), _type(result), _message(result))
    shown = _in_gate(shown) if in_gate else shown
    if result.flaky and shown.tag not in ("failure", "error"):
        return replace(shown, tag="failure", type="flaky", message="It is answered otherwise when asked again.")
    return shown


def _in_gate(shown: _Shown) -> _Shown:
    """The same in a gate: what is known is skipped, with the reason; all else that fails the gate is a failure."""
    result, status = shown.result, status_of(shown.result)
    if status is None:
        return shown
    fails = result.verdict in FAILING
    told = shown.message if result.expectation is None or (status is Status.NEW and fails) else result.expectation[1]
    shown = replace(shown, message=f"{status}: {told}")
    if status is Status.KNOWN and not is_waiting(result):
        return replace(shown, tag="skipped")
    return shown if fails else replace(shown, tag="failure", type=f"gate/{status}")


def _suite(root: Element, record: RunRecord, name: str, suite: str, shown: Sequence[_Shown]) -> None:
    element = _begun(root, record, f"{name}.{suite.replace('/', '.')}", Counter(one.tag for one in shown))
    element.set("time", _seconds(sum(one.result.ms or 0 for one in shown)))
    for one in shown:
        _case(element, record, one)
    variants = (
        f"{one.result.case}: {name} follows reading {one.result.reading} of {one.result.ruling}."
        for one in shown
        if one.result.verdict is Verdict.VARIANT
    )
    _ended(element, "\n".join(variants))


def _begun(root: Element, record: RunRecord, name: str, counts: Counter[str]) -> Element:
    """A suite with all but its test cases."""
    element = SubElement(root, "testsuite")
    numbers = {
        "id": len(root) - 1,
        "tests": counts.total(),
        "failures": counts["failure"],
        "errors": counts["error"],
        "skipped": counts["skipped"],
    }
    texts = {
        "name": one_line(name, 500),
        "package": one_line(name, 500),
        "timestamp": one_line(record.metadata.started_at).rstrip("Z") or "1970-01-01T00:00:00",
        "hostname": "localhost",
        "time": _seconds(0),
    }
    for key, value in {**numbers, **texts}.items():
        element.set(key, str(value))
    SubElement(element, "properties")
    return element


def _ended(element: Element, output: str = "") -> None:
    SubElement(element, "system-out").text = printable(output)
    SubElement(element, "system-err")


def _case(element: Element, record: RunRecord, shown: _Shown) -> None:
    result = shown.result
    class_name = f"{result.implementation}.{result.suite.replace('/', '.')}"
    case = _named(element, class_name, result.case.rsplit("/", 1)[-1], result.ms)
    if shown.tag:
        outcome = SubElement(case, shown.tag, type=shown.type, message=one_line(shown.message, 400))
        told = list(describe(result, record)) if result.verdict is not Verdict.UNSUPPORTED else []
        told += [f"  {line}" for line in describe_passes(result)]
        outcome.text = printable("\n".join(told)) or None


def _named(element: Element, class_name: str, name: str, ms: float | None = None) -> Element:
    return SubElement(
        element,
        "testcase",
        classname=one_line(class_name, 500),
        name=one_line(name, 500),
        time=_seconds(ms or 0),
    )


def _type(result: RecordedResult) -> str:
    return f"{result.verdict.value}/{result.kind.value}" if result.kind else result.verdict.value


def _message(result: RecordedResult) -> str:
    part = first_difference(result)
    if part is not None:
        return f"{part.path}: wanted {quoted(part.wanted)}, got {quoted(part.got)}"
    return outcome_text(result.outcome) or _type(result)


def _seconds(ms: float) -> str:
    return f"{ms / 1000:.3f}"


def _run(root: Element, record: RunRecord) -> None:
    """The suite that fails if the run itself cannot be trusted, however well its cases did."""
    troubles: list[tuple[str, str, str]] = [
        (f"incident {number}", f"incident/{one.kind.value}", f"{describe_incident(one)}\n{one.stderr}".strip())
        for number, one in enumerate(record.incidents, 1)
    ]
    troubles += [
        (f"silence {number}", "silence", text) for number, text in enumerate(unanswered_implementations(record), 1)
    ]
    gate = gated(record)
    unmatched = gate.unmatched if gate else ()
    troubles += [
        (one, "gate/unmatched", "The known-divergence file has it, and the corpus has not.") for one in unmatched
    ]
    if gate and gate.unwritten:
        troubles.append(("reasons", "gate/reason", f"{plural(gate.unwritten, 'reason')} to write"))
    element = _begun(root, record, _RUN, Counter({"error": len(troubles)} if troubles else {"": 1}))
    if not troubles:
        _named(element, _RUN, "the run came to its end and judged everyone")
    for name, type_, text in troubles:
        error: Any = SubElement(_named(element, _RUN, name), "error", type=type_, message=one_line(text, 400))
        error.text = printable(text)
    _ended(element)
