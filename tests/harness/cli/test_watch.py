"""`parity watch` with real adapters, real builds and real changes of files."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import ROOT, processes

from harness.records import read_record

pytestmark = pytest.mark.slow

SINGER = Path(__file__).parent / "adapters" / "singer.py"
LIMIT = 60.0
"""Seconds that a line may take. Generous: the machine may be busy."""

BUILD = "python3 build.py"
BUILDER = """\
import pathlib
text = pathlib.Path("source.py").read_text()
compile(text, "source.py", "exec")
pathlib.Path("made.py").write_text(text)
"""
WAITING = "parity: waiting for a change"


class Watch:
    """A running `parity watch` in a folder with a builder, a source and a corpus; its output goes to a file elsewhere."""

    def __init__(self, folder: Path, corpus: Path, log: Path, *options: str) -> None:
        self.folder, self._log = folder, log
        self.mark = f"mark-{uuid.uuid4().hex}"
        self._read = 0
        adapter = f"singer={sys.executable} -S made.py {self.mark}"
        command = [sys.executable, "-m", "harness", "watch", "--corpus", str(corpus), "--adapter", adapter, *options]
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                command, cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=output, stderr=output
            )

    def until(self, text: str) -> str:
        """The new output up to the text."""
        deadline = time.monotonic() + LIMIT
        while time.monotonic() < deadline:
            new = self._log.read_text("utf-8")[self._read :]
            if (place := new.find(text)) >= 0:
                self._read += place + len(text)
                return new[: place + len(text)]
            assert self.process.poll() is None, new
            time.sleep(0.05)
        raise AssertionError(f"{text!r} is not in {self._log.read_text('utf-8')[self._read :]!r}")

    def write(self, flaws: str, more: str = "") -> None:
        """Changes the source, as an editor does."""
        write(self.folder, flaws, more)

    def until_requested(self) -> None:
        """Waits until an adapter runs."""
        deadline = time.monotonic() + LIMIT
        while not self.adapters() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert self.adapters()

    def adapters(self) -> list[str]:
        """The command lines of the living adapters."""
        return [line for line in processes(self.mark) if "--adapter" not in line]


def write(folder: Path, flaws: str, more: str = "") -> None:
    text = SINGER.read_text("utf-8").replace("set(sys.argv[1:])", repr(set(flaws.split())))
    (folder / "source.py").write_text(text + more, "utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "build.py").write_text(BUILDER, "utf-8")
    write(folder, "")
    return folder


@pytest.fixture
def watch(folder: Path, echo_corpus: Path, tmp_path: Path) -> Iterator[Watch]:
    one = Watch(folder, echo_corpus, tmp_path / "log", "--build", BUILD)
    yield one
    if one.process.poll() is None:
        one.process.send_signal(signal.SIGINT)
        one.process.wait(LIMIT)


def test_a_change_builds_and_runs_the_failures_first(watch: Watch, folder: Path) -> None:
    """The first run has all cases; after a failure the failing case comes first, then all cases with what changed."""
    assert "4 pass" in watch.until(WAITING)
    watch.write("mumbling")
    assert "singer: 1 newly failing" in watch.until(WAITING)
    watch.write("hoarse")
    text = watch.until(WAITING)
    first, _, rest = text.partition("parity: now all selected cases")
    assert "parity: first the 1 case that failed" in first
    assert first.splitlines()[-1] == "singer: 0 of 1 case fail again"
    assert not [word for word in ("profiles of", "record: ", "verdict") if word in first]
    assert "record: parity-run.jsonl" in rest
    assert "singer: 1 newly failing, 1 fixed" in rest
    assert [one.case for one in read_record(folder / "parity-run.jsonl").results if one.verdict == "fail"] == [
        "echo/shouted/word"
    ]


def test_a_source_that_changes_during_the_first_build_is_built(folder: Path, echo_corpus: Path, tmp_path: Path) -> None:
    """A file that was there before the first build starts a second build; the products of the build do not."""
    edits = (
        "if not pathlib.Path('made.py').exists():\n    with open('source.py', 'a') as file:\n        file.write('#')\n"
    )
    (folder / "build.py").write_text(BUILDER.replace("compile", f"{edits}compile"), "utf-8")
    watch = Watch(folder, echo_corpus, tmp_path / "log", "--build", BUILD)
    try:
        text = watch.until(WAITING)
        assert "parity: changed during the build: source.py\n" in text
        assert text.count("parity: building") == 2
    finally:
        watch.process.send_signal(signal.SIGINT)
        watch.process.wait(LIMIT)


def test_a_failed_build_is_shown_and_nothing_runs(watch: Watch, folder: Path) -> None:
    """The program of the last good build is not judged; the next good build is."""
    watch.until(WAITING)
    before = (folder / "parity-run.jsonl").read_bytes()
    watch.write("", "def (")
    text = watch.until(WAITING)
    assert "failed with status 1. No case was run." in text
    assert "SyntaxError" in text
    assert (folder / "parity-run.jsonl").read_bytes() == before
    watch.write("mumbling")
    assert "singer: 1 newly failing" in watch.until(WAITING)


def test_after_a_failed_start_no_case_counts_as_passed(watch: Watch) -> None:
    """If the adapter does not start, no line says how many cases fail again, and the failures stay the first of the next
    run."""
    watch.until(WAITING)
    watch.write("mumbling")
    watch.until(WAITING)
    (watch.folder / "source.py").write_text("raise SystemExit(1)\n", "utf-8")
    text = watch.until(WAITING)
    assert "singer could not be built or started" in text
    assert "fail again" not in text
    watch.write("mumbling")
    assert "singer: 1 of 1 case fails again" in watch.until(WAITING)


def test_a_change_during_a_run_begins_again(watch: Watch) -> None:
    """A run whose adapter hangs is stopped by the next change, without a timeout, and nothing of it stays."""
    watch.until(WAITING)
    hangs = "import time\n\n\nwhile True:\n    time.sleep(60)\n"
    (watch.folder / "source.py").write_text(hangs, "utf-8")
    watch.until("parity: built")
    watch.until_requested()
    began = time.monotonic()
    watch.write("mumbling")
    assert "singer: 1 newly failing" in watch.until(WAITING)
    assert time.monotonic() - began < LIMIT  # the start of an adapter times out after 60 s
    assert not watch.adapters()


def test_an_interrupt_leaves_nothing(watch: Watch) -> None:
    """Ctrl-C during a run ends the watch with status 130, its run and its adapter."""
    (watch.folder / "source.py").write_text("import time\ntime.sleep(99)\n", "utf-8")
    watch.until("parity: built")
    watch.until_requested()
    watch.process.send_signal(signal.SIGINT)
    assert watch.process.wait(LIMIT) == 130
    deadline = time.monotonic() + 10
    while processes(watch.mark) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not processes(watch.mark)


def test_files_that_git_ignores_and_products_do_not_count(folder: Path, echo_corpus: Path, tmp_path: Path) -> None:
    """A build that always writes a new file is known from the first run; an ignored file never starts a build."""
    if shutil.which("git") is None:
        pytest.skip("needs git")
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    (folder / ".gitignore").write_text("*.log\n", "utf-8")
    with (folder / "build.py").open("a", encoding="utf-8") as file:
        file.write("import time\npathlib.Path('stamp').write_text(str(time.time_ns()))\n")
    watch = Watch(folder, echo_corpus, tmp_path / "log", "--build", BUILD)
    try:
        assert watch.until(WAITING).count("parity: building") == 1
        (folder / "noise.log").write_text("one\n", "utf-8")
        watch.write("mumbling")
        text = watch.until(WAITING)
        assert text.count("parity: building") == 1
        assert "noise.log" not in text
    finally:
        watch.process.send_signal(signal.SIGINT)
        watch.process.wait(LIMIT)


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ((), "--adapter"),
        (("--adapter", "x=./x", "--path", "nowhere"), "nowhere"),
        (("--adapter", "x=./x", "--profile", "nope"), "nope"),
        (("--adapter", "nope"), "nope"),
        (("--adapter", "x=./x", "--select", "nope", "--build", "false"), "nope"),
        (("--adapter", "x=./x", "--corpus", "nowhere"), "nowhere"),
    ],
)
def test_a_watch_that_cannot_be_is_refused(options: tuple[str, ...], part: str, here: Path) -> None:
    """A mistake of the command line ends the command, as in `run`: no edit of a source mends it."""
    done = subprocess.run(
        [sys.executable, "-m", "harness", "watch", *options],
        cwd=here,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        timeout=LIMIT,
        check=False,
    )
    assert (done.returncode, part in done.stderr) == (2, True)
