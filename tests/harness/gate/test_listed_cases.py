"""Listed cases and operations: what a gate finds, and how an update writes them."""

from __future__ import annotations

from typing import Any

import pytest
from made_known import CORPUS, ONE, OTHER, THIRD, TODAY, found, gate_input, reasons, rounds, unsupported, without
from made_values import outcome

from harness.gate.findings import findings
from harness.gate.known_divergences import Divergence, KnownDivergences, ListedNames
from harness.gate.listing import NewReason, counts, listing, that_ran
from harness.gate.update import changed, merged
from harness.model import Documented, ErrorKind, Listing, ResultLine, Status, Verdict, replace

MUMBLES = Divergence(reason="It mumbles.", cases={"s/said/a": (ONE,)})


def known(**unsupported: str) -> KnownDivergences:
    """One divergence of `s/said/a`, on line 5 of its file; `unsupported` names operations with `_` for the dot."""
    named = {name.replace("_", ".", 1): reason for name, reason in unsupported.items()}
    lines = {"s/said/a": 5, **{name: 7 + number for number, name in enumerate(named)}}
    entries = tuple(ListedNames(reason=reason, names=(name,)) for name, reason in named.items())
    return KnownDivergences((MUMBLES,), entries, lines=lines, shown="known.yaml")


def explaining(*signatures: str, case: str = "s/said/a", **more: Any) -> KnownDivergences:
    return KnownDivergences(
        (Divergence(reason="It mumbles.", cases={case: signatures}, **more),), lines={case: 5}, shown="known.yaml"
    )


def fail(case: str = "s/said/a", signature: str = ONE) -> ResultLine:
    return gate_input(case, Verdict.FAIL, signature)


def flaky(*signatures: str) -> ResultLine:
    """A result of `s/said/a` whose executions end with these signatures; an empty one passes."""
    failing = next(filter(None, signatures))
    return gate_input("s/said/a", Verdict.FAIL, failing, flaky=rounds(*signatures))


def test_a_known_failure_is_no_finding() -> None:
    """A failure with its signature in the file is known, with the reason, and fails no gate."""
    assert found(known(), fail()) == []
    assert listing(known(), fail(), TODAY) == Listing(Status.KNOWN, "It mumbles.")


def test_a_failure_without_a_line_is_new() -> None:
    """A failure that the file does not name is new, and has no place in it."""
    assert found(known(), fail(), fail("s/said/b")) == [(Status.NEW, "s/said/b", "")]


def test_a_known_failure_that_changed_is_new() -> None:
    """A failure with another signature than the known one is new, at the line that knows the old one."""
    assert found(known(), fail(signature=OTHER)) == [(Status.NEW, "s/said/a", "known.yaml:5")]
    assert OTHER in findings(known(), [fail(signature=OTHER)], CORPUS, TODAY)[0].seen


def test_an_error_is_a_failure_like_any_other() -> None:
    """An error without its line is new, and is known by its signature."""
    assert found(KnownDivergences(), gate_input("s/said/a", Verdict.ERROR, ONE)) == [(Status.NEW, "s/said/a", "")]
    assert found(known(), gate_input("s/said/a", Verdict.ERROR, ONE)) == []


@pytest.mark.parametrize("signature", [ONE, OTHER])
def test_any_signature_of_a_list_is_known(signature: str) -> None:
    """Of an answer that changes from run to run every listed signature is known, and no other."""
    assert found(explaining(ONE, OTHER), fail(signature=signature)) == []
    assert found(explaining(ONE, OTHER), fail(signature=THIRD)) == [(Status.NEW, "s/said/a", "known.yaml:5")]


@pytest.mark.parametrize("verdict", [Verdict.PASS, Verdict.VARIANT])
def test_a_line_of_a_case_that_passes_is_stale(verdict: Verdict) -> None:
    """A line of a case that passes, by the adopted reading or another, is stale, at its place in the file."""
    assert found(known(), gate_input("s/said/a", verdict)) == [(Status.STALE, "s/said/a", "known.yaml:5")]
    now = "passes now" if verdict is Verdict.PASS else "is a variant now"
    told = f"the case {now}; delete known.yaml:5: It mumbles."
    assert listing(known(), gate_input("s/said/a", verdict), TODAY) == Listing(Status.STALE, told)


