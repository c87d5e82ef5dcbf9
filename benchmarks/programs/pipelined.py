"""The floor of a run: sends N requests to an adapter, 32 in flight, and compares each answer; writes nothing."""

import json
import subprocess
import sys

count, command = int(sys.argv[1]), sys.argv[2:]
adapter = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
assert adapter.stdin is not None
assert adapter.stdout is not None


def send(number: int) -> None:
    """Writes one request."""
    assert adapter.stdin is not None
    params = {"text": f"text {number}"}
    request = {"jsonrpc": "2.0", "id": number, "method": "echo.repeat", "params": params}
    adapter.stdin.write(json.dumps(request).encode() + b"\n")


for first in range(min(32, count)):
    send(first)
adapter.stdin.flush()
for number in range(count):
    reply = json.loads(adapter.stdout.readline())
    assert reply["result"] == {"text": f"text {reply['id']}"}
    if number + 32 < count:
        send(number + 32)
        adapter.stdin.flush()
adapter.stdin.close()
sys.exit(adapter.wait())
