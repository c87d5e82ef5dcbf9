"""The nearest passing case of a failing one, and the requirements without a passing case."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from made_records import failing, record, result

from harness.compare.edits import Changed
from harness.model import ABSENT, RecordedResult, Verdict
from harness.report.document import Block
from harness.report.document_terminal import Medium, render_document
from harness.report.terminal.contrast import Contrast, passing_cases
from harness.report.terminal.group_text import MAX_LISTED, group_blocks


def text_of(blocks: Iterable[Block]) -> str:
    return render_document(blocks, Medium())


def passes(case: str, request: Any, **more: Any) -> RecordedResult:
    return result(f"choir/verse/{case}", "bass", request=request, **more)


def fails(case: str, request: Any, **more: Any) -> RecordedResult:
    return failing(f"choir/verse/{case}", "bass", request=request, **more)


def contrast(failing_: RecordedResult, *others: RecordedResult) -> Contrast:
    return passing_cases(others, "bass").contrast(failing_)


def test_the_smallest_difference_of_the_requests() -> None:
    """The request with the fewest differing members is the nearest, then the one with the smallest change of a text."""
    wrong = fails("a", {"song": "do re mi", "key": "C", "bars": 4})
    near = passes("z", {"song": "do re fa", "key": "C", "bars": 4})
    found = contrast(
        wrong,
        passes("a-b", {"song": "x", "key": "D", "bars": 4}),
        passes("b", {"song": "so la ti", "key": "C", "bars": 4}),
        near,
    )
    assert (found.passing, found.edits) == (near, (Changed("$.song", "do re mi", "do re fa"),))


def test_the_nearest_name_of_equal_requests() -> None:
    """Of equally near requests the one with the most similar name is shown."""
    wrong = fails("low.first", {"song": "do"})
    others = [passes(name, {"song": "re"}) for name in ("high.first", "low.second", "tenor")]
    assert contrast(wrong, *others).passing is others[1]


def test_an_element_of_a_list_and_a_missing_member() -> None:
    """The edits lead from the failing request to the passing one."""
    assert contrast(fails("a", {"songs": ["do"]}), passes("b", {"songs": ["do", "re"]})).edits == (
        Changed("$.songs[1]", ABSENT, "re"),
    )
    assert contrast(fails("a", {"key": "C"}), passes("b", {})).edits == (Changed("$.key", "C", ABSENT),)


@pytest.mark.parametrize(
    "other",
    [
        passes("b", {"song": "do"}, operation="song.hum"),
        result("choir/verse/b", "alto", request={"song": "do"}),
        fails("b", {"song": "do"}),
        passes("b", {"song": "do"}, flaky=[{"passes": [1], "verdict": "pass"}, {"passes": [2], "verdict": "fail"}]),
    ],
    ids=["another operation", "another implementation", "failing", "flaky"],
)
def test_results_that_are_no_passing_case(other: RecordedResult) -> None:
    """Only a stable pass of the same operation and implementation is a passing case."""
    assert contrast(fails("a", {"song": "do"}), other).passing is None


def test_requirements_without_a_passing_case() -> None:
    """A requirement that a passing case or a variant cites is left out; the others have their number of failures."""
    some = [fails("a", {}, requirements=("S-1", "S-2")), fails("b", {}, requirements=("S-2", "S-3", "S-4"))]
    others = [
        passes("c", {}, requirements=("S-3",)),
        result("choir/verse/d", "bass", Verdict.VARIANT, reading="b", requirements=("S-4",)),
    ]
    assert passing_cases([*some, *others], "bass").without_a_pass(some) == [("S-2", 2), ("S-1", 1)]


def test_an_element_in_the_place_of_another_has_its_differing_members() -> None:
    """Two long elements that differ at their end show the member, not two equal beginnings."""
    one = {"id": "a", "text": "do " * 80, "bars": 4}
    other = {"id": "b", "text": "do " * 80, "bars": 5}
    found = contrast(fails("a", {"songs": [one]}), passes("b", {"songs": [other]}))
    assert found.edits == (Changed("$.songs[0].id", "a", "b"), Changed("$.songs[0].bars", 4, 5))
    assert found.is_near


def test_a_passing_case_with_many_differences_is_left_out() -> None:
    """With more than two differences of the requests, none points at the cause."""
    wrong = fails("a", {"song": "do", "key": "C", "bars": 4})
    for bars, shown in ((4, True), (5, False)):
        other = passes("b", {"song": "re", "key": "D", "bars": bars})
        text = text_of(group_blocks([wrong], record(wrong, other), lambda part: [one.case for one in part]))
        assert ("nearest passing case" in text) is shown
        assert "no case of" not in text


def test_a_group_of_an_operation_without_a_pass() -> None:
    """If no case of the operation passes, the text says so; few failures are all listed, of many there is one example."""
    for count in (MAX_LISTED, MAX_LISTED + 1):
        wrong = [fails(f"v{number:02}", {"song": "do"}) for number in range(count)]
        text = text_of(group_blocks(wrong, record(*wrong), lambda part: [f"<{one.case}>" for one in part]))
        assert text.startswith(f"{count} failures in 1 group:\n")
        assert "no case of song.sing passes in this run" in text
        assert text.count("<choir/") == (count if count == MAX_LISTED else 1)
        assert "no passing case for SONG-01: A song is sung to its end." in text


@pytest.mark.parametrize("count", [2, MAX_LISTED + 1])
def test_the_example_is_one_case(count: int) -> None:
    """The values, the case in full and the nearest passing case are those of the first case of a group, of a small group
    too, even if another one is nearer to a passing case."""
    wrong = [fails(f"v{number:02}", {"song": "do re" if number else "far away"}) for number in range(count)]
    text = text_of(
        group_blocks(
            wrong, record(*wrong, passes("p", {"song": "do r"})), lambda part: [f"<{one.case}>" for one in part]
        )
    )
    assert text.index(f"<{wrong[0].case}>") < text.index("v00  (bass)")
    assert 'request $.song   fails with "far away"   passes with "do r"' in text
    assert "v01  (bass)" not in text


def test_an_empty_text_is_no_neighbour() -> None:
    """A longer text is nearer than an empty one, and a pair with an empty text is not shown."""
    empty, other = passes("e", {"song": ""}), passes("o", {"song": "so la ti do"})
    wrong = fails("a", {"song": "mi"})
    assert contrast(wrong, empty, other).passing is other
    assert not contrast(wrong, empty).is_near
