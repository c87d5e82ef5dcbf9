"""Runs commands as whole processes, in turn, and measures CPU time, elapsed time and peak memory."""

from __future__ import annotations

import os
import resource
import signal
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

MAX_OUTPUT = 4_000_000
"""Bytes of the output that are kept."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command to measure. `accepted` are the exit statuses of a correct execution."""

    arguments: Sequence[str | Path]
    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    accepted: Sequence[int] = (0,)
    stdin: Path | None = None

    def __str__(self) -> str:
        return " ".join(map(str, self.arguments))


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU seconds (user and system, with all children that were waited for), elapsed seconds, and peak memory in MiB of
    one process: the largest among the command and its children, and never less than the memory of the benchmark itself.
    `output` has what the command printed."""

    cpu: float
    elapsed: float
    memory: float
    output: str = ""


class TooSlow(Exception):
    """A command took longer than its limit and was stopped."""


class WrongStatus(Exception):
    """A command ended with a status that its benchmark does not accept."""

    def __init__(self, command: Command, status: int, output: str) -> None:
        super().__init__(command, status, output)
        self.command, self.status, self.output = command, status, output


def measure(command: Command, limit: int | None = None) -> Cost:
    """The cost of one execution. Raises `WrongStatus` with the output, and `TooSlow` after `limit` CPU seconds."""
    begun = time.perf_counter()
    with tempfile.TemporaryFile() as printed, (command.stdin or Path(os.devnull)).open("rb") as given:
        process = subprocess.Popen(
            [str(argument) for argument in command.arguments],
            cwd=command.folder,
            env={**os.environ, **command.environment},
            stdin=given,
            stdout=printed,
            stderr=subprocess.STDOUT,
            preexec_fn=partial(_limit_cpu, limit) if limit else None,
        )
        _, status, usage = os.wait4(process.pid, 0)
        elapsed = time.perf_counter() - begun
        printed.seek(0)
        output = printed.read(MAX_OUTPUT).decode(errors="replace")
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode == -signal.SIGXCPU:
        raise TooSlow(command)
    if process.returncode not in command.accepted:
        raise WrongStatus(command, process.returncode, output)
    return Cost(usage.ru_utime + usage.ru_stime, elapsed, usage.ru_maxrss / 1024, output)


def _limit_cpu(seconds: int) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))


@dataclass(frozen=True, slots=True)
class Sample:
    """The costs of several executions of one command, in order."""

    command: Command
    costs: Sequence[Cost]

    def median(self, figure: Callable[[Cost], float]) -> float:
        """The median of a figure."""
        return statistics.median(map(figure, self.costs))

    def least(self, figure: Callable[[Cost], float]) -> float:
        """The minimum of a figure: the execution that other processes disturbed least."""
        return min(map(figure, self.costs))

    def over(self, floor: Sample, figure: Callable[[Cost], float]) -> tuple[float, float]:
        """The ratio to a floor that was measured in turn: the median of the pairs, and the ratio of the minima."""
        pairs = [figure(mine) / max(figure(bare), 0.001) for mine, bare in zip(self.costs, floor.costs, strict=True)]
        return statistics.median(pairs), self.least(figure) / max(floor.least(figure), 0.001)


def cpu(cost: Cost) -> float:
    """CPU seconds."""
    return cost.cpu


def elapsed(cost: Cost) -> float:
    """Elapsed seconds."""
    return cost.elapsed


def memory(cost: Cost) -> float:
    """Peak memory in MiB."""
    return cost.memory


def in_turn(commands: Sequence[Command], times: int) -> list[Sample]:
    """`times` executions of each command, in turn, so that a busy machine slows all alike."""
    rounds = [[measure(command) for command in commands] for _ in range(times)]
    return [Sample(command, [one[at] for one in rounds]) for at, command in enumerate(commands)]
