"""The values that flow through a run: cases, outcomes, verdicts, results. Frozen, and without behaviour of a room.

Everything here is plain data; nothing imports less than this module.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"
JsonObject: TypeAlias = "dict[str, Json]"


class Verdict(StrEnum):
    """What a run says of one case and one implementation."""

    PASS = "pass"
    VARIANT = "variant"
    FAIL = "fail"
    ERROR = "error"
    UNSUPPORTED = "unsupported"


class ErrorKind(StrEnum):
    """Why a verdict is `error`."""

    CRASH = "crash"
    TIMEOUT = "timeout"
    PROTOCOL = "protocol"
    IMPLEMENTATION = "implementation"
    START = "start"


FAILING = frozenset({Verdict.FAIL, Verdict.ERROR})
"""The verdicts that make a run's exit status 1."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far a number may be from the one wanted: `absolute` in the number's unit, or `ulps` (units in the last place)."""

    absolute: float | None = None
    ulps: int | None = None


@dataclass(frozen=True, slots=True)
class Rules:
    """How one place of an answer is compared, as the operation's schema states it; `properties` and `items` lead deeper."""

    tolerance: Tolerance | None = None
    unordered: bool = False
    ignored: bool = False
    engine: str = ""
    properties: Mapping[str, Rules] = field(default_factory=dict)
    items: Rules | None = None


EXACT = Rules()
"""The rules of a place of which the schema says nothing: compared exactly, in order."""


@dataclass(frozen=True, slots=True)
class Operation:
    """What the harness knows of an operation, all of it from its schema. `stages` are JSON Pointers, in order."""

    name: str
    system: str
    rules: Rules
    stages: tuple[str, ...]
    error_types: frozenset[str]


@dataclass(frozen=True, slots=True)
class Answered:
    """The implementation answered; `value` is its answer object."""

    value: JsonObject


@dataclass(frozen=True, slots=True)
class Raised:
    """The implementation itself raised an error of the named type; the message is shown and never compared."""

    type: str
    message: str = ""


Outcome: TypeAlias = "Answered | Raised"


@dataclass(frozen=True, slots=True)
class Fixture:
    """A value that requests refer to by name; the record holds it once, under its digest."""

    name: str
    digest: str
    value: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One question with its expected outcome, as the corpus states it.

    `request_text` and `expected_text` are the request and the expected answer as JSON, rendered once for all who are
    asked. `cited_by_rulings` names the rulings that cite the case as evidence although it has one answer.
    `request` is what is sent; `recorded_request` the same with references in the place of fixtures. `readings` maps a
    reading's name to its outcome where a ruling is cited; `expected` is then the outcome of the adopted one.
    """

    name: str
    suite: str
    at: str
    system: str
    operation: str
    request: JsonObject
    recorded_request: JsonObject
    expected: Outcome
    requirements: tuple[str, ...]
    origin: str
    revision: str
    negative: bool = False
    tags: tuple[str, ...] = ()
    note: str = ""
    evidence: str = ""
    environment: tuple[tuple[str, str], ...] = ()
    ruling: str = ""
    adopted: str = ""
    readings: Mapping[str, Outcome] = field(default_factory=dict)
    cited_by_rulings: tuple[str, ...] = ()
    fixtures: tuple[Fixture, ...] = ()
    request_text: str = ""
    expected_text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """A normative statement of a specification, restated. `unobservable` says why it cannot be seen from outside,
    `positive_only` why no case can show something refused or not done."""

    id: str
    level: str
    document: str
    section: str
    statement: str
    revision: str
    unobservable: str = ""
    positive_only: str = ""
    at: str = ""

    @property
    def system(self) -> str:
        """The system whose catalogue it stands in."""
        return self.at.split("/")[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """A place where a specification leaves two honest readings, and the one adopted here."""

    id: str
    title: str
    requirements: tuple[str, ...]
    question: str
    readings: Mapping[str, str]
    adopted: str
    basis: str
    why: str
    severity: str
    evidence: tuple[str, ...]
    wording: str
    revision: str
    at: str = ""


@dataclass(frozen=True, slots=True)
class Implementation:
    """What an adapter said of itself in `initialize`, under the name it has in this run."""

    name: str
    implementation: str
    version: str
    language: str
    operations: frozenset[str]
    runtime: str = ""
    source: str = ""
    unsupported: Mapping[str, str] = field(default_factory=dict)
    unobservable: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    capabilities: frozenset[str] = frozenset()
    versions: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where two values part. A side that has no such member is `ABSENT`.

    `undisputed` tells of a disputed case that every reading wants the same there.
    """

    path: str
    wanted: Json | Absent
    got: Json | Absent
    undisputed: bool = False


@dataclass(frozen=True, slots=True)
class Absent:
    """The place of a member that is not there (`null` is there)."""


ABSENT = Absent()


@dataclass(frozen=True, slots=True)
class Judgement:
    """What comparing one outcome with one case gave, before it is tied to an implementation's name.

    `stage` is the first stage that parted, `recovered` whether the last one is right all the same; `text` is the answer as
    JSON where it is at hand.
    """

    verdict: Verdict
    kind: ErrorKind | None = None
    reading: str = ""
    reason: str = ""
    stage: str = ""
    recovered: bool = False
    signature: str = ""
    outcome: Outcome | None = None
    difference: tuple[Difference, ...] = ()
    engine: tuple[JsonObject, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Passes:
    """What came of a case in some of the passes over a repeated run, which are counted from 1."""

    passes: tuple[int, ...]
    judgement: Judgement


@dataclass(frozen=True, slots=True)
class Result:
    """The one verdict of an implementation on a case. `ms` is the time it took, in milliseconds.

    `flaky` is what came in which passes, if the case was asked several times and not all of them gave the same.
    """

    case: Case
    implementation: str
    judgement: Judgement
    ms: float | None = None
    stderr: str = ""
    flaky: tuple[Passes, ...] = ()


@dataclass(frozen=True, slots=True)
class Incident:
    """An adapter misbehaved and no single case could be blamed: all suspects answered when asked alone."""

    implementation: str
    kind: ErrorKind
    suspects: tuple[str, ...]
    seen: str
    stderr: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedResult:
    """A result as a run record holds it; `expected` and `answer` are `{answer: …}` or `{error: {type, message?}}`.

    `expectation` is what a gate knew of it: its status and the reason.
    """

    case: str
    at: str
    operation: str
    implementation: str
    verdict: Verdict
    request: Json
    expected: Json
    requirements: tuple[str, ...] = ()
    ruling: str = ""
    cited_by_rulings: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    kind: ErrorKind | None = None
    reading: str = ""
    reason: str = ""
    stage: str = ""
    recovered: bool = False
    signature: str = ""
    answer: Json = None
    difference: tuple[Difference, ...] = ()
    engine: tuple[JsonObject, ...] = ()
    stderr: str = ""
    expectation: tuple[str, str] | None = None
    ms: float | None = None
    flaky: tuple[JsonObject, ...] = ()

    @property
    def suite(self) -> str:
        """The suite that the case belongs to."""
        return self.case.rsplit("/", 1)[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """All that a run left behind. `complete` tells whether it came to its end, `seconds` how long that took."""

    header: JsonObject
    implementations: tuple[str, ...]
    skipped: tuple[tuple[str, str], ...]
    results: tuple[RecordedResult, ...]
    incidents: tuple[Incident, ...]
    complete: bool
    seconds: float | None = None
