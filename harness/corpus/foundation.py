"""Foundation of a corpus: schemas, requirements, rulings and fixtures, read from their files or the compiled corpus."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from ..errors import ParityError, Problem
from ..model import Fixture, Json, JsonObject, Operation, Requirement, Ruling
from .compiled import CompiledCorpus
from .compiled_values import Foundation
from .entries import duplicate_id
from .files import Stamp, SystemFiles, case_files, read_text, schema_files
from .names import Cited, CorpusNames, MissingReferences, NameTable
from .schemas import SCHEME, Schemas, parse_schema, read_operations, refers_to_other_system
from .traps import FILE, Trap, read_traps

_Item = TypeVar("_Item", Requirement, Ruling)


@dataclass(slots=True)
class Loading:
    """State of one loading; `texts`, `stamps` and `files` have the text, state and value of every file read so far.
    `foundation_stamps` are the states of the files of a foundation that was read anew."""

    root: Path
    compiled: CompiledCorpus
    problems: list[Problem] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    stamps: dict[str, Stamp] = field(default_factory=dict)
    files: dict[str, Json] = field(default_factory=dict)
    foundation_stamps: dict[str, Stamp] = field(default_factory=dict)
    requirements: dict[str, Requirement] = field(default_factory=dict)
    rulings: dict[str, Ruling] = field(default_factory=dict)
    cited: list[Cited] = field(default_factory=list)

    def shown(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()

    def text(self, path: Path) -> str | None:
        shown = self.shown(path)
        text = read_text(path, shown, self.problems, self.stamps)
        if text is not None:
            self.texts[shown] = text
        return text

    def yaml(self, path: Path) -> tuple[Json, bool]:
        """The value of a YAML file, and whether it could be read."""
        text = self.text(path)
        if text is None:
            return None, False
        from .strict_yaml import parse_yaml  # an unchanged corpus needs no YAML

        value, problems = parse_yaml(text, self.shown(path))
        self.problems += problems
        return value, value is not None or not problems

    def digest(self, names: Iterable[str]) -> str:
        """SHA-256 over the paths and texts of these files; empty if one of them has changed since the loading began."""
        total = hashlib.sha256()
        for name in sorted(names):
            content = self.texts[name].encode() if name in self.texts else self.compiled.content(name)
            if content is None:
                return ""
            total.update(f"{name}\n{len(content)}\n".encode())
            total.update(content)
        return total.hexdigest()


def read_foundation_files(loading: Loading) -> tuple[Foundation, list[SystemFiles], dict[str, Path]]:
    """Everything except the cases, the files of each system, and the files of the foundation. Raises `ParityError` if the
    folder is no corpus."""
    for folder in ("cases", "schemas"):
        if not (loading.root / folder).is_dir():
            raise ParityError(
                f"{loading.root}: the folder {folder}/ is missing. Name a folder that has cases/ and schemas/."
            )
    schemas = schema_files(loading.root, loading.problems)
    systems = case_files(loading.root, loading.problems)
    parts = [*schemas, *(path for one in systems for path in (*one.catalogues.values(), *one.fixtures.values()))]
    files = {loading.shown(path): path for path in parts}
    foundation = loading.compiled.foundation(files)
    if foundation is None or foundation.known.keys() != {system.name for system in systems}:
        foundation = _read(loading, schemas, systems)
        loading.foundation_stamps = {name: loading.stamps[name] for name in files if name in loading.stamps}
        if loading.problems or refers_to_other_system(foundation.schemas):
            loading.compiled.drop()
    return foundation, systems, files


def _read(loading: Loading, paths: list[Path], systems: list[SystemFiles]) -> Foundation:
    schemas = _schemas(loading, paths)
    operations = read_operations(schemas, loading.problems)
    known = {}
    for system in systems:
        requirements = _requirements(system, loading)
        known[system.name] = CorpusNames(
            operations=operations,
            requirements=requirements,
            rulings=_rulings(system, requirements, loading),
            fixtures=_fixtures(system, loading),
            missing=MissingReferences(),
            traps=_traps(system, operations, loading),
        )
        _add(loading.requirements, requirements, loading)
        _add(loading.rulings, known[system.name].rulings, loading)
    return Foundation(schemas, operations.found, loading.requirements, loading.rulings, known, tuple(loading.cited))


def _schemas(loading: Loading, paths: Iterable[Path]) -> Schemas:
    values: dict[str, JsonObject] = {}
    texts: dict[str, str] = {}
    unread: list[str] = []
    for path in paths:
        address = f"{SCHEME}{path.parent.name}/{path.name}"
        text = loading.text(path)
        value = parse_schema(text, loading.shown(path), loading.problems) if text is not None else None
        if text is None or value is None:
            unread.append(address)
        else:
            values[address], texts[address] = value, text
    return Schemas(values, texts, tuple(unread))


def _requirements(system: SystemFiles, loading: Loading) -> NameTable[Requirement]:
    path = system.catalogues.get("requirements")
    if path is None:
        message = "The system has no requirements.yaml, so its cases can cite no requirement."
        remedy = "Add the file; docs/writing-cases.md describes it."
        loading.problems.append(Problem(f"cases/{system.name}", "no-requirements-file", message, remedy))
        return NameTable(complete=False)
    value, is_readable = loading.yaml(path)
    if not is_readable:
        return NameTable(complete=False)
    from .catalogue import read_requirements

    return read_requirements(value, loading.shown(path), loading.problems)


def _rulings(system: SystemFiles, requirements: NameTable[Requirement], loading: Loading) -> NameTable[Ruling]:
    path = system.catalogues.get("rulings")
    if path is None:
        return NameTable()
    value, is_readable = loading.yaml(path)
    if not is_readable:
        return NameTable(complete=False)
    from .catalogue import read_rulings

    rulings, cited = read_rulings(value, loading.shown(path), requirements, loading.problems)
    loading.cited += cited
    return rulings


def _traps(system: SystemFiles, operations: NameTable[Operation], loading: Loading) -> tuple[Trap, ...]:
    path = system.catalogues.get(FILE)
    value, is_readable = loading.yaml(path) if path else (None, False)
    if path is None or not is_readable or operations.broken:
        return ()
    return read_traps(value, loading.shown(path), operations.found, loading.problems)


def _fixtures(system: SystemFiles, loading: Loading) -> NameTable[Fixture]:
    from .fixtures import read_fixture

    fixtures: NameTable[Fixture] = NameTable()
    for name, path in system.fixtures.items():
        value, is_readable = loading.yaml(path)
        if is_readable:
            fixtures.found[name] = read_fixture(name, value, loading.shown(path), loading.problems)
        else:
            fixtures.broken.add(name)
    return fixtures


def _add(all_systems: dict[str, _Item], named: NameTable[_Item], loading: Loading) -> None:
    """Adds the items of one system to those of all systems. Ids are unique across systems."""
    for name, item in named.found.items():
        if name in all_systems:
            loading.problems.append(Problem(item.at, *duplicate_id(name, all_systems[name].at)))
        else:
            all_systems[name] = item
