"""Readings that a file or a command line names, against the rulings of the corpus."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.corpus.reading_names import ReadingState, check_option, reading_state
from harness.errors import UsageError
from harness.gate.known_divergences import Divergence, KnownDivergences
from harness.gate.readings import reading_problems
from harness.model import Readings, Ruling

OPEN = Ruling(
    id="RUL-1",
    title="How loud",
    requirements=(),
    question="How loud?",
    readings={"a": "All.", "b": "Some.", "c": "None."},
    adopted="a",
    basis="prose",
    why="It is loud.",
    severity="low",
    evidence=(),
    wording="",
    revision="1",
    text="leaves-room",
)
RULINGS = {"RUL-1": OPEN, "RUL-9": replace(OPEN, id="RUL-9", text="decides")}


def problems(model: str = "", follows: Readings = ()) -> list[tuple[str, str]]:
    """Code and place of each problem of a file with this model on line 4, or this followed reading on line 2."""
    divergences = (Divergence(reason="It is.", model=model, cases={}),) if model else ()
    lines = {model: 4} | {f"{ruling}={reading}": 2 for ruling, reading in follows}
    known = KnownDivergences(divergences, follows=follows, lines=lines, shown="known.yaml")
    return [(one.code, one.place) for one in reading_problems(known, RULINGS)]


@pytest.mark.parametrize(
    ("name", "state"),
    [
        (("RUL-1", "b"), ReadingState.OPEN),
        (("RUL-9", "b"), ReadingState.REFUTED),
        (("RUL-9", "a"), ReadingState.ADOPTED),
        (("RUL-1", "z"), ReadingState.UNKNOWN),
        (("RUL-2", "a"), ReadingState.UNKNOWN),
    ],
)
def test_the_state_of_a_reading(name: tuple[str, str], state: ReadingState) -> None:
    """The ruling of a reading decides on its state."""
    assert reading_state(*name, RULINGS) is state


def test_a_reading_in_its_place_is_no_problem() -> None:
    """A refuted reading is a model, an open one is followed; a deviation and an unknown name are no readings."""
    assert problems("RUL-9=b", (("RUL-1", "b"), ("RUL-7", "b"))) == []
    assert problems("deaf") == problems("RUL-1=z") == []


def test_a_reading_without_an_effect_is_a_problem() -> None:
    """The problem has the line of the file."""
    assert problems("RUL-1=b") == [("open-reading-as-model", "known.yaml:4")]
    assert problems("RUL-9=a") == [("adopted-reading", "known.yaml:4")]
    assert problems(follows=(("RUL-9", "b"),)) == [("refuted-reading-in-follows", "known.yaml:2")]
    assert problems(follows=(("RUL-1", "a"),)) == [("adopted-reading", "known.yaml:2")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("RUL-1=a", "this reading is adopted, and the reference follows it without the option"),
        ("RUL-1=z", "Its readings: RUL-1=b, RUL-1=c; RUL-1=a is adopted"),
        ("RUL-2=a", "no such ruling"),
        ("loud", "no such ruling"),
    ],
)
def test_an_option_without_an_effect_is_refused(name: str, text: str) -> None:
    """The message has the readings that can be chosen."""
    with pytest.raises(UsageError) as caught:
        check_option(name, RULINGS)
    assert text in str(caught.value)


@pytest.mark.parametrize("name", ["RUL-1=c", "RUL-9=b"])
def test_another_reading_can_be_chosen(name: str) -> None:
    """Open and refuted readings can be followed."""
    check_option(name, RULINGS)
