"""Judged mutants → the mutation score by system, the proven requirements, and what a person has to look at. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from .campaign import Fate, Judged
from .mutants import Kind

THIN = 1
"""Failing cases up to which a kill is thin."""


@dataclass(frozen=True, slots=True)
class Score:
    """The mutants of one system, or of one kind, by fate. `equivalent` are survivors with a written reason; `thin` are
    the killed ones with one failing case."""

    killed: int = 0
    thin: int = 0
    variant: int = 0
    survived: int = 0
    equivalent: int = 0
    broken: int = 0

    @property
    def share(self) -> float:
        """The killed mutants among those that can be killed, from 0 to 1. Broken and equivalent ones do not count."""
        total = self.killed + self.variant + self.survived
        return self.killed / total if total else 1.0


def reasons(path: Path) -> Mapping[str, str]:
    """Why mutants are equivalent, by the name of the mutant. An entry has the names of several mutants of one function and
    operator: all their ordinals stand at its end. Raises `ValueError` for a name that stands twice."""
    found: dict[str, str] = {}
    for entry in yaml.safe_load(path.read_text(encoding="utf-8")) or ():
        for name in (name for mutants in entry["mutants"] for name in _names(mutants)):
            if name in found:
                raise ValueError(f"{path.name}: {name}: the mutant stands twice. Keep one of the reasons.")
            found[name] = entry["reason"]
    return found


def _names(mutants: str) -> list[str]:
    """`module function operator 1 3` → the names of both mutants."""
    module, function, operator, *ordinals = mutants.split()
    name = f"{module} {function} {operator}"
    return [f"{name} {ordinal}" for ordinal in ordinals] or [name]


def _is_equivalent(one: Judged, equivalent: Mapping[str, str]) -> bool:
    return one.fate is Fate.SURVIVED and one.mutant.name in equivalent


def group_of(judged: Judged) -> str:
    """The system of the mutant's module, or the part that systems share; the kind of another mutant."""
    if judged.mutant.kind is not Kind.OPERATOR:
        return f"{judged.mutant.kind}s"
    _, folder, *inside = judged.mutant.module.split("/")
    return inside[0] if folder == "wire" and len(inside) > 1 else folder


def scores(found: Iterable[Judged], equivalent: Mapping[str, str]) -> Mapping[str, Score]:
    """The score of each group of mutants, sorted by name."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one in found:
        of_group = counts[group_of(one)]
        of_group["equivalent" if _is_equivalent(one, equivalent) else one.fate.value] += 1
        of_group["thin"] += one.fate is Fate.KILLED and len(one.failing) <= THIN and not one.is_stopped
    return {group: Score(**counts[group]) for group in sorted(counts)}


def proven(found: Iterable[Judged]) -> frozenset[str]:
    """The requirements that a mutant breaks by a wrong answer, while other cases that reach the same line pass.

    A mutant that raises, or that fails every case, shows nothing about a single requirement.
    """
    return frozenset(id_ for one in found if one.is_specific for id_ in one.charged)


def unexplained(found: Iterable[Judged], equivalent: Mapping[str, str]) -> list[Judged]:
    """The survivors without a reason. For a mutant that is another reading, the ruling has the reason."""
    survivors = (one for one in found if one.fate is Fate.SURVIVED and not _is_equivalent(one, equivalent))
    return sorted(survivors, key=_place)


def thin(found: Iterable[Judged]) -> list[Judged]:
    """The mutants that only one case fails."""
    killed = (one for one in found if one.fate is Fate.KILLED and not one.is_stopped)
    return sorted((one for one in killed if len(one.failing) <= THIN), key=_place)


def stale(found: Iterable[Judged], equivalent: Mapping[str, str], modules: Iterable[str]) -> Mapping[str, Fate | None]:
    """The reasons whose mutant has another fate, or that no longer exists, with its fate. `modules` were mutated whole."""
    fates = {one.mutant.name: one.fate for one in found}
    beginnings = tuple(f"{module} " for module in modules)
    return {
        name: fates.get(name)
        for name in equivalent
        if name.startswith(beginnings) and fates.get(name) is not Fate.SURVIVED
    }


def _place(one: Judged) -> tuple[str, int, str]:
    return one.mutant.module, one.mutant.first, one.mutant.name
