"""Answers under readings and deviations, by an adapter with the capability `answerUnder`.

docs/protocol.md describes the methods `alternatives` and `answerUnder`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from typing import TypeAlias, TypeVar

from ..compare.attribution import Alternative, AlternativeAnswer
from ..compare.canonical import compact
from ..corpus.paths import cache
from ..errors import AdapterUnavailable
from ..model import (
    Answered,
    Breach,
    BreachCode,
    Break,
    Case,
    Choice,
    JsonObject,
    Raised,
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

_IN_FLIGHT = 16

Notify: TypeAlias = "Callable[[Break | Unavailable], None]"
"""Receives the cause of a failed start or a break."""


@contextmanager
def open_alternatives(connection: Connection, notify: Notify) -> Iterator[AlternativesAdapter]:
    """The adapter; its processes end with the block."""
    with ExitStack() as processes:
        yield AlternativesAdapter(connection, processes, notify)


def shipped_alternatives(
    name: str, manifests: Mapping[str, Manifest], sandbox: Sandbox, notify: Notify
) -> AbstractContextManager[AlternativesAdapter | None]:
    """The same for a shipped adapter; None if no adapter of this name is shipped."""
    if name not in manifests:
        return nullcontext()
    return open_alternatives(connect(AdapterSpec(name), manifests, cache(), sandbox, ()), notify)


class AlternativesAdapter:
    """An adapter with a process for each environment of the cases, started at the first request.

    Without the capability, and after a break, which `notify` receives, it answers nothing.
    """

    def __init__(self, connection: Connection, processes: ExitStack, notify: Notify) -> None:
        self._connection = connection
        self._processes = processes
        self._notify = notify
        self._clients: dict[tuple[tuple[str, str], ...], SyncClient] = {}
        self._operations: frozenset[str] | None = None

    def offers(self, operation: str) -> bool:
        """Whether it answers the operation."""
        if self._operations is None:
            self._guarded(lambda: self._client(()))
        return operation in (self._operations or ())

    def names(self) -> frozenset[Alternative]:
        """Every alternative that it knows."""
        return self._guarded(lambda: _alternatives(self._client(()).call("alternatives", {}, SECONDS))) or frozenset()

    def answers(self, case: Case, choices: Sequence[Choice]) -> Sequence[AlternativeAnswer | None]:
        """The answer to a case under each choice; None where the alternatives exclude each other."""
        if not self.offers(case.operation):
            return [None] * len(choices)
        request = case.request_text or compact(case.request)
        given = [_params(case.operation, request, choice) for choice in choices]
        replies = self._guarded(
            lambda: self._client(case.environment).call_all(ANSWER_UNDER, given, _IN_FLIGHT, SECONDS)
        )
        return self._guarded(lambda: [_answer(reply) for reply in replies or ()]) or [None] * len(choices)

    def _client(self, environment: tuple[tuple[str, str], ...]) -> SyncClient:
        if environment not in self._clients:
            client = self._processes.enter_context(SyncClient(self._connection.start(environment)))
            implementation = client.initialize("")
            self._operations = implementation.operations if ANSWER_UNDER in implementation.capabilities else frozenset()
            self._clients[environment] = client
        return self._clients[environment]

    def _guarded(self, act: Callable[[], _Value]) -> _Value | None:
        """The value; None after a break."""
        try:
            return act()
        except RequestFailed as failed:
            self._operations = frozenset()
            self._notify(failed.cause)
        except AdapterUnavailable as unavailable:
            self._operations = frozenset()
            self._notify(unavailable.cause)
        return None


def _params(operation: str, request: str, choice: Choice) -> str:
    """The parameters as JSON; the request is JSON already."""
    rest = compact({"operation": operation, "readings": dict(choice.readings), "deviations": list(choice.deviations)})
    return f'{rest[:-1]},"request":{request}}}'


def _answer(reply: Reply) -> AlternativeAnswer | None:
    refusal = reply.refusal
    if refusal is None:
        answer = reply.result.get("answer")
        if not isinstance(answer, dict):
            raise RequestFailed(Breach(BreachCode.WRONG_TYPE, "$.answer", "object"))
        return AlternativeAnswer(Answered(answer), _reached(reply.result))
    if refusal.code == INVALID_PARAMS:
        return None
    if refusal.code != RAISED:
        raise RequestFailed(refused(BreachCode.METHOD_REFUSED, refusal))
    return AlternativeAnswer(Raised(str(refusal.data.get("type"))), _reached(refusal.data))


def _reached(values: JsonObject) -> frozenset[Alternative]:
    reached = values.get("reached", {})
    if not isinstance(reached, dict):
        raise RequestFailed(Breach(BreachCode.WRONG_TYPE, "$.reached", "object"))
    return _by_kind(reached, "$.reached")


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
