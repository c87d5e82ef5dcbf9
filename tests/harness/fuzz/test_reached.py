"""What a sample of requests reaches in a Python adapter."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from harness.fuzz.campaign_text import reached_text
from harness.fuzz.reached import Untouched, reached
from harness.transport.connect import ProcessConnection

LIBRARY = """\
def sign(number):
    if number < 0:
        return "minus"
    if number != 5:
        number = 5
    return "plus"


def unused():
    return 5
"""

ADAPTER = """\
import json, sys
from pathlib import Path
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from library import sign
start = {"protocolVersion": 1, "implementation": {"name": "x", "version": "1", "language": "Python"}, "operations": ["sign"]}
for line in sys.stdin:
    message = json.loads(line)
    method = message["method"]
    result = {"sign": sign(message["params"]["number"])} if method == "sign" else start if method == "initialize" else {}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
    if method == "shutdown":
        sys.exit(0)
"""


def connection(root: Path, interpreter: str = sys.executable) -> ProcessConnection:
    folder = root / "adapter"
    folder.mkdir()
    (root / "library.py").write_text(LIBRARY, "utf-8")
    (folder / "adapter.py").write_text(ADAPTER, "utf-8")
    return ProcessConnection((interpreter, "adapter.py"), folder, {"PATH": os.environ["PATH"]})


def test_branches_and_functions_that_no_request_reaches_are_named(tmp_path: Path) -> None:
    """The adapter's own file does not count."""
    found = reached(connection(tmp_path), tmp_path, {"sign": ['{"number":1}', '{"number":2}']})
    assert found is not None
    assert (found.requests, found.modules) == (2, 1)
    assert (found.lines, found.executed_lines) == (6, 4)
    assert (found.branches, found.executed_branches) == (4, 2)
    assert found.untouched == (
        Untouched("library.py", "sign", (3,), ((2, 3), (4, 6)), is_whole=False),
        Untouched("library.py", "unused", (10,), (), is_whole=True),
    )
    text = reached_text(found)
    assert "2 requests reach 2 of 4 (50%) branches and 4 of 6 (66.6%) lines of functions in 1 module\n" in text
    assert "untouched: library.py sign: lines 3, branch 2 to 3, branch 4 to 6\n" in text


def test_a_program_in_another_language_is_not_measured(tmp_path: Path) -> None:
    """The result says so."""
    assert reached(connection(tmp_path, "node"), tmp_path, {}) is None
