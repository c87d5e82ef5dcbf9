"""Measures parity and prints each figure beside its floor and its goal. `make bench` is the command.

CPU time counts, unless a row names another figure, because elapsed time depends on the load of the machine. A figure that
misses its goal is named at the end with the top of its profile. The exit status is 0 whether goals are met or not.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rich.console import Console

from .groups import LARGE, TINY, Bench, Group, Sizes
from .groups.answers import answers
from .groups.builds import builds
from .groups.fuzz import fuzz
from .groups.memory import memory
from .groups.peers import peers
from .groups.pytest_items import pytest_items
from .groups.requests import cores, requests
from .groups.start import load, start
from .measure import WrongStatus
from .profiles import missed_goals
from .table import Row, keep, kept, show

GROUPS: Mapping[str, Group] = {
    "start": start,
    "load": load,
    "requests": requests,
    "cores": cores,
    "pytest": pytest_items,
    "answers": answers,
    "builds": builds,
    "fuzz": fuzz,
    "peers": peers,
    "memory": memory,
}
NODE = {"requests", "cores", "answers", "peers", "memory"}
"""The groups whose adapter runs in node."""


def main(words: Sequence[str] | None = None) -> int:
    """Measures the groups in order and prints one table."""
    arguments = _parser().parse_args(words)
    parity = (arguments.parity or Path(sys.executable).with_name("parity")).absolute()
    before = kept(arguments.against) if arguments.against else {}
    sizes = LARGE if arguments.large else TINY if arguments.tiny else Sizes()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="parity-bench-") as folder:
        bench = Bench(parity, parity.parents[2], Path(folder), arguments.times, sizes, arguments.python_sdk)
        for name in arguments.only or GROUPS:
            print(f"measuring {name} …", file=sys.stderr, flush=True)
            for row in _rows(name, bench):
                rows.append(row)
                if arguments.keep:
                    keep(rows, arguments.keep)
        show(rows, before, Console(width=None if sys.stdout.isatty() else 160))
        for line in missed_goals(rows, bench) if not arguments.no_profiles else ():
            print(line, flush=True)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", action="append", choices=[*GROUPS], help="only this group; may be repeated")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--large", action="store_true", help="also 100,000 requests and 1,000,000 verdicts (an hour)")
    size.add_argument("--tiny", action="store_true", help="sizes that show only whether the benchmarks work")
    parser.add_argument("--times", type=int, default=5, metavar="N", help="executions of a quick command (default: 5)")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="write the figures as JSON")
    parser.add_argument("--against", type=Path, metavar="FILE", help="show the figures of a kept run beside these")
    parser.add_argument("--no-profiles", action="store_true", help="do not profile the commands that miss their goal")
    parser.add_argument(
        "--parity", type=Path, metavar="FILE", help="the `parity` to measure (default: of this checkout)"
    )
    parser.add_argument(
        "--python-sdk", type=Path, metavar="DIR", help="build this working copy (default: the stand-in of the tests)"
    )
    return parser


def _rows(name: str, bench: Bench) -> Iterator[Row]:
    """The rows of a group, up to the first command that fails."""
    if name in NODE and shutil.which("node") is None:
        yield Row(name, missing="node is not installed; the echo adapter needs it")
        return
    try:
        yield from GROUPS[name](bench)
    except WrongStatus as wrong:
        print(f"{wrong.command}\nstatus {wrong.status}\n{wrong.output[-2000:]}", file=sys.stderr)
        yield Row(f"{name}: the rest", missing=f"a command ended with status {wrong.status}; its output is above")


if __name__ == "__main__":
    sys.exit(main())
