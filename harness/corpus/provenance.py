"""Provenance of expected answers: their origins, and the share that something independent of the reference confirms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase

from msgspec import Struct

from ..model import Case

REPOSITORY = "repository"
"""The document of facts that a text leaves to its repository, and the origin of answers that only such facts give."""

_PRINTED = ("spec-example", "spec-fixture")
"""Origins of answers that the text prints or that its data files hold."""


class Derivation(Struct, frozen=True):
    """Answers with a second derivation: the cases of `systems` whose names match no glob of `excepted`."""

    systems: frozenset[str]
    excepted: tuple[str, ...] = ()

    def confirms(self, case: Case) -> bool:
        """Whether the second derivation gives the expected answer of a case."""
        return case.system in self.systems and not any(fnmatchcase(case.name, glob) for glob in self.excepted)


class Provenance(Struct, frozen=True):
    """Origins of the answers of one system.

    `origins` counts cases by origin, without the engine of an oracle. `derived` counts answers that a second derivation
    gives. `independent` counts answers that the text prints, that a checked command computes, or that are derived again from
    the text; a derivation from the facts of a repository repeats an implementation and confirms nothing. Both are None if
    the corpus does not say which answers have a second derivation.
    """

    system: str
    origins: Mapping[str, int]
    derived: int | None
    independent: int | None

    @property
    def cases(self) -> int:
        return sum(self.origins.values())


def provenance(cases: Iterable[Case], derivation: Derivation | None) -> tuple[Provenance, ...]:
    """The provenance of each system, by name."""
    by_system: dict[str, list[Case]] = {}
    for case in cases:
        by_system.setdefault(case.system, []).append(case)
    return tuple(_of(system, by_system[system], derivation) for system in sorted(by_system))


def _of(system: str, cases: list[Case], derivation: Derivation | None) -> Provenance:
    origins = Counter(case.origin.partition(":")[0] for case in cases)
    by_origin = dict(sorted(origins.items()))
    if derivation is None:
        return Provenance(system, by_origin, None, None)
    derived = [derivation.confirms(case) for case in cases]
    independent = sum(
        (also and case.origin != REPOSITORY) or _confirmed(case) for case, also in zip(cases, derived, strict=True)
    )
    return Provenance(system, by_origin, sum(derived), independent)


def _confirmed(case: Case) -> bool:
    """Whether the text prints the answer, or a command computes the whole of it."""
    computed = case.origin.startswith("oracle:") or case.origin == "fuzz"
    return case.origin in _PRINTED or (computed and bool(case.evidence))
