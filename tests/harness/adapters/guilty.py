"""An echo that breaks on the request `guilty`, in the way that its first argument names, and on no other."""

import json
import os
import resource
import signal
import subprocess
import sys
import time

from loop import chosen, envelope, hang, refusal, reply, serve, write


def grandchild(**options):
    """A process that holds the three pipes and sleeps; the arguments make it recognisable."""
    subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(600)", *sys.argv[1:]], **options)


# It dies.


def exits_with_3(_):
    sys.exit(3)


def exits_with_0(_):
    sys.exit(0)


def segfaults(_):
    os.kill(os.getpid(), signal.SIGSEGV)


def is_killed(_):
    os.kill(os.getpid(), signal.SIGKILL)


def runs_out_of_memory(_):
    resource.setrlimit(resource.RLIMIT_AS, (1 << 28, 1 << 28))
    b"x" * (1 << 29)


def floods_stderr_and_exits(_):
    sys.stderr.write("x" * (1 << 20) + "the end\n")
    sys.exit(3)


def dies_in_a_line(message):
    write(json.dumps(reply(message)).encode()[:20])
    sys.exit(0)


def dies_without_line_feed(message):
    write(json.dumps(reply(message)).encode())
    sys.exit(0)


def dies_leaving_a_grandchild(_):
    grandchild()
    sys.exit(4)


def dies_leaving_a_session(_):
    grandchild(start_new_session=True)
    sys.exit(4)


def closes_stdout(_):
    os.close(1)
    hang()


# It falls silent.


def hangs(_):
    hang()


def hangs_unmoved(_):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    hang()


def hangs_with_a_grandchild(_):
    grandchild()
    hang()


def hangs_with_a_session(_):
    grandchild(start_new_session=True)
    hang()


def hangs_in_a_line(message):
    write(json.dumps(reply(message)).encode()[:20])
    hang()


def closes_stdin(_):
    os.close(0)
    hang()


def trickles_blank_lines(_):
    while True:
        write(b"\r\n")
        time.sleep(0.05)


def trickles_stderr(_):
    while True:
        print("still here", file=sys.stderr, flush=True)
        time.sleep(0.05)


def answers_late(message):
    time.sleep(2)
    write(reply(message))


def answers_never(message):
    """It drops the request, and goes on with the others."""


# It breaks the protocol: whose reply is this?


def unknown_id(message):
    write({**reply(message), "id": 5})


def answers_before_asked(message):
    write({**reply(message), "id": message["id"] + 7000})


def huge_id(message):
    write({**reply(message), "id": 10**30})


def boolean_id(message):
    write({**reply(message), "id": True})


def text_id(message):
    write({**reply(message), "id": str(message["id"])})


def float_id(message):
    write({**reply(message), "id": float(message["id"])})


def null_id(message):
    write({**reply(message), "id": None})


def no_id(_):
    write({"jsonrpc": "2.0", "result": {"text": "guilty"}})


def no_jsonrpc(message):
    write({"id": message["id"], "result": {"text": "guilty"}})


def old_jsonrpc(message):
    write({**reply(message), "jsonrpc": "1.0"})


def echoes_the_request(message):
    write(message)


def notifies(_):
    write({"jsonrpc": "2.0", "method": "log", "params": {}})


def empty_object(_):
    write({})


def only_null(_):
    write("null")


def only_a_number(_):
    write("7")


def batch(message):
    write([reply(message)])


# It breaks the protocol: what kind of reply is this?


def both(message):
    write(envelope(message, result={"text": "guilty"}, error={"code": -32000, "message": ""}))


def neither(message):
    write(envelope(message))


def null_result(message):
    write(envelope(message, result=None))


def list_result(message):
    write(envelope(message, result=["guilty"]))


def text_result(message):
    write(envelope(message, result="guilty"))


def null_error(message):
    write(envelope(message, error=None))


def text_error(message):
    write(envelope(message, error="refused"))


def text_code(message):
    write(envelope(message, error={"code": "-32000", "message": ""}))


def float_code(message):
    write(envelope(message, error={"code": -32000.0, "message": ""}))


def no_error_message(message):
    write(envelope(message, error={"code": -32001, "data": {"reason": "x"}}))


def wrong_type(message):
    write(envelope(message, result={"text": 7}))


def further_member(message):
    write(envelope(message, result={"text": "guilty", "more": 1}))


def method_not_found(message):
    write(refusal(message, -32601))


def invalid_params(message):
    write(refusal(message, -32602))


def internal_error(message):
    write(refusal(message, -32603))


def unlisted_type(message):
    write(refusal(message, -32000, type="RangeError"))


def raised_without_type(message):
    write(refusal(message, -32000, reason="x"))


def out_of_reach_without_reason(message):
    write(refusal(message, -32001))


# Its answer is well-formed, and odd.


def lone_surrogate(message):
    write(envelope(message, result={"text": "\ud800"}))


def lone_surrogate_as_key(message):
    write(envelope(message, result={"\ud800": ""}))


def huge_integer(message):
    write(envelope(message, result={"text": 10**300}))


def nests_to_the_limit(message):
    _with_text(message, "[" * 190 + "]" * 190)


def very_many_members(message):
    write(envelope(message, result={str(number): number for number in range(50_000)}))


# It breaks the protocol: this is no line of JSON in UTF-8.


def banner(message):
    write("Listening on port 8080")
    write(reply(message))


def invalid_utf8(message):
    write(b'{"jsonrpc":"2.0","id":%d,"result":{"text":"\xff"}}\n' % message["id"])


def raw_surrogate(message):
    write(b'{"jsonrpc":"2.0","id":%d,"result":{"text":"\xed\xa0\x80"}}\n' % message["id"])


def utf16(message):
    write(json.dumps(reply(message)).encode("utf-16-le") + b"\n")


def byte_order_mark(message):
    write(b"\xef\xbb\xbf" + json.dumps(reply(message)).encode() + b"\n")


def pretty_printed(message):
    write(json.dumps(reply(message), indent=2))


def two_in_one_line(message):
    write(json.dumps(reply(message)) * 2)


def single_quotes(message):
    write(str(reply(message)))


def raw_control_character(message):
    _with_text(message, '"\t"')


def carriage_returns_for_line_feeds(message):
    write((json.dumps(reply(message)) + "\r") * 2)


def _with_text(message, text):
    write(f'{{"jsonrpc":"2.0","id":{message["id"]},"result":{{"text":{text}}}}}')


def nan(message):
    _with_text(message, "NaN")


def infinity(message):
    _with_text(message, "-Infinity")


def overflow(message):
    _with_text(message, "1e999")


def long_overflow(message):
    _with_text(message, "-" + "9" * 10_000)


def leading_zero(message):
    _with_text(message, "01")


def duplicate_keys(message):
    _with_text(message, '"guilty","text":"guilty"')


def duplicate_ids(message):
    write(f'{{"jsonrpc":"2.0","id":1,"id":{message["id"]},"result":{{"text":"guilty"}}}}')


def nests_deeply(message):
    _with_text(message, "[" * 300 + "]" * 300)


def nests_very_deeply(message):
    _with_text(message, '{"a":' * 100_000 + "1" + "}" * 100_000)


def overlong_line(message):
    _with_text(message, '"' + "x" * (16 << 20) + '"')


if __name__ == "__main__":
    serve(chosen(globals()))