def test_a_pass_without_a_line_is_not_spoken_of() -> None:
    """A result that needs no explaining has no listing."""
    assert listing(known(), gate_input("s/said/b"), TODAY) is None
    assert listing(known(), gate_input("s/said/b", Verdict.VARIANT), TODAY) is None


def test_a_line_of_no_case_is_unmatched() -> None:
    """A line whose name the corpus does not have is unmatched, whatever was selected."""
    assert found(explaining(ONE, case="s/said/gone")) == [(Status.UNMATCHED, "s/said/gone", "known.yaml:5")]
    gone = without("echo.whisper")
    assert found(gone) == [(Status.UNMATCHED, "echo.whisper", "known.yaml:3")]


@pytest.mark.parametrize(("expires", "status"), [("2026-11-20", Status.EXPIRED), ("2026-11-21", Status.KNOWN)])
def test_a_line_holds_to_the_end_of_its_day(expires: str, status: Status) -> None:
    """An entry still holds on the day it names, and is expired on the next."""
    stands = listing(explaining(ONE, expires=expires), fail(), TODAY)
    assert (stands and (stands.status, stands.reason)) == (status, "It mumbles.")


def test_an_expired_line_is_a_finding_at_its_place() -> None:
    """An expired entry is found at the line of its case, with the date; another signature is new instead."""
    expired = explaining(ONE, expires="2026-01-01")
    assert found(expired, fail()) == [(Status.EXPIRED, "s/said/a", "known.yaml:5")]
    assert "2026-01-01" in findings(expired, [fail()], CORPUS, TODAY)[0].seen
    assert found(expired, fail(signature=OTHER)) == [(Status.NEW, "s/said/a", "known.yaml:5")]


def test_what_was_not_selected_is_not_judged() -> None:
    """Neither a divergence nor an expired one nor an unsupported operation is judged if none of its cases was asked."""
    expected = KnownDivergences(
        (Divergence(reason="It mumbles.", cases={"s/said/a": (ONE,)}, expires="2020-01-01"),),
        without("echo.shout").unsupported,
    )
    assert found(expected, gate_input("s/said/b")) == []


def test_an_unsupported_case_without_a_line_is_new() -> None:
    """What cannot be asked and is not known to be so is new, with the adapter's reason."""
    (finding,) = findings(KnownDivergences(), [unsupported("s/shouted/a")], CORPUS, TODAY)
    assert (finding.status, finding.name) == (Status.NEW, "s/shouted/a")
    assert "no such function" in finding.seen


@pytest.mark.parametrize("name", ["echo.shout", "s/shouted/a"])
def test_a_line_of_the_operation_or_of_the_case_explains_unsupported(name: str) -> None:
    """An unsupported case is known by a line of its own or of its operation."""
    expected = without(name)
    assert found(expected, unsupported("s/shouted/a")) == []
    assert listing(expected, unsupported("s/shouted/a"), TODAY) == Listing(Status.KNOWN, "mute")


@pytest.mark.parametrize("name", ["echo.shout", "s/shouted/a"])
@pytest.mark.parametrize("verdict", [Verdict.PASS, Verdict.FAIL])
def test_an_unsupported_line_is_stale_once_it_is_answered(name: str, verdict: Verdict) -> None:
    """The line is stale as soon as one of its cases is answered, rightly or wrongly."""
    expected = without(name)
    answered = gate_input("s/shouted/a", verdict, ONE if verdict is Verdict.FAIL else "")
    stale = (Status.STALE, name, "known.yaml:3")
    assert stale in found(expected, answered, unsupported("s/shouted/b"))


def test_a_known_failure_under_a_stale_line_is_stale() -> None:
    """A failure that is known does not hide that its operation's line says that it cannot be asked."""
    stands = listing(known(echo_say="mute"), fail(), TODAY)
    assert stands == Listing(Status.STALE, "the case is answered now; delete known.yaml:7: mute")
    stands = listing(known(echo_say="mute"), unsupported("s/said/a"), TODAY)
    assert stands == Listing(Status.STALE, "the case is unsupported now; delete known.yaml:5: It mumbles.")


def test_a_known_failure_of_an_operation_known_to_be_unsupported_is_stale() -> None:
    """Of a case that its operation's line explains, another line that says how it fails no longer holds."""
    assert found(known(echo_say="Not public."), unsupported("s/said/a")) == [(Status.STALE, "s/said/a", "known.yaml:5")]


