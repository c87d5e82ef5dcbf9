"""A line that its own members refute, or that holds what parity does not know, was written by another program."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from changed_records import changed, read

from harness import VERSION
from harness.errors import RecordError
from harness.model import (
    EXACT,
    Answered,
    Operation,
    Passed,
    ResultLine,
    Rules,
)
from harness.records.contradictions import check_pass, is_doubtful


def edited(old: str, new: str) -> Callable[[str], str]:
    """An edit of a line: the first `old` text becomes the `new` one."""
    return lambda line: line.replace(old, new, 1)


def with_last(member: str) -> Callable[[str], str]:
    """An edit of a line: one more member at its end."""
    return lambda line: f"{line[:-1]},{member}}}"


def with_first_doubled(line: str) -> str:
    header = json.loads(line)
    return json.dumps({**header, "implementations": header["implementations"] * 2})


_FAILS = edited('"verdict":"pass"', '"verdict":"fail","signature":"0123456789ab","difference":[{"path":"$"}]')
_ANSWER, _OTHER = (f'"answer":{{"answer":{{"text":"{text}"}}}}' for text in ("one", "two"))


@pytest.mark.parametrize(
    ("place", "edit", "said"),
    [
        (2, edited(_ANSWER, _OTHER), "pass, and $.text is not as expected"),
        (2, edited(_ANSWER, '"answer":{"answer":{"text":[]}}'), "pass, and $.text is not as expected"),
        (2, edited(_ANSWER, '"answer":{"error":{"type":"empty"}}'), "pass, and it is not the expected answer"),
        (2, _FAILS, "fail, and it is the expected answer"),
        (2, edited('"pass"', '"variant","readings":{"RUL-1":"b"}'), "variant, and it is the expected answer"),
        (
            2,
            lambda line: with_last('"charged":["ECHO-01"],"byCause":true')(_FAILS(edited(_ANSWER, _OTHER)(line))),
            "byCause: no cause",
        ),
        (
            2,
            lambda line: with_last('"explainedBy":{"readings":{},"deviations":[],"listed":"deaf"}')(_FAILS(line)),
            "explainedBy.listed: the header has no cause deaf",
        ),
        (1, edited('"recordVersion":1', '"recordVersion":true'), "recordVersion: this parity reads version 1"),
        (
            2,
            lambda line: with_last('"explainedBy":{"readings":{},"deviations":["deaf"],"x":1}')(_FAILS(line)),
            "unknown field `x`",
        ),
        (2, with_last('"unobserved":2'), "unobserved: 2 is not a number of leaves from 0 to 1"),
        (2, with_last('"unobserved":-1'), "unobserved: -1 is not a number of leaves from 0 to 1"),
        (1, edited('"cases":3', '"cases":1000000000000000000000'), "Expected `int` <= 1000000000 - at `$.cases`"),
        (2, with_last('"case":"echo/said/x"'), "$.case: it has this member twice"),
        (2, with_last(_ANSWER), "$.answer: it has this member twice"),
        (
            2,
            lambda line: with_last('"signature":"ba9876543210"')(_FAILS(line)),
            "$.signature: it has this member twice",
        ),
        (2, edited('"text":"one"', '"text":"one","text":"two"'), "$.request.text: it has this member twice"),
        (2, with_last('"ms":0,"ms":0'), "$.ms: it has this member twice"),
        (1, with_last('"startedAt":"2026-11-24T00:00:00Z"'), "$.startedAt: it has this member twice"),
        (1, edited('"cases":3', '"cases":4,"cases":3'), "$.corpus.cases: it has this member twice"),
        (
            1,
            edited('"version":"1"', '"version":"2","version":"1"'),
            "$.implementations[0].version: it has this member twice",
        ),
        (1, with_first_doubled, "implementations: speaker is there twice"),
        (1, with_last('"gate":{}'), "unmatched"),
        (2, with_last('"expectation":{"status":"fine"}'), "Invalid enum value 'fine'"),
        (5, with_last('"incidents":0'), "$.incidents: it has this member twice"),
    ],
)
def test_a_record_that_was_edited(
    whole: bytes, tmp_path: Path, place: int, edit: Callable[[str], str], said: str
) -> None:
    """A line that its own members refute is told with its number, with what is wrong and with what to do."""
    lines = whole.decode("ascii").splitlines()
    lines[place - 1] = edit(lines[place - 1])
    with pytest.raises(RecordError) as raised:
        read(tmp_path, "".join(f"{line}\n" for line in lines).encode("ascii"))
    assert f"changed.jsonl:{place}: " in str(raised.value)
    assert said in str(raised.value)
    assert str(raised.value).endswith("Another program wrote or changed it. Run again.")


@pytest.mark.parametrize(
    ("place", "name", "added"),
    [
        (0, "mood", {"mood": "good"}),
        (0, "corpus.mood", {"corpus": {"mood": "good"}}),
        (0, "implementations.0.mood", {"implementations": {0: {"mood": "good"}}}),
        (0, "options.maxMood", {"options": {"maxMood": 3}}),
        (1, "mood", {"mood": "good"}),
    ],
)
@pytest.mark.parametrize(
    ("version", "remedy"),
    [
        (VERSION, "Another program wrote or changed it. Run again."),
        ("99.0", f"parity 99.0 wrote it; this is parity {VERSION}. Read it with that one."),
    ],
)
def test_a_member_that_parity_does_not_know(
    whole: bytes, tmp_path: Path, place: int, name: str, added: Any, version: str, remedy: str
) -> None:
    """A record with an unknown member is refused; one that another version wrote names the version."""
    lines = [json.loads(line) for line in whole.splitlines()]
    lines[0]["harness"]["version"] = version
    _add(lines[place], added)
    with pytest.raises(RecordError) as raised:
        read(tmp_path, "".join(f"{json.dumps(line)}\n" for line in lines).encode("ascii"))
    assert f"changed.jsonl:{place + 1}: " in str(raised.value)
    assert name in str(raised.value)
    assert str(raised.value).endswith(remedy)


def _add(values: Any, added: Any) -> None:
    """Adds members at their places."""
    for name, value in added.items():
        if isinstance(value, dict):
            _add(values[name], value)
        else:
            values[name] = value


@pytest.mark.parametrize(
    ("expected", "answer", "more"),
    [
        ({"score": 0.5}, {"score": 0.50001}, {}),
        ({"words": ["a", "b"]}, {"words": ["b", "a"]}, {}),
        ({"ids": []}, {"ids": [], "took": 3}, {}),
        ({"text": "one", "hidden": 1}, {"text": "one"}, {"unobserved": 1}),
        ({"text": "one"}, {"text": "two"}, {"ruling": "RUL-1"}),
        ({"text": "one"}, {"text": "two"}, {"case": "echo/fuzz/a"}),
    ],
    ids="tolerance order if-expected unobservable free generated".split(),
)
def test_a_pass_that_rules_allow(whole: bytes, tmp_path: Path, expected: Any, answer: Any, more: Any) -> None:
    """A pass may differ from the expected answer where a rule, which the record lacks, can allow it."""
    other = changed(whole, 1, expected={"answer": expected}, answer={"answer": answer}, **more)
    assert read(tmp_path, other).complete


def test_a_pass_by_a_corpus_that_is_gone(whole: bytes, tmp_path: Path) -> None:
    """Without the corpus of the run nobody knows whether a text is compared."""
    corpus = {**json.loads(whole.splitlines()[0])["corpus"], "digest": "0" * 64}
    edited_pass = changed(whole, 1, answer={"answer": {"text": "two"}})
    for gone in ({"corpus": corpus}, {"options": {"corpus": "no/such/place"}}, {"options": {"corpus": "x" * 5000}}):
        assert read(tmp_path, changed(edited_pass, 0, **gone)).complete


def test_a_pass_with_a_text_that_is_not_compared() -> None:
    """The rules of the operation decide about another text."""
    line = ResultLine(
        case="s/said/a",
        at="a:1",
        operation="o",
        requirements=(),
        request={},
        expected=Answered({"error": "no such column"}),
        implementation="alto",
        outcome=Passed(Answered({"error": "unknown column"})),
    )
    ignoring = Rules(properties={"error": Rules(ignored=True)})
    assert is_doubtful(line)
    check_pass(line, {"o": Operation("o", "s", ignoring, (), ())})
    with pytest.raises(ValueError, match=r"\$\.error is not as expected"):
        check_pass(line, {"o": Operation("o", "s", EXACT, (), ())})
