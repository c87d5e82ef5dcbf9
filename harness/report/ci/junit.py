"""RunSummary → JUnit XML that follows the schemas of both Ant and Jenkins.

One test suite for each implementation and suite of cases, one test case for each verdict: `fail` is a failure, `error`
an error, `unsupported` is skipped, `pass` and `variant` pass. In the record of a gate, known results are skipped and all
other results that fail the gate are failures. Problems without a case are errors in a suite of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from ...compare.error_text import outcome_text
from ...errors import one_line, printable
from ...gate.listing import Status
from ...gate.summary import has_unwritten_reason, status_of
from ...model import FAILING, RecordedResult, RunRecord, Verdict, replace, where
from ..choice_text import readings_text
from ..difference_text import edit_text
from ..phrases import MAX_NAME, MAX_TEXT, limits, listing_text, plural
from ..result_text import describe, describe_incident, describe_passes, first_edit_of
from ..run_summary import RunSummary
from ..summary_text import answered_texts, missing_text, profile_texts, rate_texts

_TAGS = {Verdict.FAIL: "failure", Verdict.ERROR: "error", Verdict.UNSUPPORTED: "skipped"}
_RUN = "parity.run"
"""The suite of problems without a case."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """A result and its element, empty if it passes, with the type and message of the element."""

    result: RecordedResult
    tag: str
    type: str
    message: str


@dataclass(frozen=True, slots=True)
class _Problem:
    """A problem without a case."""

    name: str
    type: str
    text: str


def render(summary: RunSummary) -> str:
    """The whole document."""
    return "".join(stream(summary))


def stream(summary: RunSummary) -> Iterator[str]:
    """The document in pieces, one for each test suite."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>'
    for number, element in enumerate(_suites(summary)):
        element.set("id", str(number))
        ElementTree.indent(element, level=1)
        yield f"\n  {ElementTree.tostring(element, encoding='unicode')}"
    yield "\n</testsuites>\n"


def _suites(summary: RunSummary) -> Iterator[Element]:
    record, in_gate = summary.record, summary.gate is not None
    for name in sorted(record.implementations):
        results = where(record.results, names={name})
        for suite, of_suite in groupby(results, key=lambda one: one.suite):
            yield _suite(summary, name, suite, [_shown(one, record, in_gate=in_gate) for one in of_suite])
    yield _run(summary)


def _shown(result: RecordedResult, record: RunRecord, *, in_gate: bool) -> _Shown:
    """The element of one verdict; a flaky case is a failure unless it varies between permitted answers."""
    tag = _TAGS.get(result.verdict, "")
    if not (tag or result.is_unstable or (in_gate and status_of(result) is not None)):
        return _Shown(result, "", "", "")
    shown = _Shown(result, tag, _type(result), _message(result, record))
    shown = _in_gate(shown) if in_gate else shown
    if result.is_unstable and shown.tag not in ("failure", "error"):
        return replace(shown, tag="failure", type="flaky", message="The case is flaky.")
    return shown


def _in_gate(shown: _Shown) -> _Shown:
    """The same in a gate: a known result is skipped with its reason, any other result that fails the gate is a failure."""
    result, status = shown.result, status_of(shown.result)
    if status is None:
        return shown
    fails = result.verdict in FAILING
    keeps_message = result.expectation is None or (status is Status.NEW and fails)
    shown = replace(shown, message=f"{status}: {shown.message if keeps_message else listing_text(result)}")
    if status is Status.KNOWN and not has_unwritten_reason(result):
        return replace(shown, tag="skipped")
    return shown if fails else replace(shown, tag="failure", type=f"gate/{status}")


def _suite(summary: RunSummary, name: str, suite: str, shown: Sequence[_Shown]) -> Element:
    record, counts = summary.record, Counter(one.tag for one in shown)
    element = _begin_suite(record, f"{name}.{suite.replace('/', '.')}", counts)
    element.set("time", _seconds(sum(one.result.ms or 0 for one in shown)))
    _limits(element, summary, name, {one.result.operation for one in shown})
    for one in shown:
        _case(element, record, one)
    variants = (
        f"{one.result.case}: {name} follows {readings_text(one.result.readings)}."
        for one in shown
        if one.result.verdict is Verdict.VARIANT
    )
    _end_suite(element, "\n".join(variants))
    return element


def _limits(suite: Element, summary: RunSummary, name: str, operations: Collection[str]) -> None:
    """A property of the suite for each operation whose result has limits: `song.sing` is `observed 62%`."""
    properties = suite.find("properties")
    for one in summary.operations.get(name, ()):
        if properties is not None and one.operation in operations and (found := limits(one)):
            SubElement(properties, "property", name=one_line(one.operation), value=", ".join(found))


