"""RunSummary → SARIF 2.1.0, for annotations at the lines of a pull request.

A result is a failing case. It lies at the place in the SDK's folder that the known-divergence file names for its cause,
else at the manifest file of the SDK. Both are paths in the repository of the working copy that was judged. For another
implementation, whose repository is unknown, it lies at the case in the corpus. In the record of a gate, known failures are
suppressed with their reasons.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from urllib.parse import quote

from ...compare.causes import causes_of
from ...errors import printable
from ...gate.summary import status_of
from ...model import (
    Cause,
    Json,
    JsonObject,
    NotTested,
    RecordedImplementation,
    RecordedResult,
    RunRecord,
    Status,
    where,
)
from ..cause_text import explained_by_text
from ..failure_spans import short_text
from ..phrases import listing_text
from ..requirement_failures import main_requirement
from ..result_text import describe_skipped, requirement_statement
from ..run_summary import RunSummary

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
MAX_RESULTS = 5000
"""Results of one run that GitHub shows."""


def stream(summary: RunSummary) -> Iterator[str]:
    """The document in pieces."""
    runs: list[Json] = [_run(summary, entry) for entry in summary.record.metadata.implementations]
    runs += [_not_tested(summary.record, entry) for entry in summary.record.metadata.skipped]
    yield from json.JSONEncoder(indent=1).iterencode({"$schema": _SCHEMA, "version": "2.1.0", "runs": runs})
    yield "\n"


def _run(summary: RunSummary, implementation: RecordedImplementation) -> Json:
    """One implementation: its failing cases, at most `MAX_RESULTS`, and the requirements that they break."""
    record = summary.record
    causes = {cause.name: cause for cause in implementation.causes}
    results: list[Json] = []
    rules: JsonObject = {}
    manifest = implementation.sdk.manifest if implementation.sdk else ""
    named = main_requirement(record, implementation.name)
    for result in where(summary.failing, names={implementation.name})[:MAX_RESULTS]:
        for requirement in result.charged:
            rules.setdefault(requirement, _rule(requirement, requirement_statement(record, requirement)))
        results.append(_result(record, result, named(result), causes, manifest))
    driver: JsonObject = {"name": "parity", "version": record.metadata.harness_version, "rules": [*rules.values()]}
    return {
        "tool": {"driver": driver},
        "automationDetails": {"id": f"parity/{printable(implementation.name)}/"},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }


def _not_tested(record: RunRecord, one: NotTested) -> Json:
    """A run without results, with the reason."""
    level = "error" if one.is_error else "note"
    notification: JsonObject = {
        "level": level,
        "message": {"text": describe_skipped(one)},
    }
    return {
        "tool": {"driver": {"name": "parity", "version": record.metadata.harness_version}},
        "automationDetails": {"id": f"parity/{printable(one.name)}/"},
        "invocations": [{"executionSuccessful": False, "toolExecutionNotifications": [notification]}],
    }


def _rule(requirement: str, statement: str) -> Json:
    text = printable(statement) or requirement
    return {"id": requirement, "shortDescription": {"text": text}, "fullDescription": {"text": text}}


def _result(
    record: RunRecord, result: RecordedResult, requirement: str, causes: Mapping[str, Cause], manifest: str
) -> Json:
    named = [causes[name] for name in causes_of(result.explained_by, record.metadata.rulings) if name in causes]
    folder = manifest.rpartition("/")[0]
    of_causes = [place for known in named if (place := _place(known.place, folder))]
    places = of_causes or [_file_place(manifest) if manifest else _case_place(result)]
    cause = explained_by_text(result, record.metadata.rulings)
    text = "; ".join(filter(None, (f"{result.case}: {short_text(result, record)}", cause)))
    value: JsonObject = {
        "ruleId": requirement or "parity",
        "level": "error",
        "message": {"text": printable(text)},
        "locations": [*places],
        "partialFingerprints": {"parityCase/v1": result.case, "paritySignature/v1": result.signature},
    }
    if places[0] != _case_place(result):
        value["relatedLocations"] = [_case_place(result)]
    if record.metadata.gate is not None and status_of(result) is Status.KNOWN:
        reason = listing_text(result) or "The known-divergence file lists it."
        value["suppressions"] = [{"kind": "external", "justification": printable(reason)}]
    return value


def _case_place(result: RecordedResult) -> JsonObject:
    return _place(result.at) or {"physicalLocation": {"artifactLocation": {"uri": "cases"}}}


def _place(text: str, folder: str = "") -> JsonObject | None:
    """`file:line` below the folder as a location; None for another text."""
    file, _, line = text.rpartition(":")
    if not file or not line.isdecimal() or int(line) < 1:
        return None
    if PurePosixPath(file).is_absolute() or ".." in PurePosixPath(file).parts:
        return None
    return _file_place(f"{folder}/{file}" if folder else file, int(line))


def _file_place(file: str, line: int = 1) -> JsonObject:
    return {"physicalLocation": {"artifactLocation": {"uri": quote(file)}, "region": {"startLine": line}}}
