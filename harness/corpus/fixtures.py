"""Fixtures: `{$fixture: notes}` in a request stands for the value of `cases/<system>/fixtures/notes.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from ..compare.canonical import digest
from ..errors import Problem, one_line
from ..model import FIXTURE, Fixture, Json, JsonObject, with_references
from .cited_names import CorpusNames
from .entries import Entry
from .located import Mapping


def read_fixture(name: str, value: Json, shown: str, problems: list[Problem]) -> Fixture:
    """The fixture of a file, with the digest of its canonical form."""
    if value is None:
        remedy = "Write the value that the fixture stands for."
        problems.append(Problem(f"{shown}:1", "empty-file", "The fixture is empty.", remedy))
    for reference in references(value):
        place = f"{shown}:{reference.line}"
        remedy = "Write the value out; only a request can refer to a fixture."
        problems.append(Problem(place, "nested-fixture", "The fixture refers to another fixture.", remedy))
    return Fixture(name, digest(value), value)


def recorded(request: JsonObject, entry: Entry, names: CorpusNames) -> tuple[JsonObject, tuple[Fixture, ...]]:
    """The request as a run record holds it, every reference with the digest of its fixture, and these fixtures."""
    used: dict[str, Fixture] = {}
    for reference in references(request):
        name, place = reference[FIXTURE], f"{entry.shown}:{reference.line}"
        if len(reference) != 1 or not isinstance(name, str) or not name:
            message, remedy = "The fixture reference has other members, or no name.", "Write only `{$fixture: name}`."
            entry.problems.append(Problem(place, "bad-fixture-reference", message, remedy, entry.label))
        elif name in names.fixtures.found:
            used[name] = names.fixtures.found[name]
        elif names.fixtures.lacks(name):
            path = f"cases/{entry.shown.split('/')[1]}/fixtures/{one_line(name, 60)}.yaml"
            message = f"The fixture {one_line(name, 60)} does not exist."
            names.missing.note(entry, place, "unknown-fixture", message, f"Add {path}.")
    if not used:
        return request, ()
    digests: dict[str, Json] = {name: {FIXTURE: name, "digest": fixture.digest} for name, fixture in used.items()}
    return cast("JsonObject", with_references(request, digests)), tuple(used.values())


def references(value: Json) -> Iterator[Mapping]:
    """Every fixture reference in a value of a corpus file."""
    if isinstance(value, list):
        for item in value:
            yield from references(item)
    elif isinstance(value, Mapping):
        if FIXTURE in value:
            yield value
            return
        for item in value.values():
            yield from references(item)
