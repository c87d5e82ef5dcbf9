"""Values of a corpus and of one adapter: operations, cases, requirements, rulings, responses, differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from msgspec import UNSET, Raw, Struct, UnsetType, field
from msgspec.msgpack import Decoder
from msgspec.structs import replace

if TYPE_CHECKING:
    Json: TypeAlias = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
    JsonObject: TypeAlias = dict[str, Json]
else:  # msgspec reads the annotations of a Struct, and any JSON value is right
    Json, JsonObject = Any, dict[str, Any]


class Tolerance(Struct, frozen=True, omit_defaults=True):
    """Allowed distance from the expected number: `absolute` in its unit, or `ulps` (units in the last place)."""

    absolute: float | None = None
    ulps: int | None = None


class Rules(Struct, frozen=True, omit_defaults=True, rename="camel"):
    """Comparison rules for one place of an answer, from the operation's schema; `properties` and `items` lead deeper.

    An `if_expected` place is compared only if the expected answer has it.
    """

    tolerance: Tolerance | None = None
    unordered: bool = False
    ignored: bool = False
    if_expected: bool = False
    engine: str = ""
    properties: Mapping[str, Rules] = {}
    items: Rules | None = None


EXACT = Rules()
"""Rules of a place without annotations: compared exactly, in order."""


class Operation(Struct, frozen=True, omit_defaults=True):
    """One operation as its schema describes it. `stages` are JSON Pointers, in order. `places` maps a requirement, or a glob
    over requirements, to the JSON Pointers of the answer where it shows; `acceptance` maps it to those that are null, false
    or missing if a request is refused against it. `uses` are the operations by which the text defines this one."""

    name: str
    system: str
    rules: Rules
    stages: tuple[str, ...]
    error_types: tuple[str, ...]
    places: Mapping[str, tuple[str, ...]] = {}
    acceptance: Mapping[str, tuple[str, ...]] = {}
    uses: tuple[str, ...] = ()


class ConformanceProfile(Struct, frozen=True):
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


class Answered(Struct, frozen=True, omit_defaults=True, gc=False, tag="answer", tag_field="is"):
    """The implementation answered; `value` is its answer object. `free` are JSON Pointers to places where an expected
    answer allows every value, `contains` to places where it allows every text that contains one of the texts and has at
    most so many characters."""

    value: JsonObject
    free: tuple[str, ...] = ()
    contains: tuple[tuple[str, tuple[str, ...], int], ...] = ()


def leaves(value: Json, hidden: Sequence[list[str]] = ()) -> int:
    """The number of scalars and of empty lists and objects in `value`, without those at or below a `hidden` place: a path of
    members and indices, in which `*` stands for each."""
    if [] in hidden or (value == [] and ["*"] in hidden):
        return 0
    if not value or not isinstance(value, dict | list):
        return 1
    if not hidden:
        return sum(map(leaves, value.values() if isinstance(value, dict) else value))
    inner = value.items() if isinstance(value, dict) else ((str(at), item) for at, item in enumerate(value))
    return sum(leaves(item, [path[1:] for path in hidden if path[0] in ("*", key)]) for key, item in inner)


UNCLASSIFIED = "unclassified"
"""The type of a raised error that the operation's schema does not list."""


ENDLESS = "timeout"
"""The type of the error that an alternative gives where the implementation never answers. No adapter raises it."""


class Raised(Struct, frozen=True, omit_defaults=True, tag="error", tag_field="is"):
    """The implementation raised an error of the named type. The message and the stack are shown and never compared."""

    type: str
    message: str = ""
    stack: str = ""


Response: TypeAlias = Answered | Raised
"""The response of an implementation to one request."""


def response_leaves(response: Response, hidden: Sequence[list[str]] = ()) -> int:
    """The leaves of an answer without those in the `hidden` places; an error is one leaf."""
    return leaves(response.value, hidden) if isinstance(response, Answered) else 1


FIXTURE = "$fixture"
"""The member of a request that stands for a fixture, by its name."""


class Fixture(Struct, frozen=True):
    """A value that requests refer to by name; the record holds it once, under its digest."""

    name: str
    digest: str
    value: Json = None


def with_references(value: Json, by_name: Mapping[str, Json]) -> Json:
    """The value with another one in place of each reference to a fixture."""
    if isinstance(value, list):
        return [with_references(item, by_name) for item in value]
    if not isinstance(value, dict):
        return value
    if FIXTURE in value:
        return by_name.get(str(value[FIXTURE]))
    return {key: with_references(item, by_name) for key, item in value.items()}


