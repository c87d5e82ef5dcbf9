"""Measures how many of the planted bugs `parity fuzz` finds, and after how much CPU time.

Each bug is in a copy of the reference, which is the adapter of a campaign over all operations of the bug's system. The
campaign ends with its first new finding; its CPU time includes all its processes, which share one core.

tools/measure_planted_bugs.py --seconds 60
"""

from __future__ import annotations

import argparse
import os
import resource
import shlex
import shutil
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests/strategies")]

from planted_bugs import BUGS, PlantedBug  # noqa: E402

from harness.records import read_record  # noqa: E402
from tools.shown import run  # noqa: E402

_PATIENCE = 4
"""Seconds of wall-clock time for each second of CPU time, since other work can use the core."""


@dataclass(frozen=True, slots=True)
class Found:
    """The operation of the first finding, empty without one, and the CPU seconds until the end of the campaign."""

    operation: str
    seconds: float


def write_adapter(bug: PlantedBug, folder: Path) -> Path:
    """Writes a copy of the reference and of its adapter, with the bug; the adapter's program."""
    shutil.copytree(ROOT / "reference_impl", folder / "reference_impl", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "adapters/reference", folder / "adapters/reference")
    (folder / "schemas").symlink_to(ROOT / "schemas")
    path = folder / "reference_impl" / bug.module
    path.write_text(path.read_text("utf-8").replace(bug.before, bug.after, 1), "utf-8")
    return folder / "adapters/reference/adapter.py"


def campaign(bug: PlantedBug, folder: Path, seconds: float, seed: int) -> Found:
    """Runs the campaign of one bug, on one core, for a multiple of `seconds`."""
    program = shlex.join([sys.executable, str(write_adapter(bug, folder))])
    command = [sys.executable, "-m", "harness", "fuzz", "--adapter", f"planted={program}", "--system", bug.system]
    limits = ["--for", f"{seconds * _PATIENCE:g}s", "--max-findings", "1", "--seed", str(seed), "--save", str(folder)]
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}  # without the examples of other campaigns
    before = _children()
    done = run(*command, *limits, environment=environment)
    used = _children() - before
    if done.returncode not in (0, 1):
        raise SystemExit(f"{bug.name}: exit status {done.returncode}\n{done.stderr}")
    failing = [one for one in read_record(folder / "fuzz.jsonl").results if one.verdict.value in ("fail", "error")]
    return Found(failing[0].operation if done.returncode == 1 else "", used)


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints one line a bug, and the share and the median."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60, help="most CPU time of each bug (default: 60)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("names", nargs="*", help="only these bugs")
    given = parser.parse_args(arguments)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    times = []
    bugs = [bug for bug in BUGS if not given.names or bug.name in given.names]
    for bug in bugs:
        with tempfile.TemporaryDirectory() as folder:
            found = campaign(bug, Path(folder), given.seconds, given.seed)
        in_time = found.operation and found.seconds <= given.seconds
        times += [found.seconds] if in_time else []
        late = "  too late" if found.operation and not in_time else ""
        print(f"{bug.name:<34} {found.operation or 'not found':<22} {found.seconds:>7.1f} s CPU{late}", flush=True)
    median = f", median {statistics.median(times):.1f} s" if times else ""
    print(f"{len(times)} of {len(bugs)} found{median}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
