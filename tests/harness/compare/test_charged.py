"""The requirements that a failing answer charges: those of its causes, else those that show at a differing place."""

from __future__ import annotations

import pytest

from harness.compare.alignment import edits
from harness.compare.charged import charged_requirements
from harness.compare.json_diff import differences
from harness.model import ABSENT, EXACT, Difference, Json, Operation, replace

PLACES = {"TEXT-*": ["/calls/*/documents/*/text"], "ORDER": ["/results"], "FIRST": ["/results/0/id", "/trace/a~1b"]}
CALL: dict[str, Json] = {"to": "bm25"}
OPERATION = Operation(
    "search", "toys", EXACT, (), ("unclassified",), places={key: tuple(of) for key, of in PLACES.items()}
)
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
    assert charged_requirements(("TEXT-1", "ORDER", "FIRST", "EVERYWHERE"), [part], OPERATION) == charged


def test_without_a_place_that_differs_all_are_charged() -> None:
    """No failure is charged to nobody."""
    part = Difference("$.timed", [], ["bm25"])
    assert charged_requirements(("TEXT-1", "ORDER"), [part], OPERATION) == ("TEXT-1", "ORDER")
    assert charged_requirements(("A", "B"), [part], replace(OPERATION, places={})) == ("A", "B")


def _charged(wanted: list[Json], got: list[Json]) -> tuple[str, ...]:
    """The requirements that two lists of calls charge."""
    one: Json = {"calls": wanted}
    other: Json = {"calls": got}
    found = list(differences(one, other))
    operation = replace(OPERATION, places={"TEXT": ("/calls/*/texts",), "MATCH": ("/calls/*/match",)})
    return charged_requirements(("TEXT", "MATCH"), found, operation, lambda: edits(found, one, other))


def test_an_added_element_charges_only_what_it_has() -> None:
    """The elements behind an added or missing one differ by position alone, which charges nothing."""
    first: Json = {"to": "bm25", "match": "a"}
    embed: Json = {"to": "embed", "texts": ["a"]}
    added: Json = {"to": "bm25", "match": "b"}
    assert _charged([first, embed], [first, added, embed]) == ("MATCH",)
    assert _charged([first, added, embed], [first, embed]) == ("MATCH",)
    assert _charged([first, added], [embed, first, added]) == ("TEXT",)


def test_a_list_out_of_order_charges_what_differs_by_position() -> None:
    """An order has no place of its own, so each position counts."""
    first: Json = {"to": "bm25", "match": "a"}
    embed: Json = {"to": "embed", "texts": ["a"]}
    assert _charged([first, embed], [embed, first]) == ("TEXT", "MATCH")


@pytest.mark.parametrize("got", [None, False, ABSENT])
def test_a_refused_request_charges_what_accepts_it(got: Json) -> None:
    """A null, false or missing answer says nothing about the requirements on its value; any other answer does."""
    dated = replace(OPERATION, places={}, acceptance={"FORM-*": ("/instant",)})
    requirements = ("FORM-1", "UTC")
    assert charged_requirements(requirements, [Difference("$.instant", "12:00", got)], dated) == ("FORM-1",)
    assert charged_requirements(requirements, [Difference("$.instant", "12:00", "13:00")], dated) == requirements
    assert charged_requirements(("UTC",), [Difference("$.instant", "12:00", got)], dated) == ("UTC",)


def test_an_accepted_request_that_is_none_charges_all() -> None:
    """Where nothing is expected, an answer refuses nothing."""
    dated = replace(OPERATION, places={}, acceptance={"FORM-*": ("/instant",)})
    assert charged_requirements(("FORM-1", "UTC"), [Difference("$.instant", None, ABSENT)], dated) == ("FORM-1", "UTC")
