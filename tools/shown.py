"""Commands whose output is shown while they run, and kept for the caller."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import subprocess_tee

ROOT = Path(__file__).resolve().parents[1]


def run(
    *words: object, folder: Path = ROOT, environment: Mapping[str, str] = os.environ, quiet: bool = False
) -> subprocess.CompletedProcess[str]:
    """Runs a command without input. In the returned texts, no line has spaces at its end. A `quiet` command is not shown."""
    command = [str(word) for word in words]
    return subprocess_tee.run(command, cwd=folder, env=dict(environment), stdin=subprocess.DEVNULL, quiet=quiet)


def run_module(
    *words: object, folder: Path = ROOT, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a module of this checkout by `python -m`, with these variables beside those of this process."""
    variables = {**os.environ, "PYTHONPATH": str(ROOT), **(environment or {})}
    return run(sys.executable, "-m", *words, folder=folder, environment=variables)
