"""Results stay in the file: what an index has of them equals what their lines say, whatever the lines hold."""

from __future__ import annotations

import json
import tracemalloc
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from made_values import started

from harness.compare.canonical import compact
from harness.compare.causes import place_of
from harness.compare.error_text import outcome_text
from harness.errors import RecordError
from harness.model import (
    FAILING,
    ResultLine,
    RunMetadata,
    RunRecord,
    StoredResult,
    TallyKey,
    Verdict,
    in_corpus_order,
    tally,
    where,
)
from harness.records import read_record
from harness.records.header import header_members

NAMES = ("alto", "bass")
_FACTS = (
    "verdict kind signature readings explained_by undecided stage recovered differences engine charged suite leaves "
    "is_flaky unsent_after".split()
)
_DIFFERENCE = [{"path": "$.notes[3].id", "wanted": "a", "got": "b"}]
_FAILED = {"verdict": "fail", "signature": "0123456789ab", "answer": {"answer": {"a": 2}}, "difference": _DIFFERENCE}
_REFUSAL = {"path": "$.match", "side": "wanted", "engine": "e", "match": "AND", "message": "syntax"}
_EXPLAINED = {"readings": {"RUL-1": "b"}, "deviations": ["deaf"]}
_ERROR = {"verdict": "error", "signature": "ba9876543210", "reason": "text"}
_RAISED = {"expected": {"error": {"type": "bad"}}}
_PASSED = {"verdict": "pass", "answer": {"answer": {"a": 1}}}

OUTCOMES: dict[str, dict[str, Any]] = {
    "pass": {**_PASSED, "ms": 1.5},
    "pass without time": _PASSED,
    "pass with an error": {
        **_RAISED,
        "verdict": "pass",
        "answer": {"error": {"type": "bad", "stack": "at x"}},
        "ms": 0,
    },
    "pass of a disputed case": {**_PASSED, "readings": {"RUL-2": "b", "RUL-1": "a"}, "ms": 2},
    "variant": {
        "answer": {"answer": {"a": 2}},
        "verdict": "variant",
        "readings": {"RUL-1": "b"},
        "difference": _DIFFERENCE,
    },
    "fail": {**_FAILED, "stage": "/notes", "recovered": True, "charged": ["R-2"], "ms": 3},
    "explained": {**_FAILED, "charged": [], "explainedBy": _EXPLAINED},
    "undecided": {**_FAILED, "charged": [], "undecided": {"readings": 41, "size": 2}},
    "refused": {**_FAILED, "engine": [_REFUSAL]},
    "stderr": {**_PASSED, "stderr": "warning", "ms": 1},
    "crash": {**_ERROR, "kind": "crash", "error": {"status": 3}},
    "start": {**_ERROR, "kind": "start", "error": {"start": "unavailable", "message": "no"}},
    "raised": {**_ERROR, "kind": "implementation", "error": {"type": "bad", "message": "m"}},
    "unsupported": {
        "verdict": "unsupported",
        "unsupported": {"cause": "not-offered", "reason": "why"},
        "reason": "why",
    },
    "known": {**_FAILED, "expectation": {"status": "known", "reason": "because"}},
    "flaky": {**_FAILED, "flaky": [{"passes": [1], **_PASSED}, {"passes": [2], **_FAILED}]},
}


def line(case: str, name: str, request: Any = None, at: int = 1, **outcome: Any) -> str:
    """The line of a result as a run writes it."""
    values: dict[str, Any] = {
        "type": "result",
        "case": f"choir/verse/{case}",
        "at": f"cases/choir/verse.yaml:{at}",
        "operation": "choir.sing",
        "requirements": ["R-1", "R-2"],
        "ruling": "RUL-1",
        "request": {"text": case} if request is None else request,
        "expected": {"answer": {"a": 1}},
        "implementation": name,
    }
    return compact({**values, **outcome})


def written(path: Path, lines: list[str], names: tuple[str, ...] = NAMES) -> RunRecord:
    """The record of these lines, without a footer."""
    metadata = RunMetadata(
        started_at="2026-11-23T12:00:00Z",
        corpus_digest="c",
        cases=len(lines),
        implementations=tuple(map(started, names)),
    )
    path.write_text("".join(f"{one}\n" for one in (compact(header_members(metadata)), *lines)), "ascii")
    return read_record(path)


@pytest.fixture
def varied(tmp_path: Path) -> RunRecord:
    """A record with every outcome."""
    numbered = enumerate(OUTCOMES.items())
    lines = [line(name.replace(" ", "-"), NAMES[at % 2], at=99 - at, **values) for at, (name, values) in numbered]
    return written(tmp_path / "varied.jsonl", lines)


