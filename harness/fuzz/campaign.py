"""A campaign: rounds of generated requests, their exchanges, and what the failing ones become.

Requests depend on the seed alone. The exchanges of a round are classified together and in the order of the rounds, so that
the findings do not depend on time either; while one round is classified, requests of the next are under way.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Sequence
from functools import partial
from itertools import combinations

from msgspec import Struct, field

from ..compare.canonical import compact
from ..compare.verdict import response_differences
from ..corpus.checker import Checker
from ..errors import ParityError
from ..model import FAILING, UNTESTED, Case, ErrorKind, JsonObject, Operation, Passed, Result, replace
from .budget import ShrinkBudget
from .campaign_report import Finding, Limits, OperationCounts, Report, Tally, example_case, is_trivial, simplicity
from .classify import Class, Classifier, Group, Judged
from .edit import edit_between
from .exchange import MAX_PENDING, Exchange, Exchanges, generated_case, has_inexact_integer, has_lone_surrogate
from .generation import Source, generate, sizes
from .minimal import Minimal, minimal
from .store import ExampleStore
from .units import Unit

MAX_BREAKS = 10
"""Crashes, or timeouts, of one implementation in one operation after which the campaign gives up the operation."""

MAX_SHRUNK = 40
"""Groups whose example is shrunk."""

MAX_TRIED = 4
"""Requests of a group that are shrunk because the edits of its findings do not apply to them."""

SAMPLE = 500
"""Requests of each operation that are kept as a sample, evenly from all rounds."""

MAX_KEPT = 200
"""Explained and known exchanges that are kept for the record."""

_PUMP_EVERY = 32
"""Generated requests between two looks at the adapters."""

_MAX_SEEN = 500_000
"""Digests of sent requests that are kept to find repeated ones."""


class _Enough(BaseException):
    """Ends a round, through Hypothesis, when a limit is reached."""


class _Round(Struct):
    """The requests of one round: how many have no exchange yet, and the exchanges with a failing result. `stored` are the
    requests of earlier campaigns, each with its implementation."""

    number: int
    operation: Operation
    counts: OperationCounts
    open: int = 0
    generated: bool = False
    failing: list[Exchange] = field(default_factory=list)
    stored: list[tuple[str, JsonObject]] = field(default_factory=list)


class Campaign:
    """Runs rounds over the operations of `sources` until a limit. A `KeyboardInterrupt` ends it with the findings so far."""

    def __init__(
        self,
        sources: Sequence[Source],
        checker: Checker,
        exchanges: Exchanges,
        classifier: Classifier,
        store: ExampleStore,
        seed: int,
    ) -> None:
        self._sources = list(sources)
        self._operations = classifier.operations
        self._checker = checker
        self._exchanges = exchanges
        self._classifier = classifier
        self._store = store
        self._seed = seed
        self._ended: set[str] = set()  # operations without new requests, and the ones that are given up
        self._limits = Limits()
        self._reported: frozenset[Group] = frozenset()
        self._tried: Counter[Group] = Counter()
        self._started = 0.0
        self._budget = ShrinkBudget(self._limits, 0.0)
        self._rounds: deque[_Round] = deque()
        self._seen: set[str] = set()
        self._sample: dict[str, list[str]] = {}
        self._sample_steps: dict[str, int] = {}
        self._breaks: Counter[tuple[str, str, ErrorKind]] = Counter()
        self._findings: dict[Group, Finding] = {}
        self._examples: dict[tuple[str, Class, tuple[str, ...]], tuple[Case, tuple[Result, ...]]] = {}
        self.tally = Tally(operations={source.operation: OperationCounts() for source in sources})

    def run(self, unit: Unit, *, with_stored: bool = True) -> Report:
        """Runs the rounds of a unit until a limit is reached; `with_stored` begins with the findings of earlier
        campaigns."""
        self._limits, self._started = unit.limits, time.monotonic()
        self._reported, self._ended = unit.reported, set(unit.ended)
        self._budget = ShrinkBudget(unit.limits, self._started)
        interrupted = False
        try:
            try:
                if with_stored:
                    self._send_stored()
                self._all_rounds(unit.rounds)
            except _Enough:
                pass
            self._finish_rounds()
        except KeyboardInterrupt:
            interrupted = True
        self.tally.seconds = time.monotonic() - self._started
        return Report(
            self._seed, self.tally, self._sorted_findings(), list(self._examples.values()), interrupted, self._sample
        )

    def _sorted_findings(self) -> list[Finding]:
        return [self._findings[group] for group in sorted(self._findings) if self._findings[group].group == group]

    @property
    def found(self) -> int:
        """New findings so far."""
        return len(self._findings)

    # Generating

    def _all_rounds(self, rounds: range) -> None:
        passed_over = 0
        for number in rounds:
            source = self._sources[number % len(self._sources)]
            cycle = (number - rounds.start) // len(self._sources)
            if source.operation in self._ended:
                passed_over += 1
                if passed_over > len(self._sources):
                    self.tally.is_exhausted = True
                    return
                continue
            passed_over, sent = 0, self.tally.operations[source.operation].sent
            examples, batch = sizes(cycle)
            current = self._begin(number, source.operation)
            before = time.monotonic()
            try:
                seeded = f"{self._seed}/{source.operation}/{number}"
                generate(source, seeded, examples, batch, partial(self._take, current))
                self.tally.rounds = number + 1
            except _Enough:
                raise
            except Exception as error:
                raise ParityError(f"The strategy of {source.operation} fails: {error!r}. Correct it.") from error
            finally:
                current.generated = True
                current.counts.seconds += time.monotonic() - before
            if cycle > 1 and current.counts.sent == sent:
                self._ended.add(source.operation)
            self._classify_finished()

    def _begin(self, number: int, operation: str) -> _Round:
        current = _Round(number, self._operations[operation], self.tally.operations[operation])
        self._rounds.append(current)
        return current

    def _send_stored(self) -> None:
        """Sends the examples that earlier campaigns found."""
        for source in self._sources:
            names = self._exchanges.offering(source.operation)
            stored = [(name, request) for name in names for request in self._store.requests(name, source.operation)]
            if stored:
                current = self._begin(0, source.operation)
                current.stored = stored
                for _, request in stored:
                    self._take(current, request)
                current.generated = True

    def _take(self, current: _Round, request: JsonObject) -> None:
        """Sends one generated request, unless it is invalid or was sent before."""
        counts = current.counts
        if not self._checker.is_surely_request(current.operation, request):
            counts.invalid += 1
            return
        case = generated_case(current.operation, request, f"fuzz:{current.number}")
        if has_lone_surrogate(case) or has_inexact_integer(case):
            counts.invalid += 1
            return
        if case.name in self._seen:
            counts.repeated += 1
            return
        if self._is_enough():
            raise _Enough
        if len(self._seen) >= _MAX_SEEN:
            self._seen.clear()
        self._seen.add(case.name)
        counts.sent += 1
        self._keep_sample(current.operation.name, counts.sent, compact(case.request))
        current.open += 1
        self._exchanges.submit(case, partial(self._done, current))
        if counts.sent % _PUMP_EVERY == 0:
            self._exchanges.pump()
            while self._exchanges.pending > MAX_PENDING:
                self._exchanges.pump(waiting=True)

    def _keep_sample(self, operation: str, number: int, request: str) -> None:
        """Keeps every n-th request, with an n that doubles when the sample is full."""
        kept = self._sample.setdefault(operation, [])
        step = self._sample_steps.setdefault(operation, 1)
        if number % step == 0:
            kept.append(request)
        if len(kept) > SAMPLE:
            self._sample[operation] = kept[1::2]
            self._sample_steps[operation] = step * 2

    def _is_enough(self) -> bool:
        return self._limits.is_reached(self.tally.sent, time.monotonic() - self._started, self.found)

    # Receiving

    def _done(self, current: _Round, exchange: Exchange) -> None:
        current.open -= 1
        outcome = exchange.results[0].outcome
        if isinstance(outcome, Passed):
            current.counts.trivial += is_trivial(outcome.response)
        elif outcome.verdict in UNTESTED:
            current.counts.unsupported += 1
        if any(result.verdict in FAILING for result in exchange.results):
            current.failing.append(exchange)

    def _finish_rounds(self) -> None:
        while self._rounds:
            while self._rounds[0].open:
                self._exchanges.pump(waiting=True)
            self._rounds[0].generated = True
            self._classify_finished()

    def _classify_finished(self) -> None:
        """Classifies every round that is complete, in order."""
        while self._rounds and self._rounds[0].generated and not self._rounds[0].open:
            self._classify(self._rounds.popleft())

    def _classify(self, finished: _Round) -> None:
        exchanges = sorted(finished.failing, key=lambda exchange: simplicity(exchange.case))
        by_case = {exchange.case.name: exchange for exchange in exchanges}
        for judged in self._classifier.classify([result for exchange in exchanges for result in exchange.results]):
            exchange = by_case[judged.result.case.name]
            self.tally.add(judged)
            if judged.class_ is Class.NEW:
                self._count_break(judged)
                if self._is_another(judged.group, exchange.case):
                    self._keep(judged.group, exchange)
            else:
                self._example(judged, exchange)
        for exchange in exchanges:
            self._count_apart(exchange)
        found = {(finding.group.implementation, compact(finding.case.request)) for finding in self._findings.values()}
        for name, request in finished.stored:
            if (name, compact(request)) not in found:
                self._store.delete(name, finished.operation.name, request)

    def _is_another(self, group: Group, case: Case) -> bool:
        """Whether a new difference is none of the findings so far: no finding of its group has an edit that applies to the
        request. Only a few requests of a group are tried."""
        found = [other.edit for other in (*self._findings, *self._reported) if other.unshrunk == group]
        if any(edit.applies_to(case.request) for edit in found) or self._tried[group] >= MAX_TRIED:
            return False
        self._tried[group] += 1
        return True

    def _count_apart(self, exchange: Exchange) -> None:
        """Counts the pairs of implementations, without the baseline, whose responses differ."""
        rules = self._operations[exchange.case.operation].rules
        answered = [
            (result.implementation, response)
            for result in exchange.results[1:]
            if (response := result.response) is not None
        ]
        for (name, first), (other, second) in combinations(answered, 2):
            if any(True for _ in response_differences(first, second, rules)):
                self.tally.apart[name, other] += 1

    def _count_break(self, judged: Judged) -> None:
        """Gives up an operation in which an implementation breaks again and again."""
        kind, name, operation = judged.result.kind, judged.result.implementation, judged.result.case.operation
        if kind not in (ErrorKind.CRASH, ErrorKind.TIMEOUT, ErrorKind.START):
            return
        key = (name, operation, kind)
        self._breaks[key] += 1
        if self._breaks[key] == MAX_BREAKS:
            self.tally.stopped.append((operation, name))
            self._ended.add(operation)

    # Keeping

    def _keep(self, group: Group, exchange: Exchange) -> None:
        """Shrinks the example of a new group and keeps the finding. Groups with one minimal request for one implementation
        are one finding."""
        found = self._minimal(group, exchange)
        whole = self._exchanges.run_alone(found.case)
        results = self._explained(whole)
        if group not in {judged.group for judged in self._judged(whole)}:  # the first exchange is the evidence
            whole, results, found = exchange, exchange.results, replace(found, is_flaky=True)
        if found.passing is not None and not found.is_flaky:
            group = replace(group, edit=edit_between(whole.case.request, found.passing))
        for other in self._findings.values():
            if other.case.name == whole.case.name and other.group.implementation == group.implementation:
                self._findings[group] = other
                return
        self._findings[group] = Finding(group, whole.case, results, found.passing, found.is_shrunk, found.is_flaky)
        self._store.save(group.implementation, group.operation, whole.case.request)

    def _minimal(self, group: Group, exchange: Exchange) -> Minimal:
        """The minimal example of a new group, as far as the budget of the campaign allows."""
        allowance = self._budget.allowance()
        if len(self._findings) >= MAX_SHRUNK or not allowance.allows(0):
            return Minimal(exchange.case, is_shrunk=False)
        before = time.monotonic()
        found = minimal(exchange, group, self._exchanges, self._classifier, self._checker, allowance)
        self._budget.seconds += time.monotonic() - before
        self._budget.requests += found.requests
        self.tally.shrinking = self._budget.seconds
        return found

    def _judged(self, exchange: Exchange) -> list[Judged]:
        return self._classifier.classify(exchange.results)

    def _explained(self, exchange: Exchange) -> tuple[Result, ...]:
        """The results of an exchange, the failing ones with their explanations."""
        judged = {judged.result.implementation: judged.result for judged in self._judged(exchange)}
        return tuple(judged.get(result.implementation, result) for result in exchange.results)

    def _example(self, judged: Judged, exchange: Exchange) -> None:
        key = (judged.result.implementation, judged.class_, judged.group.causes)
        if key not in self._examples and len(self._examples) < MAX_KEPT:
            self._examples[key] = (example_case(exchange.case, judged.class_), self._explained(exchange))
