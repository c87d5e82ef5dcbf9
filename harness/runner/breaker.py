"""Circuit breaker of one implementation: after many breaks in a row, cases are withheld instead of sent.

A break is a verdict `crash`, `timeout` or `protocol` that cost the process. A row of breaks ends with any answer. A circuit
opens for one operation after `limit` breaks of one kind in a row, and for all operations if the row has `limit` breaks of
one kind and more than one operation. An open circuit admits a case now and then as a probe; an answer closes it.
"""

from __future__ import annotations

from collections import Counter

from msgspec import Struct, field

from ..model import DEFAULT_OPTIONS, PLAIN, Break, ErrorKind, replace

PROBE_GAP = 50
"""Cases that are withheld before the first probe."""

PROBE_GAP_FACTOR = 4
"""Growth of the gap after each probe, so that an adapter that never answers gets at most five in 7,600 cases."""


class CircuitOpened(Struct, frozen=True):
    """Event: after `breaks` breaks of this `kind` in a row, `withheld` cases are not sent until a probe is answered.

    `operation` is the one that they belong to, empty if they belong to several.
    """

    implementation: str
    operation: str
    kind: ErrorKind
    breaks: int
    withheld: int


class _Circuit(Struct):
    """Breaks of one operation, or of all, since the last answer. `cause` is the last break once the circuit is open."""

    row: Counter[ErrorKind] = field(default_factory=Counter)
    operations: set[str] = field(default_factory=set)
    cause: Break | None = None
    gap: int = PROBE_GAP
    skipped: int = 0
    probed: bool = False

    def admits(self) -> bool:
        """Counts one case; true if it is sent all the same, as a probe."""
        self.skipped += 1
        if self.skipped <= self.gap:
            return False
        self.skipped, self.gap, self.probed = 0, self.gap * PROBE_GAP_FACTOR, True
        return True


class CircuitBreaker:
    """Decides which cases of one implementation are sent, in all its processes. `limit` 0: all of them. `openings` counts
    the circuits that opened."""

    def __init__(self, limit: int = DEFAULT_OPTIONS.max_breaks) -> None:
        self._limit = limit
        self.openings = 0
        self._all = _Circuit()
        self._by_operation: dict[str, _Circuit] = {}

    @property
    def limit(self) -> int:
        """Breaks in a row that open a circuit; 0 for no limit."""
        return self._limit

    @property
    def is_wary(self) -> bool:
        """Whether the last case broke the adapter, so that the next one is sent alone."""
        return bool(self._limit and self._all.row)

    def cause(self, operation: str) -> Break | None:
        """The cause of the error of a withheld case; None if the operation's circuit is closed."""
        for circuit in (self._by_operation.get(operation), self._all):
            if circuit is not None and circuit.cause is not None:
                return replace(circuit.cause, context=replace(PLAIN, unsent_after=self._limit))
        return None

    def admits(self, operation: str) -> bool:
        """Whether a case of this operation is sent. An open circuit counts it, and admits a probe."""
        for circuit in (self._all, self._by_operation.get(operation)):
            if circuit is not None and circuit.cause is not None:
                return circuit.admits()
        return True

    def needs_probe(self, operation: str) -> bool:
        """Whether no probe was admitted since the operation's circuit opened; the caller sends one now."""
        own = self._by_operation.get(operation)
        circuit = self._all if self._all.cause is not None or own is None else own
        needed, circuit.probed = not circuit.probed, True
        return needed

    def answered(self, operation: str) -> bool:
        """Notes an answer; true if it closed a circuit."""
        closed = self._all.cause is not None
        self._all = _Circuit()
        own = self._by_operation.pop(operation, None)
        return closed or (own is not None and own.cause is not None)

    def broke(self, operation: str, cause: Break) -> str | None:
        """Notes a break; the operation whose circuit it opened, empty for that of all operations, None if it opened none."""
        if not self._limit:
            return None
        own = self._by_operation.setdefault(operation, _Circuit())
        for circuit in (own, self._all):
            circuit.row[cause.kind] += 1
            circuit.operations.add(operation)
        opened: str | None = None
        if own.cause is None and own.row[cause.kind] >= self._limit:
            own.cause, opened = cause, operation
        everywhere = self._all
        if everywhere.cause is None and everywhere.row[cause.kind] >= self._limit and len(everywhere.operations) > 1:
            everywhere.cause, opened = cause, ""
        self.openings += opened is not None
        return opened