class CaseBody(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The members of a case that are read when it is sent, judged or shown."""

    recorded_request: JsonObject
    expected: Response
    readings: Mapping[str, Response] = {}
    adopted: str = ""
    negative: bool = False
    note: str = ""
    evidence: str = ""


if TYPE_CHECKING:
    EncodedBody: TypeAlias = CaseBody | Raw
else:  # what the compiled corpus holds
    EncodedBody = Raw


class Case(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One request with its expected response, from the corpus.

    `body` holds most of it, encoded if the case comes from the compiled corpus: the case is then small, and the body is
    decoded where it is used. `demands` are its requirements without facts, which demand nothing. `cited_by_rulings` names
    the rulings that cite the case as evidence although it has one answer.
    """

    name: str
    at: str
    operation: str
    requirements: tuple[str, ...]
    demands: tuple[str, ...] = ()
    origin: str
    revision: str
    tags: tuple[str, ...] = ()
    ruling: str = ""
    environment: tuple[tuple[str, str], ...] = ()
    fixtures: tuple[Fixture, ...] = ()
    cited_by_rulings: tuple[str, ...] = ()
    body: EncodedBody

    @property
    def suite(self) -> str:
        """The name of the file: that of the case without its last part."""
        return self.name.rpartition("/")[0]

    @property
    def system(self) -> str:
        """The system that the case belongs to."""
        return self.name.partition("/")[0]

    @property
    def recorded_request(self) -> JsonObject:
        """The request with references in place of fixtures."""
        return _body(self).recorded_request

    @property
    def request(self) -> JsonObject:
        """The request that is sent."""
        recorded = _body(self).recorded_request
        if not self.fixtures:
            return recorded
        return cast("JsonObject", with_references(recorded, {fixture.name: fixture.value for fixture in self.fixtures}))

    @property
    def expected(self) -> Response:
        """The right response; of a disputed case the one of the adopted reading."""
        return _body(self).expected

    @property
    def readings(self) -> Mapping[str, Response]:
        """The other readings of the cited ruling, each with its response."""
        return _body(self).readings

    @property
    def adopted(self) -> str:
        """The adopted reading of the cited ruling."""
        return _body(self).adopted

    @property
    def separates(self) -> tuple[str, ...]:
        """All readings that a disputed case lists."""
        return tuple(sorted({self.adopted, *self.readings})) if self.ruling else ()

    @property
    def negative(self) -> bool:
        """Whether the case shows a refusal or an absent effect."""
        return _body(self).negative

    @property
    def note(self) -> str:
        """A remark for readers."""
        return _body(self).note

    @property
    def evidence(self) -> str:
        """The command that computes the answer again."""
        return _body(self).evidence

    def with_body(self, **members: Any) -> Case:
        """The same case with other members of its body."""
        return replace(self, body=replace(_body(self), **members))

    def __hash__(self) -> int:
        return hash(self.name)


_DECODED = 13_000
"""Cases whose decoded bodies are in memory. Measured in November 2026: a body takes 1 to 2 KB."""


def _body(case: Case) -> CaseBody:
    return case.body if isinstance(case.body, CaseBody) else _decoded(case)


@lru_cache(maxsize=_DECODED)
def _decoded(case: Case) -> CaseBody:
    return _BODY.decode(cast("Raw", case.body))


_BODY = Decoder(CaseBody)


class Requirement(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A normative statement of a specification, restated. `unobservable` gives the reason why no case can show it,
    `positive_only` the reason why no negative case can. `anchors` are those of the passages that state it, as
    `harness.corpus.anchors` writes them; `unanchored` is the kind of reason why no passage does."""

    id: str
    level: str
    document: str
    section: str
    statement: str
    revision: str
    unobservable: str = ""
    positive_only: str = ""
    anchors: tuple[str, ...] = ()
    unanchored: str = ""
    at: str = ""

    @property
    def is_fact(self) -> bool:
        """Whether it demands nothing, so that no answer can break it."""
        return self.level == "fact"

    @property
    def system(self) -> str:
        """The system whose catalogue holds it."""
        return self.at.split("/")[1]


class Documented(Struct, frozen=True, omit_defaults=True):
    """Behaviour that another document of the same project describes: `where` it is, and what it `says` in a few words."""

    where: str
    says: str


class Topic(Struct, frozen=True, omit_defaults=True):
    """A matter that several rulings of a system are about. `wording` has the definitions that their wordings use."""

    id: str
    title: str
    wording: str = ""


OPEN = "open"
"""The state of a ruling that nobody has brought to the editors."""


class Ruling(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A place where a specification allows several readings, and the adopted one.

    `wording` is a text for the specification that allows the adopted reading alone; `excludes` has for each other reading
    the words that exclude it. `better` is a text that changes the rule for the sake of users. `text` is what the
    specification does there: `decides`, `leaves-room`, `contradicts-itself`, or empty if nobody has classified the ruling.
    `text_note` is the reason why no case can show the dispute, if none can.
    `state` says how far the editors are: `open`, `proposed`, or `accepted` in the revision `accepted_in`; `link` leads to
    their discussion.
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
    excludes: Mapping[str, str] = field(default_factory=dict)
    better: str = ""
    topic: Topic | None = None
    revision: str
    documented: Documented | None = None
    text: str = ""
    text_note: str = ""
    state: str = OPEN
    accepted_in: str = field(name="acceptedIn", default="")
    link: str = ""
    at: str = ""

    @property
    def system(self) -> str:
        """The system whose catalogue holds it."""
        return self.at.split("/")[1]


class Implementation(Struct, frozen=True, kw_only=True):
    """An adapter's reply to `initialize`, under its name in this run. The header of a record has the members in this order,
    but for the capabilities."""

    name: str
    implementation: str
    version: str
    language: str
    runtime: str = ""
    source: str = ""
    versions: Mapping[str, Json] = field(default_factory=dict)
    operations: frozenset[str]
    unsupported: Mapping[str, str] = field(default_factory=dict)
    unobservable: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    capabilities: frozenset[str] = frozenset()


Absent: TypeAlias = UnsetType
ABSENT = UNSET
"""Mark of an absent member (`null` is present)."""


class Difference(Struct, frozen=True, omit_defaults=True):
    """One place where the expected and the actual value differ. A side without such a member is `ABSENT`.

    `undisputed` marks a difference of a disputed case that exists under every reading.
    """

    path: str
    wanted: Json | Absent = ABSENT
    got: Json | Absent = ABSENT
    undisputed: bool = False
