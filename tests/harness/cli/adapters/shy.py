"""An echo that names its notes; its arguments are the paths of `echo.say` that it does not report."""

import json
import sys

HIDDEN = sys.argv[1:]
OWN = {"name": "shy", "version": "1.0", "language": "Python"}


def answer(text):
    value = {"text": text, "notes": [*text]}
    return {name: part for name, part in value.items() if f"/{name}" not in HIDDEN}


for line in sys.stdin:
    message = json.loads(line)
    result = {"protocolVersion": 1, "implementation": OWN, "operations": ["echo.say"]}
    if message["method"] == "initialize" and HIDDEN:
        result["unobservable"] = {"echo.say": HIDDEN}
    elif message["method"] == "shutdown":
        result = {}
    elif message["method"] == "echo.say":
        result = answer(message["params"]["text"])
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
    if message["method"] == "shutdown":
        break
