"""Parts of a failure's text."""

from __future__ import annotations

from harness.report.result_text import stack_lines


def test_a_long_stack_trace_is_cut_to_its_ends() -> None:
    """The place of the error is at the beginning in some languages and at the end in others."""
    lines = [str(number) for number in range(30)]
    assert stack_lines("\n".join(lines) + "\n") == [*lines[:8], "… 15 more lines", *lines[-7:]]
    assert stack_lines("\n".join(lines[:16])) == lines[:16]
    assert stack_lines("\n") == []
