"""Corpus loader: a folder → a `Corpus`, or every problem found in it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from ..compare.canonical import canonical_text, compact
from ..errors import CorpusError, ParityError, Problem
from ..model import Answered, Case, Fixture, Json, JsonObject, Operation, Requirement, Ruling
from .cases import read_case_file
from .catalogue import read_requirements, read_rulings
from .entries import duplicate_id
from .files import SystemFiles, case_files, read_text, schema_files
from .fixtures import read_fixture
from .names import Cited, CorpusNames, MissingReferences, NameTable, missing_evidence
from .schemas import SCHEME, Schemas, parse_schema, read_operations
from .strict_yaml import parse_yaml

_Item = TypeVar("_Item", Requirement, Ruling)


@dataclass(frozen=True, slots=True)
class Corpus:
    """A whole corpus, read and linked. `root` has the folders `cases` and `schemas`.

    `files` holds the raw value of each case file by the path that problems show; `missing_evidence_problems` has a
    problem for each case that a ruling cites and that does not exist.
    """

    root: Path
    cases: tuple[Case, ...]
    operations: Mapping[str, Operation]
    requirements: Mapping[str, Requirement]
    rulings: Mapping[str, Ruling]
    schemas: Schemas
    files: Mapping[str, Json]
    digest: str
    missing_evidence_problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class OpenCorpus:
    """A corpus whose case files are read one by one. Schemas, requirements, rulings and fixtures are read and correct."""

    root: Path
    operations: Mapping[str, Operation]
    requirements: Mapping[str, Requirement]
    rulings: Mapping[str, Ruling]
    schemas: Schemas
    known: Mapping[str, CorpusNames]

    def read(self, path: Path) -> tuple[tuple[Case, ...], Json]:
        """The cases of the file at `path`, and its raw value. Raises `CorpusError` with every problem of the file."""
        loading = _Loading(self.root)
        place = path.relative_to(self.root / "cases")
        known = replace(self.known[place.parts[0]], missing=MissingReferences())
        cases = _suite(place.with_suffix("").as_posix(), path, known, loading)
        problems = loading.problems + known.missing.problems()
        if problems:
            raise CorpusError(_sorted(problems), loading.shown(path))
        return tuple(_with_citations(cases, self.rulings)), loading.files[loading.shown(path)]


@dataclass(slots=True)
class _Loading:
    """State of one loading; `texts` has the text of every file read so far."""

    root: Path
    problems: list[Problem] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    files: dict[str, Json] = field(default_factory=dict)
    cases: list[Case] = field(default_factory=list)
    known: dict[str, CorpusNames] = field(default_factory=dict)
    requirements: dict[str, Requirement] = field(default_factory=dict)
    rulings: dict[str, Ruling] = field(default_factory=dict)
    cited: list[Cited] = field(default_factory=list)

    def shown(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()

    def text(self, path: Path) -> str | None:
        text = read_text(path, self.shown(path), self.problems)
        if text is not None:
            self.texts[self.shown(path)] = text
        return text

    def yaml(self, path: Path) -> tuple[Json, bool]:
        """The value of a YAML file, and whether it could be read."""
        text = self.text(path)
        if text is None:
            return None, False
        value, problems = parse_yaml(text, self.shown(path))
        self.problems += problems
        return value, value is not None or not problems

    def digest(self) -> str:
        """SHA-256 over the paths and texts of all files."""
        total = hashlib.sha256()
        for shown, text in sorted(self.texts.items()):
            content = text.encode()
            total.update(f"{shown}\n{len(content)}\n".encode())
            total.update(content)
        return total.hexdigest()


def load_corpus(root: Path) -> Corpus:
    """Reads the corpus below `root`. Raises `CorpusError` with every problem except breaches of the schemas."""
    corpus = load_with_gaps(root)
    if corpus.missing_evidence_problems:
        raise CorpusError(corpus.missing_evidence_problems)
    return corpus


def load_with_gaps(root: Path) -> Corpus:
    """Like `load_corpus`, but a ruling may cite a missing case, so that the caller can report the other effects too.

    `harness.corpus.checker` checks requests and answers against their schemas; each verb that runs cases calls it.
    """
    loading = _Loading(root)
    schemas, operations, systems = _foundations(loading)
    for system in systems:
        _read_suites(system, loading.known[system.name], loading)
    missing_evidence_problems = missing_evidence(
        loading.cited, {case.name: case for case in loading.cases}, loading.problems
    )
    if loading.problems:
        raise CorpusError(_sorted([*loading.problems, *missing_evidence_problems]))
    return Corpus(
        root=root,
        cases=tuple(_with_citations(loading.cases, loading.rulings)),
        operations=operations.found,
        requirements=loading.requirements,
        rulings=loading.rulings,
        schemas=schemas,
        files=loading.files,
        digest=loading.digest(),
        missing_evidence_problems=tuple(_sorted(missing_evidence_problems)),
    )


def open_corpus(root: Path) -> OpenCorpus:
    """Reads the schemas, requirements, rulings and fixtures below `root`. Raises `CorpusError`.

    Only `load_corpus` checks that the cases cited as evidence exist.
    """
    loading = _Loading(root)
    schemas, operations, _ = _foundations(loading)
    if loading.problems:
        raise CorpusError(_sorted(loading.problems))
    return OpenCorpus(root, operations.found, loading.requirements, loading.rulings, schemas, loading.known)


def _foundations(loading: _Loading) -> tuple[Schemas, NameTable[Operation], list[SystemFiles]]:
    """Reads everything except the case files."""
    for folder in ("cases", "schemas"):
        if not (loading.root / folder).is_dir():
            raise ParityError(
                f"{loading.root}: the folder {folder}/ is missing. Name a folder that has cases/ and schemas/."
            )
    schemas = _schemas(loading)
    operations = read_operations(schemas, loading.problems)
    systems = case_files(loading.root, loading.problems)
    for system in systems:
        loading.known[system.name] = _known(system, operations, loading)
    return schemas, operations, systems


def _with_citations(cases: Sequence[Case], rulings: Mapping[str, Ruling]) -> Iterator[Case]:
    """Yields each case with its canonical texts and with the other rulings that cite it as evidence."""
    citing: dict[str, list[str]] = {}
    for ruling in rulings.values():
        for name in ruling.evidence:
            citing.setdefault(name, []).append(ruling.id)
    for case in cases:
        rest = tuple(id_ for id_ in citing.get(case.name, ()) if id_ != case.ruling)
        answer = case.expected.value if isinstance(case.expected, Answered) else None
        yield replace(
            case,
            cited_by_rulings=rest,
            request_text=compact(case.request),
            expected_text="" if answer is None else canonical_text(answer),
        )


def _schemas(loading: _Loading) -> Schemas:
    values: dict[str, JsonObject] = {}
    texts: dict[str, str] = {}
    unread: list[str] = []
    for path in schema_files(loading.root, loading.problems):
        address = f"{SCHEME}{path.parent.name}/{path.name}"
        text = loading.text(path)
        value = parse_schema(text, loading.shown(path), loading.problems) if text is not None else None
        if text is None or value is None:
            unread.append(address)
        else:
            values[address], texts[address] = value, text
    return Schemas(values, texts, unread)


def _known(system: SystemFiles, operations: NameTable[Operation], loading: _Loading) -> CorpusNames:
    """The names that the cases of one system can cite; adds its requirements and rulings to `loading`."""
    requirements = _requirements(system, loading)
    known = CorpusNames(
        operations=operations,
        requirements=requirements,
        rulings=_rulings(system, requirements, loading),
        fixtures=_fixtures(system, loading),
        missing=MissingReferences(),
    )
    _add(loading.requirements, requirements, loading)
    _add(loading.rulings, known.rulings, loading)
    return known


def _read_suites(system: SystemFiles, known: CorpusNames, loading: _Loading) -> None:
    for suite, path in system.suites.items():
        loading.cases += _suite(suite, path, known, loading)
    loading.problems += known.missing.problems()


def _requirements(system: SystemFiles, loading: _Loading) -> NameTable[Requirement]:
    path = system.catalogues.get("requirements")
    if path is None:
        message = "The system has no requirements.yaml, so its cases can cite no requirement."
        remedy = "Add the file; docs/writing-cases.md describes it."
        loading.problems.append(Problem(f"cases/{system.name}", "no-requirements-file", message, remedy))
        return NameTable(complete=False)
    value, is_readable = loading.yaml(path)
    if not is_readable:
        return NameTable(complete=False)
    return read_requirements(value, loading.shown(path), loading.problems)


def _rulings(system: SystemFiles, requirements: NameTable[Requirement], loading: _Loading) -> NameTable[Ruling]:
    path = system.catalogues.get("rulings")
    if path is None:
        return NameTable()
    value, is_readable = loading.yaml(path)
    if not is_readable:
        return NameTable(complete=False)
    rulings, cited = read_rulings(value, loading.shown(path), requirements, loading.problems)
    loading.cited += cited
    return rulings


def _fixtures(system: SystemFiles, loading: _Loading) -> NameTable[Fixture]:
    fixtures: NameTable[Fixture] = NameTable()
    for name, path in system.fixtures.items():
        value, is_readable = loading.yaml(path)
        if is_readable:
            fixtures.found[name] = read_fixture(name, value, loading.shown(path), loading.problems)
        else:
            fixtures.broken.add(name)
    return fixtures


def _suite(suite: str, path: Path, known: CorpusNames, loading: _Loading) -> list[Case]:
    """The cases of a file. A line with a YAML problem gets no second problem."""
    before = len(loading.problems)
    value, is_readable = loading.yaml(path)
    yaml_places = {problem.place for problem in loading.problems[before:]}
    if not is_readable:
        return []
    found: list[Problem] = []
    try:
        cases = read_case_file(value, loading.shown(path), suite, known, found)
    except RecursionError:  # each value is within the limit, but fixtures and columns add levels
        cases = []
        message = "The cases of the file nest too deeply."
        found.append(Problem(loading.shown(path), "too-deep", message, "Flatten them."))
    loading.problems += [problem for problem in found if problem.place not in yaml_places]
    loading.files[loading.shown(path)] = value
    return cases


def _add(all_systems: dict[str, _Item], named: NameTable[_Item], loading: _Loading) -> None:
    """Adds the items of one system to those of all systems. Ids are unique across systems."""
    for name, item in named.found.items():
        if name in all_systems:
            loading.problems.append(Problem(item.at, *duplicate_id(name, all_systems[name].at)))
        else:
            all_systems[name] = item


def _sorted(problems: Sequence[Problem]) -> list[Problem]:
    """The problems, sorted by file and line."""

    def key(problem: Problem) -> tuple[str, int]:
        file, _, line = problem.place.rpartition(":")
        return (file, int(line)) if line.isdecimal() else (problem.place, 0)

    return sorted(problems, key=key)
