"""A well-behaved adapter of the echo system; the scripts beside it break it in exactly one place each."""

import json
import sys
import time

DECLARED = {
    "protocolVersion": 1,
    "implementation": {"name": "echo", "version": "1.0", "language": "Python"},
    "operations": ["echo.say", "echo.shout"],
}


def envelope(message, **members):
    """A reply to `message` with these members."""
    return {"jsonrpc": "2.0", "id": message["id"], **members}


def refusal(message, code, **data):
    """A reply to `message` that is an error."""
    return envelope(message, error={"code": code, "message": "refused", "data": data})


def result(message):
    """What is right to answer, or nothing for a shout of nothing."""
    text = message["params"].get("text")
    if message["method"] == "initialize":
        return DECLARED
    if message["method"] == "shutdown":
        return {}
    if message["method"] == "echo.say":
        return {"text": text}
    return {"text": text.upper()} if text else None


def reply(message):
    """The whole reply that is right."""
    answer = result(message)
    return refusal(message, -32000, type="empty") if answer is None else envelope(message, result=answer)


def write(what):
    """Writes bytes as they are, a text or a value as one line."""
    if not isinstance(what, bytes):
        what = (what if isinstance(what, str) else json.dumps(what)).encode() + b"\n"
    sys.stdout.buffer.write(what)
    sys.stdout.buffer.flush()


def is_guilty(message):
    """Whether this is the request that the adapter cannot stand."""
    return message["params"].get("text") == "guilty"


def serve(way, when=is_guilty):
    """Answers everything; messages for which `when` holds are answered by `way`, or not."""
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if when(message):
            way(message)
        else:
            write(reply(message))
        if message["method"] == "shutdown":
            return


def hang():
    """Neither speaks nor listens nor ends."""
    time.sleep(600)


def chosen(ways):
    """The function that the first argument names; the others are there to be found in the process table."""
    return ways[sys.argv[1].replace("-", "_")]
