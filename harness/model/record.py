"""Values of a run record: its metadata, its results, its incidents."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from operator import attrgetter
from typing import Annotated, Any

from msgspec import Meta, field

from .cause import Incident
from .option_rows import DEFAULT_OPTIONS, RunOptions
from .outcome import ELSEWHERE, HasOutcome, Outcome, Response, Rounds, brief_of
from .structs import Value, replace
from .values import (
    ConformanceProfile,
    Documented,
    Fixture,
    Implementation,
    Json,
    Requirement,
    Ruling,
    response_leaves,
)
from .verdicts import PASSING


class ChangedFile(Value, frozen=True):
    """A file that a change touches: its path in the repository, and the ranges of its changed lines, first and last."""

    path: str
    lines: tuple[tuple[int, int], ...]


class SdkState(Value, frozen=True):
    """The working copy that was judged in place of the release: the digest of its files, the commit, whether any file
    differs from that commit, and a tag of the commit. `revision` is empty outside a repository. `date` is the day of the
    commit (YYYY-MM-DD), or empty. `manifest` is the path of its manifest file in the repository, or the name of the file
    outside one; empty if the SDK has none.

    `changes` are the changed files since the commit `base`, and `reached` has for an operation the paths of those that it
    reaches, the nearest first.
    """

    digest: str
    revision: str = ""
    changed: bool = field(default_factory=bool)
    tag: str = ""
    manifest: str = ""
    date: str = ""
    base: str = ""
    changes: tuple[ChangedFile, ...] = ()
    reached: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Cause(Value, frozen=True, forbid_unknown_fields=True):
    """A known cause of failures: the `name` of a deviation, or of a reading that the text refutes; the reason that a person
    wrote; and the place in the implementation's source, as the known-divergence file writes it, if it is known. `flaky`:
    the implementation does not follow it in every run. `requirements` are those that it breaks. `line` is the line of the
    place in the judged working copy; 0 if it is not there, None without a working copy."""

    name: str
    reason: str
    place: str = ""
    flaky: bool = False
    requirements: tuple[str, ...] = ()
    line: Annotated[int, Meta(ge=0)] | None = None


class RecordedImplementation(Value, frozen=True):
    """One implementation of a run. `adapter` is the `--adapter` option that names it again. `causes` are those of its
    known-divergence file; `flaky` are the selected cases whose verdict varies from run to run by that file, each with the
    signatures that it lists.

    `identity` is its reply to `initialize`; None if it did not start. `reason` and `log` then give the cause, or are empty
    if the run ended first. `known_unobservable` are the unobservable places that its known-divergence file lists, each an
    operation and a JSON Pointer: `song.sing/tune`. `through` gives for an operation the others whose answers enter what its
    adapter observes of it.
    """

    name: str
    adapter: str
    identity: Implementation | None = None
    reason: str = ""
    log: str = ""
    sdk: SdkState | None = None
    causes: tuple[Cause, ...] = ()
    known_unobservable: tuple[str, ...] = ()
    flaky: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    through: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def description(self) -> str:
        """`sdk 1.0 (Go, go1.26)`: its own name, version, language and runtime; empty if it did not start."""
        own = self.identity
        if own is None:
            return ""
        name = " ".join(part for part in (own.implementation, own.version) if part)
        within = ", ".join(part for part in (own.language, own.runtime) if part)
        return f"{name} ({within})" if within else name


class NotTestedCode(StrEnum):
    """Why a run has no verdict of an implementation."""

    NO_RELEASE = "no-release"
    NO_TOOLCHAIN = "no-toolchain"
    NOT_FETCHED = "not-fetched"
    NOT_BUILT = "not-built"


class NotTested(Value, frozen=True):
    """An implementation without a verdict, because it could not be built. `log` is the end of its build's output.

    `is_error`: it was named, or its build failed although everything for it was there.
    """

    name: str = field(name="implementation")
    code: NotTestedCode
    reason: str
    is_error: bool = field(name="error", default_factory=bool)
    log: str = ""


class GateFile(Value, frozen=True, kw_only=True):
    """The known-divergence file of a gate: the digest of its content, empty without a file, the names that are not in the
    corpus, the number of entries without a reason, and the places of these names, and of unobservable paths, in the file.
    `path` is that of the file in the repository of the SDK, or of the current folder; empty if git does not track it
    there. `base` is the commit with which the gate compared in place of a file. `lost` are names that only an older corpus
    had, for which the file was written."""

    digest: str = field(name="known", default="")
    unmatched: tuple[str, ...]
    without_reason: int
    places: Mapping[str, str] = {}
    path: str = ""
    base: str = ""
    lost: tuple[str, ...] = ()


class Status(StrEnum):
    """Status of a result, or of a line of the known-divergence file, in a gate. Every status except those in `SETTLED` keeps
    the gate from green. `new-in-corpus`: the file was written for an older corpus, which explains it. `masked`: a known
    failure does not show, and new failures of its operation can hide it."""

    KNOWN = "known"
    FLAKY = "flaky"
    NEW = "new"
    STALE = "stale"
    UNMATCHED = "unmatched"
    EXPIRED = "expired"
    READING = "reading"
    NEW_IN_CORPUS = "new-in-corpus"
    MASKED = "masked"


SETTLED = frozenset({Status.KNOWN, Status.NEW_IN_CORPUS, Status.MASKED})
"""The statuses of results that keep no gate from green."""


class Listing(Value, frozen=True):
    """The status that a gate gave a result, and the reason. `documented`: another document describes the known failure.
    Where the gate is red: `place` is the line of the known-divergence file, and `listed` the reason that it has for another
    failure of the case."""

    status: Status
    reason: str = field(default_factory=str)
    documented: Documented | None = None
    place: str = ""
    listed: str = ""


class RunMetadata(Value, frozen=True, kw_only=True, omit_defaults=False):
    """The header of a record. `corpus_date` is the day of the corpus' revision, empty for a corpus that has none. `cases`
    counts the selected cases; `shard` is index and number of shards, from 1.

    `requirements`, `rulings` and `fixtures` are the cited ones, by id or digest. `profiles` are those of the systems of the
    selected cases. `floors` gives for an operation the share of its selected cases, 0 to 1, that one constant answer passes;
    not of very few. `uses` gives for an operation of these systems those by which the text defines it.
    """

    harness_version: str = ""
    started_at: str
    corpus_digest: str
    corpus_date: str = ""
    cases: Annotated[int, Meta(ge=0, le=1_000_000_000)]
    cases_digest: str = ""
    revisions: tuple[str, ...] = ()
    selection: tuple[str, ...] = ()
    shard: tuple[int, int] | None = None
    options: RunOptions = DEFAULT_OPTIONS
    gate: GateFile | None = None
    implementations: tuple[RecordedImplementation, ...] = ()
    skipped: tuple[NotTested, ...] = ()
    profiles: tuple[ConformanceProfile, ...] = ()
    floors: Mapping[str, float] = field(default_factory=dict)
    uses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    requirements: Mapping[str, Requirement] = field(default_factory=dict)
    rulings: Mapping[str, Ruling] = field(default_factory=dict)
    fixtures: Mapping[str, Fixture] = field(default_factory=dict)

    def implementation(self, name: str) -> RecordedImplementation | None:
        """The implementation of this name."""
        return next((entry for entry in self.implementations if entry.name == name), None)


class RecordedResult(HasOutcome):
    """A result in a run record: a `ResultLine`, or a `StoredResult`, whose line stays in the file.

    `expectation` is the status that a gate gave it. `separates` has the readings that a disputed case lists. `unobserved`
    counts the leaves of the expected response that the implementation cannot report.
    """

    __slots__ = ()

    case: str
    at: str
    operation: str
    requirements: tuple[str, ...]
    ruling: str
    separates: tuple[str, ...]
    cited_by_rulings: tuple[str, ...]
    tags: tuple[str, ...]
    note: str
    request: Json
    expected: Response
    implementation: str
    stderr: str
    expectation: Listing | None
    flaky: tuple[Rounds, ...]
    unobserved: int
    ms: float | None

    @property
    def line(self) -> ResultLine:
        """The result with all members of its line."""
        raise NotImplementedError

    @property
    def is_flaky(self) -> bool:
        """Whether the rounds of a repeated run differ."""
        return bool(self.flaky)

    @property
    def leaves(self) -> int:
        """The number of leaves of the expected response."""
        return response_leaves(self.expected)

    @property
    def suite(self) -> str:
        """The suite of the case."""
        return self.case.rsplit("/", 1)[0]

    @property
    def is_unstable(self) -> bool:
        """Whether the rounds differ in more than the reading that they follow."""
        return self.is_flaky and any(seen.verdict not in PASSING for seen in self.flaky)


class ResultLine(RecordedResult, Value, frozen=True, kw_only=True, tag_field="type", tag="result"):
    """A result with all members of its line, in their order; those of the outcome stand in its place."""

    case: Annotated[str, Meta(pattern="/")]
    at: str
    operation: str
    requirements: tuple[str, ...]
    ruling: str = ""
    separates: tuple[str, ...] = ()
    cited_by_rulings: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    note: str = ""
    request: Json
    expected: Response
    implementation: str
    outcome: Outcome
    stderr: str = ""
    expectation: Listing | None = None
    flaky: tuple[Rounds, ...] = ()
    unobserved: int = 0
    ms: Annotated[float, Meta(ge=0)] | None = None

    @property
    def line(self) -> ResultLine:
        return self


class StoredResult(RecordedResult, Value, frozen=True, eq=False, gc=False):
    """A result whose line stays in the file, where `read` finds it by its offset and length, in bytes. It has every member
    of a `ResultLine`; those that only this result has and that no count needs are read from the line. Many results share one
    `common` line, which has the other members, and the outcome in short. `place` and `change` say where and how a failing
    result first differs, as `harness.compare.causes` does."""

    case: str
    at: str
    ms: float | None
    offset: int
    length: int
    common: ResultLine
    leaves: int
    place: str
    change: str
    read: Callable[[int, int], ResultLine]

    @property
    def line(self) -> ResultLine:
        return self.read(self.offset, self.length)

    @property
    def brief(self) -> Outcome:
        return self.common.outcome

    @property
    def is_flaky(self) -> bool:
        return self.common.is_flaky

    @property
    def flaky(self) -> tuple[Rounds, ...]:  # type: ignore[override]
        return self.line.flaky if self.is_flaky else ()


_ONLY_IN_LINE: Mapping[str, Any] = {"request": None, "expected": ELSEWHERE, "note": "", "stderr": ""}


def common_to_many(line: ResultLine) -> ResultLine:
    """The line without what only one result has, so that many results share one."""
    flaky = tuple(replace(rounds, outcome=brief_of(rounds.outcome)) for rounds in line.flaky)
    return replace(line, case="", at="", ms=None, **_ONLY_IN_LINE, flaky=flaky, outcome=brief_of(line.outcome))


for _name in {*ResultLine.__struct_fields__} - {*StoredResult.__struct_fields__, "flaky"}:
    _place = "line" if _name in ("outcome", *_ONLY_IN_LINE) else "common"
    setattr(StoredResult, _name, property(attrgetter(f"{_place}.{_name}")))


class RunRecord(Value, frozen=True, kw_only=True):
    """A run record. `complete`: it has its footer; `seconds` is then how long the run took.

    The results of a file stay there: see `IndexedResults`.
    """

    metadata: RunMetadata
    results: Sequence[RecordedResult]
    incidents: tuple[Incident, ...]
    complete: bool
    seconds: float | None = None

    @property
    def implementations(self) -> tuple[str, ...]:
        """The names of the implementations, in the order of the command line."""
        return tuple(entry.name for entry in self.metadata.implementations)

    @property
    def skipped(self) -> tuple[NotTested, ...]:
        """The implementations without a verdict that fail nothing."""
        return tuple(skipped for skipped in self.metadata.skipped if not skipped.is_error)


REFERENCE = "reference"
"""The name of the shipped reference. It must support every case."""

GENERATED = "fuzz"
"""The second part of the name of a generated case and of its suite."""


def is_generated(name: str) -> bool:
    """Whether this is the name of a generated case or of its suite, which no corpus has."""
    return name.split("/")[1:2] == [GENERATED]
