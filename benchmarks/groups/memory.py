"""Peak memory and CPU time of a run and of each report, by the number of verdicts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..measure import Command, measure
from ..synthetic import texts
from ..table import Row
from . import Bench

CASES = 100_000
"""Cases for each implementation; a larger number of verdicts comes from several implementations."""

WARM = 2
"""A first pass with so many verdicts compiles the modules if the caches are empty; it has no rows."""

GOALS = {7_500: 100, 100_000: 150, 1_000_000: 400}
"""MiB by the number of verdicts."""


def memory(bench: Bench) -> Iterator[Row]:
    """A run, the reports of its record, and a merge of two shards."""
    bare = measure(bench.program("-c", "pass")).memory
    for size in (*([WARM] if bench.sizes.own_caches else []), *bench.sizes.verdicts):
        adapters = [bench.echo(name=f"echo{number}") for number in range(max(1, size // CASES))]
        corpus = texts(bench.folder / f"memory-{size}", size // len(adapters))
        for name, command in _commands(bench, corpus, adapters):
            cost = measure(command)
            if size != WARM and not name.startswith("shard"):
                each = cost.cpu / size * 1e6
                note = f"bare Python: {bare:.0f} MiB; the command: {cost.cpu:.1f} s CPU, {each:.0f} µs a verdict"
                yield Row(f"memory of {name}, {size:,} verdicts", cost.memory, "MiB", note, GOALS.get(size))


def _commands(bench: Bench, corpus: Path, adapters: list[str]) -> Iterator[tuple[str, Command]]:
    """The commands by name, in an order in which each finds the records that it reads."""
    record, first, second = (bench.folder / name for name in ("memory.jsonl", "first.jsonl", "second.jsonl"))
    yield "run", bench.run(corpus, record.name, adapters=adapters)
    yield "report --html", bench.command("report", record, "--html", bench.folder / "page.html")
    yield "report --junit", bench.command("report", record, "--junit", bench.folder / "junit.xml")
    yield "compare", bench.command("compare", record, record)
    yield "shard 1", bench.run(corpus, first.name, "--shard", "1/2", adapters=adapters)
    yield "shard 2", bench.run(corpus, second.name, "--shard", "2/2", adapters=adapters)
    yield "merge", bench.command("merge", first, second, "--record", bench.folder / "merged.jsonl")
