"""The top of the profile of each command that misses its goal."""

from __future__ import annotations

import pstats
from collections.abc import Iterator, Mapping, Sequence

from tools.shown import run

from .groups import Bench
from .table import Row, number

LINES = 10
WRAPPER = 0.9
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
    words = (bench.python, "-m", "cProfile", "-o", file, bench.parity, *arguments)
    done = run(*words, folder=bench.root, environment=bench.environment(), quiet=True)
    if not file.exists():
        yield f"  no profile: {done.stderr[-500:]}"
        return
    functions: Mapping[tuple[str, int, str], tuple[int, int, float, float, object]] = vars(pstats.Stats(str(file)))[
        "stats"
    ]
    file.unlink()
    whole = max(cumulative for _, _, _, cumulative, _ in functions.values())
    costly = sorted(
        ((cumulative, calls, place) for place, (_, calls, _, cumulative, _) in functions.items()), reverse=True
    )
    yield f"  cumulative s of {whole:.2f} s, calls, function"
    for seconds, calls, (path, line, name) in [one for one in costly if one[0] < WRAPPER * whole][:LINES]:
        yield f"  {seconds:8.2f} {calls:>10} {path.removeprefix(f'{bench.root}/')}:{line}({name})"
