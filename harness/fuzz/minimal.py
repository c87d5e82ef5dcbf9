"""The minimal example of a group: the simplest request on which the implementation fails in the same way."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from msgspec import Struct

from ..compare.canonical import compact
from ..corpus.checker import Checker
from ..model import Answered, Case, Failed, JsonObject, Response, Result
from .budget import Allowance
from .campaign_report import is_trivial
from .classify import Class, Classifier, Group
from .edit import filled_lists
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


class _Passing(Struct, frozen=True):
    """A request without a new difference, and the expected answer."""

    request: JsonObject
    answer: Response


class Minimal(Struct, frozen=True):
    """The case of the simplest request, and the nearest request without a new difference. `is_flaky`: the request does not
    fail in every run. `is_shrunk`: the search for a simpler request came to its end. `requests` were sent for it."""

    case: Case
    passing: JsonObject | None = None
    is_flaky: bool = False
    is_shrunk: bool = True
    requests: int = 0


def minimal(
    exchange: Exchange,
    group: Group,
    exchanges: Exchanges,
    classifier: Classifier,
    checker: Checker,
    allowance: Allowance,
) -> Minimal:
    """The minimal example that begins with this exchange; at the end of the allowance, the simplest one so far."""
    operation = classifier.operations[group.operation]
    passing: deque[_Passing] = deque(maxlen=_NEAREST)
    failing = exchange.results[-1]
    sent = 0

    def is_wanted(request: JsonObject) -> bool:
        nonlocal failing, sent
        if not checker.is_surely_request(operation, request):
            return False
        case = generated_case(operation, request, exchange.case.at)
        found = exchanges.run_alone(case, {group.implementation})
        sent += 1
        new = [judged.group for judged in classifier.classify(found.results) if judged.class_ is Class.NEW]
        if not new and found.results[-1].response is not None:
            passing.append(_Passing(request, found.case.expected))
        if group in new:
            failing = found.results[-1]
        return group in new

    if not all(is_wanted(exchange.case.request) for _ in range(REPEATS)):
        return Minimal(exchange.case, is_flaky=True, requests=sent)
    shrunk = shrink(exchange.case.request, is_wanted, MAX_CALLS.get(group.kind, 0), allowance)
    case = generated_case(operation, shrunk.request, exchange.case.at)
    if not is_wanted(shrunk.request) or any(example.request == shrunk.request for example in passing):
        return Minimal(case, is_flaky=True, requests=sent)
    kept = [example.request for example in passing if not _is_emptied(failing, example.answer)]
    return Minimal(case, _nearest(shrunk.request, kept), is_shrunk=shrunk.is_complete, requests=sent)


def _is_emptied(failing: Result, answer: Response) -> bool:
    """Whether the expected answer to a passing request has lost the place of the difference: the whole answer, or a list
    that the path of a difference enters, is empty there and was not before. Such a request shows no cause."""
    before = failing.case.expected
    if not isinstance(before, Answered) or not isinstance(answer, Answered):
        return False
    if is_trivial(answer) and not is_trivial(before):
        return True
    differences = failing.outcome.differences if isinstance(failing.outcome, Failed) else ()
    paths = [difference.path for difference in differences]
    return not filled_lists(before.value, paths) <= filled_lists(answer.value, paths)


def _nearest(request: JsonObject, passing: Sequence[JsonObject]) -> JsonObject | None:
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