def _begin_suite(record: RunRecord, name: str, counts: Counter[str]) -> Element:
    """A suite without its test cases; its number among all suites is set later."""
    element = Element("testsuite")
    numbers = {
        "id": 0,
        "tests": counts.total(),
        "failures": counts["failure"],
        "errors": counts["error"],
        "skipped": counts["skipped"],
    }
    texts = {
        "name": one_line(name, MAX_TEXT),
        "package": one_line(name, MAX_TEXT),
        "timestamp": one_line(record.metadata.started_at).rstrip("Z") or "1970-01-01T00:00:00",
        "hostname": "localhost",
        "time": _seconds(0),
    }
    for key, value in {**numbers, **texts}.items():
        element.set(key, str(value))
    SubElement(element, "properties")
    return element


def _end_suite(element: Element, output: str = "") -> None:
    SubElement(element, "system-out").text = printable(output)
    SubElement(element, "system-err")


def _case(element: Element, record: RunRecord, shown: _Shown) -> None:
    result = shown.result
    class_name = f"{result.implementation}.{result.suite.replace('/', '.')}"
    case = _test_case(element, class_name, result.case.rsplit("/", 1)[-1], result.ms)
    if shown.tag:
        outcome = SubElement(case, shown.tag, type=shown.type, message=one_line(shown.message, MAX_NAME))
        lines = list(describe(result, record)) if result.verdict is not Verdict.UNSUPPORTED else []
        lines += [f"  {line}" for line in describe_passes(result)]
        outcome.text = printable("\n".join(lines)) or None


def _test_case(element: Element, class_name: str, name: str, ms: float | None = None) -> Element:
    return SubElement(
        element,
        "testcase",
        classname=one_line(class_name, MAX_TEXT),
        name=one_line(name, MAX_TEXT),
        time=_seconds(ms or 0),
    )


def _type(result: RecordedResult) -> str:
    kind = result.kind
    return f"{result.verdict.value}/{kind.value}" if kind else result.verdict.value


def _message(result: RecordedResult, record: RunRecord) -> str:
    edit = first_edit_of(result, record)
    return edit_text(edit) if edit is not None else outcome_text(result.outcome) or _type(result)


def _seconds(ms: float) -> str:
    return f"{ms / 1000:.3f}"


def _run(summary: RunSummary) -> Element:
    """The suite that fails if the run itself is not trustworthy, whatever its verdicts are."""
    problems, skipped = list(_problems(summary)), summary.record.skipped
    counts = Counter({"error": len(problems)} if problems else {"": 1}) + Counter({"skipped": len(skipped)})
    element = _begin_suite(summary.record, _RUN, counts)
    for entry in skipped:
        SubElement(
            _test_case(element, _RUN, entry.name), "skipped", type=entry.code, message=one_line(entry.reason, MAX_NAME)
        )
    if not problems:
        _test_case(element, _RUN, "the run is complete and every case has a verdict")
    for one in problems:
        error = SubElement(
            _test_case(element, _RUN, one.name), "error", type=one.type, message=one_line(one.text, MAX_NAME)
        )
        error.text = printable(one.text)
    _end_suite(element, "\n".join([*answered_texts(summary), *profile_texts(summary), *rate_texts(summary)]))
    return element


def _problems(summary: RunSummary) -> Iterator[_Problem]:
    for entry in summary.record.metadata.skipped:
        if entry.is_error:
            yield _Problem(entry.name, entry.code, entry.reason)
    for number, incident in enumerate(summary.record.incidents, 1):
        text = f"{describe_incident(incident)}\n{incident.stderr}".strip()
        yield _Problem(f"incident {number}", f"incident/{incident.kind.value}", text)
    for number, missing in enumerate(summary.missing, 1):
        yield _Problem(f"missing verdicts {number}", f"missing/{missing.code}", missing_text(missing))
    if summary.gate is None:
        return
    for name in summary.gate.unmatched:
        yield _Problem(name, "gate/unmatched", "The corpus has no such case or operation.")
    for name in summary.gate.new_paths:
        yield _Problem(name, "gate/new", "The known-divergence file does not list this unobservable path.")
    for name in summary.gate.stale_paths:
        yield _Problem(name, "gate/stale", "The implementation does not declare this path unobservable.")
    unwritten = summary.gate.unwritten_reasons
    if unwritten:
        yield _Problem("reasons", "gate/reason", plural(unwritten, "unwritten reason"))
