"""The top of the profile of each command that misses its goal."""

from __future__ import annotations

import pstats
import subprocess
from collections.abc import Iterator, Sequence

from .groups import Bench
from .table import Row, number

LINES = 10
WRAPPER = 0.95
"""Share of the whole time from which a function only calls the others, and is left out."""


def missed_goals(rows: Sequence[Row], bench: Bench) -> Iterator[str]:
    """A line for each missed goal, and the top of its profile. A command is profiled once."""
    seen: set[tuple[str, ...]] = set()
    for row in rows:
        if row.is_met is not False:
            continue
        least = "at least" if row.more_is_better else "at most"
        assert row.goal is not None
        yield f"\nMISSED: {row.name}: {number(row.value, row.unit)}, goal: {least} {number(row.goal, row.unit)}"
        if row.profiled and row.profiled not in seen:
            seen.add(row.profiled)
            yield from _top(row.profiled, bench)


def _top(arguments: Sequence[str], bench: Bench) -> Iterator[str]:
    """The functions with the most cumulative time, without those that call all others."""
    file = bench.folder / "profile"
    words = [bench.python, "-m", "cProfile", "-o", file, bench.parity, *arguments]
    done = subprocess.run(words, cwd=bench.root, env=bench.environment(), capture_output=True, check=False)
    if not file.exists():
        yield f"  no profile: {done.stderr.decode(errors='replace')[-500:]}"
        return
    profile = pstats.Stats(str(file)).get_stats_profile()
    functions = [
        (one.cumtime, one.ncalls, f"{one.file_name}:{one.line_number}({name})")
        for name, one in profile.func_profiles.items()
        if one.cumtime < WRAPPER * profile.total_tt
    ]
    yield f"  cumulative s of {profile.total_tt:.2f} s, calls, function"
    for seconds, calls, place in sorted(functions, reverse=True)[:LINES]:
        yield f"  {seconds:8.2f} {calls:>12} {place.replace(str(bench.root) + '/', '')}"
    file.unlink()
