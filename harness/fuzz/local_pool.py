"""Workers of a campaign on this machine: processes with their own adapters."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.synchronize import Event

from .campaign_report import Report
from .units import Unit

IsStopped = Callable[[], bool]
RunUnit = Callable[[Unit, IsStopped], Report]
"""Runs a unit, and ends it early once the other function returns true."""

_worker: list[tuple[RunUnit, IsStopped]] = []
"""In a worker, how it runs a unit."""


class LocalPool:
    """Processes that run units. After an interrupt every process ends with what it has."""

    lost: tuple[type[Exception], ...] = (BrokenProcessPool,)

    def __init__(self, run_unit: RunUnit, width: int) -> None:
        self.width = width
        self._run_unit = run_unit
        self._context = multiprocessing.get_context("fork")  # a worker inherits the checked corpus; no thread runs here
        self._stop = self._context.Event()
        self._executor = self._started()

    def submit(self, unit: Unit) -> Future[Report]:
        try:
            return self._executor.submit(_run, unit)
        except BrokenProcessPool:
            self._executor.shutdown()
            self._executor = self._started()
            return self._executor.submit(_run, unit)

    def stop(self, running: Collection[Future[Report]]) -> None:
        self._stop.set()
        wait(running)

    def close(self) -> None:
        """Ends the processes."""
        self._executor.shutdown(cancel_futures=True)

    def _started(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self.width, mp_context=self._context, initializer=_begin, initargs=(self._run_unit, self._stop)
        )


@contextmanager
def local_pool(run_unit: RunUnit, width: int) -> Iterator[LocalPool]:
    """The pool; its processes end with the block."""
    pool = LocalPool(run_unit, width)
    try:
        yield pool
    finally:
        pool.close()


def _begin(run_unit: RunUnit, stop: Event) -> None:
    """Makes this process a worker. Ctrl-C reaches the whole process group and is left to the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker.append((run_unit, stop.is_set))


def _run(unit: Unit) -> Report:
    [(run_unit, is_stopped)] = _worker
    return run_unit(unit, is_stopped)
