"""RunSummary → CTRF JSON (Common Test Report Format), which dashboards and CI systems read: the tests of `run_tests.py`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from datetime import datetime

from ...errors import printable
from ...model import Json, JsonObject, RunRecord
from ..run_summary import RunSummary
from .run_tests import RunTest, run_suites

_STATES = {"": "passed", "failure": "failed", "error": "failed", "skipped": "skipped"}


def stream(summary: RunSummary) -> Iterator[str]:
    """The document in pieces: the tests first, then the summary that counts them."""
    record = summary.record
    counts: Counter[str] = Counter()
    encode = json.JSONEncoder().encode
    yield '{"reportFormat": "CTRF", "specVersion": "0.0.0", "results": {"tool": '
    yield encode({"name": "parity", "version": record.metadata.harness_version})
    yield ', "tests": ['
    tests = (test for suite in run_suites(summary) for test in suite.tests if test.tag or test.result)
    for number, test in enumerate(map(_test, tests)):
        counts[str(test["status"])] += 1
        yield f"{',' if number else ''}\n{encode(test)}"
    yield f'\n], "summary": {encode(_summary(record, counts))}}}}}\n'


def _summary(record: RunRecord, counts: Counter[str]) -> Json:
    start = int(datetime.fromisoformat(record.metadata.started_at).timestamp() * 1000)
    states = {name: counts[name] for name in ("passed", "failed", "skipped", "pending", "other")}
    return {"tests": counts.total(), **states, "start": start, "stop": start + round((record.seconds or 0) * 1000)}


def _test(test: RunTest) -> JsonObject:
    result = test.result
    value: JsonObject = {
        "name": printable(f"{result.case} ({result.implementation})" if result else test.name),
        "status": _STATES[test.tag],
        "duration": round(test.ms),
        "rawStatus": result.verdict.value if result else test.type,
    }
    if result:
        place = result.at.rpartition(":")[0]
        value |= {"suite": result.suite, "filePath": place, "flaky": result.is_flaky, "tags": [*result.charged]}
    return value | (
        {"message": printable((test.text if test.tag != "skipped" else "") or test.message)} if test.tag else {}
    )
