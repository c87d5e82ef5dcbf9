"""A made-up installation: the real harness, a corpus of two operations, one shipped adapter whose builds are counted."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from commands import TIME_LIMIT, copy_sources
from in_process import call

from harness.cli.main import main
from harness.corpus import paths

ROOT = Path(__file__).resolve().parents[3]

MANIFEST = """\
name = "mine"
language = "Python"
implementation = "echo 1.0"

[build]
inputs = ["adapter.py", "release.py"]
steps = [["sh", "-c", "cp release.py sdk.py && echo release >> $BUILDS"]]
environment = ["BUILDS", "SLOW"]

[sdk]
name = "echo-sdk"
marker = "sdk.json"
match = '"name": "echo-sdk"'
exclude = ["node_modules"]
steps = [
  ["sh", "-c", "echo begun >> $BUILDS; echo looking at the copy; sleep ${SLOW:-0}"],
  ["sh", "-c", "if test -e {sdk}/broken; then echo 'lacks: say'; exit 7; fi; cp {sdk}/sdk.py sdk.py; echo built >> $BUILDS"],
]
missing_symbol = '(?m)^lacks: (.+)$'

[release]
steps = [["sh", "-c", "sed s/1.0/{version}/ release.py > sdk.py && echo 'release {version}' >> $BUILDS"]]

[run]
command = ["{python}", "adapter.py"]
"""

ADAPTER = """\
import json
import sys

import sdk

OFFERED = {f"echo.{name}": getattr(sdk, name) for name in ("say", "shout") if hasattr(sdk, name)}
ABOUT = {
    "protocolVersion": 1,
    "implementation": {"name": "echo", "version": sdk.VERSION, "language": "Python"},
    "operations": list(OFFERED),
    "unsupported": {name: f"the SDK has no {name}" for name in ("echo.say", "echo.shout") if name not in OFFERED},
}
for line in sys.stdin:
    message = json.loads(line)
    method = message["method"]
    if method in OFFERED:
        outcome = {"result": {"text": OFFERED[method](message["params"]["text"])}}
    else:
        outcome = {"result": ABOUT if method == "initialize" else {}}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **outcome}), flush=True)
    if method == "shutdown":
        break
"""

SDK = """\
VERSION = "{version}"


def say(text):
    return text{flaw}


def shout(text):
    return text.upper()
"""

CASES = """\
suite: echo/{verb}
operation: echo.{verb}
cases:
  - {{id: word, requirements: [ECHO-01], origin: spec-text, request: {{text: hello}}, answer: {{text: {answer}}}}}
  - {{id: letter, requirements: [ECHO-01], origin: spec-text, request: {{text: a}}, answer: {{text: {letter}}}}}
"""
REQUIREMENTS = """\
system: echo
revision: "1.0"
requirements:
  - {id: ECHO-01, level: MUST, document: echo, section: Echo, statement: The text comes back., observable: true}
"""
TEXT = {
    "type": "object",
    "additionalProperties": False,
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
}


class Installation:
    """`run` and `start` are the real command in this process and in one of its own; `builds` what the build steps wrote."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "installation"
        self.record = folder / "run.jsonl"
        self.adapter = self.root / "adapters" / "mine"
        self.adapter.mkdir(parents=True)
        (self.adapter / "adapter.toml").write_text(MANIFEST, "utf-8")
        (self.adapter / "adapter.py").write_text(ADAPTER, "utf-8")
        (self.adapter / "release.py").write_text(SDK.format(version="1.0", flaw=" + '!'"), "utf-8")
        self._corpus()
        (folder / "here").mkdir()

    def _corpus(self) -> None:
        cases, schemas = self.root / "cases" / "echo", self.root / "schemas" / "echo"
        cases.mkdir(parents=True)
        schemas.mkdir(parents=True)
        shutil.copy(ROOT / "schemas" / "case-file.schema.json", schemas.parent)
        for verb, answer, letter in (("say", "hello", "a"), ("shout", "HELLO", "A")):
            schema = {"title": verb, "$defs": {"request": TEXT, "answer": TEXT, "error": {"enum": ["unclassified"]}}}
            (schemas / f"echo.{verb}.json").write_text(
                json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}), "utf-8"
            )
            (cases / f"{verb}.yaml").write_text(CASES.format(verb=verb, answer=answer, letter=letter), "utf-8")
        (cases / "requirements.yaml").write_text(REQUIREMENTS, "utf-8")

    def working_copy(self, name: str = "checkout", version: str = "2.0", flaw: str = "") -> Path:
        """A folder with the SDK's source."""
        folder = self.folder / name
        folder.mkdir(parents=True)
        (folder / "sdk.json").write_text('{"name": "echo-sdk"}', "utf-8")
        (folder / "sdk.py").write_text(SDK.format(version=version, flaw=flaw), "utf-8")
        return folder

    def environment(self, **more: str) -> dict[str, str]:
        cache, builds = str(self.folder / "cache"), str(self.folder / "builds.txt")
        return {**os.environ, "PYTHONPATH": str(self.root), "XDG_CACHE_HOME": cache, "BUILDS": builds, **more}

    def run(self, *arguments: Any, **environment: str) -> subprocess.CompletedProcess[str]:
        words = ["parity", *map(str, arguments)]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(paths, "_ROOT", self.root)
            return call(main, words, self.folder / "here", self.environment(**environment), TIME_LIMIT)

    def start(self, *arguments: Any, **environment: str) -> subprocess.Popen[str]:
        if not (self.root / "harness").exists():
            copy_sources(ROOT / "harness", self.root / "harness")
        return subprocess.Popen(
            [sys.executable, "-m", "harness", *map(str, arguments)],
            cwd=self.folder / "here",
            env=self.environment(**environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )

    def builds(self) -> list[str]:
        path = self.folder / "builds.txt"
        return path.read_text("utf-8").split() if path.exists() else []

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.record.read_text("utf-8").splitlines()]

    def verdicts(self) -> dict[str, str]:
        return {line["case"]: line["verdict"] for line in self.lines() if line["type"] == "result"}

    def entry(self) -> dict[str, Any]:
        """The entry of the one implementation in the record's header."""
        (entry,) = self.lines()[0]["implementations"]
        return dict(entry)


def git(folder: Path, *arguments: str) -> str:
    """Runs git there, as nobody in particular."""
    identity = ["-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "init.defaultBranch=main"]
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(
        ["git", "-C", str(folder), *identity, *arguments], env=clean, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()
