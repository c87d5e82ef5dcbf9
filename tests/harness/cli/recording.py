"""Real run records of the echo system, made by adapters that answer as their options say."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

_ADAPTER = """\
import json, sys
options = json.loads(sys.argv[1])
said = {"name": "echo", "version": options.get("version", "1"), "language": "Python"}
start = {"protocolVersion": 1, "implementation": said, "operations": options.get("operations", ["echo.say", "echo.shout"])}
for line in sys.stdin:
    message = json.loads(line)
    method = message["method"]
    text = message["params"].get("text", "")
    if method in ("initialize", "shutdown"):
        reply = {"result": start if method == "initialize" else {}}
    elif method == "echo.shout" and not text:
        reply = {"error": {"code": -32000, "message": "", "data": {"type": "empty", "message": "nothing to shout"}}}
    else:
        answer = options.get("answers", {}).get(text, text)
        reply = {"result": {"text": answer.upper() if method == "echo.shout" else answer}}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **reply}), flush=True)
    if method == "shutdown":
        break
"""

Run = Callable[..., Any]

_made: dict[str, bytes] = {}
"""Records that were made already, by what was asked of whom."""


def record(
    run_parity: Run, corpus: Path, file: Path, *select: str, shard: str = "", **adapters: Mapping[str, Any]
) -> Path:
    """Asks these adapters, each with its options, and gives the record that they left in `file`."""
    key = json.dumps([select, shard, adapters])
    if key not in _made:
        _ask(
            run_parity,
            corpus,
            file,
            [f"--select={one}" for one in select] + [f"--shard={shard}"] * bool(shard),
            adapters,
        )
        _made[key] = file.read_bytes()
    file.write_bytes(_made[key])
    return file


def _ask(
    run_parity: Run, corpus: Path, file: Path, options: Sequence[str], adapters: Mapping[str, Mapping[str, Any]]
) -> None:
    script = corpus / "echo.py"
    script.write_text(_ADAPTER, "utf-8")
    words: list[Any] = ["run", "--corpus", corpus, "--record", file]
    for name, answering in adapters.items():
        words += ["--adapter", f"{name}={shlex.join([sys.executable, str(script), json.dumps(answering)])}"]
    done = run_parity(*words, *options)
    assert done.returncode in (0, 1), done.stderr


def lines(file: Path) -> list[dict[str, Any]]:
    """The lines of a record, as values."""
    return [json.loads(line) for line in file.read_text("ascii").splitlines()]


def write(file: Path, values: list[dict[str, Any]]) -> Path:
    """Writes the lines of a record, its counts put right."""
    counts: dict[str, dict[str, int]] = {name["name"]: {} for name in values[0]["implementations"]}
    for value in values:
        if value["type"] == "result":
            of = counts[value["implementation"]]
            of[value["verdict"]] = of.get(value["verdict"], 0) + 1
        if value["type"] == "footer":
            value["counts"] = counts
    file.write_text("".join(json.dumps(value) + "\n" for value in values), "ascii")
    return file
