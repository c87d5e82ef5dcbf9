"""RunSummary → SARIF 2.1.0, for alerts at the lines of a change.

The document of a gate has what keeps it from green, and nothing else: GitHub ignores suppressions. That of a run without a
gate has every failing case. Failures of one group at one line are one result, and so are other findings of one rule;
`occurrenceCount` has their number.

A result lies at a line that the repository of the judged working copy has, the first that there is of: the line of the
known-divergence file, for a finding about it; the place of a cause; the first changed line of the nearest changed file that
the operation reaches. In a gate the place of a cause counts if the change touched its file. GitHub refuses a document with
a result that lies nowhere, so such a finding is a notification of the run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias
from urllib.parse import quote

from msgspec import Struct

from ...compare.causes import causes_of
from ...compare.error_text import outcome_text
from ...errors import one_line, printable
from ...gate.places import place_of
from ...gate.summary import RED_STATUSES
from ...model import (
    FAILING,
    Json,
    JsonObject,
    NotTested,
    RecordedImplementation,
    RecordedResult,
    RunRecord,
    Status,
    Verdict,
    path_word,
    where,
)
from ..cause_text import explained_by_text
from ..document import Code, Paragraph, Spans, as_markdown, shown, span_list
from ..failure_groups import FailureGroup, failure_groups
from ..failure_spans import short_text
from ..phrases import and_more, following_text, listing_text
from ..requirement_failures import main_requirement
from ..result_text import describe_skipped, requirement_statement
from ..run_summary import RunSummary
from ..summary_text import gate_defects

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
MAX_RESULTS = 5000
"""Results of one run that GitHub shows."""
MAX_RUNS = 20
"""Runs of one document that GitHub accepts."""
_MAX_TEXT = 1000
"""Characters of a rule's description, and of a message. GitHub accepts 1,024."""

_FAILURE = "parity/failure"
_UNSUPPORTED = "parity/unsupported"
_UNOBSERVABLE = "parity/unobservable"
_OF_STATUS: Mapping[Status | None, str] = {
    Status.STALE: "parity/stale",
    Status.UNMATCHED: "parity/unmatched",
    Status.READING: "parity/reading",
}
_UPDATE: Spans = [
    Code("parity gate --write-known FILE"),
    " updates the file; then write the reasons that begin with TODO.",
]
_RULES: Mapping[str, tuple[str, Spans]] = {
    _FAILURE: ("An answer is not the expected one.", ""),
    _UNSUPPORTED: (
        "A case is out of the reach of the SDK, and the known-divergence file does not list it.",
        ["Restore the public function that answers it, or list the case below ", Code("unsupported:"), ". ", *_UPDATE],
    ),
    _UNOBSERVABLE: (
        "A part of an answer is not reported, and the known-divergence file does not list it.",
        ["Report it, or list it below ", Code("unobservable:"), ". ", *_UPDATE],
    ),
    _OF_STATUS[Status.STALE]: (
        "The known-divergence file lists what is not so any more.",
        ["Delete the line. ", *_UPDATE],
    ),
    _OF_STATUS[Status.UNMATCHED]: (
        "The known-divergence file names what the corpus does not have.",
        ["Correct the name, or delete the line."],
    ),
    _OF_STATUS[Status.READING]: (
        "An answer is by another reading of a ruling than before, which users can see.",
        ["Restore the answer, or list the reading. ", *_UPDATE],
    ),
}
"""The rules that are no requirement: what is wrong, and what to do."""

Place: TypeAlias = tuple[str, int]
"""A path in the repository, and a line."""


class _Finding(Struct, frozen=True):
    """Something that becomes a result, or a part of one. `case` is a full name, or empty; `group` is that of a failure."""

    rule: str
    case: str
    place: Place | None
    text: Callable[[], str]
    level: str = "error"
    group: str = ""


