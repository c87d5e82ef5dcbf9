"""Peers: other ways to run a corpus, and other harnesses where they are installed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

from ..measure import Command, cpu, in_turn, memory
from ..synthetic import texts
from ..table import Row
from . import Bench, arguments, ratio, warm

SCHEMA = {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "string"}
INSTALL = "not installed; install the package bowtie-json-schema and put `bowtie` on PATH"


def peers(bench: Bench) -> Iterator[Row]:
    """Cases for each CPU second of the whole command, beside a process for each case and beside Bowtie."""
    count = bench.sizes.peers
    corpus = texts(bench.folder / "peers", count)
    run = bench.run(corpus, "peers.jsonl")
    times = max(1, min(3, bench.times))
    ours, once = warm(bench, [run, Command(("node", "-e", "0"), bench.root)], times)
    rate = count / ours.median(cpu)
    yield Row("cases for each CPU second", rate, "cases/s", f"{ours.median(memory):.0f} MiB", more_is_better=True)
    each = once.median(cpu)
    note = f"a node process for each case, as in toml-test: {1 / each:.0f} cases/s"
    yield Row("cases over a process for each", rate * each, "×", note, more_is_better=True)
    bowtie = shutil.which("bowtie")
    if bowtie is None:
        yield Row("parity over Bowtie", missing=INSTALL)
        return
    help_, theirs = in_turn([bench.command("--help"), Command((bowtie, "--help"), bench.root)], times)
    yield ratio("--help over Bowtie", help_, theirs, "bowtie --help")
    cases = bench.folder / "bowtie.jsonl"
    _write_cases(cases, count)
    asked = Command((bowtie, "run", "-i", "direct:null", cases), bench.root, accepted=(0, 1))
    ours, theirs = in_turn([run, asked], times)
    value, least = theirs.over(ours, cpu)
    note = f"Bowtie, without a process of an adapter: {count / theirs.median(cpu):.0f} cases/s"
    yield Row("cases for each CPU second over Bowtie", value, "×", note, 3, least, True, profiled=arguments(run))
    limit = 2 * theirs.median(memory)
    yield Row("memory of run beside Bowtie", ours.median(memory), "MiB", f"Bowtie: {limit / 2:.0f} MiB", limit)


def _write_cases(path: Path, count: int) -> None:
    with path.open("w") as file:
        for number in range(count):
            test = {"description": "text", "instance": f"text {number}", "valid": True}
            case = {"description": f"case {number}", "schema": SCHEMA, "tests": [test]}
            file.write(json.dumps(case) + "\n")
