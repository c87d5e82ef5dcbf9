"""The text of a failure: its note, the titles of its rulings, list differences, a long stack trace."""

from __future__ import annotations

from made_records import failing, record, shifted

from harness.compare.alignment import recorded_edits
from harness.compare.edits import Unexpected
from harness.model import ABSENT, Difference, RecordedResult, RunRecord, replace
from harness.report.ci import markdown
from harness.report.failure_groups import failure_groups
from harness.report.output_text import stack_lines
from harness.report.result_text import describe, describe_group
from harness.report.run_summary import summarise
from harness.report.site import single_page

NOTE = "The second verse\n  is the trap."


def noted(case: str = "choir/verse/low", **more: str) -> RecordedResult:
    """A failing disputed case with a note."""
    return replace(failing(case, "bass", ruling="RUL-1"), **{"note": NOTE, **more})  # type: ignore[arg-type]


def run() -> RunRecord:
    return record(noted())


def test_at_a_terminal() -> None:
    """A failure has the title of its ruling and the note on one line each."""
    lines = list(describe(run().results[0], run()))
    assert "  RUL-1  disputed, adopted reading a: Which note comes first" in lines
    assert "  note: The second verse is the trap." in lines


def test_in_markdown() -> None:
    """Below a group stand the titles of the rulings and the notes."""
    lines = markdown.render(summarise(run())).splitlines()
    assert "  - `RUL-1` `Which note comes first`" in lines
    assert "  - note: `The second verse is the trap.`" in lines


def test_in_markdown_of_many() -> None:
    """A group of several cases counts the cases of each ruling, and shows each note once."""
    cases = [noted(f"choir/verse/{name}") for name in ("a", "b")]
    lines = markdown.render(summarise(record(*cases, failing("choir/verse/c", "bass")))).splitlines()
    assert "  - `RUL-1` `Which note comes first` (2 of the cases)" in lines
    assert sum("the trap" in line for line in lines) == 1


def test_a_group_shows_the_element_of_a_list() -> None:
    """A group whose example lacks an element names the element, not the values that moved into its place."""
    made = record(shifted("choir/verse/low", "bass"))
    [group] = failure_groups(made.results, made.metadata)
    assert list(describe_group(group, made)) == [
        '    1 × song.sing $.notes[*].id   $.notes: missing element 0 (a): {"id": "a"}'
    ]
    assert '`$.notes`: `missing element 0 (a): {"id": "a"}`' in markdown.render(summarise(made))
    assert "$.notes: missing element 0 (a)" in single_page.render(summarise(made))


def test_an_order_in_a_group() -> None:
    """A group whose example has another order shows both orders."""
    parts = (Difference("$.notes[0]", "a", "b"), Difference("$.notes[1]", "b", "a"))
    expected, answer = {"answer": {"notes": ["a", "b"]}}, {"answer": {"notes": ["b", "a"]}}
    made = record(failing("choir/verse/low", "bass", expected=expected, answer=answer, difference=parts, stage=""))
    [group] = failure_groups(made.results, made.metadata)
    assert next(describe_group(group, made)).endswith("$.notes: order: a, b → b, a")


def test_members_stand_in_the_expected_order() -> None:
    """An element that was not expected has its members in the order of the expected elements."""
    parts = (Difference("$.notes[1]", ABSENT, {"key": "C", "id": "b"}),)
    expected = {"answer": {"notes": [{"id": "a", "key": "C"}]}}
    answer = {"answer": {"notes": [{"key": "C", "id": "a"}, {"key": "C", "id": "b"}]}}
    result = failing("choir/verse/low", "bass", expected=expected, answer=answer, difference=parts, stage="")
    [edit] = recorded_edits(result)
    assert isinstance(edit, Unexpected)
    assert isinstance(edit.value, dict)
    assert [*edit.value] == ["id", "key"]


def test_a_long_stack_trace_is_cut_to_its_ends() -> None:
    """The place of the error is at the beginning in some languages and at the end in others."""
    lines = [str(number) for number in range(30)]
    assert stack_lines("\n".join(lines) + "\n") == [*lines[:8], "… 15 more lines", *lines[-7:]]
    assert stack_lines("\n".join(lines[:16])) == lines[:16]
    assert stack_lines("\n") == []