def stream(summary: RunSummary) -> Iterator[str]:
    """The document in pieces."""
    metadata = summary.record.metadata
    runs = [
        _run(summary, entry, [*_of_results(summary, entry), *(() if number else _of_file(summary))])
        for number, entry in enumerate(metadata.implementations)
    ]
    runs += [_not_tested(summary.record, entry) for entry in metadata.skipped]
    yield from json.JSONEncoder(indent=1).iterencode({"$schema": _SCHEMA, "version": "2.1.0", "runs": runs[:MAX_RUNS]})
    yield "\n"


def _of_results(summary: RunSummary, entry: RecordedImplementation) -> Iterator[_Finding]:
    """The failing cases of a run, or the results that keep a gate from green."""
    record, gate = summary.record, summary.gate
    requirement = main_requirement(record, entry.name)
    listed = (
        {status: gate.listed[status] for status in (*RED_STATUSES, Status.FLAKY)} if gate else {None: summary.failing}
    )
    for status, results in listed.items():
        of_entry = where(results, names={entry.name})
        failures = [] if status is Status.STALE else where(of_entry, lambda result: result.verdict in FAILING)
        grouped = {
            result.case: group for group in failure_groups(failures, record.metadata) for result in group.results
        }
        for result in of_entry:
            group = grouped.get(result.case)
            rule = (requirement(result) or _FAILURE) if group else _OF_STATUS.get(status, _UNSUPPORTED)
            file_place = file_line(record, result) if status is Status.STALE else None
            place = file_place or source_line(record, entry, result, group.follows if group else ())
            text = partial(_text, record, result, status, group)
            level = "warning" if status is Status.FLAKY else "error"
            yield _Finding(rule, result.case, place, text, level, group.name if group else "")


def _of_file(summary: RunSummary) -> Iterator[_Finding]:
    """What keeps a gate from green and is no result: names of the file, and unobservable places."""
    gate, file = summary.gate, summary.record.metadata.gate
    if gate is None or file is None:
        return
    for status, sentence, names in gate_defects(gate):
        rule = _OF_STATUS.get(status, _UNOBSERVABLE)
        for name in names:
            place = line_at(file.path, file.places.get(name, ""))
            yield _Finding(rule, "", place, partial("{}: {}".format, name, sentence))


def _text(record: RunRecord, result: RecordedResult, status: Status | None, group: FailureGroup | None) -> str:
    if group is None and result.verdict is not Verdict.UNSUPPORTED:
        return f"{result.case}: {listing_text(result)}"
    what = short_text(result, record) if group else outcome_text(result.outcome)
    cause = explained_by_text(result, record.metadata.rulings) if result.explained_by else ""
    effect = f"this {following_text(group.follows)}" if group and group.follows else ""
    expired = f"the entry in the known-divergence file has expired: {listing_text(result)}"
    notes = (f"{result.case}: {what}", cause, effect, expired if status is Status.EXPIRED else "")
    return "; ".join(filter(None, notes))


def file_line(record: RunRecord, result: RecordedResult) -> Place | None:
    """The line of the known-divergence file that a result refutes."""
    file = record.metadata.gate
    return line_at(file.path, result.expectation.place) if file and result.expectation else None


def line_at(path: str, place: str) -> Place | None:
    """The line of `file:first-last` in the file at `path`."""
    line = place.rpartition(":")[2].partition("-")[0]
    return (path, int(line)) if path and line.isdecimal() else None


def source_line(
    record: RunRecord, entry: RecordedImplementation, result: RecordedResult, follows: Iterable[str] = ()
) -> Place | None:
    """The line of the SDK's repository to which a result belongs. `follows` are the operations from whose failures it can
    follow: a change that they reach is nearer than one that only its own operation reaches."""
    sdk = entry.sdk
    if sdk is None or not sdk.revision:
        return None
    changed = {file.path: file.lines[0][0] for file in sdk.changes}
    folder = sdk.manifest.rpartition("/")[0]
    names = causes_of(result.explained_by, record.metadata.rulings)
    for cause in entry.causes:
        place = place_of(cause) if cause.name in names else None
        path = f"{folder}/{place.file}" if place and folder else place.file if place else ""
        if place and place.line and (path in changed or record.metadata.gate is None):
            return path, place.line
    reached = (path for operation in (*follows, result.operation) for path in sdk.reached.get(operation, ()))
    return next(((path, changed[path]) for path in reached if path in changed), None)


