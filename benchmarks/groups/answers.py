"""Large answers: explanations, and many differences in many cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..measure import Command, TooSlow, measure
from ..synthetic import FIRST_CASE, lists
from ..table import Row
from . import Bench, arguments

LIMIT = 30
"""CPU seconds of one process after which a command is stopped; its figure is then a lower bound."""


def answers(bench: Bench) -> Iterator[Row]:
    """One large wrong answer explained, and a run with many differences."""
    sizes = bench.sizes
    objects = [{"id": number, "name": f"name {number}"} for number in range(sizes.objects)]
    if bench.sizes.own_caches:  # which are empty
        _explained(bench, "warm", [1], "changed")
    yield _explained(bench, f"explain an answer of {sizes.objects:,} objects", objects, "changed", 1)
    yield _explained(bench, f"explain {sizes.objects:,} objects, the first removed", objects, "shifted")
    yield _explained(bench, f"explain an answer of {sizes.numbers:,} numbers", range(sizes.numbers), "changed", 5)
    yield _explained(bench, f"explain {sizes.numbers:,} numbers, the first removed", range(sizes.numbers), "shifted")
    cases, differences = sizes.different
    corpus = lists(bench.folder / "differences", cases, range(differences))
    run = bench.run(corpus, "differences.jsonl", adapters=[bench.echo("changed")])
    yield _row(f"run {cases:,} cases with {differences:,} differences each", run, 5)


def _explained(bench: Bench, name: str, items: Sequence[object], mode: str, goal: float | None = None) -> Row:
    corpus = lists(bench.folder / name.replace(" ", "-"), 1, items)
    return _row(name, bench.command("explain", FIRST_CASE, "--corpus", corpus, "--adapter", bench.echo(mode)), goal)


def _row(name: str, command: Command, goal: float | None) -> Row:
    try:
        cost = measure(command, LIMIT)
    except TooSlow:
        return Row(name, LIMIT, "s", "stopped, so the figure is a lower bound", goal)
    return Row(name, cost.cpu, "s", f"{cost.memory:.0f} MiB", goal, profiled=arguments(command))
