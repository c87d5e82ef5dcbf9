"""RunRecord → JUnit XML, by the rules that the schemas of Ant and of Jenkins have in common.

A suite for each implementation and suite of cases, a test case for each verdict: `fail` is a failure, `error` an error,
`unsupported` is skipped, `pass` and `variant` passed. What cannot be laid to one case stands in a suite of its own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from harness.errors import one_line, printable
from harness.model import FAILING, RecordedResult, RunRecord, Verdict
from harness.reporting.describing import describe, describe_incident, quoted
from harness.reporting.summary import silences

_TAGS = {Verdict.FAIL: "failure", Verdict.ERROR: "error", Verdict.UNSUPPORTED: "skipped"}
_RUN = "parity.run"
"""The suite of what cannot be laid to one case."""


def render(record: RunRecord) -> str:
    """The whole document."""
    root = Element("testsuites")
    suites: dict[tuple[str, str], list[RecordedResult]] = defaultdict(list)
    for result in record.results:
        suites[result.implementation, result.suite].append(result)
    for (name, suite), results in sorted(suites.items(), key=lambda item: item[0]):
        _suite(root, record, name, suite, results)
    _run(root, record)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _suite(root: Element, record: RunRecord, name: str, suite: str, results: Sequence[RecordedResult]) -> None:
    counts = Counter(Verdict.UNSUPPORTED if _is_known(result) else result.verdict for result in results)
    element = _begun(root, record, f"{name}.{suite.replace('/', '.')}", counts)
    element.set("time", _seconds(sum(result.ms or 0 for result in results)))
    for result in results:
        _case(element, record, result)
    variants = (
        f"{result.case}: {name} follows reading {result.reading} of {result.ruling}."
        for result in results
        if result.verdict is Verdict.VARIANT
    )
    _ended(element, "\n".join(variants))


def _begun(root: Element, record: RunRecord, name: str, counts: Counter[Verdict]) -> Element:
    """A suite with all but its test cases."""
    element = SubElement(root, "testsuite")
    numbers = {
        "id": len(root) - 1,
        "tests": counts.total(),
        "failures": counts[Verdict.FAIL],
        "errors": counts[Verdict.ERROR],
        "skipped": counts[Verdict.UNSUPPORTED],
    }
    texts = {
        "name": one_line(name, 500),
        "package": one_line(name, 500),
        "timestamp": str(record.header.get("startedAt", "")).rstrip("Z") or "1970-01-01T00:00:00",
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


def _case(element: Element, record: RunRecord, result: RecordedResult) -> None:
    class_name = f"{result.implementation}.{result.suite.replace('/', '.')}"
    case = _named(element, class_name, result.case.rsplit("/", 1)[-1], result.ms)
    tag = _TAGS.get(result.verdict)
    if tag is None:
        return
    reason = one_line(_message(result), 400)
    if _is_known(result) and result.expectation:
        tag, reason = "skipped", one_line(": ".join(result.expectation), 400)
    outcome = SubElement(case, tag, type=_type(result), message=reason)
    if result.verdict is not Verdict.UNSUPPORTED:
        outcome.text = printable("\n".join(describe(result, record)))


def _is_known(result: RecordedResult) -> bool:
    """Whether a gate explained this failure: it is shown as skipped, with the reason, so that only what is new fails."""
    return result.verdict in FAILING and result.expectation is not None and result.expectation[0] == "known"


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
    if result.verdict is Verdict.FAIL and result.difference:
        part = result.difference[0]
        return f"{part.path}: wanted {quoted(part.wanted)}, got {quoted(part.got)}"
    return result.reason or _type(result)


def _seconds(ms: float) -> str:
    return f"{ms / 1000:.3f}"


def _run(root: Element, record: RunRecord) -> None:
    """The suite that fails if the run itself cannot be trusted, however well its cases did."""
    troubles: list[tuple[str, str, str]] = [
        (f"incident {number}", f"incident/{one.kind.value}", f"{describe_incident(one)}\n{one.stderr}".strip())
        for number, one in enumerate(record.incidents, 1)
    ]
    troubles += [(f"silence {number}", "silence", text) for number, text in enumerate(silences(record), 1)]
    counts: Counter[Verdict] = Counter({Verdict.ERROR: len(troubles)} if troubles else {Verdict.PASS: 1})
    element = _begun(root, record, _RUN, counts)
    if not troubles:
        _named(element, _RUN, "the run came to its end and judged everyone")
    for name, type_, text in troubles:
        error: Any = SubElement(_named(element, _RUN, name), "error", type=type_, message=one_line(text, 400))
        error.text = printable(text)
    _ended(element)
