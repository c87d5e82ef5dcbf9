"""How an update writes the listed cases and operations of a known-divergence file."""

from __future__ import annotations

from typing import Any

import pytest
from made_known import (
    CORPUS,
    ONE,
    OTHER,
    THIRD,
    TODAY,
    explaining,
    fail,
    flaky,
    gate_input,
    known,
    reasons,
    unsupported,
    without,
)

from harness.gate.findings import findings
from harness.gate.known_divergences import Divergence, KnownDivergences, ListedNames
from harness.gate.update import changed, merged
from harness.model import (
    ResultLine,
    Verdict,
    replace,
)

WAITING = "TODO of echo.say $.text"


def divergences(file: KnownDivergences) -> list[tuple[str, dict[str, Any]]]:
    """The entries: reason and cases; `kind` and `before` of an unwritten reason stand beside it."""
    return [
        (
            f"{one.reason}{f' of {one.category}' * bool(one.category)}{f' after {one.before}' * bool(one.before)}",
            dict(one.cases),
        )
        for one in file.divergences
    ]


def test_merging_keeps_reasons_with_their_cases() -> None:
    """A known failure keeps its entry with all that belongs to it; a new one comes under TODO, with its kind."""
    expected = explaining(ONE, link="https://example.org/12", owner="me", since="2026-01-01", expires="2027-01-01")
    file = merged(expected, [fail(), fail("s/said/b", OTHER)], CORPUS)
    assert file.divergences[0] == expected.divergences[0]
    assert divergences(file)[1:] == [(WAITING, {"s/said/b": (OTHER,)})]


def test_merging_is_idle_where_all_is_known() -> None:
    """A file that explains the run is left as it is, and explains it."""
    results = [
        fail(),
        gate_input("s/said/b"),
        unsupported("s/shouted/a"),
        unsupported("s/shouted/b"),
    ]
    file = merged(known(echo_shout="mute"), results, CORPUS)
    assert (divergences(file), reasons(file)) == (
        [("It mumbles.", {"s/said/a": (ONE,)})],
        {"echo.shout": "mute"},
    )


AGAIN = "TODO after It mumbles."


def test_merging_puts_another_signature_in_its_place() -> None:
    """A changed failure gets its new signature and waits for its reason; a list of several takes the new one in."""
    assert divergences(merged(explaining(ONE), [fail(signature=OTHER)], CORPUS)) == [(AGAIN, {"s/said/a": (OTHER,)})]
    assert divergences(merged(explaining(ONE, OTHER), [fail(signature=THIRD)], CORPUS)) == [
        (AGAIN, {"s/said/a": (ONE, OTHER, THIRD)})
    ]


def test_merging_parts_an_entry_of_which_one_case_changed() -> None:
    """The reason stays with the cases that diverge as before, and only those that changed wait for another."""
    both = KnownDivergences(
        (Divergence(reason="It mumbles.", cases={"s/said/a": (ONE,), "s/said/b": (ONE,)}, link="l"),)
    )
    results = [fail(), fail("s/said/b", OTHER)]
    file = merged(both, results, CORPUS)
    assert divergences(file) == [("It mumbles.", {"s/said/a": (ONE,)}), (AGAIN, {"s/said/b": (OTHER,)})]
    assert [one.link for one in file.divergences] == ["l", "l"]
    assert changed(both, results) == ["s/said/b"]


def test_merging_over_a_reason_that_waits_changes_no_text() -> None:
    """What still waits for its reason takes the newest signature, and does not tell of the one before."""
    once = merged(explaining(ONE), [fail(signature=OTHER)], CORPUS)
    assert divergences(merged(once, [fail(signature=THIRD)], CORPUS)) == [(AGAIN, {"s/said/a": (THIRD,)})]


def test_merging_drops_what_is_stale_or_unmatched() -> None:
    """Lines of cases that pass or are not there go, and an entry without cases goes with them."""
    expected = KnownDivergences(
        (Divergence(reason="It mumbles.", cases={"s/said/a": (ONE,), "s/gone/a": (ONE,)}),),
        (ListedNames(reason="mute", names=("echo.whisper", "echo.shout")),),
    )
    file = merged(expected, [gate_input("s/said/a"), gate_input("s/shouted/a")], CORPUS)
    assert (file.divergences, file.unsupported) == ((), ())


def test_merging_keeps_what_was_not_selected() -> None:
    """Lines of cases and operations that were not asked stay as they are."""
    file = merged(known(echo_shout="mute"), [gate_input("s/said/b")], CORPUS)
    assert (divergences(file), reasons(file)) == (
        [("It mumbles.", {"s/said/a": (ONE,)})],
        {"echo.shout": "mute"},
    )


