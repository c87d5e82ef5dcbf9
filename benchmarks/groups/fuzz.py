"""`parity fuzz` against Hypothesis alone."""

from __future__ import annotations

from collections.abc import Iterator

from ..measure import WrongStatus, measure
from ..table import Row
from . import HERE, Bench, ratio, warm

EXAMPLES = 200
COMMAND = ("fuzz", "--adapter", "reference", "--select", "operation:query.normalise", "--max-examples", str(EXAMPLES))
"""The plug-in point: a fuzz command that sends `EXAMPLES` generated requests of one operation."""


def fuzz(bench: Bench) -> Iterator[Row]:
    """CPU time for as many examples of one text."""
    try:
        measure(bench.command("fuzz", "--help", accepted=(0,)))
    except WrongStatus:
        yield Row("fuzz over Hypothesis", missing="this parity has no verb `fuzz`")
        return
    floor = bench.program(HERE / "programs" / "hypothesis_alone.py", str(EXAMPLES))
    bare, found = warm([floor, bench.command(*COMMAND)], bench.times)
    yield ratio("fuzz over Hypothesis", found, bare, f"Hypothesis alone, {EXAMPLES} examples")
