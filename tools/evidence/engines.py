"""Evidence commands → what they print. Commands are pooled: one node process, one Python process, an empty environment."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.model import Json, JsonObject

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).parent
LIMIT = 10
"""Seconds for one program."""

_ENVIRONMENT = {"LANG": "C.UTF-8", "TZ": "UTC"}


@dataclass(frozen=True, slots=True)
class Program:
    """One program of a command: `engine` is node or python, `content` what its pool takes."""

    engine: str
    content: JsonObject


@dataclass(frozen=True, slots=True)
class Output:
    """What the programs of a command print: the values of each call, in order; and the errors that ended them."""

    printed: Sequence[Sequence[Json]]
    errors: Sequence[str]


def programs(command: str) -> list[Program]:
    """The programs of a command line, or an empty list if a pool cannot run one of them."""
    words = shlex.shlex(command, posix=True, punctuation_chars=";&|")
    words.whitespace_split = True
    parts: list[list[str]] = [[]]
    for word in words:
        if word == ";":
            parts.append([])
        else:
            parts[-1].append(word)
    found = [_program(part) for part in parts]
    return [one for one in found if one is not None] if None not in found else []


def _program(words: list[str]) -> Program | None:
    if words[:1] == ["TZ=UTC"]:
        words = words[1:]
    match words:
        case ["node", "-e", source]:
            return Program("node", {"source": source})
        case ["python3", "-c", source]:
            return Program("python", {"source": source})
        case ["python", script, *arguments] if script.endswith(".py"):
            return Program("python", {"script": script, "arguments": list(arguments)})
    return None


def outputs(commands: Iterable[str]) -> dict[str, Output]:
    """The outputs of the commands that a pool can run. Without node, commands that need it have no output."""
    wanted = {command: found for command in commands if (found := programs(command))}
    results: dict[str, Mapping[str, object]] = {}
    for engine, run in (("node", _node), ("python", _python)):
        keys = {
            json.dumps(one.content): one.content for found in wanted.values() for one in found if one.engine == engine
        }
        results |= {f"{engine} {key}": result for key, result in zip(keys, run(list(keys.values())), strict=False)}
    joined = {}
    for command, found in wanted.items():
        names = [f"{one.engine} {json.dumps(one.content)}" for one in found]
        if all(name in results for name in names):
            joined[command] = _joined([results[name] for name in names])
    return joined


def _joined(results: Sequence[Mapping[str, object]]) -> Output:
    printed: list[Sequence[Json]] = [line for one in results for line in one["printed"]]  # type: ignore[attr-defined]
    return Output(printed, [str(one["error"]) for one in results if one["error"]])


def _node(contents: Sequence[JsonObject]) -> list[Mapping[str, object]]:
    node = shutil.which("node")
    if node is None:
        return []
    return _pool(
        [node, str(FOLDER / "node_pool.mjs")], {"limit": LIMIT, "sources": [one["source"] for one in contents]}
    )


def _python(contents: Sequence[JsonObject]) -> list[Mapping[str, object]]:
    return _pool([sys.executable, str(FOLDER / "python_pool.py")], {"limit": LIMIT, "programs": list(contents)})


def _pool(command: Sequence[str], work: JsonObject) -> list[Mapping[str, object]]:
    done = subprocess.run(
        command, input=json.dumps(work), capture_output=True, text=True, env=_ENVIRONMENT, cwd=ROOT, check=True
    )
    return [json.loads(line) for line in done.stdout.split("\n") if line]
