"""A failing answer → the requirements that it breaks, or candidates for them. Pure.

A cause names the requirements that it breaks. Without a known cause, the requirements of the case that show at a differing
place are candidates. An operation's schema names the places of the answer where a requirement shows; a requirement without
a declared place shows everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from msgspec import Struct, field

from ..base.json_path import ANY, Step, overlaps, path_steps, pointer_steps, pointer_text
from ..model import ABSENT, Absent, Choice, Difference, Errored, Failed, Json, Operation, Result, Ruling, replace
from .causes import refuted_parts
from .edits import ByPosition, Changed, Edit, Missing, Reordered, Unexpected
from .unobservable import reported_paths


class KnownCauses(Struct, frozen=True):
    """What is known of the failures of one implementation: the `requirements` that each cause breaks, by the name of the
    cause, and the answers that are `listed` with their cause, by case and signature. `elsewhere` gives those of the causes
    that other implementations are known for; it is called for a cause that `requirements` lacks."""

    rulings: Mapping[str, Ruling]
    requirements: Mapping[str, Sequence[str]] = field(default_factory=dict)
    listed: Mapping[tuple[str, str], str] = field(default_factory=dict)
    elsewhere: Callable[[], Mapping[str, Sequence[str]]] = dict

    def settled(self, result: Result) -> Result:
        """The result; a failure with its listed cause if it has no other, and with the requirements that its causes name.

        Of the requirements of a cause those count that the case cites, first those that show at a differing place. If it
        cites none of several, they are candidates.
        """
        outcome = result.outcome
        if not isinstance(outcome, Failed | Errored):
            return result
        if not outcome.explained_by and (name := self.listed.get((result.case.name, outcome.signature))):
            outcome = replace(outcome, explained_by=Choice(listed=name), undecided=None)
        causes = refuted_parts(outcome.explained_by, self.rulings)
        named = [self.requirements.get(cause) or self.elsewhere().get(cause, ()) for cause in causes]
        cited = result.case.demands
        broken = [_among(ids, outcome.charged) or _among(ids, cited) or ids for ids in named if ids]
        if broken:
            is_sure = all(len(ids) == 1 or ids[0] in cited for ids in broken)
            charged = tuple(dict.fromkeys(id_ for ids in broken for id_ in ids))
            outcome = replace(outcome, charged=charged, by_cause=is_sure)
        return replace(result, outcome=outcome)


def _among(requirements: Sequence[str], chosen: Collection[str]) -> Sequence[str]:
    return [id_ for id_ in requirements if id_ in chosen]


def charged_requirements(
    requirements: Sequence[str],
    found: Sequence[Difference],
    operation: Operation,
    aligned: Callable[[], Iterable[Edit]] = tuple,
) -> tuple[str, ...]:
    """The candidates: the requirements that show at a place with a difference; all of them if none does. An answer that
    refuses the request breaks those that accept it, and says nothing about others.

    The places of the operation are JSON Pointers (`*` for any element). `aligned` gives the edits of the same differences:
    one element too many in a list moves all behind it, and these do not count.
    """
    if accepting := [id_ for id_ in requirements if _is_refused(_pointers(id_, operation.acceptance), found)]:
        return tuple(accepting)
    declared = {id_: _pointers(id_, operation.places) for id_ in requirements} if operation.places else {}
    if not any(declared.values()):
        return tuple(requirements)
    pointers = {pointer for places_of in declared.values() for pointer in places_of}
    shown = _shown(pointers, found)
    if len(shown) > 1 and any(isinstance(step, int) for part in found for step in path_steps(part.path)):
        shown = _shown(shown, _aligned_parts(found, aligned())) or shown
    charged = tuple(id_ for id_ in requirements if not declared[id_] or not shown.isdisjoint(declared[id_]))
    return charged or tuple(requirements)


def _is_refused(pointers: Sequence[str], found: Sequence[Difference]) -> bool:
    """Whether one of the places is null, false or missing in the answer, against the expected one."""
    refused = [path_steps(part.path) for part in found if _is_nothing(part.got) and not _is_nothing(part.wanted)]
    return any(overlaps(pointer_steps(pointer), at) for pointer in pointers for at in refused)


def _is_nothing(side: Json | Absent) -> bool:
    return side is None or side is False or isinstance(side, Absent)


def _shown(pointers: Iterable[str], parts: Sequence[Difference]) -> set[str]:
    places = [(path_steps(part.path), part) for part in parts]
    return {pointer for pointer in pointers if any(_shows(pointer_steps(pointer), at, part) for at, part in places)}


def _aligned_parts(found: Sequence[Difference], aligned: Iterable[Edit]) -> list[Difference]:
    """The edits as differences. A list out of order keeps its differences by position."""
    parts, by_position = [], set()
    for edit in aligned:
        match edit:
            case Changed(path, wanted, got):
                parts.append(Difference(path, wanted, got))
            case Missing(path, index, value):
                parts.append(Difference(f"{path}[{ANY if index is None else index}]", value, ABSENT))
            case Unexpected(path, index, value):
                parts.append(Difference(f"{path}[{ANY if index is None else index}]", ABSENT, value))
            case Reordered(path) | ByPosition(path):
                by_position.add(path)
    return [*parts, *(part for part in found if by_position and not by_position.isdisjoint(_lists_above(part.path)))]


def _lists_above(path: str) -> Iterator[str]:
    """The paths of the lists that hold a place."""
    return (path[: step.start()] for step in re.finditer(r"\[", path))


def _pointers(id_: str, places: Mapping[str, Sequence[str]]) -> list[str]:
    return [pointer for name, pointers in places.items() if fnmatchcase(id_, name) for pointer in pointers]


def _shows(wanted: Sequence[str], at: Sequence[Step], part: Difference) -> bool:
    """Whether the difference `at` these steps lies at the place or below it, or in a whole value that has the place."""
    if not overlaps(wanted, at):
        return False
    rest = pointer_text(wanted[len(at) :])
    return not rest or any(_has(side, rest) for side in (part.wanted, part.got))


def _has(side: Json | Absent, pointer: str) -> bool:
    return not isinstance(side, Absent) and bool(reported_paths(side, [pointer]))
