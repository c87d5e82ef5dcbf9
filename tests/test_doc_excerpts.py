"""The excerpts of the pages: output of commands on the kept run `docs/examples/run.jsonl`, which never grows."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from commands import parity

from tools import pictures

ROOT = Path(__file__).resolve().parents[1]
_EXCERPT = re.compile(r"<!-- excerpt: parity (.*) -->\n\n((?:    .*\n|\n)+)")
EXCERPTS = [
    pytest.param(command, text, id=f"{page.stem}-{number}")
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    for number, (command, text) in enumerate(_EXCERPT.findall(page.read_text("utf-8")), 1)
]


@pytest.mark.parametrize(("command", "excerpt"), EXCERPTS)
def test_an_excerpt_is_what_its_command_prints(command: str, excerpt: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line stands in the output, in this order; `…` stands for lines, and at the end of a line for its rest."""
    monkeypatch.setenv("COLUMNS", "100")
    shown = parity(*shlex.split(command), folder=ROOT).stdout.splitlines()
    place = 0
    for line in excerpt.splitlines():
        beginning = line.removeprefix("    ").removesuffix("…")
        if beginning.strip():
            found = [at for at, given in enumerate(shown[place:], place) if given.startswith(beginning)]
            assert found, f"not in the output: {line}"
            place = found[0] + 1


def test_pages_have_excerpts() -> None:
    """The tests above look at something."""
    assert len(EXCERPTS) >= 5


def test_the_picture_of_a_run_is_what_it_prints() -> None:
    """The first picture of the README shows the kept run as it is printed now."""
    assert pictures.SCREEN.read_text("utf-8") == pictures.screen(), "python -m tools.pictures RECORD draws it again"
