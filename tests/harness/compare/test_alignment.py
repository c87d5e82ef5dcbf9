"""Alignment: differences by position become edits of lists; what an edit marks on either side."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers, lists

from harness.base.json_path import path_steps
from harness.compare import alignment
from harness.compare.alignment import MAX_ELEMENTS, edits, response_edits
from harness.compare.edits import (
    ByPosition,
    Changed,
    Edit,
    Marks,
    Missing,
    Move,
    Reordered,
    Unexpected,
    in_order_of,
    marks,
)
from harness.compare.json_diff import differences
from harness.corpus.strict_yaml import parse_yaml
from harness.model import ABSENT, EXACT, Answered, Difference, Json, Raised, Rules, Tolerance


def aligned(wanted: Json, got: Json, rules: Rules = EXACT) -> list[Edit]:
    """The edits between two values."""
    return list(edits(list(differences(wanted, got, rules)), wanted, got))


def items(*names: str) -> list[Json]:
    """Objects with an id and a score of their own."""
    return [{"id": name, "score": ord(name[-1])} for name in names]


ONE, TWO, THREE = items("c1", "c2", "c3")
X: Json = {"id": "x", "score": 0}


@pytest.mark.parametrize(
    ("wanted", "got", "expected"),
    [
        ([ONE, TWO], [X, ONE, TWO], [Unexpected("$", 0, X)]),
        ([ONE, TWO], [ONE, X, TWO], [Unexpected("$", 1, X)]),
        ([ONE, TWO, THREE], [ONE, THREE], [Missing("$", 1, TWO)]),
        ([ONE], [], [Missing("$", 0, ONE)]),
        ([ONE, TWO], [X, TWO], [Missing("$", 0, ONE), Unexpected("$", 0, X)]),
        ([ONE, TWO], [TWO, ONE], [Reordered("$", ("c1", "c2"), ("c2", "c1"), (Move("c1", 0, 1),))]),
        (["a", "b", "c"], ["c", "a", "b"], [Reordered("$", ("a", "b", "c"), ("c", "a", "b"), (Move("c", 2, 0),))]),
        (["a", "b"], ["b"], [Missing("$", 0, "a")]),
        ([1, 1, 2], [1, 2], [Missing("$", 1, 1)]),
        ([1, 2], [1, 3], [Changed("$[1]", 2, 3)]),
        ([[1, 2], [3]], [[1, 2, 9], [3]], [Unexpected("$[0]", 2, 9)]),
        ([[3]], [[1], [3]], [Unexpected("$", 0, [1])]),
    ],
)
def test_an_edit_of_a_list_is_one_edit(wanted: Json, got: Json, expected: list[Edit]) -> None:
    """An inserted, a missing or a moved element is one edit, whatever differs by position behind it."""
    assert aligned(wanted, got) == expected


@pytest.mark.parametrize(
    ("wanted", "got", "expected"),
    [
        (1, 2, [Changed("$", 1, 2)]),
        ({"a": 1}, {"b": 2}, [Changed("$.a", 1, ABSENT), Changed("$.b", ABSENT, 2)]),
        ({"odd key": [1, 2]}, {"odd key": [2]}, [Missing('$["odd key"]', 0, 1)]),
        ([1], {"0": 1}, [Changed("$", [1], {"0": 1})]),
        ([ONE], [{"id": "c1", "score": 0}], [Changed("$[0].score", ord("1"), 0)]),
        ([ONE], [{"id": "c9", "score": ord("1")}], [Changed("$[0].id", "c1", "c9")]),
    ],
)
def test_other_differences_stay_as_they_are(wanted: Json, got: Json, expected: list[Edit]) -> None:
    """A changed value, a missing member and an element that is the same but for one member keep their path."""
    assert aligned(wanted, got) == expected


def replayed(wanted: list[Json], found: list[Edit]) -> list[Json]:
    """The list that the edits make of `wanted`."""
    absent = {edit.index for edit in found if isinstance(edit, Missing)}
    moved = {move.index: move.got_index for edit in found if isinstance(edit, Reordered) for move in edit.moves}
    changed = {path_steps(edit.path)[0]: edit.got for edit in found if isinstance(edit, Changed)}
    placed = {edit.index: edit.value for edit in found if isinstance(edit, Unexpected)}
    placed |= {place: wanted[index] for index, place in moved.items()}
    kept = [
        changed.get(index, value) for index, value in enumerate(wanted) if index not in absent and index not in moved
    ]
    rest = iter(kept)
    return [placed[index] if index in placed else next(rest) for index in range(len(kept) + len(placed))]  # type: ignore[misc]


@settings(deadline=None)
@given(lists(integers(0, 4), max_size=9), lists(integers(0, 4), max_size=9))
def test_the_edits_make_the_answer_of_the_expected_list(wanted: list[Json], got: list[Json]) -> None:
    """Whatever two lists hold, their edits lead from one to the other, and equal lists have none."""
    found = aligned(wanted, got)
    assert replayed(wanted, found) == got
    assert bool(found) == (wanted != got)


def test_values_that_were_just_read_from_a_file_are_values() -> None:
    """Mappings and lists that know their lines are aligned as others are, at every depth."""
    wanted, _ = parse_yaml("calls: [{to: a, n: {x: 1}}, {to: b}]", "calls.yaml")
    assert aligned(wanted, {"calls": [{"to": "new"}, {"to": "a", "n": {"x": 1}}, {"to": "b"}]}) == [
        Unexpected("$.calls", 0, {"to": "new"})
    ]


def test_a_moved_element_that_changed_names_both_places() -> None:
    """A change within an element out of place has the paths of both sides."""
    found = aligned({"r": [ONE, TWO]}, {"r": [{"id": "c2", "score": 7}, ONE]})
    assert found == [
        Reordered("$.r", ("c1", "c2"), ("c2", "c1"), (Move("c1", 0, 1),)),
        Changed("$.r[1].score", ord("2"), 7, "$.r[0].score"),
    ]


def test_elements_without_a_name_are_paired_by_similarity() -> None:
    """Between elements in place, the most similar ones are one changed element, and the rest is unexpected."""
    wanted: Json = [{"text": "red apple", "kind": "term", "at": 4}]
    got: Json = [{"note": [1, 2, 3]}, {"text": "red apple", "kind": "phrase", "at": 4}]
    assert aligned(wanted, got) == [
        Unexpected("$", 0, {"note": [1, 2, 3]}),
        Changed("$[0].kind", "term", "phrase", "$[1].kind"),
    ]


def test_lone_surrogates_can_be_paired() -> None:
    """An answer may hold lone surrogates, also in elements that are paired by similarity."""
    wanted: Json = [{"text": "a"}]
    got: Json = [{"text": "\ud800"}, {"text": "\udfff", "more": 1}]
    assert len(aligned(wanted, got)) == 2


def test_what_the_rules_allow_is_no_edit() -> None:
    """An element that is equal within its tolerance is neither changed nor moved, also where others are inserted."""
    rules = Rules(items=Rules(properties={"score": Rules(tolerance=Tolerance(absolute=1e-12))}))
    near: Json = {"id": "c1", "score": 49 + 1e-13}
    assert aligned([ONE, TWO], [near, X, TWO], rules) == [Unexpected("$", 1, X)]
    assert aligned([ONE, TWO], [X, near, TWO], rules) == [Unexpected("$", 0, X)]


def test_a_list_without_order_has_elements_without_an_index() -> None:
    """What only one of two unordered lists has, has no place, and the list itself is marked."""
    found = aligned({"a": [3, 1]}, {"a": [1, 2]}, Rules(properties={"a": Rules(unordered=True)}))
    assert found == [Missing("$.a", None, 3), Unexpected("$.a", None, 2)]
    assert marks(found) == (Marks(lacking=frozenset({"$.a"})), Marks(lacking=frozenset({"$.a"})))


def test_an_edit_marks_its_places() -> None:
    """What one side alone has is marked there, and its container on the other; a moved element on both sides."""
    found: list[Edit] = [
        Changed("$.a", 1, ABSENT),
        Changed("$.b[1].c", 1, 2, "$.b[0].c"),
        Unexpected("$.d", 2, 1),
        Reordered("$.e", (1, 2), (2, 1), (Move(1, 0, 1),)),
        ByPosition("$.f", 9),
    ]
    assert marks(found) == (
        Marks(frozenset({"$.a", "$.b[1].c", "$.e[0]"}), frozenset({"$.d"})),
        Marks(frozenset({"$.b[0].c", "$.d[2]", "$.e[1]"}), frozenset({"$"})),
    )


def test_an_error_has_no_list_to_align() -> None:
    """The difference between an answer and an error stays by position."""
    part = Difference("$", {"answer": []}, {"error": {"type": "empty"}})
    assert response_edits([part], Answered({}), Raised("empty")) == (Changed("$", part.wanted, part.got),)


def test_places_that_are_not_compared_are_dropped_first() -> None:
    """A member that an implementation cannot report makes no moved element differ."""
    wanted: dict[str, Json] = {"r": [{"id": "a", "rank": 0}, {"id": "b", "rank": 1}]}
    got: dict[str, Json] = {"r": [{"id": "x"}, {"id": "a"}, {"id": "b"}]}
    seen: dict[str, Json] = {"r": [{"id": "a"}, {"id": "b"}]}
    found = list(differences(seen, got))
    assert response_edits(found, Answered(wanted), Answered(got), ["/r/*/rank"]) == (Unexpected("$.r", 0, {"id": "x"}),)


def test_differences_that_were_cut_stay_by_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where only the first differences are at hand, nobody knows which elements are equal."""
    wanted: Json = list(range(40))
    got: Json = [-1, *range(40)]
    cut = list(differences(wanted, got))[:10]
    monkeypatch.setattr(alignment, "MAX_DIFFERENCES", 10)
    note, *rest = edits(cut, wanted, got)
    assert note == ByPosition("$", 41)
    assert rest == [Unexpected("$", 40, 39), *(Changed(part.path, part.wanted, part.got) for part in cut)]


