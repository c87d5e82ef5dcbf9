"""An adapter of the echo system that is wrong in the way that its first argument names."""

import itertools
import json
import os
import sys
import time

DECLARED = {
    "protocolVersion": 1,
    "implementation": {"name": "echo", "version": "1.0", "language": "Python"},
    "operations": ["echo.say", "echo.shout"],
}


COUNT = itertools.count()


def answer(flaw, method, text):
    """The result, or None for an error of the type `empty`."""
    if flaw == "crash" and "e" in text:
        os._exit(7)
    if flaw == "hang" and text == "hello":
        time.sleep(600)
    if flaw == "protocol" and "e" in text:
        return {"text": 5}
    if flaw == "lengthens" and "l" in text and "o" in text:
        return {"text": text + "!"}
    if flaw == "flaky" and len(text) > 3 and next(COUNT) % 2:
        return {"text": ""}
    if flaw == "others" and text:
        return {"text": text[::-1]}
    if method == "echo.shout":
        return {"text": text.upper()} if text else None
    return {"text": text}


def main():
    flaw = sys.argv[1]
    for line in sys.stdin:
        message = json.loads(line)
        method, params = message["method"], message["params"]
        members = {"result": DECLARED if method == "initialize" else {}}
        if method.startswith("echo."):
            found = answer(flaw, method, params["text"])
            error = {"code": -32000, "message": "", "data": {"type": "empty", "message": ""}}
            members = {"error": error} if found is None else {"result": found}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **members}), flush=True)
        if method == "shutdown":
            return


main()
