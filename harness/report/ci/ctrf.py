"""RunSummary → CTRF JSON (Common Test Report Format), which dashboards and CI systems read.

A test is the verdict of one implementation on one case: `pass` and `variant` pass, `unsupported` is skipped, `fail` and
`error` fail. In the record of a gate, known failures are skipped with their reasons.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from itertools import chain

from ...compare.error_text import outcome_text
from ...errors import printable
from ...gate.summary import status_of
from ...model import FAILING, PASSING, UNTESTED, Json, JsonObject, NotTested, RecordedResult, RunRecord, Status
from ..phrases import listing_text
from ..result_text import describe
from ..run_summary import RunSummary

_STATES = {**dict.fromkeys(PASSING, "passed"), **dict.fromkeys(UNTESTED, "skipped")}


def stream(summary: RunSummary) -> Iterator[str]:
    """The document in pieces: the tests first, then the summary that counts them."""
    record = summary.record
    counts: Counter[str] = Counter()
    encode = json.JSONEncoder().encode
    yield '{"reportFormat": "CTRF", "specVersion": "0.0.0", "results": {"tool": '
    yield encode({"name": "parity", "version": record.metadata.harness_version})
    yield ', "tests": ['
    tests = chain(map(_not_tested, record.metadata.skipped), (_test(record, result) for result in record.results))
    for number, test in enumerate(tests):
        counts[str(test["status"])] += 1
        yield f"{',' if number else ''}\n{encode(test)}"
    yield f'\n], "summary": {encode(_summary(record, counts))}}}}}\n'


def _summary(record: RunRecord, counts: Counter[str]) -> Json:
    start = int(datetime.fromisoformat(record.metadata.started_at).timestamp() * 1000)
    states = {name: counts[name] for name in ("passed", "failed", "skipped", "pending", "other")}
    return {"tests": counts.total(), **states, "start": start, "stop": start + round((record.seconds or 0) * 1000)}


def _not_tested(one: NotTested) -> JsonObject:
    """An implementation without a verdict."""
    return {
        "name": printable(one.name),
        "status": "failed" if one.is_error else "skipped",
        "duration": 0,
        "rawStatus": one.code.value,
        "message": printable(one.reason),
    }


def _test(record: RunRecord, result: RecordedResult) -> JsonObject:
    known = record.metadata.gate is not None and status_of(result) is Status.KNOWN
    state = "skipped" if known else _STATES.get(result.verdict, "failed")
    value: JsonObject = {
        "name": f"{result.case} ({printable(result.implementation)})",
        "status": "failed" if result.is_unstable and not known else state,
        "duration": round(result.ms or 0),
        "suite": result.suite,
        "filePath": result.at.rpartition(":")[0],
        "rawStatus": result.verdict.value,
        "flaky": result.is_flaky,
        "tags": [*result.charged],
    }
    if known:
        value["message"] = printable(listing_text(result))
    elif result.verdict in UNTESTED:
        value["message"] = printable(outcome_text(result.outcome))
    elif result.verdict in FAILING:
        value["message"] = printable("\n".join(describe(result, record)))
    return value
