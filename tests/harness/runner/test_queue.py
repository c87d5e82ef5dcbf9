"""The work queue: cases are built a few at a time, and the order and the count include the others."""

from __future__ import annotations

from scripted import OPERATIONS, echo_case

from harness.model import replace
from harness.runner.case_execution import CaseExecution
from harness.runner.queue import MAX_BUILT, CaseQueue

COUNT = 3 * MAX_BUILT


def queue_of(built: list[str], supported: range, operations_sent: bool = True) -> CaseQueue:
    """A queue of `COUNT` cases whose texts are numbers; `built` gets the text of each case that is built."""

    def is_supported(execution: CaseExecution) -> bool:
        built.append(str(execution.case.request["text"]))
        return int(built[-1]) in supported

    queue = CaseQueue(OPERATIONS, is_supported, lambda _: operations_sent)
    queue.add([echo_case(str(number)) for number in range(COUNT)])
    return queue


def test_cases_are_built_as_they_are_needed() -> None:
    """A group is built in parts, in order; cases that are not built yet count as waiting."""
    built: list[str] = []
    queue = queue_of(built, range(COUNT))
    queue.take_group()
    queue.refill()
    assert (len(built), queue.count) == (MAX_BUILT, COUNT)
    sent = []
    while queue.has_waiting:
        sent.append(queue.pending.popleft().case.request["text"])
        queue.refill()
    assert sent == built == [str(number) for number in range(COUNT)]


def test_unsupported_cases_leave_no_empty_part() -> None:
    """A refill continues behind unsupported cases; if only such cases are left, none waits."""
    built: list[str] = []
    queue = queue_of(built, range(COUNT - 1, COUNT))
    queue.take_group()
    queue.refill()
    assert [execution.case.request["text"] for execution in queue.pending] == [str(COUNT - 1)]
    none = queue_of([], range(0))
    none.take_group()
    none.refill()
    assert not none.has_waiting


def test_withholding_includes_cases_that_are_not_built() -> None:
    """All cases of a withheld operation are counted and wait for their release, in order."""
    queue = queue_of([], range(COUNT))
    queue.take_group()
    queue.refill()
    assert queue.withhold(lambda _: False) == COUNT
    assert (queue.has_waiting, queue.count) == (False, COUNT)
    queue.release(lambda _: True)
    assert [execution.case.request["text"] for execution in queue.pending] == [str(number) for number in range(COUNT)]


def test_clearing_returns_cases_of_every_environment() -> None:
    """Pending cases, cases behind them and cases of later groups are returned once each."""
    queue = queue_of([], range(COUNT))
    queue.add([replace(echo_case("other"), environment=(("TZ", "Asia/Tokyo"),))])
    queue.take_group()
    queue.refill()
    assert len({execution.case.name for execution in queue.clear()}) == COUNT + 1
    assert (queue.count, queue.has_waiting) == (0, False)
