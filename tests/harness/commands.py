"""The commands as tests run them, in this process or in one of their own, the fake adapters, and their processes."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from in_process import call, time_limit

from harness.cli.main import main
from tools.shown import run, run_module

ROOT = Path(__file__).resolve().parents[2]

Parity = Callable[..., "subprocess.CompletedProcess[str]"]
Session = Callable[..., "subprocess.CompletedProcess[str]"]


NO_BYTECODE = {"PYTHONDONTWRITEBYTECODE": "1"}
"""For a process with a limit on the size of files: CPython would keep truncated compiled modules of the checkout."""

TIME_LIMIT = 120.0
"""Seconds after which a command counts as stuck. Generous: the machine may be busy."""


def parity(
    *arguments: Any, folder: Path, env: Mapping[str, str] | None = None, timeout: float = TIME_LIMIT
) -> subprocess.CompletedProcess[str]:
    """Runs `parity` with these arguments in this process; adapters are processes as always."""
    return call(main, ["parity", *map(str, arguments)], folder, {**os.environ, **(env or {})}, timeout)


def parity_process(
    *arguments: Any, folder: Path, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs `parity` in a process of its own, for tests of its start and of its surroundings."""
    with time_limit(TIME_LIMIT):
        return run_module("harness", *arguments, folder=folder, environment=env)


_PYTEST_OPTIONS = ("--assert=plain", "-p", "no:anyio", "-p", "no:hypothesispytest", "-p", "no:unraisableexception")
"""Without these plugins a session neither rewrites modules nor collects garbage at its end."""


def _pytest_environment() -> dict[str, str]:
    """This environment without the variables of the pytest session that runs the test."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}


def session(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a session of pytest in this process."""
    words = ["pytest", *_PYTEST_OPTIONS, *arguments]
    return call(lambda given: int(pytest.main(given)), words, folder, _pytest_environment(), TIME_LIMIT)


def session_process(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a session of pytest in a process of its own, for tests of its start and of its workers."""
    command = (sys.executable, "-m", "pytest", *_PYTEST_OPTIONS, *arguments)
    with time_limit(TIME_LIMIT):
        return run(*command, folder=folder, environment=_pytest_environment())


def copy_sources(source: Path, target: Path) -> None:
    """Copies a folder of Python modules with their times, so that the compiled modules of the copy stay valid."""
    ignored = shutil.ignore_patterns("*.pyc.*", "node_modules")  # the interpreter's temporary files
    shutil.copytree(source, target, ignore=ignored, dirs_exist_ok=True)


def adapter(script: str, *arguments: object) -> str:
    """How one of the fake adapters is started, as one shell-like text."""
    path = Path(__file__).parent / "adapters" / script
    return shlex.join([sys.executable, "-S", "-E", str(path), *map(str, arguments)])


def processes(mark: str) -> list[str]:
    """The command lines of the living processes that hold `mark`."""
    lines = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            lines.append(path.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace"))
    return [line for line in lines if mark in line]
