"""Failures that first differ at one place are one group, at a terminal, in Markdown and on the page."""

from __future__ import annotations

import re
import time

import pytest
from made_records import HOSTILE, crash, failing, great, groups, record, result
from renderers import console, first_screen, html, markdown

from harness.compare.error_text import breach_finding
from harness.model import (
    Breach,
    BreachCode,
    Difference,
    ErrorKind,
    ImplementationError,
    Json,
    RecordedResult,
    Verdict,
    replace,
)
from harness.report.site.contents import Site, SiteInput
from harness.report.site.implementation_pages import version_groups


def differing(case: str, *parts: tuple[str, Json, Json], stage: str = "", name: str = "bass") -> RecordedResult:
    """A failing result with these differences."""
    return failing(case, name, difference=tuple(Difference(*part) for part in parts), stage=stage)


def test_an_index_makes_no_kind() -> None:
    """Cases of one operation that part in one place, at whatever index, are one kind; the commonest comes first."""
    found = groups(
        differing("choir/verse/a", ("$.tune", "fa", "so")),
        differing("choir/verse/b", ("$.notes[0].pitch[12]", "fa", "so")),
        differing("choir/verse/c", ("$.notes[7].pitch[1]", "fa", "la")),
    )
    assert [(kind.place, len(kind.results), kind.uniform()) for kind in found] == [
        ("$.notes[*].pitch[*]", 2, False),
        ("$.tune", 1, True),
    ]


def test_the_example_is_of_the_commonest_kind() -> None:
    """The most frequent kind of difference comes first, of the suite with most of its cases; each further kind has an
    example, so that a second fault is seen."""
    odd = differing("choir/odd/a", ("$.notes[0]", "fa", None))
    common = [differing(f"choir/verse/{n}", (f"$.notes[{n}]", "fa", "so")) for n in range(3)]
    other = differing("choir/other/a", ("$.notes[0]", "fa", "so"))
    (group,) = groups(odd, other, *common)
    assert [result.case for result in group.examples] == ["choir/verse/0", "choir/odd/a"]
    (group,) = groups(other, *common)
    assert [result.case for result in group.examples] == ["choir/verse/0", "choir/other/a"]
    text = console.render(record(odd, *common), color=False)
    assert '        also $.notes[0] wanted "fa" got null' in text


def raised(case: str, message: str) -> RecordedResult:
    """An error that the implementation raised."""
    return crash(case, "bass", error=ImplementationError("hoarse", message))


def test_booleans_and_errors_are_told_apart() -> None:
    """A boolean has its direction and its suite; an error has its message without what varies."""
    found = groups(
        differing("choir/verse/a", ("$.loud", True, False)),
        differing("choir/verse/b", ("$.loud", True, False)),
        differing("choir/verse/c", ("$.loud", False, True)),
        differing("choir/chorus/a", ("$.loud", True, False)),
        *(raised(f"choir/verse/e{n}", f"no note {n} in 'hymn {n}'") for n in range(2)),
        raised("choir/verse/f", "out of breath"),
    )
    assert [(group.place, len(group.results)) for group in found] == [
        ("error/implementation hoarse: no note in", 2),
        ("error/implementation hoarse: out of breath", 1),
        ("$.loud wanted true got false in choir/verse", 2),
        ("$.loud wanted false got true in choir/verse", 1),
        ("$.loud wanted true got false in choir/chorus", 1),
    ]


def test_the_first_stage_counts() -> None:
    """The first difference in the first stage that differs is the place of the group."""
    parts = (("$.results[0]", "a", "b"), ("$.trace.query", "x", "y"))
    (kind,) = groups(differing("choir/verse/a", *parts, stage="/trace"))
    assert (kind.place, kind.difference) == ("$.trace.query", Difference("$.trace.query", "x", "y"))
    (kind,) = groups(differing("choir/verse/a", *parts))
    assert kind.place == "$.results[*]"


