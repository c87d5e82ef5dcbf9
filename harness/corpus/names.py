"""What the rest of a corpus says, against which the cases of one system are read."""

from __future__ import annotations

from collections.abc import Mapping as MappingType
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from harness.corpus.entries import Entry
from harness.errors import Problem
from harness.model import Fixture, Operation, Requirement, Ruling

_Thing = TypeVar("_Thing")


@dataclass(slots=True)
class NameTable(Generic[_Thing]):
    """All things of one kind by name: those that could be read, and the names of those that are there but broken.

    It is not `complete` where something is there whose name could not be read.
    """

    found: dict[str, _Thing] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    complete: bool = True

    def lacks(self, name: str) -> bool:
        """Whether it is certain that nothing has this name, so that citing it is a mistake of its own."""
        return self.complete and name not in self.found and name not in self.broken


@dataclass(frozen=True, slots=True)
class CorpusNames:
    """The operations of all systems; the requirements, rulings and fixtures of the one system whose cases are read.

    `missing` collects what is cited and not there.
    """

    operations: NameTable[Operation]
    requirements: NameTable[Requirement]
    rulings: NameTable[Ruling]
    fixtures: NameTable[Fixture]
    missing: Missing


class Missing:
    """What is cited and not there: one problem a name, however often it is cited."""

    def __init__(self) -> None:
        self._cited: dict[tuple[str, str], list[tuple[str, str]]] = {}

    def note(self, entry: Entry, place: str, message: str, remedy: str) -> None:
        """Notes that `entry` cites something that is not there; the message tells what."""
        self._cited.setdefault((message, remedy), []).append((place, entry.label))

    def problems(self) -> list[Problem]:
        """One for each name."""
        return [self._problem(message, remedy, cited) for (message, remedy), cited in self._cited.items()]

    @staticmethod
    def _problem(message: str, remedy: str, cited: Sequence[tuple[str, str]]) -> Problem:
        (place, label), others = cited[0], {place for place, _ in cited} - {cited[0][0]}
        many = f" {len(others)} more place{'s cite' if len(others) > 1 else ' cites'} it." if others else ""
        return Problem(place, f"{message}{many}", remedy, label)


@dataclass(frozen=True, slots=True)
class Cited:
    """A case that a ruling cites as evidence, and the place where it does."""

    place: str
    ruling: str
    case: str


def missing_evidence(
    cited: Sequence[Cited], names: MappingType[str, object], problems: Sequence[Problem]
) -> list[Problem]:
    """Every case cited as evidence that the corpus does not have.

    A case of a file that has problems of its own may be there for all we know, and is passed over.
    """
    broken = {problem.place.rpartition(":")[0] or problem.place for problem in problems}
    broken |= {problem.place for problem in problems}
    found = []
    for one in cited:
        suite = one.case.rpartition("/")[0]
        if one.case not in names and f"cases/{suite}.yaml" not in broken:
            message = f"{one.ruling} cites the case {one.case}, which does not exist."
            remedy = (
                "Correct the name (`parity cases` lists them), or bring the case back; strike it here if it is gone."
            )
            found.append(Problem(one.place, message, remedy))
    return found
