"""Answers under readings and deviations, by a process with the capability `answerUnder`.

docs/protocol.md describes the methods `alternatives` and `answerUnder`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TypeAlias

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
    Implementation,
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

ANSWER_UNDER = "answerUnder"
"""The capability, and its method."""

SECONDS = 60.0
"""Seconds without a reply after which the process counts as lost."""

_IN_FLIGHT = 16

Notify: TypeAlias = "Callable[[Break | Unavailable], None]"
"""Receives the cause of a failed start or a break."""


@contextmanager
def open_alternatives(connection: Connection, notify: Notify) -> Iterator[AlternativesProcess | None]:
    """The running adapter; None if it does not start or has no capability `answerUnder`."""
    try:
        channel = connection.start(())
    except AdapterUnavailable as unavailable:
        notify(unavailable.cause)
        yield None
        return
    with SyncClient(channel) as client:
        try:
            implementation = client.initialize("")
        except RequestFailed as failed:
            notify(failed.cause)
            yield None
            return
        process = AlternativesProcess(client, implementation, notify)
        yield process if ANSWER_UNDER in implementation.capabilities else None
        process.close()


def shipped_alternatives(
    name: str, manifests: Mapping[str, Manifest], sandbox: Sandbox, notify: Notify
) -> AbstractContextManager[AlternativesProcess | None]:
    """The same for a shipped adapter; None if no adapter of this name is shipped."""
    if name not in manifests:
        return nullcontext()
    return open_alternatives(connect(AdapterSpec(name), manifests, cache(), sandbox, ()), notify)


class AlternativesProcess:
    """A running adapter with the capability `answerUnder`. After a break, which `notify` receives, it gives no answers."""

    def __init__(self, client: SyncClient, implementation: Implementation, notify: Notify) -> None:
        self._client = client
        self._operations = implementation.operations
        self._notify = notify
        self._is_broken = False

    def offers(self, operation: str) -> bool:
        """Whether it answers the operation."""
        return not self._is_broken and operation in self._operations

    def accepted(self) -> frozenset[Alternative] | None:
        """Every reading and deviation that it can answer under; None after a break."""
        if self._is_broken:
            return None
        try:
            return _alternatives(self._client.call("alternatives", {}, SECONDS).result)
        except RequestFailed as failed:
            self._is_broken = True
            self._notify(failed.cause)
            return None

    def answers(self, case: Case, choices: Sequence[Choice]) -> Sequence[AlternativeAnswer | None]:
        """The answer to a case under each choice; None where the alternatives exclude each other."""
        if self._is_broken:
            return [None] * len(choices)
        request = case.request_text or compact(case.request)
        given = [_params(case.operation, request, choice) for choice in choices]
        try:
            return [_answer(reply) for reply in self._client.call_all(ANSWER_UNDER, given, _IN_FLIGHT, SECONDS)]
        except RequestFailed as failed:
            self._is_broken = True
            self._notify(failed.cause)
            return [None] * len(choices)

    def close(self) -> None:
        """Ends the process."""
        if not self._is_broken:
            self._client.close()


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
    return _alternatives(reached, "$.reached")


def _alternatives(listed: JsonObject, path: str = "$") -> frozenset[Alternative]:
    """The members `readings` and `deviations` of a reply."""
    readings, deviations = listed.get("readings", {}), listed.get("deviations", [])
    if not isinstance(readings, dict) or not isinstance(deviations, list):
        raise RequestFailed(Breach(BreachCode.WRONG_TYPE, path, "readings and deviations"))
    return frozenset(
        [
            *((ruling, str(one)) for ruling, names in readings.items() if isinstance(names, list) for one in names),
            *(("", str(name)) for name in deviations),
        ]
    )
