"""Composition of decisions: which reading is asked first, and which readings exclude each other."""

from __future__ import annotations

import pytest

from reference_impl.decisions import Composition, Decisions, composing, decided, outermost_first, recorder
from reference_impl.switches import SwitchError, following


class Words(Decisions):
    """Decisions of a section."""

    def text(self) -> str:
        return "adopted"


class Replaced(Words):
    def text(self) -> str:
        return "replaced"


class Loud(Words):
    def text(self) -> str:
        return f"{super().text()}!"


class Quoted(Words):
    def text(self) -> str:
        return f"'{super().text()}'"


def test_a_reading_is_in_force_within_its_block() -> None:
    """A block inside another one has its own readings alone, and both end with their blocks."""
    with composing(Composition((Replaced,))):
        assert decided(Words).text() == "replaced"
        with composing(Composition((Loud,))):
            assert decided(Words).text() == "adopted!"
        assert decided(Words).text() == "replaced"
    assert decided(Words).text() == "adopted"


@pytest.mark.parametrize("kinds", [(Replaced, Loud), (Loud, Replaced)])
def test_a_reading_that_replaces_a_method_is_below_one_that_extends_it(kinds: tuple[type[Words], ...]) -> None:
    """In any order of the two."""
    with composing(Composition(outermost_first(kinds))):
        assert decided(Words).text() == "replaced!"


def test_the_later_of_two_extensions_is_asked_first() -> None:
    with composing(Composition(outermost_first((Loud, Quoted)))):
        assert decided(Words).text() == "'adopted!'"


def test_a_recorder_sees_every_call_and_changes_none() -> None:
    reached: set[str] = set()
    with composing(Composition((Loud,), {Words: recorder(Words, {"text": ["loud", "quoted"]})}), reached):
        assert decided(Words).text() == "adopted!"
    assert reached == {"loud", "quoted"}


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["RUL-B03=z"], "RUL-B03=z: no such reading or deviation"),
        (["RUL-B08=b", "RUL-B08=c"], "RUL-B08: two readings of one ruling"),
    ],
)
def test_a_choice_that_nobody_can_follow_is_refused(names: list[str], message: str) -> None:
    with pytest.raises(SwitchError, match=message), following("query.parse", names):
        pass
