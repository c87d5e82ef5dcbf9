"""Workers of a campaign on this machine: processes with their own adapters."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.synchronize import Event
from typing import TYPE_CHECKING

from .interrupts import raise_pending_interrupt

if TYPE_CHECKING:
    from ..fuzz.findings import Report
    from ..fuzz.units import Unit

RunUnit = Callable[["Unit"], "Report"]


@dataclass(slots=True)
class _Worker:
    """What a worker inherits from its parent process: the function to run, and the event that ends it early."""

    run_unit: RunUnit | None = None
    stop: Event | None = None


_worker = _Worker()


def raise_if_stopped() -> None:
    """Raises `KeyboardInterrupt` in a process whose user has interrupted the campaign."""
    raise_pending_interrupt()
    if _worker.stop is not None and _worker.stop.is_set():
        raise KeyboardInterrupt


class LocalPool:
    """Processes that run units. After an interrupt every process ends with what it has."""

    lost: tuple[type[Exception], ...] = (BrokenProcessPool,)

    def __init__(self, run_unit: RunUnit, width: int) -> None:
        self.width = width
        self._context = multiprocessing.get_context("fork")  # a worker inherits the checked corpus; no thread runs here
        _worker.run_unit, _worker.stop = run_unit, self._context.Event()
        self._executor = self._started()

    def submit(self, unit: Unit) -> Future[Report]:
        try:
            return self._executor.submit(_run, unit)
        except BrokenProcessPool:
            self._executor.shutdown()
            self._executor = self._started()
            return self._executor.submit(_run, unit)

    def stop(self, running: Collection[Future[Report]]) -> None:
        assert _worker.stop is not None
        _worker.stop.set()
        wait(running)

    def close(self) -> None:
        """Ends the processes."""
        self._executor.shutdown(cancel_futures=True)
        _worker.run_unit = _worker.stop = None

    def _started(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.width, mp_context=self._context, initializer=_begin)


@contextmanager
def local_pool(run_unit: RunUnit, width: int) -> Iterator[LocalPool]:
    """The pool; its processes end with the block."""
    pool = LocalPool(run_unit, width)
    try:
        yield pool
    finally:
        pool.close()


def _begin() -> None:
    """Leaves Ctrl-C, which reaches the whole process group, to the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _run(unit: Unit) -> Report:
    assert _worker.run_unit is not None
    return _worker.run_unit(unit)