def test_errors_are_told_apart_by_what_was_raised() -> None:
    """The kind of an error is its own, with the type of what the implementation raised."""
    raised = [
        result("choir/verse/a", "bass", Verdict.ERROR, kind=ErrorKind.IMPLEMENTATION, answer={"error": {"type": type_}})
        for type_ in ("hoarse", "shy")
    ]
    assert [kind.place for kind in groups(crash("choir/verse/b", "bass"), *raised)] == [
        "error/crash status 9",
        "error/implementation hoarse",
        "error/implementation shy",
    ]


def test_the_difference_in_the_first_stage_stands_first() -> None:
    """The line below `first differs at` shows a difference in that stage, whatever the order of the differences."""
    parts = (("$.key", "C", "D"), ("$.tune", "fa", "so"))
    made = record(differing("choir/verse/a", *parts, stage="/tune"))
    for text in (first_screen.render(made, color=False), console.render(made, color=False)):
        _, found, rest = text.partition("first differs at /tune\n")
        assert found and rest.splitlines()[0].lstrip().startswith("$.tune"), text


def test_texts_that_look_alike() -> None:
    """If two texts first differ at a character beyond ASCII, each report names the characters."""
    one = differing("choir/verse/a", ("$.tune", "\N{OHM SIGN}", "\N{GREEK CAPITAL LETTER OMEGA}"))
    several = record(*(replace(one, case=f"choir/verse/{n}") for n in range(5)))
    parted = "first differs at character 1: U+03A9 instead of U+2126"
    assert console.render(several, color=False).count(parted) == 3 + 1
    assert parted in markdown.render(several)
    table, _, cases = html.render(several).partition("<h2>Cases")
    assert parted in table
    assert cases.count(f'<p class="quiet">{parted}</p>') == 5


def test_a_breach_of_a_schema_is_told_at_once() -> None:
    """What is wrong with the answer stands whole, and the operation once."""
    error = Breach(BreachCode.UNEXPECTED_MEMBER, "$.ast.operators", "tune", "a long value " * 5, "schemas/song.json")
    breach = breach_finding(error)
    broken = [crash(f"choir/verse/{n}", "bass", error=error) for n in range(5)]
    text = console.render(record(*broken), color=False)
    shown = " ".join(text.replace("| ", "").split())
    finding = " ".join(breach.replace(": ", " ", 1).split())
    assert f"5 × song.sing error/protocol unexpected-member {finding} (schema)" in shown


def test_requirements_that_fail_most() -> None:
    """Behind the kinds stand the requirements that the failing cases show, if they show several."""
    mixed = [failing(f"choir/verse/{n}", "bass", requirements=("SONG-01",) if n else ("SONG-02",)) for n in range(5)]
    text = console.render(record(*mixed), color=False)
    heading = "  2 requirements with failing cases, 2 without a passing case (failing/cases):\n"
    assert text.partition(heading)[2].startswith(
        "      4/4  SONG-01  A song is sung to its end.\n      1/1  SONG-02  A song has a tune.\n"
    )
    assert "requirements with failing" not in console.render(record(*mixed[1:]), color=False)


def many() -> list[RecordedResult]:
    """Ten kinds: of the n-th n cases."""
    return [differing(f"choir/verse/{n}-{m}", (f"$.part_{n}", "fa", f"so {m}")) for n in range(1, 11) for m in range(n)]


def test_at_a_terminal() -> None:
    """Behind the sections stand the eight commonest kinds, each with an example, and how many more there are."""
    text = console.render(record(*many()), color=False)
    expected = text[text.index("failures by section") :].splitlines()
    assert expected[3] == "bass: 55 failures in 10 groups:"
    assert expected[4] == '   10 × song.sing $.part_10   e.g. wanted "fa"   got "so 0"'
    assert expected[11:13] == [
        '    3 × song.sing $.part_3   e.g. wanted "fa"   got "so 0"',
        "      and 2 more groups (3 failures)",
    ]


