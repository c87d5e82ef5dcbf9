"""Markdown for GitHub: within its limits, and hostile text stays text."""

from __future__ import annotations

import re

import made_values
import pytest
from made_records import HOSTILE, crash, everything, failing, great, record, result, shifted
from markdown_it import MarkdownIt
from renderers import markdown

from harness.compare.run_diff import compare
from harness.model import ErrorKind, RunRecord, Verdict
from harness.report.document import code

render = markdown.render

GITHUB = MarkdownIt("commonmark", {"html": True}).enable("table")
OURS = re.compile(r"</?details>|</?summary>|</?code>|<!-- parity report -->\n*\Z")


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "`",
        "``",
        "a`b",
        "` `",
        " both ends ",
        "   ",
        "`start",
        "end`",
        "a|b",
        "\\",
        "<b>",
        "@one",
        HOSTILE,
        "``` ~~~",
    ],
)
def test_a_code_span_holds_any_text(text: str) -> None:
    """What comes in comes out as one code span with the same characters, unprintable ones as escapes."""
    tokens = GITHUB.parseInline(code(text, 1000))[0].children or []
    assert [token.type for token in tokens] == ["code_inline"]
    if text.isprintable():
        assert tokens[0].content == text


def test_a_code_span_in_a_table_keeps_its_cell() -> None:
    """A bar within a code span ends no cell."""
    rows = f"| a |\n|---|\n| {code('x | y', in_table=True)} |\n"
    cells = [token for token in GITHUB.parse(rows) if token.type == "inline"]
    assert len(cells) == 2
    assert "<code>x | y</code>" in GITHUB.render(rows)


def outside_code(text: str) -> str:
    """The document without its code spans, as GitHub would read it."""
    tokens = [child for token in GITHUB.parse(text) for child in (token.children or [token])]
    return "\n".join(token.content for token in tokens if token.type not in ("code_inline", "fence", "code_block"))


def test_hostile_text_stays_text() -> None:
    """No answer, reason or name becomes a mention, a link or an element."""
    text = render(everything(), compare(everything(), everything()))
    rest = outside_code(text)
    assert not re.search(r"@\w|#\d|window|javascript", rest)
    assert OURS.sub("", rest).count("<") == 0
    assert "<script" not in GITHUB.render(text)
    assert text.isascii() or text.encode("utf-8")
    assert "@someone" in text


def test_what_a_reader_looks_for() -> None:
    """The headline, one row an implementation, and a line for each kind of failure."""
    good = [result(case, "alto") for case in ("choir/verse/first", "organ/b/c")]
    text = render(record(*good, failing("choir/verse/first", "bass"), crash("organ/b/c", "bass")))
    assert text.startswith("## parity: `1 of 3 answers fails, 1 case has no answer`\n")
    assert "| `bass` | 0% | · | · | 1 | 1 | · |" in text
    assert "**`bass`: 2 failures in 2 groups**" in text
    assert '- **1 ×** `song.sing` `$.tune` wanted `"fa"` got `"so"`: `choir/verse/first`' in text
    assert "- **1 ×** `song.sing` `error/crash status 9`: `The adapter exited with status 9.`: `organ/b/c`" in text


def test_a_gate_counts_known_failures_apart() -> None:
    """A green gate has no failure in the column of failures, and no profile that failed."""
    known, passed = (
        failing("choir/verse/a", "bass", expectation=("known", "It sings flat.")),
        result("choir/verse/b", "bass"),
    )
    text = markdown.render(record(known, passed))
    assert "| implementation | pass or variant | pass | variant | known failure | fail | error | unsupported |" in text
    assert "| `bass` | 50% | 1 | · | 1 | · | · | · |" in text
    assert "| known failures by section |" in text


def test_what_fails_a_gate_stands_above_its_verdicts() -> None:
    """A reader of a comment sees first what the change did."""
    known = failing("choir/verse/a", "bass", expectation=("known", "It sings flat."))
    text = markdown.render(record(known, failing("choir/verse/b", "bass")))
    assert text.index("**New: 1 case**") < text.index("| implementation") < text.index("<details>")


