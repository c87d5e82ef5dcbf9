"""An adapter for the echo system that can tell its steps; the first argument says how it shouts."""

import json
import sys

WAY = sys.argv[1]
SHOUTS = {
    "right": str.upper,
    "title": str.title,
    "quiet": lambda text: text,
    "steering": lambda text: f"\x1b[31m{text}\x07\ud800",
    "long": lambda text: text * 5000,
}


def shout(params):
    if WAY == "silent":
        return None
    if not params["text"]:
        return {"error": {"code": -32000, "message": "empty", "data": {"type": "empty"}}}
    if WAY == "out-of-reach":
        return {"error": {"code": -32001, "message": "no", "data": {"reason": "nobody can shout here"}}}
    if WAY == "talkative":
        return {"result": {"shouted": params["text"]}}
    answer = {} if WAY == "unobservable" else {"text": SHOUTS[WAY](params["text"])}
    return {"result": answer}


def reply(method, params):
    if method == "initialize":
        said = {
            "protocolVersion": 1,
            "implementation": {"name": "teller", "version": "1", "language": "Python"},
            "operations": ["echo.say", "echo.shout"],
            "capabilities": ["explain"] if WAY == "right" else [],
        }
        if WAY == "unobservable":
            said["unobservable"] = {"echo.shout": ["/text"]}
        return {"result": said}
    if method == "explain":
        step = {
            "section": "Shouting",
            "step": "each letter made a capital",
            "value": {"count": len(params["request"]["text"])},
        }
        return {"result": {"answer": shout(params["request"])["result"], "steps": [step]}}
    if method == "shutdown":
        return {"result": {}}
    return shout(params) if method == "echo.shout" else {"result": params}


for line in sys.stdin:
    message = json.loads(line)
    outcome = reply(message["method"], message["params"])
    if outcome is not None:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **outcome}), flush=True)
    if message["method"] == "shutdown":
        break