def test_a_list_beyond_the_limit_is_compared_by_position() -> None:
    """A list of more elements than can be aligned gets a notice, and edits by position."""
    long: list[Json] = list(range(MAX_ELEMENTS + 1))
    found = edits([Difference("$[0]", 0, -1)], long, [-1, *long[1:]])
    assert found == (ByPosition("$", MAX_ELEMENTS + 1), Changed("$[0]", 0, -1))


@pytest.mark.slow
@pytest.mark.parametrize("change", ["insert", "replace", "shuffle", "few values"])
def test_a_thousand_elements_are_aligned_soon(change: str) -> None:
    """A reader waits seconds at most, whatever differs."""
    chance = random.Random(1)
    base: list[Any] = [{"id": f"e{number}", "score": number / 7} for number in range(MAX_ELEMENTS)]
    if change == "few values":
        base = [number % 50 for number in range(MAX_ELEMENTS)]
    got = {
        "insert": [X, *base[:-1]],
        "replace": [one if number % 2 else X for number, one in enumerate(base)],
    }.get(change) or chance.sample(base, len(base))
    found = list(differences(base, got))
    began = time.perf_counter()
    assert edits(found, base, got)
    assert time.perf_counter() - began < 20


def test_members_follow_the_expected_order() -> None:
    """Members come in the order of the expected value, others behind them, at every depth."""
    wanted: Json = {"a": 1, "b": [{"c": 1, "d": 2}]}
    got: Json = {"z": 0, "b": [{"d": 2, "c": 1}, {"d": 3, "c": 4}], "a": 1}
    assert str(in_order_of(wanted, got)) == "{'a': 1, 'b': [{'c': 1, 'd': 2}, {'c': 4, 'd': 3}], 'z': 0}"


def test_an_answer_is_aligned_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who charges a failure and who shows it get the same edits; with other paths that are not compared, they are others."""
    aligned: list[Json] = []

    def counted(found: Sequence[Difference], wanted: Json, got: Json) -> tuple[Edit, ...]:
        aligned.append(got)
        return edits(found, wanted, got)

    monkeypatch.setattr(alignment, "edits", counted)
    wanted: dict[str, Json] = {"once": [1, 2]}
    got: dict[str, Json] = {"once": [2]}
    found = list(differences(wanted, got))
    first, second = (response_edits(found, Answered(wanted), Answered(got)) for _ in range(2))
    assert first is second and aligned == [got]
    assert response_edits(found, Answered(wanted), Answered(got), ["/other"]) == first
    assert aligned == [got, got]
