"""Requests for a probe: one of the corpus for each operation, and variations of it that an adapter must survive."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from ..base.json_path import follow, put
from ..compare.canonical import compact
from ..corpus.checker import Checker
from ..model import Answered, Breach, Case, Json, JsonObject, Operation
from .mistakes import ProtocolFinding

ESCAPED = {
    ProtocolFinding.UNESCAPED_QUOTE: 'say "hi"',
    ProtocolFinding.UNESCAPED_BACKSLASH: "C:\\dir",
    ProtocolFinding.UNESCAPED_CONTROL: "tab\tline\nend\x01",
}
"""Texts with characters that JSON escapes, each with the finding of a reply that does not escape them. Operations collapse
white space, so the control characters are not white space alone."""
UNDECODED = "tabtline"
"""What a tab between two words becomes if a reader drops the backslash of its escape."""
ACCENTED = "é"
ASTRAL = "😀"
_WRONG_TYPE: Json = {"parity": [None]}
"""A value that almost no member of a request allows."""
_MAX_TEXTS = 12
"""Texts of a request that get a special character, at most."""
_MAX_CARRIED, _MAX_CASES = 3, 50
"""Members of a request whose text is extended, at most, and the cases of an operation that are searched for them."""
_MIN_CARRIED = 3
"""Characters of a text that an answer carries, at least; a shorter one occurs in it by chance."""


class Sample(Struct, frozen=True):
    """A request for one operation. `malformed` breaks its schema; `accented` and `astral` keep it, and so do `escaped`:
    requests whose answer has to carry a text of `ESCAPED`."""

    operation: Operation
    request: JsonObject
    answer_error: Callable[[Json], Breach | None]
    malformed: JsonObject | None
    accented: JsonObject | None
    astral: JsonObject | None
    escaped: Sequence[tuple[ProtocolFinding, JsonObject]] = ()


def sample_of(name: str, cases: Sequence[Case], operations: Mapping[str, Operation], checker: Checker) -> Sample | None:
    """The sample of an operation: the shortest request among its cases, from one with an answer if there is one."""
    fitting = [case for case in cases if case.operation == name and not case.environment]
    if not fitting or name not in operations:
        return None
    case = min(fitting, key=lambda case: (not isinstance(case.expected, Answered), len(compact(case.request))))
    operation = operations[name]

    def keeps(request: JsonObject) -> bool:
        return checker.is_request(operation, request)

    def varied(character: str) -> JsonObject | None:
        return next((request for request in _with(case.request, f" caf{character}") if keeps(request)), None)

    return Sample(
        operation=operation,
        request=case.request,
        answer_error=functools.partial(checker.answer_error, operation),
        malformed=next((request for request in _malformed(case.request) if not keeps(request)), None),
        accented=varied(ACCENTED),
        astral=varied(ASTRAL),
        escaped=[(kind, request) for kind, text in ESCAPED.items() for request in _carried(fitting, text, keeps)],
    )


def _carried(cases: Sequence[Case], text: str, keeps: Callable[[JsonObject], bool]) -> Iterator[JsonObject]:
    """Requests with `text` after a text that the expected answer carries too, in lower or upper case; one a member."""
    tried: set[tuple[str, ...]] = set()
    found = 0
    for case in sorted(cases, key=_effort)[:_MAX_CASES]:
        if not isinstance(case.expected, Answered):
            continue
        carried = [follow(case.expected.value, place).lower() for place in _texts(case.expected.value)]
        for place in _texts(case.request):
            member = tuple(step for step in place if isinstance(step, str))
            old = follow(case.request, place).strip().lower()
            if member in tried or len(old) < _MIN_CARRIED or not any(old in new for new in carried):
                continue
            changed = _changed(case.request, place, f" {text}")
            tried.add(member)
            if keeps(changed):
                found += 1
                yield changed
            if found == _MAX_CARRIED:
                return


def _effort(case: Case) -> tuple[bool, int]:
    """The order of preference: requests without characters that JSON escapes first, then short ones."""
    text = compact(case.request)
    return "\\" in text, len(text)


def _malformed(request: JsonObject) -> Iterator[JsonObject]:
    """Requests that probably break the schema: an empty one, then one for each member with a wrong type."""
    yield {}
    yield from ({**request, key: _WRONG_TYPE} for key in request)


def _with(request: JsonObject, text: str) -> Iterator[JsonObject]:
    """The request with `text` appended to its first text, then to its second, …"""
    for place in list(_texts(request))[:_MAX_TEXTS]:
        yield _changed(request, place, text)


def _texts(value: Json, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if isinstance(value, str):
        yield place
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _texts(item, (*place, index))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _texts(item, (*place, key))


def _changed(request: JsonObject, place: tuple[str | int, ...], text: str) -> JsonObject:
    """The request with `text` appended to the text at this place."""
    changed: JsonObject = put(request, place, f"{follow(request, place)}{text}")
    return changed
