"""Requests through a node process, against a bare loop that sends the same ones and compares the answers."""

from __future__ import annotations

from collections.abc import Iterator

from ..measure import Cost, Sample, cpu, elapsed, in_turn, measure
from ..synthetic import texts
from ..table import Row
from . import HERE, Bench, ratio, warm

SEND, PIPELINED = HERE / "programs" / "send.py", HERE / "programs" / "pipelined.py"
NODE_ECHO, PYTHON_ECHO = HERE / "adapters" / "echo.mjs", HERE / "adapters" / "echo.py"


def requests(bench: Bench) -> Iterator[Row]:
    """Sending, judging and recording; then the whole command, from YAML to the report."""
    for size in bench.sizes.requests:
        corpus = texts(bench.folder / f"requests-{size}", size)
        floor = bench.program(PIPELINED, str(size), "node", NODE_ECHO)
        send = bench.program(SEND, corpus, bench.echo(), bench.folder / "sent.jsonl")
        bare, run, sent = warm(bench, [floor, bench.run(corpus, "requests.jsonl"), send], _times(bench, size))
        of = f"a bare pipelined loop of {size:,} requests"
        part = Sample(send, [Cost(float(cost.output), cost.elapsed, cost.memory) for cost in sent.costs])
        yield ratio(f"send, judge, record {size:,}", part, bare, of, 1.2)
        yield ratio(f"the whole command, {size:,} cases", run, bare, of, 2.5)
    size = bench.sizes.requests[0]
    corpus, adapter = bench.folder / f"requests-{size}", f"echo={bench.python} {PYTHON_ECHO}"
    floor = bench.program(PIPELINED, str(size), bench.python, PYTHON_ECHO)
    path = bench.run(corpus, "python.jsonl", adapters=[adapter])
    bare, run = warm(bench, [floor, path], _times(bench, size))
    yield ratio(f"the whole command, {size:,} cases, adapter in Python", run, bare, "the same loop on that adapter")


def _times(bench: Bench, size: int) -> int:
    return bench.times if size < 10_000 else max(1, min(3, bench.times))


def cores(bench: Bench) -> Iterator[Row]:
    """How many cores three implementations keep busy, and how equal the shards of a run are."""
    corpus = texts(bench.folder / "cores", bench.sizes.three)
    three = bench.run(corpus, "three.jsonl", adapters=[bench.echo(name=name) for name in ("a", "b", "c")])
    (run,) = warm(bench, [three], 2)
    busy = [cost.cpu / cost.elapsed for cost in run.costs]
    note = f"{run.median(elapsed):.1f} s elapsed; of use on an idle machine only"
    yield Row("cores busy with three implementations", max(busy), "cores", note, 1.8, min(busy), more_is_better=True)
    shards = [bench.run(corpus, f"shard-{part}.jsonl", "--shard", f"{part}/4") for part in range(1, 5)]
    costs = [shard.least(cpu) for shard in in_turn(shards, 2)]
    mean = sum(costs) / len(costs)
    yield Row("the largest of four shards", max(costs) / mean, "×", f"their mean: {mean:.2f} s CPU", 1.2)
    whole = measure(bench.run(corpus, "whole.jsonl")).cpu
    yield Row("four shards together", sum(costs) / whole, "×", f"one run of all cases: {whole:.2f} s CPU")
