"""Answers under readings and deviations, by an adapter with the capability `answerUnder`.

docs/protocol.md describes the methods `alternatives` and `answerUnder`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import TypeAlias, TypeVar

from ..compare.alternatives import Alternative, Combined, Effects, choice_of
from ..compare.canonical import compact
from ..corpus.paths import cache
from ..errors import AdapterUnavailable
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
def open_alternatives(connection: Connection, notify: Notify) -> Iterator[AlternativesAdapter]:
    """The adapter; its process ends with the block."""
    with ExitStack() as process:
        yield AlternativesAdapter(connection, process, notify)


@contextmanager
def shipped_alternatives(
    name: str, manifests: Mapping[str, Manifest], notify: Notify
) -> Iterator[AlternativesAdapter | None]:
    """The same for a shipped adapter; None if no adapter of this name is shipped."""
    if name not in manifests:
        yield None
        return
    with (
        Sandbox() as sandbox,
        open_alternatives(connect(AdapterSpec(name), manifests, cache(), sandbox, ()), notify) as opened,
    ):
        yield opened


class AlternativesAdapter:
    """An adapter, started at the first request.

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
        """Whether it answers the operation."""
        self._guarded(self._started)
        return operation in self._operations

    def accepted(self) -> frozenset[Alternative] | None:
        """Every reading and deviation that it can answer under; None after a break."""
        return self._guarded(lambda: _alternatives(self._started().call("alternatives", {}, SECONDS)))

    def effects(self, case: Case) -> Effects | None:
        """The effect of each single alternative on a case; None if there is no answer."""
        if not self.offers(case.operation):
            return None
        return self._guarded(lambda: _effects(self._call("effects", _params(case, ADOPTED))))

    def combined(
        self, case: Case, beside: Choice, further: Collection[Alternative], size: int, limit: int
    ) -> Combined | None:
        """The responses to a case under up to `size` further readings beside a choice, of at most `limit` combinations;
        None if there is no answer. A further reading takes the place of another one of its ruling."""
        if not self.offers(case.operation):
            return None
        names: dict[str, list[Json]] = {}
        for ruling, reading in further:
            names.setdefault(ruling, []).append(reading)
        params = _params(case, beside, {"further": {**names}, "size": size, "limit": limit})
        return self._guarded(lambda: _combined(self._call("combinations", params)))

    def answers(self, cases: Sequence[Case], choices: Sequence[Choice]) -> Sequence[Response | None]:
        """The response to each case under the choice at the same place; None where the alternatives exclude each other."""
        places = [place for place, case in enumerate(cases) if self.offers(case.operation)]
        given = [_params(cases[place], choices[place]) for place in places]
        found: list[Response | None] = [None] * len(cases)
        responses = self._guarded(lambda: list(map(_response, self._call_all(ANSWER_UNDER, given))))
        for place, response in zip(places, responses or (), strict=False):
            found[place] = response
        return found

    def needed(self, case: Case, choice: Choice) -> Choice:
        """The choice without the alternatives that do not change its response to a case."""
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
    return f'{compact(values)[:-1]},"request":{case.request_text or compact(case.request)}}}'


def _response(reply: Reply) -> Response | None:
    """The response in a reply; None if the alternatives exclude each other."""
    refusal = reply.refusal
    if refusal is None:
        return _answered(reply.result)
    if refusal.code == INVALID_PARAMS:
        return None
    if refusal.code != RAISED:
        raise RequestFailed(refused(BreachCode.METHOD_REFUSED, refusal))
    return Raised(str(refusal.data.get("type")))


def _answered(values: JsonObject) -> Response:
    """`{answer: …}` or `{error: {type}}`."""
    match values:
        case {"answer": dict(answer)}:
            return Answered(answer)
        case {"error": dict(error)}:
            return Raised(str(error.get("type")))
    raise RequestFailed(Breach(BreachCode.WRONG_TYPE, "$.answer", "object"))


def _effects(reply: Reply) -> Effects:
    reached = reply.result.get("reached", {})
    if not isinstance(reached, dict):
        raise RequestFailed(Breach(BreachCode.WRONG_TYPE, "$.reached", "object"))
    found = {alternative: response for chosen, response in _listed(reply, "changes") for alternative in chosen}
    return Effects(_answered(reply.result), found, _by_kind(reached, "$.reached"))


def _combined(reply: Reply) -> Combined:
    found = {choice_of(chosen).readings: response for chosen, response in _listed(reply, "combinations")}
    size, tried = reply.result.get("size"), reply.result.get("tried")
    if not isinstance(size, int) or not isinstance(tried, int):
        raise RequestFailed(Breach(BreachCode.WRONG_TYPE, "$.size", "integer"))
    return Combined(_answered(reply.result), found, size, tried)


def _listed(reply: Reply, member: str) -> Iterator[tuple[frozenset[Alternative], Response]]:
    """The alternatives of each entry of a list, and the response under them."""
    if reply.refusal is not None:
        raise RequestFailed(refused(BreachCode.METHOD_REFUSED, reply.refusal))
    listed = reply.result.get(member, [])
    if not isinstance(listed, list):
        raise RequestFailed(Breach(BreachCode.WRONG_TYPE, f"$.{member}", "list"))
    for index, one in enumerate(listed):
        if not isinstance(one, dict):
            raise RequestFailed(Breach(BreachCode.WRONG_TYPE, f"$.{member}[{index}]", "object"))
        yield _by_kind(one, f"$.{member}[{index}]"), _answered(one)


def _alternatives(reply: Reply) -> frozenset[Alternative]:
    if reply.refusal is not None:
        raise RequestFailed(refused(BreachCode.METHOD_REFUSED, reply.refusal))
    return _by_kind(reply.result, "$")


def _by_kind(values: JsonObject, path: str) -> frozenset[Alternative]:
    """`{readings: {ruling: [reading, …]}, deviations: [name, …]}` as alternatives."""
    readings, deviations = values.get("readings", {}), values.get("deviations", [])
    if not isinstance(readings, dict) or not isinstance(deviations, list):
        raise RequestFailed(Breach(BreachCode.WRONG_TYPE, path, "readings and deviations"))
    return frozenset(
        [
            *((ruling, str(one)) for ruling, names in readings.items() if isinstance(names, list) for one in names),
            *(("", str(name)) for name in deviations),
        ]
    )
