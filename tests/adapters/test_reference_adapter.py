"""The reference adapter as the harness meets it: a process, lines in, lines out."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from reference_impl.wire.operations import SYSTEMS

ROOT = Path(__file__).resolve().parents[2]
ADAPTER = ROOT / "adapters" / "reference"

AST = {"raw": "x", "tokens": [{"kind": "term", "text": "x"}], "hasOperators": False}
REQUESTS: dict[str, dict[str, Any]] = {
    "query.normalise": {"query": " a\u00a0 b"},
    "query.parse": {"query": 'the "Foo" bar*'},
    "query.expandAliases": {"ast": AST, "aliases": {"x": ["y", "y z"]}},
    "query.compile": {"ast": AST},
    "query.pipeline": {"query": "foo NOT bar", "aliases": {"foo": ["x"]}},
    "stopwords.list": {"language": "nl"},
    "temporal.parseDate": {"value": "2026-04-18"},
    "temporal.expand": {"question": "first, 2 days ago", "questionDate": "2026-04-18"},
    "temporal.augment": {"question": "2 days ago", "questionDate": "2026-04-18"},
    "temporal.dateTokens": {"value": "2026-04-18"},
}


def ask(*lines: bytes | dict[str, Any]) -> list[dict[str, Any]]:
    """The replies to raw lines and to messages; the process ends by itself and without complaint."""
    text = b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines)
    done = subprocess.run([sys.executable, "adapter.py"], input=text, cwd=ADAPTER, capture_output=True, check=True)
    assert done.stderr == b""
    assert done.stdout.isascii()
    return [json.loads(line) for line in done.stdout.splitlines()]


def call(method: str, params: object, identity: object = 1) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": identity, "method": method, "params": params}


def test_initialize() -> None:
    """It says who it is and offers every operation of every system, each once, and explain."""
    [reply] = ask(call("initialize", {"protocolVersion": 1, "harness": {"name": "test", "version": "0"}}))
    result = reply["result"]
    assert result["protocolVersion"] == 1
    assert result["implementation"]["name"] == "parity reference"
    assert result["capabilities"] == ["explain", "answerUnder"]
    assert set(result["versions"]) == {"unicode", "sqlite"}
    operations = [operation for operations in SYSTEMS.values() for operation in operations]
    assert sorted(result["operations"]) == sorted(operations)
    assert len(operations) == len(set(operations))


def test_every_operation_answers_without_initialize() -> None:
    """Each operation of the query DSL document gives an answer that its schema accepts."""
    replies = ask(*(call(operation, request, operation) for operation, request in REQUESTS.items()))
    files = (ROOT / "schemas" / "jeffs_brain").glob("*.json")
    contents = ((file.name, Resource.from_contents(json.loads(file.read_text()))) for file in files)
    registry = Registry[Any]().with_resources(contents)
    assert [reply["id"] for reply in replies] == list(REQUESTS)
    for reply in replies:
        Draft202012Validator({"$ref": f"{reply['id']}.json#/$defs/answer"}, registry=registry).validate(reply["result"])


def test_explain() -> None:
    """An explanation holds the plain answer and the steps that lead to it, by section."""
    plain, explained = ask(
        call("query.parse", {"query": "the foo"}),
        call("explain", {"operation": "query.parse", "request": {"query": "the foo"}}),
    )
    assert explained["result"]["answer"] == plain["result"]
    assert explained["result"]["steps"][-1] == {
        "section": "Stopword filtering",
        "step": "dropped: stop word",
        "value": "the",
    }


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"no JSON\n", -32700),
        (b"\xff\xfe\n", -32700),
        (b"[" * 100_000 + b"\n", -32700),
        (b'{"id": 1e999}\n', -32700),
        (b'{"id": 1, "method": "query.parse", "params": {"query": NaN}}\n', -32700),
        (b"[]\n", -32600),
        (call("query.parse", ["x"]), -32602),
        (call("query.parse", {"query": 1}), -32602),
        (call("query.parse", {"query": "x", "extra": 1}), -32602),
        (call("explain", {"operation": 1, "request": {}}), -32602),
        (call("explain", {"operation": "query.nothing", "request": {}}), -32601),
        (call("query.nothing", {}), -32601),
    ],
)
def test_refusals(line: bytes | dict[str, Any], code: int) -> None:
    """What cannot be answered gets its error code, and the next line is answered."""
    refused, answered = ask(line, call("query.normalise", {"query": "x"}, "next"))
    assert refused["error"]["code"] == code
    assert refused["id"] == (line["id"] if isinstance(line, dict) else None)
    assert answered == {"jsonrpc": "2.0", "id": "next", "result": {"text": "x"}}


def test_a_malformed_request_is_named_with_its_place() -> None:
    """The message says where in the request the flaw is."""
    flawed = AST | {"tokens": [{"kind": "term", "text": "x", "operator": "XOR"}]}
    [reply] = ask(call("query.compile", {"ast": flawed}))
    assert reply["error"]["message"].startswith('$.ast.tokens[0].operator: "XOR" is not one of')


def test_lone_surrogates_and_astral_characters() -> None:
    """Text comes back in ASCII, astral characters whole and lone surrogates as they were."""
    [reply] = ask(
        b'{"jsonrpc":"2.0","id":1,"method":"query.normalise","params":{"query":"\\ud800 \\ud83d\\ude00"}}\r\n'
    )
    assert reply["result"] == {"text": "\ud800 😀"}


@pytest.mark.parametrize("written", ["2", "2.0", "2e0", "20e-1"])
def test_one_number_however_it_is_written(written: str) -> None:
    """JSON has one kind of number, so that a limit of 2.0 is a limit of 2."""
    line = b'{"jsonrpc":"2.0","id":1,"method":"rerank.apply","params":{"results":[],"topN":%s,"ranking":{"hits":[]}}}\n'
    assert ask(line % written.encode())[0].get("result") == {"ids": []}


def test_a_limit_beyond_every_index() -> None:
    """An index is asked for as many rows as there can be, where a caller wants more."""
    chunk = {"id": "a", "path": "a.md", "title": "zebra", "summary": "", "content": ""}
    params = {"index": {"chunks": [chunk]}, "request": {"query": "zebra", "candidateK": 10**19}}
    [reply] = ask(call("retrieval.search", params))
    assert [result["id"] for result in reply["result"]["results"]] == ["a"]


def test_shutdown() -> None:
    """Shutdown is answered with an empty object and ends the process; blank lines are passed over."""
    assert ask(b"\n \r\n", call("shutdown", {}), call("shutdown", {}, 2)) == [{"jsonrpc": "2.0", "id": 1, "result": {}}]


def test_each_line_is_answered_before_the_next_is_asked() -> None:
    """A reply is flushed at once, and the first one comes soon after the start."""
    started = time.monotonic()
    command = [sys.executable, "adapter.py"]
    with subprocess.Popen(command, cwd=ADAPTER, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in range(3):
            process.stdin.write(json.dumps(call("query.normalise", {"query": "x"}, number)).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        assert time.monotonic() - started < 15
        process.stdin.close()
        assert process.wait(timeout=20) == 0


def test_combinations() -> None:
    """A combination is listed if no part of it gives its answer; a limit ends the trying before a size is complete."""
    case = {"operation": "query.normalise", "request": {"query": "\ufeff e\u200b\u0301\u0085a "}}
    further = {ruling: ["b"] for ruling in ("RUL-B76", "RUL-B09", "RUL-B10")}
    whole, none, malformed = ask(
        call("combinations", {**case, "further": further, "size": 2, "limit": 100}),
        call("combinations", {**case, "further": further, "size": 2, "limit": 0}),
        call("combinations", {**case, "further": [], "size": 2, "limit": 0}),
    )
    assert (whole["result"]["size"], [one["readings"] for one in whole["result"]["combinations"]]) == (
        2,
        [{"RUL-B09": ["b"]}, {"RUL-B76": ["b"]}, {"RUL-B09": ["b"], "RUL-B76": ["b"]}],
    )
    assert none["result"] == {"answer": whole["result"]["answer"], "combinations": [], "size": 0, "tried": 0}
    assert malformed["error"]["code"] == -32602
