"""Foundation of a corpus: schemas, requirements, rulings and fixtures, read from their files or the compiled corpus."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from msgspec import Struct, field
from msgspec.msgpack import Decoder

from ..errors import ParityError, Problem
from ..model import Fixture, Json, JsonObject, Operation, Requirement, Ruling, replace
from .checker import check_schemas
from .cited_names import Cited, CorpusNames, MissingReferences, NameTable
from .compiled import CompiledCorpus
from .corpus_files import Stamp, SystemFiles, case_files, read_text, schema_files
from .entries import duplicate_id
from .schemas import SCHEME, Schemas, parse_schema, read_operations
from .traps import FILE, Trap, read_traps

_Item = TypeVar("_Item", Requirement, Ruling)


class Foundation(Struct, frozen=True, dict=True):
    """Everything in a corpus except its cases. `texts` are those of the schemas, by address; `fixtures` and `traps` are by
    system, `cited` the cases that rulings cite as evidence. `text_folders` has for a system the folder of its text in an
    SDK's repository."""

    texts: dict[str, str]
    operations: dict[str, Operation]
    requirements: dict[str, Requirement]
    rulings: dict[str, Ruling]
    fixtures: dict[str, dict[str, Fixture]]
    traps: dict[str, tuple[Trap, ...]]
    cited: tuple[Cited, ...]
    text_folders: dict[str, str] = {}

    @cached_property
    def schemas(self) -> Schemas:
        """The schemas, of which none is broken."""
        return Schemas({address: json.loads(text) for address, text in self.texts.items()}, self.texts)

    def names(self, system: str) -> CorpusNames:
        """What the cases of a system can cite; nothing of it is broken."""
        return CorpusNames(
            operations=NameTable(self.operations),
            requirements=NameTable({name: item for name, item in self.requirements.items() if item.system == system}),
            rulings=NameTable({name: item for name, item in self.rulings.items() if item.system == system}),
            fixtures=NameTable(self.fixtures.get(system, {})),
            missing=MissingReferences(),
            citing=self.citing,
        )

    @cached_property
    def citing(self) -> Mapping[str, list[str]]:
        """The rulings that cite a case as evidence, by the name of the case."""
        found: dict[str, list[str]] = {}
        for ruling in self.rulings.values():
            for name in ruling.evidence:
                found.setdefault(name, []).append(ruling.id)
        return found


_DECODER = Decoder(Foundation)


class Loading(Struct):
    """State of one loading; `stamps` has the state of every file that was read anew."""

    root: Path
    compiled: CompiledCorpus
    problems: list[Problem] = field(default_factory=list)
    stamps: dict[str, Stamp] = field(default_factory=dict)

    def shown(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()

    def text(self, path: Path) -> str | None:
        return read_text(path, self.shown(path), self.problems, self.stamps)

    def yaml(self, path: Path) -> tuple[Json, bool]:
        """The value of a YAML file, and whether it could be read."""
        text = self.text(path)
        if text is None:
            return None, False
        from .strict_yaml import parse_yaml  # an unchanged corpus needs no YAML

        value, problems = parse_yaml(text, self.shown(path))
        self.problems += problems
        return value, value is not None or not problems

    def catalogue(self, system: SystemFiles, name: str) -> tuple[Json, str] | None:
        """The value of a catalogue and the path that problems show; None if it is missing or cannot be read."""
        path = system.catalogues.get(name)
        value, is_readable = self.yaml(path) if path else (None, False)
        return (value, self.shown(path)) if path and is_readable else None


def read_foundation(loading: Loading) -> tuple[Foundation, dict[str, CorpusNames], list[SystemFiles]]:
    """Everything except the cases, what the cases of each system can cite, and the files of each system. Raises
    `ParityError` if the folder is no corpus."""
    for folder in ("cases", "schemas"):
        if not (loading.root / folder).is_dir():
            raise ParityError(
                f"{loading.root}: the folder {folder}/ is missing. Name a folder that has cases/ and schemas/."
            )
    schemas = schema_files(loading.root, loading.problems)
    systems = case_files(loading.root, loading.problems)
    beside = (path for system in systems for path in (*system.catalogues.values(), *system.fixtures.values()))
    files = {loading.shown(path): path for path in (*schemas, *beside)}
    foundation: Foundation | None = loading.compiled.foundation(files, _DECODER)
    if foundation is not None:
        return foundation, {system.name: foundation.names(system.name) for system in systems}, systems
    foundation, names_of = _read(loading, schemas, systems)
    if not loading.problems:
        loading.compiled.add_foundation(foundation, {name: loading.stamps[name] for name in files})
    return foundation, names_of, systems


def _read(loading: Loading, paths: list[Path], systems: list[SystemFiles]) -> tuple[Foundation, dict[str, CorpusNames]]:
    schemas = _schemas(loading, paths)
    operations = read_operations(schemas, loading.problems)
    all_requirements: dict[str, Requirement] = {}
    all_rulings: dict[str, Ruling] = {}
    cited: list[Cited] = []
    traps = {}
    names_of = {}
    text_folders = {}
    for system in systems:
        requirements, text_folders[system.name] = _requirements(system, loading)
        rulings = _rulings(system, requirements, cited, loading)
        traps[system.name] = _traps(system, operations, loading)
        names_of[system.name] = CorpusNames(
            operations, requirements, rulings, fixtures=_fixtures(system, loading), missing=MissingReferences()
        )
        _add(all_requirements, requirements, loading)
        _add(all_rulings, rulings, loading)
    foundation = Foundation(
        texts=schemas.texts,
        operations=operations.found,
        requirements=all_requirements,
        rulings=all_rulings,
        fixtures={system: names.fixtures.found for system, names in names_of.items()},
        traps=traps,
        cited=tuple(cited),
        text_folders={system: folder for system, folder in text_folders.items() if folder},
    )
    return foundation, {system: replace(names, citing=foundation.citing) for system, names in names_of.items()}


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
    schemas = Schemas(values, texts, tuple(unread))
    loading.problems += check_schemas(schemas)
    return schemas


def _requirements(system: SystemFiles, loading: Loading) -> tuple[NameTable[Requirement], str]:
    """The requirements of a system, and the folder of their text."""
    if "requirements" not in system.catalogues:
        message = "The system has no requirements.yaml, so its cases can cite no requirement."
        remedy = "Add the file; docs/writing-cases.md describes it."
        loading.problems.append(Problem(f"cases/{system.name}", "no-requirements-file", message, remedy))
        return NameTable(complete=False), ""
    if (catalogue := loading.catalogue(system, "requirements")) is None:
        return NameTable(complete=False), ""
    from .catalogue import read_requirements, read_text_folder

    requirements = read_requirements(*catalogue, loading.problems)
    return requirements, read_text_folder(*catalogue, loading.problems)


def _rulings(
    system: SystemFiles, requirements: NameTable[Requirement], cited: list[Cited], loading: Loading
) -> NameTable[Ruling]:
    if (catalogue := loading.catalogue(system, "rulings")) is None:
        return NameTable(complete="rulings" not in system.catalogues)
    from .catalogue import read_rulings

    rulings, evidence = read_rulings(*catalogue, requirements, loading.problems)
    cited += evidence
    return rulings


def _traps(system: SystemFiles, operations: NameTable[Operation], loading: Loading) -> tuple[Trap, ...]:
    catalogue = loading.catalogue(system, FILE)
    if catalogue is None or operations.broken:
        return ()
    return read_traps(*catalogue, operations.found, loading.problems)


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