def _run(summary: RunSummary, entry: RecordedImplementation, findings: Sequence[_Finding]) -> Json:
    """One implementation: its results, the findings without a line, and their rules."""
    record = summary.record
    grouped: dict[tuple[str, Place | None, str], list[_Finding]] = {}
    for finding in findings:
        grouped.setdefault((finding.group or finding.rule, finding.place, finding.level), []).append(finding)
    examples = {first.rule: first.case for first, *_ in reversed(grouped.values())}
    groups = [*grouped.values()][:MAX_RESULTS]
    return {
        "tool": _tool(record, [_rule(record, rule, case) for rule, case in examples.items()][:MAX_RESULTS]),
        "automationDetails": {"id": f"parity/{printable(entry.name)}/"},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": record.complete,
                "toolExecutionNotifications": [_notification(*group) for group in groups if group[0].place is None],
            }
        ],
        "results": [_result(*group) for group in groups if group[0].place is not None],
    }


def _tool(record: RunRecord, rules: Sequence[Json]) -> Json:
    return {"driver": {"name": "parity", "version": record.metadata.harness_version, "rules": [*rules]}}


def _message(first: _Finding, *others: _Finding) -> Json:
    more = and_more(len(others), "case" if first.case else "name")
    return {"text": one_line("; ".join(filter(None, (first.text(), more))), _MAX_TEXT)}


def _result(first: _Finding, *others: _Finding) -> Json:
    assert first.place
    path, line = first.place
    return {
        "ruleId": printable(first.rule),
        "level": first.level,
        "message": _message(first, *others),
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": quote(path)}, "region": {"startLine": line}}}],
        "occurrenceCount": 1 + len(others),
        "partialFingerprints": {"parityRuleAndFile/v1": f"{printable(first.rule)} {quote(path)}"},
    }


def _notification(first: _Finding, *others: _Finding) -> Json:
    return {
        "associatedRule": {"id": printable(first.rule)},
        "level": first.level,
        "message": _message(first, *others),
    }


def _rule(record: RunRecord, rule: str, case: str) -> Json:
    """A rule with its help; `case` is an example, or empty."""
    statement, remedy = _RULES.get(rule, (requirement_statement(record, rule) or rule, ""))
    about: Spans = [statement]
    if not remedy:
        listing: Spans = " If the difference is meant, list it with its reason in the known-divergence file."
        remedy = ["Correct the SDK.", *span_list(listing if record.metadata.gate else "")]
    command: Spans = (
        [
            Code(f"parity explain {path_word(case)}", _MAX_TEXT),
            " shows the request, the expected answer and the text behind it.",
        ]
        if case
        else ""
    )
    paragraphs = [span_list(spans) for spans in (about, remedy, command) if spans]
    text = one_line(statement, _MAX_TEXT)
    return {
        "id": printable(rule),
        "shortDescription": {"text": text},
        "fullDescription": {"text": text},
        "help": {
            "text": "\n".join("".join(map(shown, spans)) for spans in paragraphs),
            "markdown": as_markdown(map(Paragraph, paragraphs)),
        },
    }


def _not_tested(record: RunRecord, entry: NotTested) -> Json:
    """A run without results, with the reason."""
    notification: JsonObject = {
        "level": "error" if entry.is_error else "note",
        "message": {"text": describe_skipped(entry)},
    }
    return {
        "tool": _tool(record, []),
        "automationDetails": {"id": f"parity/{printable(entry.name)}/"},
        "invocations": [{"executionSuccessful": False, "toolExecutionNotifications": [notification]}],
    }
