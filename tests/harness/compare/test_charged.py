"""The requirements that a failing answer charges: those that show at a differing place."""

from __future__ import annotations

import pytest

from harness.compare.charged import charged_requirements
from harness.model import ABSENT, Difference, Json

PLACES = {"TEXT-*": ["/calls/*/documents/*/text"], "ORDER": ["/results"], "FIRST": ["/results/0/id", "/trace/a~1b"]}
CALL: dict[str, Json] = {"to": "bm25"}
RERANK: dict[str, Json] = {"to": "rerank", "documents": [{"text": "x"}]}


@pytest.mark.parametrize(
    ("part", "charged"),
    [
        (Difference("$.calls[2].documents[0].text", "a", "b"), ("TEXT-1", "EVERYWHERE")),
        (Difference("$.results[1].score", 1, 2), ("ORDER", "EVERYWHERE")),
        (Difference("$.results[0].id", "a", "b"), ("ORDER", "FIRST", "EVERYWHERE")),
        (Difference('$.trace["a/b"]', 1, 2), ("FIRST", "EVERYWHERE")),
        (Difference("$.calls[3]", ABSENT, CALL), ("EVERYWHERE",)),
        (Difference("$.calls[3]", ABSENT, RERANK), ("TEXT-1", "EVERYWHERE")),
        (Difference("$.calls[*]", RERANK, ABSENT), ("TEXT-1", "EVERYWHERE")),
        (Difference("$.timed", [], ["bm25"]), ("EVERYWHERE",)),
    ],
)
def test_a_requirement_is_charged_at_its_places(part: Difference, charged: tuple[str, ...]) -> None:
    """A difference at, below or above a place charges it; a whole value charges it only if it has the place."""
    assert charged_requirements(("TEXT-1", "ORDER", "FIRST", "EVERYWHERE"), [part], PLACES) == charged


def test_without_a_place_that_differs_all_are_charged() -> None:
    """No failure is charged to nobody."""
    part = Difference("$.timed", [], ["bm25"])
    assert charged_requirements(("TEXT-1", "ORDER"), [part], PLACES) == ("TEXT-1", "ORDER")
    assert charged_requirements(("A", "B"), [part], {}) == ("A", "B")
