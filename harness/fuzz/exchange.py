"""Sends generated requests to every implementation: first to the baseline, whose answer is then the expected one.

Everything else is as in a run: one `AdapterRun` for each implementation, with its blame, timeouts and verdicts.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec import Struct, field

from ..compare.canonical import compact
from ..corpus.case_reader import DEFAULT_REVISION
from ..errors import AdapterUnavailable
from ..model import (
    GENERATED,
    Answered,
    Break,
    Case,
    CaseBody,
    Implementation,
    JsonObject,
    Operation,
    Passed,
    Result,
    Rules,
    Unavailable,
    Unsupported,
    replace,
)
from ..protocol import Connection
from ..runner.adapter_run import AdapterRun
from ..runner.adapter_session import Timeouts
from ..runner.case_execution import AnswerError
from ..runner.events import Event
from ..runner.execute import wait
from ..transport.sync_client import RequestFailed, SyncClient

MAX_PENDING = 400
"""Requests without all their results; a generator waits above it."""

RENEW_AFTER = 25_000
"""Requests after which an adapter gets a fresh process, so that neither side keeps the memory of a whole campaign."""

_LONE_SURROGATE = re.compile(r"\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])|(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f]")
_LONG_INTEGER = re.compile(r'(?:"(?:[^"\\]|\\.)*")|(?<![0-9.])(-?[0-9]{16,})(?![0-9.eE])')

BLIND = Rules(ignored=True)
"""Rules by which no answer differs."""

Done = Callable[["Exchange"], None]


class Exchange(Struct, frozen=True):
    """One request and its results. `case` expects the response of the baseline; `results` has the baseline's own result
    first, and only that one if the baseline gave no response."""

    case: Case
    results: tuple[Result, ...]


def generated_case(operation: Operation, request: JsonObject, at: str = "fuzz") -> Case:
    """A case for a generated request, without its expected response. Its name depends on operation and request alone."""
    text = compact(request)
    digest = hashlib.sha256(f"{operation.name} {text}".encode()).hexdigest()[:12]
    suite = f"{operation.system}/{GENERATED}/{operation.name.replace('.', '-').lower()}"
    return Case(
        name=f"{suite}/{digest}",
        at=at,
        operation=operation.name,
        requirements=(),
        origin="fuzz",
        revision=DEFAULT_REVISION,
        body=CaseBody(recorded_request=request, expected=Answered({})),
    )


def has_lone_surrogate(case: Case) -> bool:
    """Whether the request holds a lone surrogate, which no request may hold."""
    text = compact(case.request)
    return "\\ud" in text and _LONE_SURROGATE.search(text) is not None


def has_inexact_integer(case: Case) -> bool:
    """Whether the request holds an integer that no IEEE double equals: JSON implementations then read different numbers
    (RFC 8259, section 6)."""
    return any(not _is_double(digits) for digits in _LONG_INTEGER.findall(compact(case.request)) if digits)


def _is_double(digits: str) -> bool:
    try:
        return float(digits) == int(digits)
    except OverflowError:
        return False


def introduce(
    connections: Mapping[str, Connection], timeouts: Timeouts
) -> tuple[dict[str, Implementation], dict[str, Unavailable | Break]]:
    """What each implementation replies to `initialize`, and the cause for each one that does not start."""
    found: dict[str, Implementation] = {}
    failed: dict[str, Unavailable | Break] = {}
    for name, connection in connections.items():
        try:
            with SyncClient(connection.start(())) as client:
                found[name] = client.initialize(name, timeouts.initialize)
                client.close()
        except AdapterUnavailable as unavailable:
            failed[name] = unavailable.cause
        except RequestFailed as broken:
            failed[name] = broken.cause
    return found, failed


class _Pending(Struct):
    """A request on its way: who still has to answer it, and the results so far."""

    case: Case
    baseline: str
    others: Sequence[str]
    done: Done
    results: dict[str, Result] = field(default_factory=dict)


class _Lane(Struct):
    """One implementation: its run, the cases to submit next, and the number submitted to its process."""

    run: AdapterRun
    outbox: list[Case] = field(default_factory=list)
    submitted: int = 0
    open: int = 0


class Exchanges:
    """The running implementations of a campaign. A context manager; leaving it ends their processes.

    `implementations` are those that started, in order: the baseline of an operation is the first that offers it. `listen`
    gets every event that is no result; `beat` is called before each look at the adapters, and may raise.
    """

    def __init__(
        self,
        connections: Mapping[str, Connection],
        implementations: Mapping[str, Implementation],
        operations: Mapping[str, Operation],
        answer_error: AnswerError,
        timeouts: Timeouts,
        listen: Callable[[Event], None],
        beat: Callable[[], None] = lambda: None,
    ) -> None:
        self._connections = connections
        self._implementations = implementations
        self._operations = operations
        self._answer_error = answer_error
        self._timeouts = timeouts
        self._listen = listen
        self._beat = beat
        self._pending: dict[str, _Pending] = {}
        self._lanes = {name: _Lane(self._begin(name)) for name in implementations}

    def __enter__(self) -> Exchanges:
        return self

    def __exit__(self, *_: object) -> None:
        for lane in self._lanes.values():
            lane.run.abandon()

    @property
    def pending(self) -> int:
        """Requests without all their results."""
        return len(self._pending)

    def offering(self, operation: str) -> list[str]:
        """The implementations that offer the operation; the first is its baseline."""
        return [name for name, offer in self._implementations.items() if operation in offer.operations]

    def submit(self, case: Case, done: Done, only: Collection[str] | None = None) -> None:
        """Sends a case to the baseline of its operation and then to the others, or `only` to some of them; `done` gets the
        exchange. A case that is pending already is not sent again."""
        if case.name in self._pending:
            return
        baseline, *others = self.offering(case.operation)
        chosen = [name for name in others if only is None or name in only]
        self._pending[case.name] = _Pending(case, baseline, chosen, done)
        self._send(baseline, case)

    def run_alone(self, case: Case, only: Collection[str] | None = None) -> Exchange:
        """The exchange of one case, once everybody has answered; other requests go on meanwhile."""
        found: list[Exchange] = []
        self.submit(case, found.append, only)
        while not found:
            self.pump(waiting=True)
        return found[0]

    def pump(self, *, waiting: bool = False) -> None:
        """Sends and reads everything that is possible, after a short wait for output if `waiting`."""
        self._beat()
        for name, lane in self._lanes.items():
            if lane.submitted >= RENEW_AFTER and not lane.open:
                self._renew(name, lane)
            if lane.outbox:
                lane.run.submit(lane.outbox)
                lane.outbox = []
            if lane.open:
                self._take(lane.run.step())
        if waiting:
            busy = [lane.run for lane in self._lanes.values() if lane.open]
            wait(busy if not any(lane.outbox for lane in self._lanes.values()) else [])

    def close(self) -> None:
        """Ends every process by `shutdown`, once nothing is pending."""
        while self._pending:
            self.pump(waiting=True)
        for lane in self._lanes.values():
            self._end(lane)

    def _begin(self, name: str) -> AdapterRun:
        """A lasting run, in which no answer to an operation that this implementation is the baseline of is compared."""
        operations = {
            operation: replace(declared, rules=BLIND) if self.offering(operation)[:1] == [name] else declared
            for operation, declared in self._operations.items()
        }
        connection = self._connections[name]
        return AdapterRun(name, connection, (), operations, self._answer_error, self._timeouts, lasting=True)

    def _end(self, lane: _Lane) -> None:
        lane.run.close()
        while not lane.run.done:
            self._take(lane.run.step())
            wait([] if lane.run.done else [lane.run])

    def _renew(self, name: str, lane: _Lane) -> None:
        self._end(lane)
        lane.run, lane.submitted = self._begin(name), 0

    def _send(self, name: str, case: Case) -> None:
        lane = self._lanes[name]
        lane.outbox.append(case)
        lane.submitted += 1
        lane.open += 1

    def _take(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, Result):
                self._lanes[event.implementation].open -= 1
                self._arrived(event)
            else:
                self._listen(event)

    def _arrived(self, result: Result) -> None:
        pending = self._pending[result.case.name]
        if result.implementation == pending.baseline and pending.baseline not in pending.results:
            self._baseline_arrived(pending, result)
        else:
            pending.results[result.implementation] = result
        if len(pending.results) == 1 + len(pending.others):
            del self._pending[pending.case.name]
            ordered = [pending.results[name] for name in (pending.baseline, *pending.others)]
            pending.done(Exchange(pending.case, tuple(ordered)))

    def _baseline_arrived(self, pending: _Pending, result: Result) -> None:
        """Makes the baseline's response the expected one, and sends the case to the others; without one it ends here."""
        response = None if isinstance(result.outcome, Unsupported) else result.response
        if response is None:
            pending.others = ()
            pending.results[pending.baseline] = result
            return
        pending.case = pending.case.with_body(expected=response)
        passed = Passed(response)
        pending.results[pending.baseline] = replace(result, case=pending.case, outcome=passed)
        for name in pending.others:
            self._send(name, pending.case)
