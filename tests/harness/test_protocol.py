"""Messages to values, and back."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.base.strict_json import MAX_DEPTH
from harness.compare.error_text import breach_text
from harness.errors import ProtocolViolation
from harness.model import Breach, BreachCode
from harness.protocol import (
    Refusal,
    initialize_params,
    read_implementation,
    read_message,
    read_reply,
    request_line,
)

texts = st.text(st.characters(codec="utf-8"))
numbers = st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda below: st.lists(below, max_size=4) | st.dictionaries(texts, below, max_size=4),
    max_leaves=20,
)

DECLARED: dict[str, Any] = {
    "protocolVersion": 1,
    "implementation": {"name": "n", "version": "1", "language": "Go", "runtime": "go1.25", "source": "here"},
    "operations": ["a.b", "c.d"],
    "unsupported": {"e.f": "no such function"},
    "unobservable": {"a.b": ["/x", "/y/*/z"]},
    "capabilities": ["explain"],
    "versions": {"unicode": "15.0.0"},
}


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.too_slow])  # it depends on the load of the machine
@given(st.dictionaries(texts, values, max_size=4))
def test_a_request_is_one_line_of_ascii_that_says_what_was_put_in(params: dict[str, Any]) -> None:
    """Whatever the parameters hold, an adapter that reads a line and parses it has them."""
    line = request_line(14, "area.verb", params)
    assert line.isascii()
    assert line.index(b"\n") == len(line) - 1
    assert json.loads(line) == {"jsonrpc": "2.0", "id": 14, "method": "area.verb", "params": params}


@given(values, st.booleans())
def test_what_json_can_say_is_read_as_it_was_meant(value: Any, ascii_only: bool) -> None:
    """Escaped or in UTF-8, a value arrives as it was, types included."""
    text = json.dumps(value, ensure_ascii=ascii_only, allow_nan=False)
    assert repr(read_message(text.encode())) == repr(json.loads(text))


@given(st.binary(max_size=40))
def test_no_line_brings_the_reader_down(line: bytes) -> None:
    """Any bytes are a reply or a violation of the protocol."""
    try:
        read_reply(line)
    except ProtocolViolation as violation:
        assert breach_text(violation.breach).isprintable()


@pytest.mark.parametrize("escape", ["\\ud83d\\ude00", "\\ud800", "\\udc00\\ud800"])
def test_surrogates_may_be_escaped(escape: str) -> None:
    """Pairs and lone surrogates arrive as JSON means them."""
    assert read_message(f'"{escape}"'.encode()) == json.loads(f'"{escape}"')


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-0", 0),
        ("1.7976931348623157e308", 1.7976931348623157e308),
        ("1" + "0" * 308, 10**308),
        ("1e-999", 0.0),
        ("0." + "0" * 20_000 + "1", 0.0),
        ("12345678901234567890", 12345678901234567890),
    ],
)
def test_numbers_that_a_double_can_hold_are_read(text: str, value: float) -> None:
    """Length and precision are no fault; only what overflows is."""
    assert read_message(text.encode()) == value


@pytest.mark.parametrize(
    ("line", "code", "path", "found"),
    [
        (b"NaN", BreachCode.NOT_FINITE, "reply", "NaN"),
        (b"[Infinity]", BreachCode.NOT_FINITE, "reply[0]", "Infinity"),
        (b'{"result":{"a":[0,{"b c":-Infinity}]}}', BreachCode.NOT_FINITE, '$.a[1]["b c"]', "-Infinity"),
        (b"1e999", BreachCode.NUMBER_OVERFLOW, "reply", "1e999"),
        (b"-1e999", BreachCode.NUMBER_OVERFLOW, "reply", "-1e999"),
        (b"1.8e308", BreachCode.NUMBER_OVERFLOW, "reply", "1.8e308"),
        (b"2" + b"0" * 308, BreachCode.NUMBER_OVERFLOW, "reply", "2" + "0" * 38 + "…"),
        (b"9" * 10_000, BreachCode.NUMBER_OVERFLOW, "reply", "9" * 39 + "…"),
        (b'{"result":{"a":1,"b":{"c":1,"c":2}}}', BreachCode.DUPLICATE_KEY, "$.b.c", '"c"'),
        (b'{"a":1,"\\u0061":2}', BreachCode.DUPLICATE_KEY, "reply.a", '"a"'),
        (b'{"result":[],"result":NaN}', BreachCode.NOT_FINITE, "$", "NaN"),
        (b'{"a":1,"b":NaN,"a":2}', BreachCode.NOT_FINITE, "reply.b", "NaN"),
        (b'{"x":{"c":1,"c":2},"x":1}', BreachCode.DUPLICATE_KEY, "reply.x.c", '"c"'),
        (b'{"a":1,"a":1,"b":1,"b":1,"b":1}', BreachCode.DUPLICATE_KEY, "reply.a", '"a"'),
        (b'"\xff"', BreachCode.NOT_UTF_8, "", "byte 2 is 0xff"),
        (b'"\xed\xa0\x80"', BreachCode.NOT_UTF_8, "", "byte 2 is 0xed"),
        (b"\xef\xbb\xbf{}", BreachCode.BYTE_ORDER_MARK, "", "U+FEFF"),
        (b"", BreachCode.NOT_JSON, "", ""),
        (b"hello", BreachCode.NOT_JSON, "", "hello"),
        (b"{} {}", BreachCode.NOT_JSON, "", "{} {}"),
        (b"[1,]", BreachCode.NOT_JSON, "", "[1,]"),
        (b"01", BreachCode.NOT_JSON, "", "01"),
        (b"+1", BreachCode.NOT_JSON, "", "+1"),
        (b".5", BreachCode.NOT_JSON, "", ".5"),
        (b"0x10", BreachCode.NOT_JSON, "", "0x10"),
        (b"'a'", BreachCode.NOT_JSON, "", "'a'"),
        (b'"\t"', BreachCode.NOT_JSON, "", '"\\t"'),
        (b"\x0c1", BreachCode.NOT_JSON, "", "\\x0c1"),
        (b"\xc2\xa01", BreachCode.NOT_JSON, "", "\\xa01"),
        (b"{} // done", BreachCode.NOT_JSON, "", "{} // done"),
        (b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1), BreachCode.TOO_DEEP, "", ""),
        (b"[" * 100_000 + b"]" * 100_000, BreachCode.TOO_DEEP, "", ""),
        (b"\x1b[2J", BreachCode.NOT_JSON, "", "\\x1b[2J"),
    ],
)
def test_an_ambiguous_line_is_a_breach(line: bytes, code: BreachCode, path: str, found: str) -> None:
    """The breach has a code, a path and the text that was found, without control characters."""
    with pytest.raises(ProtocolViolation) as caught:
        read_message(line)
    breach = caught.value.breach
    assert (breach.code, breach.path, breach.found) == (code, path, found)
    assert breach_text(breach).isprintable()


@pytest.mark.parametrize(
    ("line", "reason", "excerpt"),
    [
        (b'{"a": "say "hi""}', "Expecting ',' delimiter at column 13", '{"a": "say "hi""}'),
        (b'{"a": "C:\\dir"}', "Invalid \\escape at column 10", '{"a": "C:\\dir"}'),
        (b'{"a": "x\ty"}', "Invalid control character at column 9", '{"a": "x\\ty"}'),
        (b'{"a": "x', "Unterminated string starting at column 7", '{"a": "x'),
        (b'{"a": 1} {', "Extra data at column 10", '{"a": 1} {'),
        (
            b'{"' + b"a" * 98 + b'"; 1' + b"b" * 98,
            "Expecting ':' delimiter at column 102",
            f'…{"a" * 39}"; 1{"b" * 37}…',
        ),
    ],
)
def test_malformed_json_has_the_reason_and_the_column(line: bytes, reason: str, excerpt: str) -> None:
    """A line that begins as an object is malformed JSON; any other line is only no JSON."""
    with pytest.raises(ProtocolViolation) as caught:
        read_message(line)
    breach = caught.value.breach
    assert (breach.code, breach.expected, breach.found) == (BreachCode.NOT_JSON, reason, excerpt)
    assert breach_text(breach).startswith(
        f"The line is malformed JSON: {reason}, in '{excerpt}'. Write each message on one"
    )


def test_a_message_may_nest_to_the_limit() -> None:
    """Two hundred levels are read, in lists and objects alike."""
    assert read_message(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH) is not None
    assert read_message(b'{"a":' * (MAX_DEPTH - 1) + b"{}" + b"}" * (MAX_DEPTH - 1)) is not None


def test_a_key_given_twice_among_very_many_is_found_quickly() -> None:
    """Refusing a large object takes time in proportion to its size."""
    members = ",".join(f'"{number}":0' for number in range(100_000))
    started = time.perf_counter()
    with pytest.raises(ProtocolViolation) as caught:
        read_message(f'{{{members},"99999":0}}'.encode())
    assert time.perf_counter() - started < 5
    assert caught.value.breach == Breach(BreachCode.DUPLICATE_KEY, 'reply["99999"]', found='"99999"')


def test_a_reply_has_a_result_or_a_refusal() -> None:
    """Both kinds are read; data that is no object counts as none."""
    assert read_reply(b'{"jsonrpc":"2.0","id":7,"result":{"a":1}}').result == {"a": 1}
    refused = read_reply(b'{"jsonrpc":"2.0","id":7,"error":{"code":-32001,"message":"m","data":[1]}}')
    assert refused.refusal == Refusal(-32001, "m", {})


@pytest.mark.parametrize(
    ("members", "breach"),
    [
        ({}, Breach(BreachCode.NO_RESULT)),
        ({"result": None}, Breach(BreachCode.WRONG_TYPE, "$", "object", "null")),
        ({"result": 1}, Breach(BreachCode.WRONG_TYPE, "$", "object", "1")),
        ({"result": {}, "error": {"code": 1, "message": ""}}, Breach(BreachCode.RESULT_AND_ERROR)),
        ({"error": None}, Breach(BreachCode.INVALID_ERROR, "$.error", "object", "null")),
        ({"error": {}}, Breach(BreachCode.INVALID_ERROR, "$.error.code", "integer")),
        ({"error": {"code": True, "message": ""}}, Breach(BreachCode.INVALID_ERROR, "$.error.code", "integer", "true")),
        (
            {"error": {"code": 1, "message": None}},
            Breach(BreachCode.INVALID_ERROR, "$.error.message", "string", "null"),
        ),
    ],
)
def test_what_is_wrong_in_a_reply_is_known_to_be_its_own(members: dict[str, Any], breach: Breach) -> None:
    """A reply with a usable id and unusable content counts against that request."""
    reply = read_reply(json.dumps({"jsonrpc": "2.0", "id": 7, **members}).encode())
    assert (reply.id, reply.breach) == (7, breach)


@pytest.mark.parametrize(
    ("message", "code", "path"),
    [
        ({"id": 7}, BreachCode.NO_JSONRPC, "$.jsonrpc"),
        ({"jsonrpc": 2.0, "id": 7}, BreachCode.NO_JSONRPC, "$.jsonrpc"),
        ({"jsonrpc": "2.0"}, BreachCode.INVALID_ID, "$.id"),
        ({"jsonrpc": "2.0", "id": "7"}, BreachCode.INVALID_ID, "$.id"),
        ({"jsonrpc": "2.0", "id": None, "error": {"code": -32700}}, BreachCode.REQUEST_NOT_READ, "$.error"),
        ({"jsonrpc": "2.0", "id": 7, "method": "x"}, BreachCode.NOT_A_REPLY, "$.method"),
        ([], BreachCode.BATCH, "$"),
        (None, BreachCode.NOT_AN_OBJECT, "$"),
        ("a", BreachCode.NOT_AN_OBJECT, "$"),
        (1.5, BreachCode.NOT_AN_OBJECT, "$"),
    ],
)
def test_a_reply_to_nobody_is_a_violation(message: Any, code: BreachCode, path: str) -> None:
    """Without envelope and id there is no request that the message can be counted against."""
    with pytest.raises(ProtocolViolation) as caught:
        read_reply(json.dumps(message).encode())
    assert (caught.value.breach.code, caught.value.breach.path) == (code, path)


def test_an_adapter_says_who_it_is() -> None:
    """All that initialize tells is kept; what is optional may be left out."""
    full = read_implementation("mine", DECLARED)
    assert (full.name, full.implementation, full.runtime) == ("mine", "n", "go1.25")
    assert full.operations == {"a.b", "c.d"}
    assert full.unobservable == {"a.b": ("/x", "/y/*/z")}
    required = {key: DECLARED[key] for key in ("protocolVersion", "implementation", "operations")}
    assert read_implementation("mine", required).unsupported == {}


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        ({"protocolVersion": 2}, BreachCode.PROTOCOL_VERSION, "$.protocolVersion"),
        ({"protocolVersion": "1"}, BreachCode.PROTOCOL_VERSION, "$.protocolVersion"),
        ({"protocolVersion": True}, BreachCode.PROTOCOL_VERSION, "$.protocolVersion"),
        ({"protocolVersion": None}, BreachCode.PROTOCOL_VERSION, "$.protocolVersion"),
        ({"implementation": None}, BreachCode.WRONG_TYPE, "$.implementation"),
        ({"implementation": {"name": "n"}}, BreachCode.MISSING_MEMBER, "$.implementation.version"),
        (
            {"implementation": {"name": "n", "version": 1, "language": "Go"}},
            BreachCode.WRONG_TYPE,
            "$.implementation.version",
        ),
        ({"operations": "a.b"}, BreachCode.WRONG_TYPE, "$.operations"),
        ({"operations": ["a.b", None]}, BreachCode.WRONG_TYPE, "$.operations[1]"),
        ({"unsupported": {"a.b": 1}}, BreachCode.WRONG_TYPE, '$.unsupported["a.b"]'),
        ({"unobservable": {"a.b": [1]}}, BreachCode.WRONG_TYPE, '$.unobservable["a.b"][0]'),
        ({"unobservable": {"a.b": [""]}}, BreachCode.INVALID_POINTER, '$.unobservable["a.b"][0]'),
        ({"unobservable": []}, BreachCode.WRONG_TYPE, "$.unobservable"),
        ({"capabilities": "explain"}, BreachCode.WRONG_TYPE, "$.capabilities"),
        ({"versions": []}, BreachCode.WRONG_TYPE, "$.versions"),
    ],
)
def test_an_introduction_that_is_not_understood_is_refused(change: dict[str, Any], code: BreachCode, path: str) -> None:
    """Nothing in the reply to initialize is guessed."""
    with pytest.raises(ProtocolViolation) as caught:
        read_implementation("mine", {**DECLARED, **change})
    assert (caught.value.breach.code, caught.value.breach.path) == (code, path)


def test_the_harness_introduces_itself() -> None:
    """It names the protocol's version, its own name and its own version."""
    params: Any = initialize_params()
    assert params["protocolVersion"] == 1
    assert params["harness"]["name"] == "parity"
    assert params["harness"]["version"]
