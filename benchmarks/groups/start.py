"""Start-up: the loop of a person who writes an SDK or a case."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

from harness.model import replace

from ..measure import Sample, cpu, in_turn, measure
from ..table import Row
from . import HERE, Bench, ratio, seconds, warm

SUITE = "jeffs_brain/query_dsl/operators"
CASE = f"{SUITE}/later-of-two-operators-survives"
LOAD, YAML_EVENTS = HERE / "programs" / "load.py", HERE / "programs" / "yaml_events.py"


def start(bench: Bench) -> Iterator[Row]:
    """`--help` against bare Python; one case and one suite, with the reference."""
    run = ("run", "--adapter", "reference", "--record", bench.folder / "one.jsonl", "--select")
    quiet = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "--adapter", "reference")
    bare, adapter, shown, one, explained, tested, suite = warm(
        bench,
        [
            bench.program("-c", "pass"),
            bench.program(bench.root / "adapters/reference/adapter.py"),
            bench.command("--help"),
            bench.command(*run, CASE),
            bench.command("explain", CASE, "--adapter", "reference"),
            bench.program(*quiet, f"cases/{SUITE}.yaml", "-k", CASE.rpartition("/")[2]),
            bench.command(*run, SUITE),
        ],
        bench.times,
    )
    yield seconds("--help", shown, f"bare Python: {bare.median(cpu):.3f} s CPU", 0.09)
    yield ratio("--help over bare Python", shown, bare, "bare Python", 4)
    commands = {"case by run": one, "case by explain": explained, "case by pytest": tested, "suite by run": suite}
    for name, sample in commands.items():
        goal = 0.6 if sample is tested else 0.4
        yield from _with_the_adapter(name, sample, adapter, goal)


def _with_the_adapter(name: str, sample: Sample, adapter: Sample, goal: float) -> Iterator[Row]:
    """The whole command, and the command without the start of the adapter, which the goal is about."""
    start = adapter.median(cpu)
    whole = seconds(f"one {name}", sample, f"the reference without a request: {start:.2f} s CPU")
    yield whole
    least = None if whole.least is None else whole.least - adapter.least(cpu)
    yield replace(whole, name=f"one {name}, own part", value=whole.value - start, least=least, goal=goal)


def load(bench: Bench) -> Iterator[Row]:
    """The shipped corpus against the YAML parser alone: with an empty cache folder, and with the cache of a first load."""
    imports, floor = warm(bench, [bench.program(LOAD, "--import"), bench.program(YAML_EVENTS, bench.root)], bench.times)
    shutil.rmtree(bench.folder / "cache", ignore_errors=True)
    cold = measure(bench.program(LOAD)).cpu - imports.median(cpu)
    (loaded,) = in_turn([bench.program(LOAD)], bench.times)
    events, note = floor.median(cpu), f"the events of CSafeLoader: {floor.median(cpu):.2f} s CPU"
    yield Row("corpus loaded cold, over the YAML parser", cold / events, "×", note)
    value, least = loaded.median(cpu) - imports.median(cpu), loaded.least(cpu) - imports.least(cpu)
    yield Row("corpus loaded warm, over the YAML parser", value / events, "×", note)
    yield Row("corpus loaded warm", value, "s", f"without imports: {imports.median(cpu):.2f} s CPU", 0.3, least)
