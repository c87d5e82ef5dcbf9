"""Differences of a failing answer → the requirements of its case that show at a differing place. Pure.

An operation's schema names the places of the answer where a requirement shows. A requirement without a declared place shows
everywhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase

from ..model import Absent, Difference, Json
from .unobservable import reported_paths, steps

_STEP = re.compile(r'\.([A-Za-z_][A-Za-z0-9_]*)|\[(\d+|\*)\]|\[("(?:[^"\\]|\\.)*")\]')
_ANY = "*"


def charged_requirements(
    requirements: Sequence[str], found: Iterable[Difference], places: Mapping[str, Sequence[str]]
) -> tuple[str, ...]:
    """The requirements that show at a place with a difference; all of them if none does.

    `places` maps a requirement, or a glob over requirements, to JSON Pointers (`*` for any element).
    """
    declared = {id_: _pointers(id_, places) for id_ in requirements} if places else {}
    if not any(declared.values()):
        return tuple(requirements)
    parts = list(found)
    shown: dict[str, bool] = {}
    for pointer in {pointer for pointers in declared.values() for pointer in pointers}:
        shown[pointer] = any(_shows(pointer, part) for part in parts)
    charged = tuple(
        id_ for id_ in requirements if not declared[id_] or any(shown[pointer] for pointer in declared[id_])
    )
    return charged or tuple(requirements)


def _pointers(id_: str, places: Mapping[str, Sequence[str]]) -> list[str]:
    return [pointer for name, pointers in places.items() if fnmatchcase(id_, name) for pointer in pointers]


def _shows(pointer: str, part: Difference) -> bool:
    """Whether the difference lies at the place or below it, or in a whole value that has the place."""
    wanted, at = steps(pointer), _path_steps(part.path)
    if any(_ANY not in (one, other) and one != other for one, other in zip(wanted, at, strict=False)):
        return False
    rest = "".join(f"/{step.replace('~', '~0').replace('/', '~1')}" for step in wanted[len(at) :])
    return not rest or any(_has(side, rest) for side in (part.wanted, part.got))


def _has(side: Json | Absent, pointer: str) -> bool:
    return not isinstance(side, Absent) and bool(reported_paths(side, [pointer]))


def _path_steps(path: str) -> list[str]:
    """The steps of a path such as `$.results[2].id`."""
    return [name or index or json.loads(quoted) for name, index, quoted in _STEP.findall(path)]
