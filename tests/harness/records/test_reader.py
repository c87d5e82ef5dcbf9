"""A record is read strictly: what is not whole is never taken for whole, what is no record is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from changed_records import changed, read

from harness.errors import RecordError
from harness.model import (
    ImplementationError,
    Incident,
    Raised,
)
from harness.records import read_record
from harness.records.lines import incident_members, read_incident, read_response, shown
from harness.report.run_summary import MissingCode, MissingVerdicts, summarise


@pytest.mark.slow
def test_cut_short_at_every_byte(whole: bytes, tmp_path: Path) -> None:
    """However short a record is cut, it is read as one that is not complete, or told to be none; it never is a success."""
    header = whole.index(b"\n") + 1
    assert read(tmp_path, whole).complete
    for length in range(len(whole)):
        if length < header:
            with pytest.raises(RecordError):
                read(tmp_path, whole[:length])
            continue
        record = read(tmp_path, whole[:length])
        assert not record.complete
        assert len(record.results) == whole[:length].count(b"\n") - 1
        summary = summarise(record)
        assert (summary.exit_status, summary.missing[0].code) == (1, MissingCode.INCOMPLETE_RECORD)


def test_a_cut_record_tells_how_much_it_holds(whole: bytes, tmp_path: Path) -> None:
    """Of a record without its footer, the number of its verdicts is told beside the number there were to be."""
    lines = whole.splitlines(keepends=True)
    missing = summarise(read(tmp_path, b"".join(lines[:3]))).missing
    assert missing[0] == MissingVerdicts(MissingCode.INCOMPLETE_RECORD, 2, 3)


def test_a_verdict_that_is_missing_from_a_complete_record(whole: bytes, tmp_path: Path) -> None:
    """A footer that agrees with the lines does not hide that an implementation has no verdict on a case."""
    header, first, *results, footer = whole.splitlines(keepends=True)
    [speaker] = json.loads(header)["implementations"]
    header = changed(header, 0, implementations=[speaker, {**speaker, "name": "twin"}])
    twins = [changed(line, 0, implementation="twin") for line in results]
    footer = changed(footer, 0, counts={"speaker": {"pass": 3}, "twin": {"pass": 2}})
    record = read(tmp_path, b"".join([header, first, *results, *twins, footer]))
    assert record.complete
    summary = summarise(record)
    assert summary.missing == (MissingVerdicts(MissingCode.SOME_MISSING, 2, 3, "twin"),)
    assert summary.exit_status == 1


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"cases": 2}, "2 makes 2 cases, and the lines have 3"),
        ({"cases": 4}, "4 makes 4 cases, and the lines have 3"),
        ({"cases": 3, "shard": {"index": 1, "of": 2}}, "3, with shard 1/2 makes 2 cases, and the lines have 3"),
    ],
)
def test_a_header_that_does_not_fit_the_lines(
    whole: bytes, tmp_path: Path, values: dict[str, Any], expected: str
) -> None:
    """The number of cases in the header, and the shard, are those of the lines; else the error names both numbers."""
    corpus = {**json.loads(whole.splitlines()[0])["corpus"], "cases": values.pop("cases")}
    with pytest.raises(RecordError) as raised:
        read(tmp_path, changed(whole, 0, corpus=corpus, **values))
    sentence = f"changed.jsonl:1: this line of the record is wrong: corpus.cases: {expected}."
    assert sentence in str(raised.value)
    assert "Run again." in str(raised.value)


_SPEAKER = {
    "name": "speaker",
    "adapter": "speaker",
    "started": True,
    "implementation": "speaker",
    "version": "1",
    "language": "Python",
    "runtime": "",
    "source": "",
    "operations": [],
    "unsupported": {},
    "unobservable": {},
    "versions": {},
}
_ERROR = {"verdict": "error", "answer": None, "signature": "0123456789ab"}
_FAILED = {
    "verdict": "fail",
    "signature": "0123456789ab",
    "answer": {"answer": {"text": "ten"}},
    "difference": [{"path": "$.text", "wanted": "two", "got": "ten"}],
}
_REQUIREMENT = {"level": "MUST", "document": "echo", "section": "Saying", "statement": "What is said comes back."}
_RULING = {
    "title": "Stall",
    "severity": "low",
    "question": "Is silence said?",
    "readings": {"a": "It is.", "b": "It is not."},
    "adopted": "a",
    "basis": "prose",
    "why": "So it reads.",
    "requirements": ["ECHO-01"],
    "evidence": ["echo/said/text-0"],
    "wording": "Say so.",
}


@pytest.mark.parametrize(
    ("number", "values", "place", "said"),
    [
        (0, {"recordVersion": 2}, 1, "recordVersion"),
        (0, {"implementations": "speaker"}, 1, "implementations"),
        (0, {"implementations": []}, 5, "does not name"),
        (0, {"corpus": None}, 1, "corpus"),
        (0, {"requirements": {"ECHO-01": "a text"}}, 1, "ECHO-01"),
        (0, {"requirements": {"ECHO-01": {**_REQUIREMENT, "statement": 5}}}, 1, "statement"),
        (0, {"rulings": {"RUL-1": {**_RULING, "severity": "huge"}}}, 1, "severity"),
        (0, {"rulings": {"RUL-1": {**_RULING, "text": "is open"}}}, 1, "text"),
        (0, {"rulings": {"RUL-1": {**_RULING, "readings": {"a": 5}}}}, 1, "`$.rulings[...].readings[...]`"),
        (0, {"rulings": {"RUL-1": {**_RULING, "adopted": "c"}}}, 1, "adopted"),
        (0, {"rulings": {"RUL-1": {**_RULING, "why": None}}}, 1, "why"),
        (0, {"startedAt": None}, 1, "startedAt"),
        (0, {"startedAt": "9999-99-99T99:99:99Z"}, 1, "month"),
        (0, {"options": {"passEnv": [{}]}}, 1, "passEnv"),
        (0, {"options": {"passEnv": -1}}, 1, "passEnv"),
        (0, {"options": {"passEnv": ["\ud800"]}}, 1, "passEnv"),
        (0, {"options": {"corpus": []}}, 1, "corpus"),
        (0, {"options": {"corpus": "a\0b"}}, 1, "corpus"),
        (0, {"options": {"timeout": "x"}}, 1, "timeout"),
        (0, {"options": {"repeat": 1}}, 1, "repeat"),
        (0, {"implementations": [_SPEAKER | {"unobservable": None}]}, 1, "unobservable"),
        (0, {"implementations": [_SPEAKER | {"versions": -1}]}, 1, "versions"),
        (1, {"verdict": "good"}, 2, "good"),
        (1, {"verdict": ["pass"]}, 2, "$.verdict"),
        (1, {"case": 5}, 2, "case"),
        (1, {"case": "one"}, 2, "case"),
        (1, {"requirements": None}, 2, "requirements"),
        (1, {"type": "remark"}, 2, "remark"),
        (1, {"type": {}}, 2, ""),
        (1, {"difference": []}, 2, "difference"),
        (1, {"verdict": "fail", "signature": "0", "difference": [{"wanted": 1}]}, 2, "path"),
        (1, {"kind": "crash"}, 2, "kind"),
        (1, {**_ERROR, "kind": "boredom", "error": {}}, 2, "boredom"),
        (1, {**_ERROR, "kind": "crash"}, 2, "error"),
        (1, {**_ERROR, "kind": "crash", "error": {"status": "3"}}, 2, "status"),
        (1, {**_ERROR, "kind": "timeout", "error": {}}, 2, "seconds"),
        (1, {**_ERROR, "kind": "protocol", "error": {"code": "odd"}}, 2, "odd"),
        (1, {**_ERROR, "kind": "implementation", "error": {}}, 2, "type"),
        (1, {**_ERROR, "kind": "start", "error": {"start": "odd"}}, 2, "odd"),
        (1, {"verdict": "unsupported", "answer": None, "unsupported": {"cause": "odd"}}, 2, "cause"),
        (1, {"more": 1}, 2, "more"),
        (2, {"case": "echo/said/\x1b[31m"}, 5, "characters that no name has"),
        (2, {"case": "echo/said/text-0"}, 5, "two of one implementation on one case"),
        (2, {"verdict": "fail", "difference": []}, 3, "signature"),
        (2, {"verdict": "fail", "signature": "0123456789ab"}, 3, "difference"),
        (2, {**_FAILED, "difference": []}, 3, "difference"),
        (2, _FAILED, 5, "counts"),
        (4, {"counts": {"speaker": {"pass": 4}}}, 5, "counts"),
        (4, {"counts": None}, 5, "counts"),
        (4, {"finishedAt": None}, 5, "finishedAt"),
        (4, {"incidents": 1}, 5, "counts"),
        (4, {"seconds": 1e308}, 5, "seconds"),
        (3, {"type": "footer", "finishedAt": "now", "counts": {}, "incidents": 0, "seconds": 1}, 5, "footer"),
    ],
)
def test_a_line_that_was_changed(
    whole: bytes, tmp_path: Path, number: int, values: dict[str, Any], place: int, said: str
) -> None:
    """A line that parity did not write is told with its number and with what is wrong."""
    with pytest.raises(RecordError) as raised:
        read(tmp_path, changed(whole, number, **values))
    assert f"changed.jsonl:{place}: " in str(raised.value)
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "cut short before its first verdict"),
        (b"Dear diary\n", "changed.jsonl:1: this line of the record is not a JSON object"),
        (b"Dear diary", "no run record"),
        (b"[]\n", "not a JSON object"),
        (b"\n\n", "not a JSON object"),
        (b'{"type": "result"}\n', "no run record"),
        (b"\xff\xfe\n", "not a JSON object"),
        (b"[" * 100_000 + b"\n", "not a JSON object"),
        (b'{"type": "header"}\n', "it has no 'recordVersion'"),
    ],
)
def test_what_is_no_record(tmp_path: Path, data: bytes, said: str) -> None:
    """A file that is no record is told to be none."""
    with pytest.raises(RecordError) as raised:
        read(tmp_path, data)
    assert said in str(raised.value)


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999", "9" * 400])
def test_a_number_that_no_answer_can_have(whole: bytes, tmp_path: Path, number: str) -> None:
    """A line with a number that is no double is told, wherever it stands in the line."""
    lines = whole.splitlines()
    lines[1] = lines[1].replace(b'"answer":{"answer":{', f'"answer":{{"answer":{{"loudness":{number},'.encode(), 1)
    with pytest.raises(RecordError, match=r"changed\.jsonl:2: this line of the record is not a JSON object"):
        read(tmp_path, b"".join(line + b"\n" for line in lines))


def test_a_line_that_was_taken_out(whole: bytes, tmp_path: Path) -> None:
    """The footer counts the lines, so that none can be taken out unseen."""
    lines = whole.splitlines(keepends=True)
    with pytest.raises(RecordError, match="counts"):
        read(tmp_path, b"".join([*lines[:2], *lines[3:]]))


def test_a_place_that_cannot_be_read(tmp_path: Path) -> None:
    """A folder and a file that is not there are told."""
    with pytest.raises(RecordError, match="Is a directory"):
        read_record(tmp_path)
    with pytest.raises(RecordError, match="No such file"):
        read_record(tmp_path / "none.jsonl")


def test_a_selection_by_a_cut_record_says_so(bench: Any, whole: bytes) -> None:
    """`--select verdict:…@RECORD` warns where the record is that of a run that did not end."""
    bench.record.write_bytes(b"".join(whole.splitlines(keepends=True)[:3]))
    other = bench.folder / "other.jsonl"
    status, _, err = bench.run(
        *bench.asking(bench.adapter()), "--select", f"verdict:pass@{bench.record}", "--record", other
    )
    assert status == 0
    assert "has no footer: its run did not end, so its later verdicts are missing" in err
    assert len(read_record(other).results) == 2


@pytest.mark.parametrize("stack", ["", "at inner\nat outer\n"])
def test_a_stack_trace_is_read_back(stack: str) -> None:
    """A raised error has the same stack trace in a response and in a cause after it was written and read."""
    raised, cause = Raised("bad", "message", stack), ImplementationError("bad", "message", stack)
    assert read_response(shown(raised)) == raised
    assert read_incident(incident_members(Incident("good", cause))).cause == cause
