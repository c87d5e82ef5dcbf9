"""Names that the cases of a system can cite: operations, requirements, rulings, fixtures, evidence."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Generic, TypeVar

from msgspec import Struct, field

from ..errors import Problem, plural
from ..model import Fixture, Operation, Requirement, Ruling
from .entries import Entry

_Thing = TypeVar("_Thing")


class NameTable(Struct, Generic[_Thing]):
    """All items of one kind by name: `found` holds the readable items, `broken` the names of unreadable ones.

    `complete` is false if the name of some item could not be read.
    """

    found: dict[str, _Thing] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    complete: bool = True

    def lacks(self, name: str) -> bool:
        """Whether the name certainly does not exist, so that a citation of it is a mistake of its own."""
        return self.complete and name not in self.found and name not in self.broken


class CorpusNames(Struct, frozen=True):
    """Operations of all systems; requirements, rulings and fixtures of one system. `missing` collects dead citations;
    `citing` has the rulings that cite a case as evidence, by its name."""

    operations: NameTable[Operation]
    requirements: NameTable[Requirement]
    rulings: NameTable[Ruling]
    fixtures: NameTable[Fixture]
    missing: MissingReferences
    citing: Mapping[str, Sequence[str]] = field(default_factory=dict)


class MissingReferences:
    """Collector of cited names that do not exist: one problem a name, however often it is cited."""

    def __init__(self) -> None:
        self._cited: dict[tuple[str, str, str], list[tuple[str, str]]] = {}

    def note(self, entry: Entry, place: str, code: str, message: str, remedy: str) -> None:
        """Adds one citation of a missing name by `entry`; `message` names it."""
        self._cited.setdefault((code, message, remedy), []).append((place, entry.label))

    @property
    def is_empty(self) -> bool:
        """Whether every cited name exists so far."""
        return not self._cited

    def problems(self) -> list[Problem]:
        """One problem for each missing name."""
        return [self._problem(*kind, cited) for kind, cited in self._cited.items()]

    @staticmethod
    def _problem(code: str, message: str, remedy: str, cited: Sequence[tuple[str, str]]) -> Problem:
        (place, label), others = cited[0], {place for place, _ in cited} - {cited[0][0]}
        more = f" {plural(len(others), 'more place')} {'cites' if len(others) == 1 else 'cite'} it." if others else ""
        return Problem(place, code, f"{message}{more}", remedy, label)


class Cited(Struct, frozen=True):
    """A case that a ruling cites as evidence, and the place of the citation."""

    place: str
    ruling: str
    case: str


def missing_evidence(cited: Sequence[Cited], names: Collection[str], problems: Sequence[Problem]) -> list[Problem]:
    """A problem for every case that is cited as evidence and does not exist.

    Cases of a file with problems of its own are skipped, because the file may contain them.
    """
    broken = {problem.place.rpartition(":")[0] or problem.place for problem in problems}
    broken |= {problem.place for problem in problems}
    found = []
    for citation in cited:
        suite = citation.case.rpartition("/")[0]
        if citation.case not in names and f"cases/{suite}.yaml" not in broken:
            message = f"{citation.ruling} cites the case {citation.case}, which does not exist."
            remedy = "Correct the name (`parity cases` lists them), restore the case, or remove the citation."
            found.append(Problem(citation.place, "unknown-case", message, remedy))
    return found
