"""A listener that prints notices of a run: stalled adapters, timeouts, operations with misspelt names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from ...base.near_names import misspelt
from ...base.text_limits import MAX_WORD
from ...compare.error_text import breaks_text
from ...errors import one_line, plural
from ...model import Implementation
from ...plan.setup import RunSetup
from ...runner.breaker import CircuitOpened
from ...runner.events import Event
from ...runner.stall import Stalled, TimeoutsCounted


class Notices:
    """Called with every event of a run; gives `show` one line for each notice.

    `operations` are those of the corpus; `probes` has the command that diagnoses an implementation, by name.
    """

    def __init__(self, operations: Collection[str], probes: Mapping[str, str], show: Callable[[str], None]) -> None:
        self._operations = operations
        self._probes = probes
        self._show = show

    @classmethod
    def of(cls, setup: RunSetup) -> Notices:
        """The notices of a run that is set up."""
        return cls(setup.corpus.operations, setup.probes, setup.notify)

    def __call__(self, event: Event) -> None:
        match event:
            case Stalled():
                self._show(stall_text(event, self._probes[event.implementation]))
            case TimeoutsCounted():
                self._show(
                    f"parity: {event.implementation} timed out at {plural(event.timeouts, 'case')} so far, "
                    f"{event.limit:g} s each; {plural(event.remaining, 'case')} remaining."
                )
            case CircuitOpened():
                self._show(circuit_text(event))
            case Implementation():
                for line in misspelt_text(event, self._operations):
                    self._show(f"parity: {line}")
            case _:
                pass


def stall_text(event: Stalled, probe: str) -> str:
    """One line on a stalled adapter; `probe` is the command that diagnoses it."""
    pending = event.pending or f"{event.in_flight} requests"
    return (
        f"parity: {event.implementation} has not replied to {pending} ({event.seconds:.0f} s of {event.limit:g} s). "
        f"To diagnose it: {probe}"
    )


def circuit_text(event: CircuitOpened) -> str:
    """One line on an adapter that breaks again and again."""
    where = f" at {one_line(event.operation, MAX_WORD)}" if event.operation else ""
    return (
        f"parity: {event.implementation}: {breaks_text(event.kind, event.breaks)} in a row{where}. "
        f"{plural(event.withheld, 'case')} will not be sent unless the adapter answers again (--max-breaks)."
    )


def misspelt_text(found: Implementation, operations: Collection[str]) -> list[str]:
    """One line for each offered operation whose name is close to one of the corpus."""
    return [
        f"{found.name} offers {one_line(name, MAX_WORD)}, which no case uses. Did you mean {near}?"
        for name, near in misspelt(found.operations, operations)
    ]
