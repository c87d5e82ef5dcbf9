"""An adapter that does a little of everything, a corpus that shows it, and runs that can be disturbed."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from commands import ROOT, parity, parity_process

_ADAPTER = """\
import json, os, pathlib, sys, time
options = json.loads(sys.argv[1])
time.sleep(options.get("start", 0))
pathlib.Path(sys.argv[2]).open("a").write(f"{os.getpid()}\\n")

def answer(text):
    if text == "die":
        os._exit(3)
    if text == "once" and not pathlib.Path(options["once"]).exists():
        pathlib.Path(options["once"]).touch()
        os._exit(4)
    if text == "beyond":
        return {"error": {"code": -32001, "message": "no", "data": {"reason": "out of reach"}}}
    if text == "raise":
        return {"error": {"code": -32000, "message": "ouch", "data": {"type": "empty", "message": "ouch"}}}
    return {"result": {"text": "other" if text == "wrong" else text}}

for line in sys.stdin:
    message = json.loads(line)
    if message["method"] == "initialize":
        said = {"name": "speaker", "version": options.get("version", "1"), "language": "Python"}
        reply = {"result": {"protocolVersion": 1, "implementation": said, "operations": ["echo.say"]}}
    elif message["method"] == "shutdown":
        reply = {"result": {}}
    else:
        time.sleep(options.get("delay", 0))
        reply = answer(message["params"]["text"])
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **reply}), flush=True)
    if message["method"] == "shutdown":
        break
"""


@dataclass
class Bench:
    """A corpus, an adapter's command by its options, and a way to start parity without waiting for it."""

    folder: Path
    corpus: Path
    started: list[subprocess.Popen[str]] = field(default_factory=list)

    @property
    def record(self) -> Path:
        return self.folder / "run.jsonl"

    def cases(self, *texts: str) -> None:
        """The corpus is these texts, each to be said back."""
        quoted = partial(json.dumps, ensure_ascii=False)
        rows = [
            f"  - {{id: text-{number}, requirements: [ECHO-01], origin: spec-text, "
            f"request: {{text: {quoted(text)}}}, answer: {{text: {quoted(text)}}}}}"
            for number, text in enumerate(texts)
        ]
        for old in (self.corpus / "cases" / "echo").glob("s*.yaml"):
            old.unlink()
        suite = "\n".join(["suite: echo/said", "operation: echo.say", "cases:", *rows])
        (self.corpus / "cases" / "echo" / "said.yaml").write_text(suite + "\n", "utf-8")

    def adapter(self, name: str = "speaker", **options: Any) -> str:
        """An `--adapter` option."""
        script = self.folder / "speaker.py"
        script.write_text(_ADAPTER, "utf-8")
        words = [sys.executable, str(script), json.dumps(options), str(self.folder / "pids")]
        return f"{name}={shlex.join(words)}"

    def start(
        self, *arguments: Any, environment: Mapping[str, str] | None = None, stdout: int = subprocess.PIPE, **more: Any
    ) -> subprocess.Popen[str]:
        """`parity` with these arguments, in a session of its own."""
        process = subprocess.Popen(
            [sys.executable, "-m", "harness", *map(str, arguments)],
            cwd=self.folder,
            env={"PYTHONPATH": str(ROOT), **(environment or os.environ)},
            stdout=stdout,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
            **more,
        )
        self.started.append(process)
        return process

    def run(self, *arguments: Any, **more: Any) -> tuple[int, str, str]:
        """The exit status, standard output and standard error of `parity`; in a process of its own if `more` is for one."""
        run_parity = parity_process if more else parity
        done = run_parity(*arguments, folder=self.folder, **more)
        return done.returncode, done.stdout, done.stderr

    def asking(self, *adapters: str) -> list[Any]:
        """The arguments of a run that asks these adapters the corpus."""
        options = [word for adapter in adapters for word in ("--adapter", adapter)]
        return ["run", "--corpus", self.corpus, *options]

    def wait(self, condition: Callable[[], bool], seconds: float = 120) -> None:
        """Waits until the condition holds."""
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, "waited in vain"
            time.sleep(0.01)

    def lines(self) -> int:
        """How many whole lines the record has."""
        return self.record.read_bytes().count(b"\n") if self.record.exists() else 0

    def verdicts(self) -> list[str]:
        """The record's results in an order of their own, without what differs from run to run."""
        results = [json.loads(line) for line in self.record.read_text("ascii").splitlines()]
        return sorted(
            json.dumps({key: value for key, value in result.items() if key not in ("ms", "stderr")}, sort_keys=True)
            for result in results
            if result["type"] == "result"
        )

    def adapters_alive(self) -> list[int]:
        """The adapters ever started here that still live."""
        pids = self.folder / "pids"
        return [int(pid) for pid in pids.read_text().split() if _alive(int(pid))] if pids.exists() else []


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rsplit(")", 1)[1].split()[0] != "Z"


@pytest.fixture
def bench(tmp_path: Path, echo_corpus: Path) -> Iterator[Bench]:
    made = Bench(tmp_path, echo_corpus)
    yield made
    for process in made.started:
        if process.poll() is None:
            process.kill()
            process.communicate()
    for pid in made.adapters_alive():
        os.kill(pid, signal.SIGKILL)


_made: list[bytes] = []


@pytest.fixture
def whole(bench: Any) -> bytes:
    """A small record, complete, without any failure; the same for all tests."""
    bench.cases("one", "two", "three")
    if not _made:
        assert bench.run(*bench.asking(bench.adapter()), "--record", bench.record)[0] == 0
        _made.append(bench.record.read_bytes())
    return _made[0]
