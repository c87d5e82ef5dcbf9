"""Places of causes: they keep to their lines through edits, and say so when these are gone."""

from __future__ import annotations

import pytest

from harness.corpus.anchors import anchor_of
from harness.gate.known_divergences import Divergence, KnownDivergences
from harness.gate.places import SourcePlace, located, place_of, source_place, with_anchors
from harness.model import Cause
from harness.report.phrases import place_text

GO = """\
package song

// Sing sings.
func Sing(
\ttune string,
) string {
\tif tune == "" {
\t\tlast = ""
\t\treturn last
\t}
\treturn strings.ToLower(tune)
}

func Hum(tune string) string {
\tif tune == "" {
\t\tlast = ""
\t}
\treturn tune
}
"""

PYTHON = """\
class Choir:
    def sing(self, tune):
        if not tune:
            return ""
        return tune.lower()

    def hum(self, tune):
        if not tune:
            return ""
        return tune
"""


def placed(symbol: str, *rows: str, file: str = "song/sing.go") -> str:
    """The place of these rows."""
    return f"{file}#{symbol}@{anchor_of(''.join(''.join(rows).split()))}"


def line(place: str, text: str) -> int | None:
    (cause,) = located([Cause("flat", "It sings flat.", place)], {"song/sing.go": text}.get)
    return cause.line


@pytest.mark.parametrize(
    ("symbol", "rows", "text", "expected"),
    [
        ("Sing", ["return strings.ToLower(tune)"], GO, 11),
        ("Sing", ['if tune == "" {', 'last = ""'], GO, 7),
        ("Hum", ['if tune == "" {', 'last = ""'], GO, 15),
        ("Sing", ['last = ""', "return last"], GO, 8),
        ("sing", ["if not tune:"], PYTHON, 3),
        ("hum", ["if not tune:"], PYTHON, 8),
    ],
)
def test_a_line_is_found_by_its_text_and_equal_ones_by_their_symbol(
    symbol: str, rows: list[str], text: str, expected: int
) -> None:
    """Whatever stands before it and however it is laid out; a block belongs to the line that heads it."""
    place = placed(symbol, *rows)
    assert line(place, text) == expected
    assert line(place, "// one more line\n\n" + text.replace("\t", "    ").replace("\n", "\r\n")) == expected + 2


def test_a_place_never_points_at_other_code() -> None:
    """A line that was edited, one of equal lines whose symbol is gone, equal lines in one symbol, a part of a line, a file
    that is not there."""
    assert line(placed("Sing", "return strings.ToLower(tune)"), GO.replace("ToLower", "ToUpper")) == 0
    assert line(placed("Shout", 'last = ""'), GO) == 0
    assert line(placed("Sing", "return last"), GO.replace("\treturn strings.ToLower(tune)", "\treturn last")) == 0
    assert line(placed("Sing", "return strings.ToLower"), GO) == 0
    assert line(placed("Sing", "return last", file="gone.go"), GO) == 0


def test_a_renamed_symbol_keeps_a_line_that_stands_once() -> None:
    """The symbol is for people, and for equal lines."""
    assert line(placed("Sing", "return strings.ToLower(tune)"), GO.replace("Sing", "Chant")) == 11


def test_older_forms() -> None:
    """A line number counts if the file has so many lines; a symbol alone has no line."""
    assert (line("song/sing.go:7", GO), line("song/sing.go:700", GO), line("song/sing.go#Sing", GO)) == (7, 0, None)
    assert source_place("a.go#Sing@12") is source_place("a.go#") is source_place("") is None


@pytest.mark.parametrize(
    ("line", "text", "expected"),
    [
        (11, GO, placed("Sing", "return strings.ToLower(tune)")),
        (8, GO, placed("Sing", 'last = ""')),
        (3, PYTHON, placed("Choir", "if not tune:", 'return ""', "return tune.lower()")),
        (10, PYTHON, placed("Choir", "return tune")),
        (12, GO, "song/sing.go:12"),
        (700, GO, "song/sing.go:700"),
    ],
)
def test_an_older_place_gets_an_anchor(line: int, text: str, expected: str) -> None:
    """Of as many lines as tell it from others; it stays where no name is around them, or no such line."""
    known = KnownDivergences(divergences=(Divergence(reason="It sings flat.", place=f"song/sing.go:{line}"),))
    (entry,) = with_anchors(known, {"song/sing.go": text}.get).divergences
    assert entry.place == expected
    assert with_anchors(known, dict[str, str]().get) == known


@pytest.mark.parametrize(
    ("place", "line", "text"),
    [
        ("a.go#Sing@0123456789ab/31", 7, "a.go:7 (Sing)"),
        ("a.go#Sing@0123456789ab/31", 0, "a.go (Sing; not found in this copy)"),
        ("a.go#Sing@0123456789ab/31", None, "a.go (Sing)"),
        ("a.go:7", None, "a.go:7"),
        ("a.go:7", 0, "a.go (not found in this copy)"),
        ("a.go", None, "a.go"),
        ("", None, ""),
    ],
)
def test_how_a_place_is_told(place: str, line: int | None, text: str) -> None:
    """With the line that the judged copy has; a release has none."""
    assert place_text(place_of(Cause("flat", "", place, line=line))) == text


def test_a_file_outside_the_folder_is_never_read() -> None:
    """Only files of the copy have a text; that is asked once."""
    asked: list[str] = []
    causes = [Cause("flat", "", "../a.go:1"), Cause("sharp", "", "../a.go:2"), Cause("deaf", "")]
    assert [cause.line for cause in located(causes, asked.append)] == [0, 0, None]  # type: ignore[func-returns-value]
    assert asked == ["../a.go"]
    assert source_place("../a.go:1") == SourcePlace("../a.go", line=1)
