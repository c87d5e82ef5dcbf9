"""Corpus loader: a folder → a `Corpus`, or every problem found in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..errors import CorpusError, Problem
from ..model import Case, Json, Operation, Requirement, Ruling
from .case_table import BuiltSuite, CaseTable, Selectable, StoredSuite, SuiteCases, without_collector
from .compiled import CompiledCorpus
from .compiled_values import CaseHead, Foundation
from .files import Stamp, SystemFiles
from .foundation import Loading, read_foundation_files
from .names import CorpusNames, MissingReferences, missing_evidence
from .schemas import Schemas
from .traps import tagged


class CaseFiles(Mapping[str, Json]):
    """The raw value of each case file by the path that problems show; a file is read at its first use."""

    def __init__(self, root: Path, names: Sequence[str], read: dict[str, Json]) -> None:
        self._root = root
        self._names = dict.fromkeys(names)
        self._read = read

    def __getitem__(self, name: str) -> Json:
        if name not in self._read and name in self._names:
            self._read[name], _ = Loading(self._root, CompiledCorpus(self._root)).yaml(self._root / name)
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


@dataclass(frozen=True, slots=True)
class Corpus:
    """A whole corpus, read and linked. `root` has the folders `cases` and `schemas`.

    `files` holds the raw value of each case file by the path that problems show; `missing_evidence_problems` has a
    problem for each case that a ruling cites and that does not exist. `unchecked` are the files that
    `harness.corpus.checker` has still to check against the schemas; None for all.
    """

    root: Path
    cases: Sequence[Case]
    operations: Mapping[str, Operation]
    requirements: Mapping[str, Requirement]
    rulings: Mapping[str, Ruling]
    schemas: Schemas
    files: Mapping[str, Json]
    digest: str
    missing_evidence_problems: tuple[Problem, ...] = ()
    unchecked: frozenset[str] | None = None

    @property
    def is_checked(self) -> bool:
        """Whether every case agrees with the schemas, as far as is known."""
        return self.unchecked is not None and not self.unchecked

    @property
    def heads(self) -> Sequence[Selectable]:
        """What a selection reads of each case, in corpus order; no case is built for it."""
        return self.cases.heads if isinstance(self.cases, CaseTable) else self.cases

    def pick(self, heads: Iterable[Selectable]) -> Sequence[Case]:
        """The cases of some of the `heads`, each built when it is used."""
        if isinstance(self.cases, CaseTable):
            return self.cases.pick(head for head in heads if isinstance(head, CaseHead))
        return tuple(head for head in heads if isinstance(head, Case))


@dataclass(frozen=True, slots=True)
class CaseFile:
    """The cases of one file. `value` is its raw value, and `stamp` its state; both are None if the cases come from the
    compiled corpus, and so agree with the schemas."""

    shown: str
    cases: tuple[Case, ...]
    value: Json = None
    stamp: Stamp | None = None


@dataclass(frozen=True, slots=True)
class OpenCorpus:
    """A corpus whose case files are read one by one. Schemas, requirements, rulings and fixtures are read and correct."""

    root: Path
    operations: Mapping[str, Operation]
    requirements: Mapping[str, Requirement]
    rulings: Mapping[str, Ruling]
    schemas: Schemas
    known: Mapping[str, CorpusNames]
    citing: Mapping[str, Sequence[str]]
    compiled: CompiledCorpus

    def read(self, path: Path) -> CaseFile:
        """The cases of the file at `path`. Raises `CorpusError` with every problem of the file."""
        loading = Loading(self.root, self.compiled)
        place = path.relative_to(self.root / "cases")
        known = replace(self.known[place.parts[0]], missing=MissingReferences())
        suite = _suite(place.with_suffix("").as_posix(), path, known, self.citing, loading)
        shown = loading.shown(path)
        problems = loading.problems + known.missing.problems()
        if problems:
            raise CorpusError(_sorted(problems), shown)
        cases = tuple(suite.case(head.row) for head in suite.heads)
        return CaseFile(shown, cases, loading.files.get(shown), loading.stamps.get(shown))

    def keep(self, file: CaseFile) -> None:
        """Adds a file, whose cases agree with the schemas, to the compiled corpus. `compiled.store` writes it."""
        if file.stamp is not None:
            self.compiled.add(file.shown, file.cases, file.stamp)


def load_corpus(root: Path) -> Corpus:
    """Reads the corpus below `root`. Raises `CorpusError` with every problem except breaches of the schemas."""
    corpus = load_with_gaps(root)
    if corpus.missing_evidence_problems:
        raise CorpusError(corpus.missing_evidence_problems)
    return corpus


def load_with_gaps(root: Path) -> Corpus:
    """Like `load_corpus`, but a ruling may cite a missing case, so that the caller can report the other effects too.

    Files that did not change come from the compiled corpus. `harness.corpus.checker` checks requests and answers against
    their schemas; each verb that runs cases calls it.
    """
    with without_collector():
        while (corpus := _load(root)) is None:
            pass  # a file changed while it was read
    return corpus


def open_corpus(root: Path) -> OpenCorpus:
    """Reads the schemas, requirements, rulings and fixtures below `root`. Raises `CorpusError`.

    Only `load_corpus` checks that the cases cited as evidence exist.
    """
    loading = Loading(root, CompiledCorpus(root))
    with without_collector():
        found, _, _ = read_foundation_files(loading)
    if loading.problems:
        raise CorpusError(_sorted(loading.problems))
    if loading.foundation_stamps:
        loading.compiled.add_foundation(found, loading.foundation_stamps)
    return OpenCorpus(
        root,
        found.operations,
        found.requirements,
        found.rulings,
        found.schemas,
        found.known,
        found.citing,
        loading.compiled,
    )


def _load(root: Path) -> Corpus | None:
    """The corpus; None if a file changed between two readings of it."""
    loading = Loading(root, CompiledCorpus(root))
    foundation, systems, files = read_foundation_files(loading)
    suites = dict(_suites(systems, foundation, loading))
    table = CaseTable(suites)
    cited = {one.case for one in foundation.cited}
    existing = {head.name for head in table.heads if head.name in cited} if cited else set()
    missing = missing_evidence(foundation.cited, existing, loading.problems)
    if loading.problems:
        raise CorpusError(_sorted([*loading.problems, *missing]))
    names = [f"cases/{suite}.yaml" for suite in suites]
    digest = loading.compiled.digest([*files, *names]) or loading.digest([*files, *names])
    corpus = Corpus(
        root=root,
        cases=table,
        operations=foundation.operations,
        requirements=foundation.requirements,
        rulings=foundation.rulings,
        schemas=foundation.schemas,
        files=CaseFiles(root, names, loading.files),
        digest=digest,
        missing_evidence_problems=tuple(_sorted(missing)),
        unchecked=frozenset(loading.stamps),
    )
    return _compiled(corpus, foundation, table, loading) if digest else None


def _compiled(corpus: Corpus, foundation: Foundation, table: CaseTable, loading: Loading) -> Corpus:
    """The corpus; if it has no problem, it is checked and stored."""
    if corpus.unchecked:
        from .checker import breaches  # it imports a library that an unchanged corpus does not need

        if corpus.missing_evidence_problems or breaches(corpus):
            return corpus
        if loading.foundation_stamps:
            loading.compiled.add_foundation(foundation, loading.foundation_stamps)
        for name in loading.files:
            loading.compiled.add(name, table.suite(name), loading.stamps[name])
    loading.compiled.store(corpus.digest)
    return replace(corpus, unchecked=frozenset())


def _suites(
    systems: Iterable[SystemFiles], foundation: Foundation, loading: Loading
) -> Iterator[tuple[str, SuiteCases]]:
    citing = foundation.citing
    for system in systems:
        known = foundation.known[system.name]
        for suite, path in system.suites.items():
            yield suite, _suite(suite, path, known, citing, loading)
        loading.problems += known.missing.problems()


def _suite(
    suite: str, path: Path, known: CorpusNames, citing: Mapping[str, Sequence[str]], loading: Loading
) -> SuiteCases:
    """The cases of a file, from the compiled corpus if the file is unchanged."""
    stored = loading.compiled.suite(f"cases/{suite}.yaml", path)
    if stored is not None:
        return StoredSuite(suite, stored, known.fixtures.found, citing)
    return BuiltSuite(_read_suite(suite, path, known, loading), citing)


def _read_suite(suite: str, path: Path, known: CorpusNames, loading: Loading) -> list[Case]:
    """The cases of a file. A line with a YAML problem gets no second problem."""
    before = len(loading.problems)
    value, is_readable = loading.yaml(path)
    yaml_places = {problem.place for problem in loading.problems[before:]}
    if not is_readable:
        return []
    from .cases import read_case_file

    found: list[Problem] = []
    try:
        cases = tagged(read_case_file(value, loading.shown(path), suite, known, found), known.traps)
    except RecursionError:  # each value is within the limit, but fixtures and columns add levels
        cases = []
        message = "The cases of the file nest too deeply."
        found.append(Problem(loading.shown(path), "too-deep", message, "Flatten them."))
    loading.problems += [problem for problem in found if problem.place not in yaml_places]
    loading.files[loading.shown(path)] = value
    return cases


def _sorted(problems: Sequence[Problem]) -> list[Problem]:
    """The problems, sorted by file and line."""

    def key(problem: Problem) -> tuple[str, int]:
        file, _, line = problem.place.rpartition(":")
        return (file, int(line)) if line.isdecimal() else (problem.place, 0)

    return sorted(problems, key=key)
