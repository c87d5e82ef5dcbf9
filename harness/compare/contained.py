"""Places of an expected answer that allow every text which contains one of some texts and has a bounded length. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..base.json_path import follow, path_text, pointer_steps, put
from ..model import ABSENT, Absent, Answered, Difference, Json, JsonObject, Raised, Response

CONTAINS, MAX_LENGTH = "$contains", "$maxLength"

Contains = Sequence[tuple[str, Sequence[str], int]]
"""Pointers, the texts of which one is enough, and the most characters."""

LABELS = 120
"""Characters that a text may have beside those of its request: labels, separators, fill-ins of missing fields. The longest
labels of a published SDK had 82 in November 2026."""


def most_characters(request: Json) -> int:
    """The length of the longest text that can be made of `request` alone: all its texts twice, and labels."""
    return 2 * sum(len(_folded(text)) for text in _texts(request)) + LABELS


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


def lacking(wanted: Json, got: Json, contains: Contains) -> Iterator[Difference]:
    """The places of `wanted` where `got` has no text that contains one of the texts and is short enough."""
    for pointer, texts, most in contains:
        steps = pointer_steps(pointer)
        example, found = follow(wanted, steps, ABSENT), follow(got, steps, ABSENT)
        text = _folded(found) if isinstance(found, str) else ""
        holds = isinstance(found, str) and len(text) <= most and any(_folded(part) in text for part in texts)
        if not isinstance(example, Absent) and not holds:
            lists = [isinstance(follow(wanted, steps[:at]), list) for at in range(len(steps))]
            path = path_text(int(step) if is_index else step for step, is_index in zip(steps, lists, strict=True))
            yield Difference(path, example, found)


def with_contains(expected: Answered) -> JsonObject:
    """The expected answer as an export has it: `{$contains: [texts], $maxLength: n}` at each such place."""
    value: Json = expected.value
    for pointer, texts, most in expected.contains:
        value = put(value, pointer_steps(pointer), {CONTAINS: list(texts), MAX_LENGTH: most})
    return value if isinstance(value, dict) else {}


def response_value(response: Response) -> JsonObject:
    """A response as JSON: `{answer: …}`, with the pointers of its free places under `any`, or `{error: {type}}`."""
    if isinstance(response, Raised):
        return {"error": {"type": response.type}}
    return {"answer": with_contains(response), **({"any": [*response.free]} if response.free else {})}


def _folded(text: str) -> str:
    """The text in one letter case, with one space for each run of white space."""
    return " ".join(text.lower().split())
