"""Values of a corpus and of one adapter: operations, cases, requirements, rulings, responses, differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"
else:  # a library that reads types at run time follows no recursive one
    Json = Any
JsonObject: TypeAlias = dict[str, Json]


class Verdict(StrEnum):
    """Verdict on one case for one implementation."""

    PASS = "pass"
    VARIANT = "variant"
    FAIL = "fail"
    ERROR = "error"
    UNSUPPORTED = "unsupported"


class ErrorKind(StrEnum):
    """Cause of a verdict `error`."""

    CRASH = "crash"
    TIMEOUT = "timeout"
    PROTOCOL = "protocol"
    IMPLEMENTATION = "implementation"
    START = "start"


FAILING = frozenset({Verdict.FAIL, Verdict.ERROR})
"""The verdicts that make a run's exit status 1."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """Allowed distance from the expected number: `absolute` in its unit, or `ulps` (units in the last place)."""

    absolute: float | None = None
    ulps: int | None = None


@dataclass(frozen=True, slots=True)
class Rules:
    """Comparison rules for one place of an answer, from the operation's schema; `properties` and `items` lead deeper.

    An `if_expected` place is compared only if the expected answer has it.
    """

    tolerance: Tolerance | None = None
    unordered: bool = False
    ignored: bool = False
    if_expected: bool = False
    engine: str = ""
    properties: Mapping[str, Rules] = field(default_factory=dict)
    items: Rules | None = None


EXACT = Rules()
"""Rules of a place without annotations: compared exactly, in order."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation as its schema describes it. `stages` are JSON Pointers, in order. `places` maps a requirement, or a glob
    over requirements, to the JSON Pointers of the answer where it shows."""

    name: str
    system: str
    rules: Rules
    stages: tuple[str, ...]
    error_types: frozenset[str]
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ConformanceProfile:
    """A named part of a system that an implementation can complete. `operations` gives for each operation the number of
    its cases in the whole corpus."""

    system: str
    name: str
    title: str
    operations: Mapping[str, int]

    @property
    def cases(self) -> int:
        """The number of its cases in the whole corpus."""
        return sum(self.operations.values())


@dataclass(frozen=True, slots=True)
class Answered:
    """The implementation answered; `value` is its answer object. `free` are JSON Pointers to places where an expected
    answer allows every value, `contains` to places where it allows every text that contains one of the texts and has at
    most so many characters."""

    value: JsonObject
    free: tuple[str, ...] = ()
    contains: tuple[tuple[str, tuple[str, ...], int], ...] = ()


def leaves(value: Json, hidden: Sequence[list[str]] = ()) -> int:
    """The number of scalars and of empty lists and objects in `value`, without those at or below a `hidden` place: a path of
    members and indices, in which `*` stands for each."""
    count, waiting = 0, [(value, [*hidden])]
    while waiting:
        value, paths = waiting.pop()
        if [] in paths or (value == [] and ["*"] in paths):
            continue
        if not value or not isinstance(value, dict | list):
            count += 1
            continue
        inner = value.items() if isinstance(value, dict) else ((str(at), item) for at, item in enumerate(value))
        waiting += [(item, [path[1:] for path in paths if path[0] in ("*", key)]) for key, item in inner]
    return count


UNCLASSIFIED = "unclassified"
"""The type of a raised error that the operation's schema does not list."""


ENDLESS = "timeout"
"""The type of the error that an alternative gives where the implementation never answers. No adapter raises it."""


@dataclass(frozen=True, slots=True)
class Raised:
    """The implementation raised an error of the named type. The message and the stack are shown and never compared."""

    type: str
    message: str = ""
    stack: str = ""


Response: TypeAlias = "Answered | Raised"
"""The response of an implementation to one request."""


def response_leaves(response: Response, hidden: Sequence[list[str]] = ()) -> int:
    """The leaves of an answer without those in the `hidden` places; an error is one leaf."""
    return leaves(response.value, hidden) if isinstance(response, Answered) else 1


@dataclass(frozen=True, slots=True)
class Fixture:
    """A value that requests refer to by name; the record holds it once, under its digest."""

    name: str
    digest: str
    value: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One request with its expected response, from the corpus.

    `request` is sent; `recorded_request` is the same with references in place of fixtures. `request_text` and
    `expected_text` are the request and the expected answer as JSON, rendered once. `readings` maps the readings of the
    cited ruling to their responses; `expected` is then the response of the adopted one. `cited_by_rulings` names the
    rulings that cite the case as evidence although it has one answer.
    """

    name: str
    suite: str
    at: str
    system: str
    operation: str
    request: JsonObject
    recorded_request: JsonObject
    expected: Response
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
    readings: Mapping[str, Response] = field(default_factory=dict)
    cited_by_rulings: tuple[str, ...] = ()
    fixtures: tuple[Fixture, ...] = ()
    request_text: str = ""
    expected_text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """A normative statement of a specification, restated. `unobservable` gives the reason why no case can show it,
    `positive_only` the reason why no negative case can."""

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
        """The system whose catalogue holds it."""
        return self.at.split("/")[1]


@dataclass(frozen=True, slots=True)
class Documented:
    """Behaviour that another document of the same project describes: `where` it is, and what it `says` in a few words."""

    where: str
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """A place where a specification allows several readings, and the adopted one.

    `text` is what the specification does there: `decides`, `leaves-room`, `contradicts-itself`, or empty if nobody has
    classified the ruling. `text_note` is the reason why no case can show the dispute, if none can.
    """

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
    documented: Documented | None = None
    text: str = ""
    text_note: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True)
class Implementation:
    """An adapter's reply to `initialize`, under its name in this run."""

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
    """One place where the expected and the actual value differ. A side without such a member is `ABSENT`.

    `undisputed` marks a difference of a disputed case that exists under every reading.
    """

    path: str
    wanted: Json | Absent
    got: Json | Absent
    undisputed: bool = False


@dataclass(frozen=True, slots=True)
class Absent:
    """Mark of an absent member (`null` is present)."""

    def __reduce__(self) -> str:
        return "ABSENT"  # a copy from another process is the mark itself


ABSENT = Absent()
