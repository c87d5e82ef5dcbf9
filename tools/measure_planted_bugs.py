"""Measures how many of the planted bugs the strategies find, and after how many requests and CPU seconds.

The reference and a copy with the bug answer in this process; requests come from seeded bytes without Hypothesis, which
needs about 0.1 ms more for each request.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests/strategies")]

from planted_bugs import BUGS, first_difference  # noqa: E402


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints one line a bug, and the share and the median."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60, help="most CPU time of each bug (default: 60)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("names", nargs="*", help="only these bugs")
    given = parser.parse_args(arguments)
    times = []
    bugs = [bug for bug in BUGS if not given.names or bug.name in given.names]
    for bug in bugs:
        with tempfile.TemporaryDirectory() as folder:
            found = first_difference(bug, Path(folder), seconds=given.seconds, seed=given.seed)
        times += [found.seconds] if found.operation else []
        print(
            f"{bug.name:<34} {found.operation or 'not found':<22} {found.requests:>8} {found.seconds:>7.2f} s",
            flush=True,
        )
    median = f", median {statistics.median(times):.2f} s" if times else ""
    print(f"{len(times)} of {len(bugs)} found{median}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
