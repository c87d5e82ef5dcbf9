"""A known-divergence file without the lines that do not hold."""

from __future__ import annotations

from made_known import ONE

from harness.gate.findings import GateFinding
from harness.gate.fixed import is_deleted, without_lines
from harness.gate.known_divergences import Divergence, KnownDivergences, ListedNames, ListedReading
from harness.model import Status


def test_only_the_named_lines_go() -> None:
    """An entry of which nothing is left goes; every other one keeps its reason, and a model its cases."""
    known = KnownDivergences(
        (
            Divergence(reason="Whole.", cases={"s/a": (ONE,)}),
            Divergence(reason="Part.", cases={"s/b": (ONE,), "s/c": (ONE,)}),
            Divergence(reason="Model.", model="deaf"),
            Divergence(reason="Both.", model="mute", requirements=("X-1",), cases={"s/d": (ONE,)}),
            Divergence(reason="Other.", name="slow", requirements=("X-1", "X-2"), cases={"s/e": (ONE,)}),
        ),
        (ListedNames(reason="Gap.", names=("a.b", "c.d")),),
        (ListedNames(reason="Hidden.", names=("a.b/x",)),),
        (ListedReading(ruling="RUL-1", reading="b", cases=("s/gone",)),),
        (("RUL-1", "b"), ("RUL-2", "b")),
        versions=">=1",
    )
    gone = {"s/a", "s/b", "deaf", "mute", "X-1", "a.b", "a.b/x", "s/gone", "RUL-2=b"}
    assert without_lines(known, gone) == KnownDivergences(
        (
            Divergence(reason="Part.", cases={"s/c": (ONE,)}),
            Divergence(reason="Both.", cases={"s/d": (ONE,)}),
            Divergence(reason="Other.", name="slow", requirements=("X-2",), cases={"s/e": (ONE,)}),
        ),
        (ListedNames(reason="Gap.", names=("c.d",)),),
        readings=(),
        follows=(("RUL-1", "b"),),
        versions=">=1",
    )
    assert without_lines(known, ()) == known


def test_a_model_that_predicts_too_much_is_no_line_to_delete() -> None:
    """Stale and unmatched lines go, and nothing that needs a person."""
    stale, unmatched = (GateFinding(status, "s/a", "", "") for status in (Status.STALE, Status.UNMATCHED))
    wide = GateFinding(Status.STALE, "deaf", "", "", off_model=("s/a",))
    assert [*map(is_deleted, (stale, unmatched, wide, GateFinding(Status.NEW, "s/a", "", "")))] == [
        True,
        True,
        False,
        False,
    ]
