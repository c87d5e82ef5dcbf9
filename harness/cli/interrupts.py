"""Ctrl-C, SIGTERM and SIGHUP: one `KeyboardInterrupt` a command, and none inside a block that defers it."""

from __future__ import annotations

import signal
from contextlib import contextmanager

TYPE_CHECKING = False  # `parity --help` imports no module that it does not need
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _State:
    """The state of the process: a signal came, its interrupt was raised, interrupts are deferred."""

    came = False
    raised = False
    held = False


_state = _State()


@contextmanager
def interruptible() -> Iterator[None]:
    """Inside, the first of these signals is a `KeyboardInterrupt`. Later ones have no effect."""
    _state.came = _state.raised = _state.held = False
    ignored = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN  # by `nohup`
    caught = [number for number in _SIGNALS if not (ignored and number == signal.SIGHUP)]
    before = {number: signal.signal(number, _caught) for number in caught}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)


def _caught(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    _state.came = True
    if not _state.held:
        raise_pending_interrupt()


@contextmanager
def defer_interrupts() -> Iterator[None]:
    """Inside, a signal waits for the next `raise_pending_interrupt` or the end of the block."""
    _state.held = True
    try:
        yield
    finally:
        _state.held = False
    raise_pending_interrupt()


def raise_pending_interrupt() -> None:
    """Raises the `KeyboardInterrupt` that is waiting, if one is."""
    if _state.came and not _state.raised:
        _state.raised = True
        raise KeyboardInterrupt


@contextmanager
def interrupt_note(sentence: Callable[[], str]) -> Iterator[None]:
    """Adds a sentence for the user to an interruption that happens inside."""
    try:
        yield
    except KeyboardInterrupt:
        raise KeyboardInterrupt(sentence()) from None
