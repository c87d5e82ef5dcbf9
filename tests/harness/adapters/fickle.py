"""Answers echo.say and echo.shout; its first argument says what changes between processes, or between requests."""

import json
import os
import sys

mood, count = sys.argv[1], 0
ABOUT = {
    "protocolVersion": 1,
    "implementation": {"name": "fickle", "version": str(os.getpid()) if mood == "self" else "1", "language": "Python"},
    "operations": ["echo.say", "echo.shout"],
}


def answer(method, text):
    """The answer; wrong at the third request of a process, or in some processes only."""
    if mood == "order" and count == 3:
        return "wrong"
    if mood == "reading" and count == 3:
        return text.upper()
    if mood == "wrong":
        return "wrong"
    if mood == "process":
        return f"{text} {os.getpid()}"
    return text.upper() if method == "echo.shout" else text


for line in sys.stdin:
    message = json.loads(line)
    method, params = message["method"], message["params"]
    if method == "initialize":
        outcome = {"result": ABOUT}
    elif method == "shutdown":
        outcome = {"result": {}}
    else:
        count += 1
        if mood == "declines" and count == 1:
            outcome = {"error": {"code": -32001, "message": "no", "data": {"reason": "not now"}}}
        elif method == "echo.shout" and not params["text"]:
            outcome = {"error": {"code": -32000, "message": "e", "data": {"type": "empty", "message": str(count)}}}
        else:
            outcome = {"result": {"text": answer(method, params["text"])}}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **outcome}), flush=True)
    if method == "shutdown":
        break
