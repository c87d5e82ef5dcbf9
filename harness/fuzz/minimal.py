"""The minimal example of a group: the simplest request on which the implementation fails in the same way."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from ..compare.canonical import compact
from ..corpus.checker import Checker
from ..model import Case, JsonObject, Operation, Passed
from .classify import Class, Classifier, Group
from .exchange import Exchange, Exchanges, generated_case
from .shrink import shrink

MAX_CALLS: Mapping[str, int] = {
    "difference": 1500,
    "implementation": 1500,
    "protocol": 300,
    "crash": 120,
    "timeout": 10,
}
"""Requests to shrink one example, by kind of the group: a crash costs a start, a timeout its seconds."""

_NEAREST = 300
"""Passing requests, the last ones, among which the nearest is searched."""


_LIKE = 0.5
"""Likeness, from 0 to 1, above which a passing request is near."""

REPEATS = 3
"""Runs of an example before it is shrunk; one that does not fail in all of them is flaky."""


@dataclass(frozen=True, slots=True)
class Minimal:
    """The case of the simplest request, and the nearest request on which the implementation passes. `is_flaky`: the request
    does not fail in every run."""

    case: Case
    passing: JsonObject | None = None
    is_flaky: bool = False


def minimal(
    exchange: Exchange,
    group: Group,
    exchanges: Exchanges,
    classifier: Classifier,
    checker: Checker,
    operations: Mapping[str, Operation],
    deadline: float | None,
) -> Minimal:
    """The minimal example that begins with this exchange; after the deadline, in seconds of the monotonic clock, the
    simplest one so far."""
    operation = operations[group.operation]
    passing: deque[JsonObject] = deque(maxlen=_NEAREST)

    def is_wanted(request: JsonObject) -> bool:
        if not checker.is_surely_request(operation, request):
            return False
        case = generated_case(operation, request, exchange.case.at)
        found = exchanges.run_alone(case, {group.implementation})
        if isinstance(found.results[-1].outcome, Passed):
            passing.append(request)
        return any(one.class_ is Class.NEW and one.group == group for one in classifier.classify(found.results))

    def in_time(request: JsonObject) -> bool:
        return (deadline is None or time.monotonic() < deadline) and is_wanted(request)

    if not all(is_wanted(exchange.case.request) for _ in range(REPEATS)):
        return Minimal(exchange.case, is_flaky=True)
    request = shrink(exchange.case.request, in_time, MAX_CALLS.get(group.kind, 0))
    case = generated_case(operation, request, exchange.case.at)
    if not is_wanted(request) or request in passing:
        return Minimal(case, is_flaky=True)
    return Minimal(case, _nearest(request, passing))


def _nearest(request: JsonObject, passing: deque[JsonObject]) -> JsonObject | None:
    """The passing request that is most like this one."""
    text = compact(request)
    if not passing:
        return None
    matcher = SequenceMatcher(b=text, autojunk=False)

    def likeness(other: JsonObject) -> tuple[float, str]:
        shown = compact(other)
        matcher.set_seq1(shown)
        return (matcher.ratio() if matcher.quick_ratio() > _LIKE else 0.0, shown)

    nearest = max(passing, key=likeness)
    return nearest if likeness(nearest)[0] > _LIKE else None