def test_a_long_example_keeps_to_the_width() -> None:
    """What does not fit beside its place stands below, both sides cut to where they part."""
    one = differing("choir/verse/a", ("$.lyrics", "la " * 60 + "fa", "la " * 60 + "so"))
    several = [one, *(differing(f"choir/verse/z-{n}", ("$.lyrics", "fa", "so")) for n in range(3))]
    for width in (80, 100):
        lines = console.render(record(*several), color=False, width=width).splitlines()
        at = next(number for number, line in enumerate(lines) if "×" in line)
        assert lines[at] == "    4 × song.sing $.lyrics"
        assert max(map(len, lines[at : at + 3])) <= width
        assert lines[at + 1].startswith("        e.g. wanted …")
        assert lines[at + 2].startswith("        got         …")
        assert [line[-3:] for line in lines[at + 1 : at + 3]] == ['fa"', 'so"']


def test_in_markdown() -> None:
    """The commonest kinds stand open, the others folded; three cases of each are named."""
    text = markdown.render(record(*many()))
    first = (
        '- **10 ×** `song.sing` `$.part_10` e.g. wanted `"fa"` got `"so 0"`: '
        "`choir/verse/10-0`, `choir/verse/10-1`, `choir/verse/10-2` and 7 more"
    )
    assert first in text.partition("<details>")[0]
    assert "<summary>3 more failures in 2 groups</summary>" in text
    assert '- **1 ×** `song.sing` `$.part_1` wanted `"fa"` got `"so 0"`: `choir/verse/1-0`\n' in text


def test_on_the_page() -> None:
    """Each implementation has a table of its groups, in which each leads to its cases."""
    low = differing("choir/verse/2-0", ("$.part_2", "fa", HOSTILE), name="<alto>")
    page = html.render(record(*many(), low))
    for name, count in (("&lt;alto&gt; 1.0", 1), ("bass 1.0", 10)):
        table = page.partition(f">{name}</h2>")[2].partition('aria-label="Failure groups"')[2].partition("</table>")[0]
        links = re.findall(r'<th scope="row"><a href="#([^"]+)">song.sing \$', table)
        assert len(links) == count
        assert all(f'id="{link.replace("%7E", "~")}"' in page for link in links)
    assert "<alto>" not in page


def test_hostile_places() -> None:
    """Operation and place come from a record as well: nothing in them is markup or steers a terminal."""
    several = [
        failing(
            f"choir/verse/{n}", "bass", operation=HOSTILE, difference=(Difference(HOSTILE, HOSTILE, HOSTILE + str(n)),)
        )
        for n in range(5)
    ]
    text = console.render(record(*several), color=False)
    assert all(character == "\n" or character.isprintable() for character in text)
    page = html.render(record(*several))
    assert "<img" not in page
    assert "\u202e" not in page
    assert "@someone" in markdown.render(record(*several))


@pytest.mark.slow
def test_twenty_thousand_failures_are_grouped_soon() -> None:
    """Where everything fails, grouping takes time in proportion."""
    failures = [failing(one.case, one.implementation) for one in great(5000).results]
    began = time.process_time()
    (kind,) = groups(*failures)
    assert kind.uniform()
    assert (len(kind.results), time.process_time() - began < 15) == (20_000, True)


def test_a_long_error_is_no_command_of_a_ci_log() -> None:
    """A message on a line of its own is behind a bar, because GitHub takes an indented `::` for a command too."""
    many_errors = [
        result(
            f"choir/verse/{n}",
            "bass",
            Verdict.ERROR,
            kind=ErrorKind.IMPLEMENTATION,
            reason="::error::" + "x" * 100,
            answer={"error": {"type": "unclassified"}},
        )
        for n in range(5)
    ]
    lines = console.render(record(*many_errors), color=False).splitlines()
    assert not [line for line in lines if line.strip().startswith("::")]
    assert any(line.startswith("        | ::error::") for line in lines)


def test_the_example_of_a_gate_is_a_new_failure() -> None:
    """A group with a known and a new failure shows the new one, also if the known one comes first."""
    known = failing("choir/verse/a", "bass", "known answer", expectation=("known", "It has a cold."))
    new = failing("choir/verse/b", "bass", "new answer", expectation=("new", "not-listed"))
    (column,) = Site(SiteInput(records=[record(known, new)])).columns
    (group,) = version_groups(column)
    assert group.results == (new, known)
