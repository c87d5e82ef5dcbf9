"""The groups of benchmarks. Each is a function from a `Bench` to its rows."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from ..measure import Command, Sample, cpu, in_turn
from ..table import Row

HERE = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much the groups measure: numbers of requests, of verdicts, of elements of a large answer, and of generated
    requests. `own_caches`: all caches begin empty, and belong to this run alone."""

    requests: Sequence[int] = (1_000, 10_000)
    verdicts: Sequence[int] = (7_500, 100_000)
    three: int = 10_000
    peers: int = 10_000
    objects: int = 4_000
    numbers: int = 100_000
    different: tuple[int, int] = (1_000, 300)
    suites: str = ""
    examples: int = 2_000
    own_caches: bool = True


LARGE = Sizes(requests=(1_000, 10_000, 100_000), verdicts=(7_500, 100_000, 1_000_000))
TINY = Sizes((20,), (20,), 20, 20, 20, 20, (5, 5), "tideline", 20, own_caches=False)
"""For the test of the benchmarks: the figures say nothing."""


@dataclass(frozen=True, slots=True)
class Bench:
    """The settings of all groups: the `parity` to measure, the checkout that it belongs to, an empty folder, the number
    of executions of a quick command, the sizes, and a working copy of the Python SDK."""

    parity: Path
    root: Path
    folder: Path
    times: int = 5
    sizes: Sizes = field(default_factory=Sizes)
    python_sdk: Path | None = None

    @property
    def python(self) -> Path:
        """The interpreter that runs `parity`."""
        return self.parity.with_name("python")

    @property
    def cache(self) -> Path:
        """The cache folder of all commands."""
        return self.folder / "cache" / "parity" if self.sizes.own_caches else platformdirs.user_cache_path("parity")

    def environment(self) -> dict[str, str]:
        """The variables of all commands."""
        modules = {"PYTHONPYCACHEPREFIX": str(self.folder / "modules")} if self.sizes.own_caches else {}
        return {
            **os.environ,
            **modules,
            "XDG_CACHE_HOME": str(self.cache.parent),
            "PYTHONPATH": str(self.root),
            "PYTHONDONTWRITEBYTECODE": "",
        }

    def command(self, *arguments: str | Path, accepted: Sequence[int] = (0, 1)) -> Command:
        """A command of parity, in the checkout."""
        return Command((self.parity, *arguments), self.root, self.environment(), accepted)

    def program(self, *arguments: str | Path) -> Command:
        """A command of the interpreter."""
        return Command((self.python, *arguments), self.root, self.environment())

    def run(self, corpus: Path, record: str, *more: str | Path, adapters: Sequence[str] = ()) -> Command:
        """A `parity run` on the echo, or on these adapters."""
        named = [word for adapter in adapters or [self.echo()] for word in ("--adapter", adapter)]
        return self.command("run", "--corpus", corpus, *named, "--record", self.folder / record, *more)

    def echo(self, mode: str = "", name: str = "echo") -> str:
        """The `--adapter` value of the echo in node."""
        return f"{name}=node {HERE / 'adapters' / 'echo.mjs'} {mode}".strip()


Group = Callable[[Bench], Iterator[Row]]


def warm(bench: Bench, commands: Sequence[Command], times: int) -> list[Sample]:
    """The costs after one execution of each command, which fills empty caches."""
    if bench.sizes.own_caches:
        in_turn(commands, 1)
    return in_turn(commands, times)


def ratio(name: str, sample: Sample, floor: Sample, of: str, goal: float | None = None) -> Row:
    """The ratio of CPU times to a floor that was measured in turn with the sample."""
    value, least = sample.over(floor, cpu)
    note = f"{of}: {floor.median(cpu):.2f} s CPU"
    return Row(name, value, "×", note, goal, least, profiled=arguments(sample.command))


def seconds(name: str, sample: Sample, floor: str, goal: float | None = None) -> Row:
    """CPU seconds. `floor` describes the floor with its figure."""
    return Row(name, sample.median(cpu), "s", floor, goal, sample.least(cpu), profiled=arguments(sample.command))


def arguments(command: Command) -> tuple[str, ...]:
    """The arguments of a command of parity, and none of any other command."""
    words = tuple(map(str, command.arguments))
    return words[1:] if Path(words[0]).name == "parity" else ()
