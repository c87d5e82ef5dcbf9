"""The real commands as tests run them: fixtures that run one, the fake adapters, and what they leave behind."""

from __future__ import annotations

import contextlib
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

Parity = Callable[..., "subprocess.CompletedProcess[str]"]
Session = Callable[..., "subprocess.CompletedProcess[str]"]


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
