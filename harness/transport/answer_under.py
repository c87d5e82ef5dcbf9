"""Answers under readings and deviations, by an adapter with the capability `answerUnder`.

docs/protocol.md describes the methods `alternatives` and `answerUnder`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct, ValidationError, convert

from ..compare.alternatives import Alternative, Combined, Effects, choice_of
from ..compare.canonical import compact
from ..corpus.paths import cache
from ..errors import AdapterUnavailable, one_line
from ..model import (
    ADOPTED,
    Answered,
    Breach,
    BreachCode,
    Break,
    Case,
    Choice,
    Json,
    JsonObject,
    Raised,
    Response,
    Unavailable,
)
from ..protocol import INVALID_PARAMS, RAISED, Connection, Reply, refused
from .adapter_spec import AdapterSpec
from .connect import connect
from .manifest import Manifest
from .sandbox import Sandbox
from .sync_client import RequestFailed, SyncClient

_Value = TypeVar("_Value")

ANSWER_UNDER = "answerUnder"
"""The capability, and its method."""

SECONDS = 60.0
"""Seconds without a reply after which a process counts as lost."""

_IN_FLIGHT = 32

Notify: TypeAlias = "Callable[[Break | Unavailable], None]"
"""Receives the cause of a failed start or a break."""


@contextmanager
def shipped_alternatives(
    name: str, manifests: Mapping[str, Manifest], notify: Notify
) -> Iterator[AlternativesAdapter | None]:
    """A shipped adapter, whose process ends with the block; None if no adapter of this name is shipped."""
    if name not in manifests:
        yield None
        return
    with Sandbox() as sandbox, ExitStack() as process:
        yield AlternativesAdapter(connect(AdapterSpec(name), manifests, cache(), sandbox, ()), process, notify)


class AlternativesAdapter:
    """The `AlternativeAnswers` of an adapter, which is started at the first request.

    Without the capability, and after a break, which `notify` receives, it answers nothing.
    """

    def __init__(self, connection: Connection, process: ExitStack, notify: Notify) -> None:
        self._connection = connection
        self._process = process
        self._notify = notify
        self._client: SyncClient | None = None
        self._operations: frozenset[str] = frozenset()
        self._is_broken = False

    def offers(self, operation: str) -> bool:
        self._guarded(self._started)
        return operation in self._operations

    def accepted(self) -> frozenset[Alternative] | None:
        """Every reading and deviation that it can answer under; None after a break."""
        return self._guarded(lambda: _alternatives(self._started().call("alternatives", {}, SECONDS)))

    def effects(self, case: Case) -> Effects | None:
        if not self.offers(case.operation):
            return None
        return self._guarded(lambda: _effects(self._call("effects", _params(case, ADOPTED))))

    def combined(
        self, case: Case, beside: Choice, further: Collection[Alternative], size: int, limit: int
    ) -> Combined | None:
        if not self.offers(case.operation):
            return None
        names: dict[str, list[Json]] = {}
        for ruling, reading in further:
            names.setdefault(ruling, []).append(reading)
        params = _params(case, beside, {"further": {**names}, "size": size, "limit": limit})
        return self._guarded(lambda: _combined(self._call("combinations", params)))

    def answers(self, cases: Sequence[Case], choices: Sequence[Choice]) -> Sequence[Response | None]:
        places = [place for place, case in enumerate(cases) if self.offers(case.operation)]
        given = [_params(cases[place], choices[place]) for place in places]
        found: list[Response | None] = [None] * len(cases)
        responses = self._guarded(lambda: list(map(_response, self._call_all(ANSWER_UNDER, given))))
        for place, response in zip(places, responses or (), strict=False):
            found[place] = response
        return found

    def needed(self, case: Case, choice: Choice) -> Choice:
        if not self.offers(case.operation):
            return choice
        found = self._guarded(lambda: _alternatives(self._call("needed", _params(case, choice))))
        return choice if found is None else choice_of(found)

    def _call(self, method: str, params: str) -> Reply:
        return self._call_all(method, [params])[0]

    def _call_all(self, method: str, params: Sequence[str]) -> Sequence[Reply]:
        return self._started().call_all(method, params, _IN_FLIGHT, SECONDS)

    def _started(self) -> SyncClient:
        if self._client is None:
            self._client = self._process.enter_context(SyncClient(self._connection.start(())))
            implementation = self._client.initialize("")
            if ANSWER_UNDER in implementation.capabilities:
                self._operations = implementation.operations
        return self._client

    def _guarded(self, act: Callable[[], _Value]) -> _Value | None:
        """The value; None after a break."""
        if self._is_broken:
            return None
        try:
            return act()
        except RequestFailed as failed:
            self._break(failed.cause)
        except AdapterUnavailable as unavailable:
            self._break(unavailable.cause)
        return None

    def _break(self, cause: Break | Unavailable) -> None:
        self._is_broken, self._operations = True, frozenset()
        self._notify(cause)


def _params(case: Case, choice: Choice, more: JsonObject | None = None) -> str:
    """The parameters as JSON; the request is JSON already."""
    values: JsonObject = {"operation": case.operation, **(more or {})}
    if choice:
        values |= {"readings": dict(choice.readings), "deviations": list(choice.deviations)}
    if case.environment:
        values["environment"] = dict(case.environment)
    return f'{compact(values)[:-1]},"request":{compact(case.request)}}}'


class _Chosen(Struct, frozen=True):
    """Alternatives, as a reply lists them."""

    readings: dict[str, list[str]] = {}
    deviations: list[str] = []

    @property
    def alternatives(self) -> frozenset[Alternative]:
        readings = ((ruling, reading) for ruling, names in self.readings.items() for reading in names)
        return frozenset([*readings, *(("", name) for name in self.deviations)])


class _ErrorType(Struct, frozen=True):
    type: str


class _Answer(_Chosen, frozen=True):
    """A response, and the alternatives under which it is given."""

    answer: dict[str, Any] | None = None
    error: _ErrorType | None = None

    @property
    def response(self) -> Response:
        if self.answer is not None:
            return Answered(self.answer)
        if self.error is not None:
            return Raised(self.error.type)
        raise RequestFailed(Breach(BreachCode.WRONG_TYPE, "$.answer", "object"))


class _EffectsReply(_Answer, frozen=True):
    reached: _Chosen = _Chosen()
    changes: list[_Answer] = []


class _CombinationsReply(_Answer, frozen=True, kw_only=True):
    combinations: list[_Answer] = []
    size: int
    tried: int


_Shape = TypeVar("_Shape", bound=_Chosen)


def _read(reply: Reply, shape: type[_Shape]) -> _Shape:
    """The result of a reply in this shape. Raises `RequestFailed`."""
    if reply.refusal is not None:
        raise RequestFailed(refused(BreachCode.METHOD_REFUSED, reply.refusal))
    try:
        return convert(reply.result, shape)
    except ValidationError as error:
        raise RequestFailed(
            Breach(BreachCode.SCHEMA_MISMATCH, "$", "alternatives and answers", one_line(str(error)))
        ) from None


def _response(reply: Reply) -> Response | None:
    """The response in a reply; None if the alternatives exclude each other."""
    if reply.refusal is not None and reply.refusal.code == INVALID_PARAMS:
        return None
    if reply.refusal is not None and reply.refusal.code == RAISED:
        return Raised(str(reply.refusal.data.get("type")))
    return _read(reply, _Answer).response


def _effects(reply: Reply) -> Effects:
    found = _read(reply, _EffectsReply)
    changes = {alternative: change.response for change in found.changes for alternative in change.alternatives}
    return Effects(found.response, changes, found.reached.alternatives)


def _combined(reply: Reply) -> Combined:
    found = _read(reply, _CombinationsReply)
    responses = {choice_of(entry.alternatives).readings: entry.response for entry in found.combinations}
    return Combined(found.response, responses, found.size, found.tried)


def _alternatives(reply: Reply) -> frozenset[Alternative]:
    return _read(reply, _Chosen).alternatives
