"""Asks the cases about each mutant of the SDK, in a fresh process of the adapter."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import closing
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from harness.compare.run_diff import differs
from harness.model import (
    PASSING,
    Errored,
    NotOffered,
    Result,
    StartFailure,
    Unsupported,
)
from tools.mutation.campaign import Fate, Judged
from tools.mutation.mutants import Mutant, by_operators
from tools.mutation.operators import Change, changes

from .baseline import Baseline, Function, Subject

RANKED = (Fate.SURVIVED, Fate.GATE, Fate.VARIANT, Fate.KILLED, Fate.BROKEN)
"""The fates from the weakest notice to the strongest."""


@dataclass(frozen=True, slots=True)
class Mistakes:
    """What the operators change in functions: `total` changes, and by module those of lines that are executed."""

    total: int
    executed: Sequence[tuple[str, Change]]


def mistakes(subject: Subject, baseline: Baseline, functions: Collection[Function], jobs: int) -> Mistakes:
    """Every change that an operator makes in these functions, in their order, but those of `__all__`."""
    modules = [*dict.fromkeys(function.module for function in functions)]
    with ProcessPoolExecutor(jobs, get_context("fork")) as pool:
        made = zip(modules, pool.map(_changes, [subject.root / module for module in modules]), strict=True)
        found = [
            (module, change)
            for module, of_module in made
            for change in of_module
            if baseline.function(module, change.scope) in functions and change.scope != "__all__"
        ]
    executed = [
        (module, change)
        for module, change in found
        if baseline.function(module, change.scope).executed  # its header is executed at the start
        and baseline.modules[module].reaching(change.place.start.line, change.place.end.line) != frozenset()
    ]
    return Mistakes(len(found), executed)


def _changes(path: Path) -> list[Change]:
    return [*changes(path.read_text("utf-8"))]


def drawn(subject: Subject, executed: Sequence[tuple[str, Change]], most: int, seed: int) -> list[Mutant]:
    """The mutants of these changes, or of a sample of at most so many; a change without an effect gives none."""
    shuffled = Random(seed).sample(executed, len(executed))
    found: list[Mutant] = []
    while shuffled and (not most or len(found) < most):
        count = most - len(found) if most else len(shuffled)
        taken, shuffled = shuffled[:count], shuffled[count:]
        by_module: dict[str, list[Change]] = {}
        for module, change in taken:
            by_module.setdefault(module, []).append(change)
        for module, chosen in by_module.items():
            found += by_operators(subject.root, subject.root / module, chosen)
    return found


def campaign(subject: Subject, baseline: Baseline, chosen: Sequence[Mutant], jobs: int) -> Iterator[Judged]:
    """Judges the mutants, `jobs` at a time, as they end."""
    _global[:] = [(subject, baseline)]
    with ProcessPoolExecutor(jobs, get_context("fork")) as pool:
        for done in as_completed([pool.submit(_judged, mutant) for mutant in chosen]):
            yield done.result()


_global: list[tuple[Subject, Baseline]] = []
"""What the forked processes share."""


def _judged(mutant: Mutant) -> Judged:
    [(subject, baseline)] = _global
    numbers = _to_ask(mutant, baseline)
    noticed: dict[Fate, list[tuple[int, Result]]] = {}
    by_name = {baseline.cases[number].name: number for number in numbers}
    with TemporaryDirectory() as folder:
        text = Path(folder, "module.py")
        text.write_text(mutant.source, "utf-8")
        words = ("change", str(subject.root / mutant.module), str(text))
        results = subject.results([baseline.cases[number] for number in numbers], *words)
        with closing(results):
            for result in results:
                number = by_name[result.case.name]
                fate = _fate(baseline.results[number], result, is_passing=number in baseline.passing)
                noticed.setdefault(fate, []).append((number, result))
                if Fate.KILLED in noticed or Fate.BROKEN in noticed:
                    break
    fate = max(noticed, key=RANKED.index, default=Fate.SURVIVED)
    failing = () if fate is Fate.SURVIVED else tuple(number for number, _ in noticed[fate])
    return Judged(mutant, fate, len(numbers), failing)


def _to_ask(mutant: Mutant, baseline: Baseline) -> list[int]:
    """The cases that execute a changed statement, by index, in the order of asking; if a start executes it, all cases, those
    of the module first."""
    module = baseline.modules[mutant.module]
    reaching = module.reaching(mutant.first, mutant.last)
    if reaching is not None:
        return [number for number in baseline.order if number in reaching]
    return sorted(baseline.order, key=lambda number: number not in module.cases)


def _fate(before: Result, after: Result, *, is_passing: bool) -> Fate:
    """What one case shows of a mutant: its results without and with the change. `is_passing`: without it the case passes, or
    is a variant."""
    match after.outcome:
        case Unsupported(NotOffered()) | Errored(StartFailure()):
            return Fate.BROKEN
    if not differs(before, after):
        return Fate.SURVIVED
    if not is_passing:
        return Fate.GATE
    return Fate.VARIANT if after.verdict in PASSING else Fate.KILLED