def test_each_member_is_that_of_the_line(varied: RunRecord) -> None:
    """A result has the same facts whether they come from memory or from its line."""
    assert len(varied.results) == len(OUTCOMES)
    for stored in varied.results:
        line = stored.line
        assert isinstance(stored, StoredResult)
        names = (*ResultLine.__struct_fields__, *_FACTS)
        assert {name: getattr(stored, name) for name in names} == {name: getattr(line, name) for name in names}
        assert outcome_text(stored.brief) == outcome_text(line.outcome)
        assert stored.place == (place_of(line) if line.verdict in FAILING else "")


def test_the_facts_in_memory_need_no_line(tmp_path: Path, varied: RunRecord) -> None:
    """Counts, choices and orders are the same when no line can be read any more."""
    lines = [one.line for one in varied.results]
    (tmp_path / "varied.jsonl").write_bytes(b"\n" * (tmp_path / "varied.jsonl").stat().st_size)
    stored, names = varied.results, varied.implementations
    assert tally(stored) == tally(lines)
    assert tally(where(stored, names={"alto"})) == tally(where(lines, names={"alto"}))
    assert [one.case for one in where(stored, lambda one: one.verdict is Verdict.FAIL)] == [
        one.case for one in lines if one.verdict is Verdict.FAIL
    ]
    ordered = [one.case for one in in_corpus_order(stored, names)]
    assert ordered == [one.case for one in in_corpus_order(lines, names)] == [one.case for one in reversed(lines)]


@pytest.mark.parametrize(
    "request_",
    [
        {"a": 1, "implementation": "x"},
        {"implementation": 'alto","verdict":"fail"}'},
        [{"b": 0, "implementation": "bass", "verdict": "error"}],
        "\ud800",
        12345678901234567890123,
        {"": "\u2028"},
    ],
    ids="member,quoted,element,surrogate,large,separator".split(","),
)
def test_what_a_request_may_hold(tmp_path: Path, request_: Any) -> None:
    """A request that looks like the end of a line, and values that fast parsers refuse or round, are read exactly."""
    record = written(tmp_path / "run.jsonl", [line("a", "alto", request_, **OUTCOMES["pass"])])
    (only,) = record.results
    assert (only.implementation, only.verdict, only.request) == ("alto", Verdict.PASS, request_)


def test_members_in_another_order(tmp_path: Path) -> None:
    """A line that another program wrote in another order is the same result."""
    values = json.loads(line("a", "alto", **OUTCOMES["fail"]))
    ours = written(tmp_path / "ours.jsonl", [json.dumps(values)]).results
    theirs = written(tmp_path / "theirs.jsonl", [json.dumps(dict(sorted(values.items())))]).results
    assert [one.line for one in ours] == [one.line for one in theirs]


def test_one_case_in_two_kinds_of_lines(tmp_path: Path) -> None:
    """Results of one case stay together in the order of the corpus, though one line needs the exact parser."""
    unusual = line("a", "alto", "\ud800", **OUTCOMES["pass"]), line("a", "bass", "x", **OUTCOMES["pass"])
    record = written(tmp_path / "run.jsonl", [unusual[1], line("b", "bass", at=2, **OUTCOMES["pass"]), unusual[0]])
    ordered = in_corpus_order(record.results, NAMES)
    assert [(one.case[-1], one.implementation) for one in ordered] == [("a", "alto"), ("a", "bass"), ("b", "bass")]


def test_a_record_that_changes_while_it_is_read(tmp_path: Path, varied: RunRecord) -> None:
    """A line that is no longer there is an error of the record; a copy is not affected."""
    path = tmp_path / "varied.jsonl"
    kept = read_record(path, copied=True)
    first = varied.results[0]
    path.write_bytes(b"\n" * path.stat().st_size)
    with pytest.raises(RecordError, match="another program changed this record while it was read"):
        assert first.request
    assert kept.results[0].request == {"text": "pass"}


def test_the_memory_of_a_result(tmp_path: Path) -> None:
    """A result needs little memory, however long its line is: at most 200 bytes with twenty implementations of a case."""
    names = tuple(f"voice-{number}" for number in range(20))
    text = {"text": "x" * 2000}
    lines = [line(str(case), name, text, **OUTCOMES["pass"]) for case in range(100) for name in names]
    written(tmp_path / "run.jsonl", lines, names)
    tracemalloc.start()
    try:
        record = read_record(tmp_path / "run.jsonl")
        counts = tally(record.results)
        used, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert counts == Counter(
        {TallyKey("choir/verse", "choir.sing", name, Verdict.PASS, None, 1, 0, is_disputed=True): 100 for name in names}
    )
    assert used / len(lines) < 200 + 2 * 2**20 / len(lines)


def test_two_records_share_the_names_of_their_cases(tmp_path: Path) -> None:
    """A comparison of two large records holds each name and each place once."""
    lines = [line(str(case), "alto", **OUTCOMES["pass"]) for case in range(3)]
    first, second = (written(tmp_path / name, lines) for name in ("old.jsonl", "new.jsonl"))
    for then, now in zip(first.results, second.results, strict=True):
        assert then.case is now.case and then.at is now.at
