"""The verb `fuzz` against Hypothesis alone."""

from __future__ import annotations

from collections.abc import Iterator

from harness.model import replace

from ..measure import WrongStatus, measure
from ..table import Row
from . import HERE, Bench, ratio, warm

OPERATION = "query.normalise"


def fuzz(bench: Bench) -> Iterator[Row]:
    """As many generated requests of one text, sent to the reference and to a second process of it."""
    try:
        measure(bench.command("fuzz", "--help", accepted=(0,)))
    except WrongStatus:
        yield Row("fuzz over Hypothesis", missing="this parity has no verb `fuzz`")
        return
    examples = str(bench.sizes.examples)
    options = (
        "--operation",
        OPERATION,
        "--examples",
        examples,
        "--seed",
        "1",
        "--adapter",
        f"copy={bench.parity} serve",
    )
    command = replace(bench.command("fuzz", *options), folder=bench.folder)
    bare, found = warm(
        bench, [bench.program(HERE / "programs" / "hypothesis_alone.py", examples), command], bench.times
    )
    yield ratio("fuzz over Hypothesis", found, bare, f"Hypothesis alone, {examples} examples")
