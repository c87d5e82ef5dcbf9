"""An echo that cannot be started, in the way that its first argument names."""

import json
import os
import sys

from loop import DECLARED, chosen, envelope, hang, refusal, serve, write


def exits_before(_=None):
    print("no licence found", file=sys.stderr)
    sys.exit(1)


def exits(_):
    sys.exit(1)


def hangs(_):
    hang()


def closes_stdout(_):
    os.close(1)
    hang()


def declare(message, **changes):
    """A reply to initialize that differs from the right one in these members."""
    write(envelope(message, result={**DECLARED, **changes}))


def banner(message):
    write("Welcome to \x1b[1mecho\x1b[0m")
    declare(message)


def null_result(message):
    write(envelope(message, result=None))


def refuses(message):
    write(refusal(message, -32601))


def wrong_id(_):
    write(envelope({"id": 1}, result=DECLARED))


def speaks_of_more(message):
    declare(message)
    write(envelope({"id": message["id"] + 1}, result={"text": "hello"}))


def version_2(message):
    declare(message, protocolVersion=2)


def text_version(message):
    declare(message, protocolVersion="1")


def true_version(message):
    declare(message, protocolVersion=True)


def no_version(message):
    write(envelope(message, result={key: value for key, value in DECLARED.items() if key != "protocolVersion"}))


def no_implementation(message):
    write(envelope(message, result={"protocolVersion": 1, "operations": ["echo.say"]}))


def nameless(message):
    declare(message, implementation={"version": "1", "language": "Python"})


def operations_as_object(message):
    declare(message, operations={"echo.say": True})


def operations_of_numbers(message):
    declare(message, operations=[1, 2])


def unsupported_as_list(message):
    declare(message, unsupported=["echo.shout"])


def unsupported_for_no_reason(message):
    declare(message, operations=["echo.say"], unsupported={"echo.shout": None})


def unobservable_as_text(message):
    declare(message, unobservable={"echo.say": "/text"})


def unobservable_without_slash(message):
    declare(message, unobservable={"echo.say": ["text"]})


def not_json(_):
    write(b"\xff\xfe\n")


def half_a_line(message):
    write(json.dumps(envelope(message, result=DECLARED)).encode())
    sys.exit(0)


def nothing_offered(message):
    declare(message, operations=[])


if __name__ == "__main__":
    if sys.argv[1] == "exits-before":
        exits_before()
    serve(chosen(globals()), when=lambda message: message["method"] == "initialize")
