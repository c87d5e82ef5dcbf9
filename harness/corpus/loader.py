"""Corpus loader: a folder → a `Corpus`, or every problem found in it."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from ..errors import CorpusError, Problem
from ..model import Case, Operation, Requirement, Ruling, replace
from .checker import Checker
from .cited_names import CorpusNames, MissingReferences, missing_evidence
from .compiled import CompiledCorpus
from .corpus_files import read_date
from .entries import folded
from .foundation import Foundation, Loading, read_foundation
from .schemas import Schemas
from .traps import Trap, trap_tags


class Corpus(Struct, frozen=True):
    """A whole corpus, read and linked. `root` has the folders `cases` and `schemas`.

    `digest` covers the files and the values that are judged; `date` is the day of its revision (YYYY-MM-DD), empty for a
    corpus without a file `cases/REVISION`. `missing_evidence_problems` has a problem for each case that
    a ruling cites and that does not exist, `breaches` one for each request and expected answer that breaks its schema.
    `text_folders` has for a system the folder of its text, from the root of an SDK's repository.
    """

    root: Path
    cases: Sequence[Case]
    operations: Mapping[str, Operation]
    requirements: Mapping[str, Requirement]
    rulings: Mapping[str, Ruling]
    schemas: Schemas
    traps: Mapping[str, tuple[Trap, ...]]
    digest: str
    date: str = ""
    text_folders: Mapping[str, str] = {}
    missing_evidence_problems: tuple[Problem, ...] = ()
    breaches: tuple[Problem, ...] = ()

    def tags(self, case: Case) -> tuple[str, ...]:
        """The tags of a case, with those of the languages that have a trap there."""
        return trap_tags(case, self.traps)

    def tagged(self, cases: Sequence[Case]) -> list[Case]:
        """The cases with all their tags, for readers."""
        return [replace(case, tags=self.tags(case)) for case in cases]


class OpenCorpus:
    """A corpus whose case files are read one by one. Schemas, requirements, rulings and fixtures are read and correct."""

    def __init__(
        self, root: Path, foundation: Foundation, names_of: Mapping[str, CorpusNames], loading: Loading
    ) -> None:
        self.root = root
        self.operations = foundation.operations
        self.requirements = foundation.requirements
        self.rulings = foundation.rulings
        self.schemas = foundation.schemas
        self._traps = foundation.traps
        self._names_of = names_of
        self._loading = loading
        self._checker = Checker(self.schemas)

    def read(self, path: Path) -> Sequence[Case]:
        """The cases of the file at `path`, which agree with the schemas. Raises `CorpusError` with every problem of the
        file."""
        loading = self._loading
        loading.problems = []
        system = path.relative_to(self.root / "cases").parts[0]
        names = replace(self._names_of[system], missing=MissingReferences())
        cases, breaches = _suite(path, names, self._checker, loading)
        if problems := _sorted(loading.problems + names.missing.problems()) or breaches:
            raise CorpusError(problems, loading.shown(path))
        return cases

    def tags(self, case: Case) -> tuple[str, ...]:
        """The tags of a case, with those of the languages that have a trap there."""
        return trap_tags(case, self._traps)

    def store(self) -> None:
        """Writes the compiled form of the files that were read."""
        self._loading.compiled.store()


def load_corpus(root: Path) -> Corpus:
    """Reads the corpus below `root`. Raises `CorpusError` with every problem except breaches of the schemas."""
    corpus = load_with_gaps(root)
    if corpus.missing_evidence_problems:
        raise CorpusError(corpus.missing_evidence_problems)
    return corpus


def load_with_gaps(root: Path) -> Corpus:
    """Like `load_corpus`, but a ruling may cite a missing case, so that the caller can report the other effects too.

    Files that did not change come from the compiled corpus.
    """
    with _without_collector():
        return _load(root)


def check_corpus(corpus: Corpus) -> Checker:
    """The checker of answers. Raises `CorpusError` if cases break the schemas; each verb that runs cases calls this."""
    if corpus.breaches:
        raise CorpusError(corpus.breaches)
    return Checker(corpus.schemas)


def open_corpus(root: Path) -> OpenCorpus:
    """Reads the schemas, requirements, rulings and fixtures below `root`. Raises `CorpusError`.

    Only `load_corpus` checks that the cases cited as evidence exist.
    """
    loading = Loading(root, CompiledCorpus(root))
    with _without_collector():
        foundation, names_of, _ = read_foundation(loading)
    if loading.problems:
        raise CorpusError(_sorted(loading.problems))
    return OpenCorpus(root, foundation, names_of, loading)


def _load(root: Path) -> Corpus:
    loading = Loading(root, CompiledCorpus(root))
    foundation, names_of, systems = read_foundation(loading)
    checker = None if loading.problems else Checker(foundation.schemas)
    cases: list[Case] = []
    breaches: list[Problem] = []
    for system in systems:
        for path in system.suites.values():
            found, broken = _suite(path, names_of[system.name], checker, loading)
            cases += found
            breaches += broken
        loading.problems += names_of[system.name].missing.problems()
    date = read_date(root, loading.problems)
    cited = {citation.case for citation in foundation.cited}
    existing = {case.name for case in cases if case.name in cited}
    missing = missing_evidence(foundation.cited, existing, loading.problems)
    if loading.problems:
        raise CorpusError(_sorted([*loading.problems, *missing]))
    if not missing and not breaches:
        loading.compiled.store(is_whole=True)
    return Corpus(
        root=root,
        cases=tuple(cases),
        operations=foundation.operations,
        requirements=foundation.requirements,
        rulings=foundation.rulings,
        schemas=foundation.schemas,
        traps=foundation.traps,
        digest=loading.compiled.digest(),
        date=date,
        text_folders=foundation.text_folders,
        missing_evidence_problems=tuple(_sorted(missing)),
        breaches=tuple(folded(breaches)),
    )


def _suite(
    path: Path, names: CorpusNames, checker: Checker | None, loading: Loading
) -> tuple[Sequence[Case], list[Problem]]:
    """The cases of a file, from the compiled corpus if the file is unchanged, and their breaches of the schemas. Without a
    checker they are only read."""
    name, fixtures = loading.shown(path), names.fixtures.found
    stored = loading.compiled.suite(name, path, fixtures)
    if stored is not None:
        return stored, []
    before = len(loading.problems)
    cases = _read_suite(path, names, loading)
    if checker is None or len(loading.problems) > before or not names.missing.is_empty:
        return cases, []
    breaches = checker.check_cases(cases, names.operations.found)
    return (cases, breaches) if breaches else (loading.compiled.add(name, cases, loading.stamps[name], fixtures), [])


def _read_suite(path: Path, names: CorpusNames, loading: Loading) -> list[Case]:
    """The cases of a file. A line with a YAML problem gets no second problem."""
    before = len(loading.problems)
    value, is_readable = loading.yaml(path)
    yaml_places = {problem.place for problem in loading.problems[before:]}
    if not is_readable:
        return []
    from .case_reader import read_case_file

    shown = loading.shown(path)
    found: list[Problem] = []
    try:
        cases = read_case_file(value, shown, shown.removeprefix("cases/").removesuffix(".yaml"), names, found)
    except RecursionError:  # each value is within the limit, but fixtures and columns add levels
        cases = []
        found.append(Problem(shown, "too-deep", "The cases of the file nest too deeply.", "Flatten them."))
    loading.problems += [problem for problem in found if problem.place not in yaml_places]
    return cases


@contextmanager
def _without_collector() -> Iterator[None]:
    """Inside, no cyclic garbage is collected: a loading makes many objects and keeps them.

    Measured in November 2026 on 7,600 cases: the collector takes 20 % of a loading.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _sorted(problems: Sequence[Problem]) -> list[Problem]:
    """The problems, sorted by file and line."""

    def key(problem: Problem) -> tuple[str, int]:
        file, _, line = problem.place.rpartition(":")
        return (file, int(line)) if line.isdecimal() else (problem.place, 0)

    return sorted(problems, key=key)
