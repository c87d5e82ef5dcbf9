"""An echo with as many flaws as its arguments name."""

import json
import pathlib
import sys
import time

FLAWS = set(sys.argv[1:])
BEEN_HERE = pathlib.Path("been-here")
SAID = []


def operations():
    if "learning" in FLAWS and BEEN_HERE.exists():
        return {"operations": ["echo.say", "echo.shout", "flute.play"]}
    if "learning" in FLAWS:
        BEEN_HERE.touch()
    offered = ["echo.say"] if "mute" in FLAWS else ["echo.say", "echo.shout"]
    return {"operations": offered, "unsupported": {"echo.shout": "it has no voice"} if "mute" in FLAWS else {}}


def reply(method, text):
    if method == "initialize":
        return {
            "result": {
                "protocolVersion": 1,
                "implementation": {"name": "singer", "version": "1.0", "language": "Python"},
                **operations(),
            }
        }
    if method == "shutdown":
        return {"result": {}}
    if "choosy" in FLAWS and method == "echo.say" and not text:
        return {"error": {"code": -32001, "message": "no", "data": {"reason": "it wants words"}}}
    if method == "echo.shout" and not text:
        return {"error": {"code": -32000, "message": "empty", "data": {"type": "empty"}}}
    if method == "echo.say":
        SAID.append(text)
    if method == "echo.shout" and "leaking" in FLAWS and SAID:
        return {"result": {"text": SAID[0]}}
    if method == "echo.shout":
        return {"result": {"text": text if "hoarse" in FLAWS else text.upper()}}
    if text and "mumbling" in FLAWS:
        return {"result": {"text": text[:-1]}}
    if text and "lisping" in FLAWS:
        return {"result": {"text": f"{text}th"}}
    return {"result": {"text": text}}


if "absent" in FLAWS:
    sys.exit("the singer is ill")
for line in sys.stdin:
    message = json.loads(line)
    if "swoons" in FLAWS and message["method"] == "echo.say" and message["params"].get("text"):
        sys.exit(1)
    if "lost" in FLAWS and message["method"] == "echo.say" and message["params"].get("text"):
        time.sleep(600)
    if "faint" in FLAWS and message["params"].get("text"):
        time.sleep(0.1)
        sys.exit(1)
    answer = {"jsonrpc": "2.0", "id": message["id"], **reply(message["method"], message["params"].get("text"))}
    print(json.dumps(answer), flush=True)
    if message["method"] == "shutdown":
        break
