"""An adapter that returns each request: the least that an adapter in Python costs."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    result = message["params"]
    if message["method"] == "initialize":
        implementation = {"name": "echo", "version": "1.0", "language": "Python"}
        result = {"protocolVersion": 1, "implementation": implementation, "operations": ["echo.repeat"]}
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}) + "\n")
    sys.stdout.flush()
