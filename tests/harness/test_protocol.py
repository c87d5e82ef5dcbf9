"""Messages to values, and back."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.errors import ProtocolViolation
from harness.protocol import (
    MAX_DEPTH,
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
        assert str(violation).isprintable()


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
    ("line", "words"),
    [
        (b"NaN", "holds NaN"),
        (b"[Infinity]", "holds Infinity"),
        (b'{"a":-Infinity}', "holds -Infinity"),
        (b"1e999", "1e999 overflows a double"),
        (b"-1e999", "-1e999 overflows a double"),
        (b"1.8e308", "overflows a double"),
        (b"2" + b"0" * 308, "overflows a double"),
        (b"9" * 10_000, "overflows a double"),
        (b'{"a":1,"b":{"c":1,"c":2}}', 'the key "c" twice'),
        (b'{"a":1,"\\u0061":2}', 'the key "a" twice'),
        (b'"\xff"', "not UTF-8 (byte 2 is 0xff)"),
        (b'"\xed\xa0\x80"', "not UTF-8"),
        (b"\xef\xbb\xbf{}", "byte-order mark"),
        (b"", "not one JSON message"),
        (b"hello", "not one JSON message: 'hello'"),
        (b"{} {}", "not one JSON message"),
        (b"[1,]", "not one JSON message"),
        (b"01", "not one JSON message"),
        (b"+1", "not one JSON message"),
        (b".5", "not one JSON message"),
        (b"0x10", "not one JSON message"),
        (b"'a'", "not one JSON message"),
        (b'"\t"', "not one JSON message"),
        (b"\x0c1", "not one JSON message"),
        (b"\xc2\xa01", "not one JSON message"),
        (b"{} // done", "not one JSON message"),
        (b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1), "nests deeper"),
        (b"[" * 100_000 + b"]" * 100_000, "nests deeper"),
        (b"\x1b[2J", "'\\\\x1b[2J'"),
    ],
)
def test_what_a_lenient_reader_would_guess_is_refused(line: bytes, words: str) -> None:
    """The refusal says what came."""
    with pytest.raises(ProtocolViolation) as caught:
        read_message(line)
    assert words in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_message_may_nest_to_the_limit() -> None:
    """Two hundred levels are read, in lists and objects alike."""
    assert read_message(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH) is not None
    assert read_message(b'{"a":' * (MAX_DEPTH - 1) + b"{}" + b"}" * (MAX_DEPTH - 1)) is not None


def test_a_key_given_twice_among_very_many_is_found_quickly() -> None:
    """Refusing a large object takes time in proportion to its size."""
    members = ",".join(f'"{number}":0' for number in range(100_000))
    started = time.perf_counter()
    with pytest.raises(ProtocolViolation, match='the key "99999" twice'):
        read_message(f'{{{members},"99999":0}}'.encode())
    assert time.perf_counter() - started < 5


def test_a_reply_has_a_result_or_a_refusal() -> None:
    """Both kinds are read; data that is no object counts as none."""
    assert read_reply(b'{"jsonrpc":"2.0","id":7,"result":{"a":1}}').result == {"a": 1}
    refused = read_reply(b'{"jsonrpc":"2.0","id":7,"error":{"code":-32001,"message":"m","data":[1]}}')
    assert refused.refusal == Refusal(-32001, "m", {})


@pytest.mark.parametrize(
    "members",
    [
        {},
        {"result": None},
        {"result": 1},
        {"result": {}, "error": {"code": 1, "message": ""}},
        {"error": None},
        {"error": {}},
        {"error": {"code": True, "message": ""}},
        {"error": {"code": 1, "message": None}},
    ],
)
def test_what_is_wrong_in_a_reply_is_known_to_be_its_own(members: dict[str, Any]) -> None:
    """A reply whose id can be told and whose content cannot be used counts against that request."""
    reply = read_reply(json.dumps({"jsonrpc": "2.0", "id": 7, **members}).encode())
    assert reply.id == 7
    assert reply.breach


@pytest.mark.parametrize("message", [{"id": 7}, {"jsonrpc": 2.0, "id": 7}, {"jsonrpc": "2.0"}, [], None, "a", 1.5])
def test_a_reply_to_nobody_is_a_violation(message: Any) -> None:
    """Without envelope and id there is no request that the message can be counted against."""
    with pytest.raises(ProtocolViolation):
        read_reply(json.dumps(message).encode())


def test_an_adapter_says_who_it_is() -> None:
    """All that initialize tells is kept; what is optional may be left out."""
    full = read_implementation("mine", DECLARED)
    assert (full.name, full.implementation, full.runtime) == ("mine", "n", "go1.25")
    assert full.operations == {"a.b", "c.d"}
    assert full.unobservable == {"a.b": ("/x", "/y/*/z")}
    required = {key: DECLARED[key] for key in ("protocolVersion", "implementation", "operations")}
    assert read_implementation("mine", required).unsupported == {}


@pytest.mark.parametrize(
    "change",
    [
        {"protocolVersion": 2},
        {"protocolVersion": "1"},
        {"protocolVersion": True},
        {"protocolVersion": None},
        {"implementation": None},
        {"implementation": {"name": "n", "version": 1, "language": "Go"}},
        {"operations": "a.b"},
        {"operations": [None]},
        {"unsupported": {"a.b": 1}},
        {"unobservable": {"a.b": [1]}},
        {"unobservable": {"a.b": [""]}},
        {"unobservable": []},
        {"capabilities": "explain"},
        {"versions": []},
    ],
)
def test_an_introduction_that_is_not_understood_is_refused(change: dict[str, Any]) -> None:
    """Nothing that initialize says is guessed at."""
    with pytest.raises(ProtocolViolation):
        read_implementation("mine", {**DECLARED, **change})


def test_the_harness_introduces_itself() -> None:
    """It names the protocol's version, its own name and its own version."""
    params: Any = initialize_params()
    assert params["protocolVersion"] == 1
    assert params["harness"]["name"] == "parity"
    assert params["harness"]["version"]
