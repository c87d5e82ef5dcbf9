"""Workers of a campaign on this machine: each is a process with its own adapters and its own rounds."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.synchronize import Event
from typing import TYPE_CHECKING

from .interrupts import raise_pending_interrupt
from .streams import notice

if TYPE_CHECKING:
    from ..fuzz.findings import Report

_POLL_INTERVAL = 0.2


@dataclass(frozen=True, slots=True)
class Share:
    """The `index`-th of `of` equal shares of the rounds, from 0."""

    index: int = 0
    of: int = 1


RunShare = Callable[[Share], "Report"]


@dataclass(slots=True)
class _Worker:
    """What a worker inherits from its parent process: the function to run, and the event that ends it early."""

    run_share: RunShare | None = None
    stop: Event | None = None


_worker = _Worker()


def raise_if_stopped() -> None:
    """Raises `KeyboardInterrupt` in a process whose user has interrupted the campaign."""
    raise_pending_interrupt()
    if _worker.stop is not None and _worker.stop.is_set():
        raise KeyboardInterrupt


def run_shares(run_share: RunShare, jobs: int) -> list[Report]:
    """The reports of all shares, each run in a process of its own; a worker that is lost has none. With one job the share
    runs here. After an interrupt every worker ends with what it has."""
    if jobs == 1:
        return [run_share(Share())]
    context = multiprocessing.get_context("fork")  # a worker inherits the checked corpus; no thread runs here
    _worker.run_share, _worker.stop = run_share, context.Event()
    try:
        with ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin) as pool:
            shares = [pool.submit(_run, Share(index, jobs)) for index in range(jobs)]
            try:
                while wait(shares, timeout=_POLL_INTERVAL).not_done:
                    raise_pending_interrupt()
            except KeyboardInterrupt:
                _worker.stop.set()
            return [report for share in shares if (report := _report(share)) is not None]
    finally:
        _worker.run_share = _worker.stop = None


def _begin() -> None:
    """Leaves Ctrl-C, which reaches the whole process group, to the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _run(share: Share) -> Report:
    assert _worker.run_share is not None
    return _worker.run_share(share)


def _report(share: Future[Report]) -> Report | None:
    try:
        return share.result()
    except BrokenProcessPool:
        notice("parity: a worker of the campaign ended unexpectedly; its findings are lost.")
        return None
