"""Places of an expected answer that allow every text which contains one of some texts. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..base.json_path import follow, path_text, pointer_steps
from ..model import ABSENT, Absent, Answered, Difference, Json, JsonObject

CONTAINS = "$contains"

Contains = Sequence[tuple[str, Sequence[str]]]


def lacking(wanted: Json, got: Json, contains: Contains) -> Iterator[Difference]:
    """The places of `wanted` where `got` has no text that contains one of the texts."""
    for pointer, texts in contains:
        steps = pointer_steps(pointer)
        example, found = follow(wanted, steps, ABSENT), follow(got, steps, ABSENT)
        holds = isinstance(found, str) and any(_plain(text) in _plain(found) for text in texts)
        if not isinstance(example, Absent) and not holds:
            lists = [isinstance(follow(wanted, steps[:at]), list) for at in range(len(steps))]
            path = path_text(int(step) if is_index else step for step, is_index in zip(steps, lists, strict=True))
            yield Difference(path, example, found)


def with_contains(expected: Answered) -> JsonObject:
    """The expected answer as a case file has it: `{$contains: [texts]}` at each such place."""
    value: Json = expected.value
    for pointer, texts in expected.contains:
        value = _put(value, pointer_steps(pointer), {CONTAINS: list(texts)})
    return value if isinstance(value, dict) else {}


def _plain(text: str) -> str:
    """The text in one letter case, with one space for each run of white space."""
    return " ".join(text.lower().split())


def _put(value: Json, tokens: Sequence[str], put: Json) -> Json:
    if not tokens:
        return put
    first, *rest = tokens
    if isinstance(value, dict):
        return {key: _put(item, rest, put) if key == first else item for key, item in value.items()}
    items = value if isinstance(value, list) else []
    return [_put(item, rest, put) if str(index) == first else item for index, item in enumerate(items)]