def test_new_failures_join_what_waits_for_the_same_reason() -> None:
    """A TODO of any text keeps its place, what belongs to it and its cases. A case whose failure is of another category
    leaves the entry that waits."""
    shouts = Divergence(reason="TODO", category="echo.shout $.text", owner="me", cases={"s/shouted/b": (ONE,)})
    mumbles = Divergence(reason="It mumbles.", cases={"s/said/b": (ONE,)})
    before = KnownDivergences((Divergence(reason="TODO", cases={"s/said/a": (ONE,)}), shouts, mumbles))

    once = merged(before, [fail("s/shouted/a", OTHER)], CORPUS)
    cases = {"s/shouted/b": (ONE,), "s/shouted/a": (OTHER,)}
    assert once.divergences == (before.divergences[0], replace(shouts, cases=cases), mumbles)
    assert merged(once, [fail("s/shouted/a", OTHER)], CORPUS) == once
    other = merged(
        once,
        [gate_input("s/shouted/b", Verdict.ERROR, OTHER), fail(signature=OTHER)],
        CORPUS,
    )
    assert [(one.category, {**one.cases}) for one in other.divergences] == [
        ("", {"s/said/a": (OTHER,)}),
        ("echo.shout $.text", {"s/shouted/a": (OTHER,)}),
        ("", {"s/said/b": (ONE,)}),
        ("echo.shout error/crash status 9", {"s/shouted/b": (OTHER,)}),
    ]


def test_an_operation_that_answers_nothing_gets_one_line() -> None:
    """Where all cases of an operation were asked and none was answered, it has a line with the adapter's reason."""
    file = merged(KnownDivergences(), [unsupported("s/shouted/a"), unsupported("s/shouted/b")], CORPUS)
    assert reasons(file) == {"echo.shout": "No such function."}


def test_an_operation_of_which_a_part_was_asked_gets_lines_of_cases() -> None:
    """Where a case of the operation was not asked, or was answered, each unsupported case has its own line."""
    fresh = merged(KnownDivergences(), [unsupported("s/shouted/a")], CORPUS)
    assert reasons(fresh) == {"s/shouted/a": "No such function."}
    partly = merged(
        known(echo_shout="mute"),
        [unsupported("s/shouted/a"), gate_input("s/shouted/b")],
        CORPUS,
    )
    assert reasons(partly) == {"s/shouted/a": "mute"}


@pytest.mark.parametrize(
    "results",
    [
        [
            fail(),
            fail("s/said/b", OTHER),
            unsupported("s/shouted/a"),
            unsupported("s/shouted/b"),
        ],
        [
            gate_input("s/said/a"),
            unsupported("s/said/b"),
            fail("s/shouted/a", OTHER),
            unsupported("s/shouted/b"),
        ],
        [unsupported("s/said/a"), gate_input("s/shouted/a", Verdict.VARIANT)],
    ],
)
@pytest.mark.parametrize(
    "before",
    [KnownDivergences(), known(), known(echo_shout="mute"), explaining(OTHER, case="s/gone/a")],
)
def test_a_merged_file_explains_the_run(before: KnownDivergences, results: list[ResultLine]) -> None:
    """Whatever stood in the file and whatever was seen, the merged file leaves nothing to find."""
    assert findings(merged(before, results, CORPUS), results, CORPUS, TODAY) == []


def test_unsupported_cases_join_the_entry_with_their_reason() -> None:
    """A second update adds a case to the entry whose reason is that of the adapter, not to another one. An adapter's text is
    one line of visible characters; without one a person writes the reason."""
    once = merged(without("s/said/b", "mute"), [unsupported("s/said/a")], CORPUS)
    twice = merged(once, [unsupported("s/said/a"), unsupported("s/shouted/a")], CORPUS)
    assert reasons(twice) == {"s/said/b": "mute", "s/said/a": "No such function.", "s/shouted/a": "No such function."}
    assert len(twice.unsupported) == 2
    told = merged(KnownDivergences(), [unsupported("s/said/a", "a\n\x1b[1m"), unsupported("s/said/b", "TODO")], CORPUS)
    assert reasons(told) == {"s/said/a": "A\\n\\x1b[1m.", "s/said/b": "TODO"}


def test_an_update_keeps_every_signature_of_a_flaky_case() -> None:
    """A case that passes sometimes gets an entry that a pass does not make stale."""
    waiting = Divergence(reason="TODO", category="echo.say $.text", flaky=True, cases={"s/said/a": (ONE,)})
    file = merged(KnownDivergences(), [flaky(ONE, "")], CORPUS)
    assert file.divergences == (waiting,)
    passing = gate_input("s/said/a")
    assert findings(file, [passing], CORPUS, TODAY) == []
    assert merged(file, [passing], CORPUS) == file
    (entry,) = merged(file, [flaky(OTHER, "")], CORPUS).divergences
    assert entry.cases == {"s/said/a": (ONE, OTHER)}
