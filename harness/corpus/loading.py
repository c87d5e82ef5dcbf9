"""A folder → a `Corpus`, or every problem found in it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from harness.corpus.cases import Known, read_case_file, read_fixture
from harness.corpus.catalogue import check_evidence, read_requirements, read_rulings
from harness.corpus.schemas import operations as read_operations
from harness.corpus.schemas import read_schemas
from harness.corpus.strict_yaml import read_yaml
from harness.errors import CorpusError, ParityError, Problem
from harness.model import Case, Fixture, Json, JsonObject, Operation, Requirement, Ruling

_CATALOGUES = ("requirements.yaml", "rulings.yaml")


@dataclass(frozen=True, slots=True)
class Corpus:
    """All that is known before anything is asked. `root` has the folders `cases` and `schemas`.

    `schemas` are the raw schemas by address, `files` the raw case files by the path that problems show.
    """

    root: Path
    cases: tuple[Case, ...]
    operations: Mapping[str, Operation]
    requirements: Mapping[str, Requirement]
    rulings: Mapping[str, Ruling]
    schemas: Mapping[str, JsonObject]
    files: Mapping[str, Json]
    digest: str


@dataclass(slots=True)
class _Loading:
    root: Path
    problems: list[Problem] = field(default_factory=list)
    files: dict[str, Json] = field(default_factory=dict)

    def read(self, path: Path) -> Json:
        shown = path.relative_to(self.root).as_posix()
        value, problems = read_yaml(path, shown)
        self.problems += problems
        return value

    def shown(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()


def load_corpus(root: Path) -> Corpus:
    """Reads the corpus below `root`; raises `CorpusError` with every problem that reading alone can find.

    Whether requests and answers keep to their schemas is left to `checking`, which the verbs that ask call as well.
    """
    folder = root / "cases"
    if not folder.is_dir():
        raise ParityError(f"{root}: there is no folder cases here. Name a folder that has cases/ and schemas/.")
    loading = _Loading(root)
    schemas = read_schemas(root / "schemas", root, loading.problems)
    known_operations = read_operations(schemas, loading.problems)
    cases: list[Case] = []
    requirements: dict[str, Requirement] = {}
    rulings: dict[str, Ruling] = {}
    for system in sorted(path for path in folder.iterdir() if path.is_dir()):
        known = _catalogue(system, known_operations, loading)
        found = _cases(system, known, loading)
        if not any(problem.place.startswith(loading.shown(system)) for problem in loading.problems):
            check_evidence(dict(known.rulings), {case.name: case for case in found}, loading.problems)
        cases += found
        requirements |= known.requirements
        rulings |= known.rulings
    loading.problems += _strays(folder, loading)
    if loading.problems:
        raise CorpusError(loading.problems)
    return Corpus(
        root=root,
        cases=tuple(cases),
        operations=known_operations,
        requirements=requirements,
        rulings=rulings,
        schemas=schemas,
        files=loading.files,
        digest=_digest(root),
    )


def _catalogue(system: Path, operations: Mapping[str, Operation], loading: _Loading) -> Known:
    requirements: dict[str, Requirement] = {}
    rulings: dict[str, Ruling] = {}
    path = system / "requirements.yaml"
    if path.exists():
        requirements = read_requirements(loading.read(path), loading.shown(path), loading.problems)
    path = system / "rulings.yaml"
    if path.exists():
        rulings = read_rulings(loading.read(path), loading.shown(path), requirements, loading.problems)
    fixtures: dict[str, Fixture] = {}
    for path in sorted((system / "fixtures").glob("*.yaml")):
        fixtures[path.stem] = read_fixture(path.stem, loading.read(path))
    return Known(operations, requirements, rulings, fixtures)


def _cases(system: Path, known: Known, loading: _Loading) -> list[Case]:
    cases: list[Case] = []
    for path in sorted(system.rglob("*.yaml")):
        if (path.name in _CATALOGUES and path.parent == system) or path.parent == system / "fixtures":
            continue
        before = len(loading.problems)
        value = loading.read(path)
        if value is None and len(loading.problems) > before:
            continue
        shown = loading.shown(path)
        suite = path.relative_to(loading.root / "cases").with_suffix("").as_posix()
        loading.files[shown] = value
        cases += read_case_file(value, shown, suite, known, loading.problems)
    return cases


def _strays(folder: Path, loading: _Loading) -> list[Problem]:
    """A problem for every file that looks like a part of the corpus and would be passed over in silence."""
    return [
        Problem(loading.shown(path), "This file is no part of the corpus, and would be passed over.", remedy)
        for pattern, remedy in (
            ("**/*.yml", "Rename it to end in .yaml."),
            ("*.yaml", "Put it into the folder of a system, cases/<system>/."),
            ("**/*.json", "Write cases as .yaml files."),
        )
        for path in sorted(folder.glob(pattern))
    ]


def _digest(root: Path) -> str:
    """SHA-256 over the paths and bytes of all case and schema files."""
    total = hashlib.sha256()
    for path in sorted([*(root / "cases").rglob("*.yaml"), *(root / "schemas").rglob("*.json")]):
        content = path.read_bytes()
        total.update(f"{path.relative_to(root).as_posix()}\n{len(content)}\n".encode())
        total.update(content)
    return total.hexdigest()