def test_failures_are_told_before_what_is_unsupported() -> None:
    """A failure is found before an unsupported case, whatever order they came in."""
    assert [name for _, name, _ in found(KnownDivergences(), unsupported("s/shouted/a"), fail())] == [
        "s/said/a",
        "s/shouted/a",
    ]


@pytest.mark.parametrize(
    ("seen", "file", "status"),
    [
        (flaky(ONE, ""), KnownDivergences(), Status.FLAKY),
        (flaky(ONE, OTHER), KnownDivergences(), Status.NEW),
        (flaky(ONE, ""), explaining(ONE), Status.KNOWN),
        (flaky(ONE, OTHER), explaining(ONE, OTHER), Status.KNOWN),
        (flaky(OTHER, ONE), explaining(ONE), Status.NEW),
        (flaky(ONE, "unsupported"), explaining(ONE), Status.NEW),
        (flaky(OTHER, ""), explaining(ONE), Status.NEW),
    ],
)
def test_a_failure_that_does_not_repeat_is_flaky(seen: ResultLine, file: KnownDivergences, status: Status) -> None:
    """It is no finding if the file has no entry; with an entry, each failing outcome has to be listed."""
    found = listing(file, seen, TODAY)
    assert found is not None and found.status == status
    assert bool(findings(file, [seen], CORPUS, TODAY)) == (status is Status.NEW)


def test_max_failures_counts_what_is_new_or_expired() -> None:
    """A known failure is not counted."""
    assert counts(KnownDivergences(), fail(), TODAY)
    assert counts(explaining(ONE, expires="2026-11-20"), fail(), TODAY)
    assert not counts(explaining(ONE), fail(), TODAY)


def test_a_case_that_never_ran_is_no_evidence() -> None:
    """The record lists it as new, and no finding or update has it."""
    never = replace(fail(), outcome=outcome(Verdict.ERROR, kind=ErrorKind.START))
    assert listing(KnownDivergences(), never, TODAY) == Listing(Status.NEW, NewReason.NOT_LISTED)
    assert that_ran([never, fail("s/said/b")]) == (fail("s/said/b"),)


def test_a_known_failure_keeps_what_another_document_describes() -> None:
    """The listing of a known or expired failure has the note; another failure of the case has not."""
    note = Documented("spec/README", "a mumble")
    file = explaining(ONE, documented=note, expires="2026-11-20")
    assert listing(file, fail(), TODAY) == Listing(Status.EXPIRED, "It mumbles.", note, "known.yaml:5")
    assert listing(explaining(ONE, documented=note), fail(), TODAY) == Listing(Status.KNOWN, "It mumbles.", note)
    other = Listing(Status.NEW, NewReason.OTHER_SIGNATURE, place="known.yaml:5", listed="It mumbles.")
    assert listing(file, fail(signature=OTHER), TODAY) == other
    assert merged(file, [fail(signature=OTHER)], CORPUS).divergences[0].documented is None


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
        ("echo.shout error/crash", {"s/shouted/b": (OTHER,)}),
    ]


def test_an_operation_that_answers_nothing_gets_one_line() -> None:
    """Where all cases of an operation were asked and none was answered, the operation has a line; its reason is TODO."""
    file = merged(KnownDivergences(), [unsupported("s/shouted/a"), unsupported("s/shouted/b")], CORPUS)
    assert reasons(file) == {"echo.shout": "TODO: no such function"}


def test_an_operation_of_which_a_part_was_asked_gets_lines_of_cases() -> None:
    """Where a case of the operation was not asked, or was answered, each unsupported case has its own line."""
    fresh = merged(KnownDivergences(), [unsupported("s/shouted/a")], CORPUS)
    assert reasons(fresh) == {"s/shouted/a": "TODO: no such function"}
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


def test_unsupported_cases_join_the_entry_that_waits_for_their_reason() -> None:
    """A second update adds a case to the unwritten entry with the same reason of the adapter; a written one takes none."""
    once = merged(KnownDivergences(), [unsupported("s/said/a")], CORPUS)
    twice = merged(once, [unsupported("s/said/a"), unsupported("s/shouted/a")], CORPUS)
    assert reasons(twice) == dict.fromkeys(("s/said/a", "s/shouted/a"), "TODO: no such function")
    assert len(twice.unsupported) == 1


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