def test_near_equal_incidents_are_one_line() -> None:
    """Incidents of one implementation that differ in numbers only stand on one line with their number."""
    incidents = [made_values.incident("bass", ErrorKind.CRASH, (), f"SIG{number}") for number in range(9)]
    text = render(record(result("choir/verse/first", "bass"), incidents=incidents))
    assert text.count("**Incident:**") == 1
    assert "SIG0.` (9 times)" in text


def test_a_run_that_cannot_be_trusted_says_so_first() -> None:
    """An adapter that did not start, an incident and a missing footer stand above the numbers."""
    text = render(everything())
    assert text.index("**Not started:** `mute`") < text.index("| implementation")
    assert text.index("**Incident:** `bass`") < text.index("| implementation")
    cut_short = render(record(result("choir/verse/first", "alto"), complete=False))
    assert cut_short.startswith("## parity: `the run is incomplete`\n")
    assert "**Incomplete:** `The record is incomplete (no footer)" in cut_short
    assert "Missing verdicts" not in cut_short


@pytest.fixture(scope="module")
def long() -> RunRecord:
    """A record with far more kinds of failure than a comment holds."""
    return record(
        *(failing(f"choir/part/{'long-name-' * 10}{n}", "bass", operation=f"song.sing{n}") for n in range(2000))
    )


@pytest.mark.slow
def test_the_limits_of_github(long: RunRecord) -> None:
    """A report that would be too long is cut with a sentence, and stays whole Markdown."""
    text = render(long, compare(record(*(result(one.case, "bass") for one in long.results)), long))
    assert 40_000 < len(text.encode()) <= 65_536
    found = re.findall(r"([\d,]+) more lines omitted\. The run record and the HTML report have them all\.", text)
    assert len(found) == 2
    assert text.count("<details>") == text.count("</details>") == 1
    assert (
        text.count("\n- `choir/part/") + text.count("\n- **1 ×**") + sum(int(count.replace(",", "")) for count in found)
        == 4000
    )


def test_what_changed() -> None:
    """With an older record the changes are told by implementation, the newly failing ones with their difference."""
    before = record(result("choir/verse/first", "bass"), failing("choir/verse/second", "bass"))
    after = record(failing("choir/verse/first", "bass"), result("choir/verse/second", "bass"))
    text = render(after, compare(before, after))
    assert "- `bass`: 1 newly failing, 1 fixed" in text
    assert '- `choir/verse/first` `bass` `pass → fail 0123456789ab`: `$.tune` wanted `"fa"` got `"so"`' in text
    assert "- `choir/verse/second` `bass` `fail 0123456789ab → pass`" in text


def test_a_changed_difference_is_shown() -> None:
    """What a failing case now fails with stands there, and not two signatures."""
    before = record(failing("choir/verse/first", "bass", signature="ba9876543210"))
    after = record(failing("choir/verse/first", "bass"))
    line = '- `choir/verse/first` `bass` `fail → fail`: `$.tune` wanted `"fa"` got `"so"`\n'
    assert line in render(after, compare(before, after))


@pytest.mark.slow
def test_many_implementations_share_the_room() -> None:
    """Each implementation that fails has its list, however many fail before it."""
    text = render(great(3000))
    assert re.findall(r"`(voice-\d)`: 300 failures in 1 group", text) == ["voice-1", "voice-2", "voice-3"]
    assert len(text.encode()) <= 65_536
    assert Verdict.FAIL.value in text


def test_a_change_has_the_aligned_difference() -> None:
    """An element that is missing at the front is named as missing; it is not shown as a difference at each position."""
    before, after = record(result("choir/verse/first", "bass")), record(shifted("choir/verse/first", "bass"))
    text = render(after, compare(before, after))
    assert '`pass → fail 0123456789ab`: `$.notes`: `missing element 0 (a): {"id": "a"}`\n' in text
