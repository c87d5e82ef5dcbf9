"""The execution of a prepared run into its record, with progress on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator
from contextlib import closing
from pathlib import Path

from ..errors import plural
from ..model import Result, RunRecord
from ..plan.setup import RunSetup
from ..records import Expect, Recorder, Unfinished
from ..report.terminal.event_text import Notices
from ..runner.events import Event
from ..runner.execute import batches
from .interrupts import defer_interrupts, raise_pending_interrupt
from .streams import notice


def execute_into_record(
    setup: RunSetup, path: Path, unfinished: Unfinished | None = None, expect: Expect | None = None
) -> RunRecord:
    """Executes the run and writes its record, or the rest of an unfinished one, with progress on a terminal.

    `expect` is the gate's expectation of a result. After an interruption, or if `max_failures` stops the run, the record has
    no footer and can be resumed.
    """
    plan = setup.plan(unfinished.completed() if unfinished else ())
    total = sum(len(plan.remaining(name)) for name in plan.connections)
    with defer_interrupts():
        recorder = Recorder(path, setup.header(), unfinished, expect)
        notices = Notices.of(setup)
        unconfirmed: list[Result] = []
        complete = False
        try:
            if unfinished:
                remaining = f"{plural(total, 'case')} remaining" if total else "no case remains"
                notice(f"parity: kept {plural(len(plan.completed), 'result')} of {path}; {remaining}.")
            with closing(_with_progress(batches(plan, unconfirmed), total)) as shown:
                for batch in shown:
                    if batch:
                        recorder.write(batch)
                        for event in batch:
                            notices(event)
                            total -= isinstance(event, Result)
                    raise_pending_interrupt()
            complete = not (setup.options.max_failures and total)
        finally:
            if not complete:
                recorder.write(unconfirmed)
            recorder.close(complete=complete)
    return recorder.record()


def _with_progress(stream: Iterator[list[Event]], total: int) -> Generator[list[Event], None, None]:
    """The same batches, with a progress bar where standard error is a terminal."""
    if not sys.stderr.isatty():
        yield from stream
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True, emoji=False), transient=True) as progress:
        task = progress.add_task("running", total=total)
        for batch in stream:
            progress.advance(task, sum(isinstance(event, Result) for event in batch))
            yield batch
