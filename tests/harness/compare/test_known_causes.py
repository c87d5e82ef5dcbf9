"""Failures charge the requirements that their known causes name."""

from __future__ import annotations

from typing import Any

import pytest
from made_values import ruling

from harness.compare.charged import KnownCauses
from harness.model import (
    ADOPTED,
    Answered,
    Case,
    CaseBody,
    Choice,
    Difference,
    Failed,
    Result,
    Undecided,
    replace,
)

RULINGS = {"RUL-1": ruling("RUL-1", "decides"), "RUL-2": ruling("RUL-2", "leaves-room")}
KNOWN = KnownCauses(
    RULINGS,
    {"deaf": ("A",), "mute": ("B", "C"), "blind": ("X", "Y"), "lame": ("X",), "RUL-1=b": ("C",), "hoarse": ("D",)},
    {("choir/verse/one", "0123456789ab"): "hoarse"},
    elsewhere=lambda: {"foreign": ("B",)},
)


def settled(choice: Choice, shown: tuple[str, ...] = ("A", "B", "C"), **more: Any) -> Failed:
    """The outcome of a failure of a case that cites A to D."""
    case = Case(
        name="choir/verse/one",
        at="",
        operation="song.sing",
        requirements=("A", "B", "C", "D", "FACT"),
        demands=("A", "B", "C", "D"),
        origin="",
        revision="1.0",
        body=CaseBody(recorded_request={}, expected=Answered({})),
    )
    found = Failed(Answered({}), (Difference("$.tune", 1, 2),), "0123456789ab", charged=shown, explained_by=choice)
    outcome = KNOWN.settled(Result(case, "bass", replace(found, **more))).outcome
    assert isinstance(outcome, Failed)
    return outcome


@pytest.mark.parametrize(
    ("choice", "charged", "by_cause"),
    [
        pytest.param(Choice(deviations=("deaf",)), ("A",), True, id="one requirement"),
        pytest.param(Choice(deviations=("mute",)), ("B", "C"), True, id="all that the case cites"),
        pytest.param(Choice((("RUL-1", "b"),)), ("C",), True, id="a refuted reading"),
        pytest.param(Choice((("RUL-2", "b"), ("RUL-1", "b")), ("deaf",)), ("A", "C"), True, id="two causes"),
        pytest.param(Choice((("RUL-2", "b"),)), ("A", "B", "C"), False, id="an open reading is no cause"),
        pytest.param(
            Choice(deviations=("foreign",)), ("B",), True, id="a cause that another implementation is known for"
        ),
        pytest.param(Choice(deviations=("strange",)), ("A", "B", "C"), False, id="a cause without requirements"),
        pytest.param(Choice(deviations=("lame",)), ("X",), True, id="one that the case does not cite"),
        pytest.param(Choice(deviations=("blind",)), ("X", "Y"), False, id="one of several that it does not cite"),
    ],
)
def test_a_cause_names_what_it_breaks(choice: Choice, charged: tuple[str, ...], by_cause: bool) -> None:
    """Requirements of causes are certain; those at the differing places, and a choice among several, are candidates."""
    found = settled(choice)
    assert (found.charged, found.by_cause) == (charged, by_cause)


def test_a_requirement_that_shows_elsewhere_is_not_charged() -> None:
    """Of the requirements of a cause only those count that show at a differing place, if there are any."""
    assert settled(Choice(deviations=("mute",)), shown=("A", "C")).charged == ("C",)


def test_a_listed_answer_has_the_cause_of_its_entry() -> None:
    """The list speaks where nothing else explains the answer: same case, same signature."""
    found = settled(ADOPTED, undecided=Undecided(2, 1))
    assert (found.explained_by, found.undecided, found.charged) == (Choice(listed="hoarse"), None, ("D",))
    assert settled(ADOPTED, signature="ba9876543210").explained_by == ADOPTED
    assert settled(Choice(deviations=("deaf",))).explained_by == Choice(deviations=("deaf",))
