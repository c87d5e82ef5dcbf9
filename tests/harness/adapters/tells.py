"""An echo that tells what it sees, or says what a terminal would obey, as its first argument names."""

import json
import os
import sys

from loop import DECLARED, chosen, envelope, hang, refusal, reply, serve, write

STEERING = "\x1b[2J\x1b]0;owned\x07\x9b31m\r\b\x7f\u202e\u2066\ud800 end"
"""Clears a screen, sets a title, colours, goes back, deletes, turns the direction; and half a character."""


def environment(message):
    """The names of the variables it was given, on all ways out: in an answer, a refusal, on standard error."""
    seen = json.dumps(dict(os.environ))
    print(seen, file=sys.stderr, flush=True)
    if message["method"] == "initialize":
        implementation = {**DECLARED["implementation"], "source": seen}
        write(envelope(message, result={**DECLARED, "implementation": implementation, "versions": dict(os.environ)}))
    elif message["params"].get("text"):
        write(envelope(message, result={"text": seen}) if message["method"] == "echo.say" else refusal(message, -32000))
    else:
        write(reply(message))


def time_zone(message):
    """The zone in place of the text TZ."""
    if message["params"].get("text") == "TZ":
        message["params"]["text"] = os.environ["TZ"]
    write(reply(message))


def names(message):
    """In what it says of itself, and in the reason for what it cannot do."""
    if message["method"] == "initialize":
        implementation = {"name": STEERING, "version": STEERING, "language": STEERING, "runtime": STEERING}
        declared = {"implementation": implementation, "unsupported": {"echo.shout": STEERING}}
        write(envelope(message, result={**DECLARED, **declared, "operations": ["echo.say", STEERING]}))
    else:
        write(reply(message))


def answers(message):
    if message["method"].startswith("echo."):
        write(envelope(message, result={"text": STEERING}))
    else:
        write(reply(message))


def keys(message):
    if message["method"].startswith("echo."):
        write(envelope(message, result={"text": "", STEERING: 1}))
    else:
        write(reply(message))


def raises(message):
    if message["method"].startswith("echo."):
        data = {"type": "unclassified", "message": STEERING, "stack": STEERING}
        write(envelope(message, error={"code": -32000, "message": STEERING, "data": data}))
    else:
        write(reply(message))


def refuses(message):
    if message["method"].startswith("echo."):
        write(refusal(message, -32001, reason=STEERING))
    else:
        write(reply(message))


def invents_types(message):
    if message["method"].startswith("echo."):
        write(refusal(message, -32000, type=STEERING))
    else:
        write(reply(message))


def babbles(message):
    if message["method"].startswith("echo."):
        write(STEERING.encode("utf-8", "replace") + b"\n")
    else:
        write(reply(message))


def dies_loudly(message):
    if message["method"].startswith("echo."):
        sys.stderr.buffer.write(STEERING.encode("utf-8", "surrogatepass"))
        sys.stderr.flush()
        sys.exit(1)
    write(reply(message))


def dies_loudly_at_once(_):
    sys.stderr.buffer.write(STEERING.encode("utf-8", "surrogatepass"))
    sys.exit(1)


def dies_loudly_at_the_end(message):
    if message["method"] == "shutdown":
        write(STEERING.encode("utf-8", "replace") + b"\n")
        hang()
    write(reply(message))


if __name__ == "__main__":
    serve(chosen(globals()), when=lambda _: True)
