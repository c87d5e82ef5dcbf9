"""Results against a known-divergence file: listed cases and operations, models and readings. What a gate finds, and how an
update writes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from made_known import (
    CORPUS,
    ONE,
    OPERATION_OF,
    OTHER,
    RULINGS,
    THIRD,
    TODAY,
    found,
    gate_input,
    reasons,
    rounds,
    unsupported,
    without,
)
from made_values import outcome

from harness.gate.findings import Declared, GateFinding, findings, masked_listings
from harness.gate.fixed import is_deleted
from harness.gate.known_divergences import Divergence, KnownDivergences, ListedNames
from harness.gate.listing import NewReason, counts, listing, that_ran
from harness.gate.update import changed, merged, updated
from harness.model import (
    ADOPTED,
    Choice,
    Documented,
    ErrorKind,
    Listing,
    Readings,
    ResultLine,
    Status,
    Verdict,
    replace,
)

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
    assert listing(known(), gate_input("s/said/a", verdict), TODAY) == Listing(Status.STALE, told, place="known.yaml:5")


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
    assert stands == Listing(Status.STALE, "the case is answered now; delete known.yaml:7: mute", place="known.yaml:7")
    stands = listing(known(echo_say="mute"), unsupported("s/said/a"), TODAY)
    assert stands == Listing(
        Status.STALE, "the case is unsupported now; delete known.yaml:5: It mumbles.", place="known.yaml:5"
    )


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


RULED = Declared(OPERATION_OF, dict.fromkeys(OPERATION_OF, "RUL-1"))
LETTERS = Declared({f"s/said/{letter}": "echo.say" for letter in "abcd"}, rulings=RULINGS)
"""The corpus of models: four cases of one operation. The text refutes the readings of RUL-9."""
DEAF, MUTE = Choice(deviations=("deaf",)), Choice(deviations=("mute",))
OPEN = ("RUL-1", "b")
REFUTED = Choice((("RUL-9", "b"),))
IT_IS_DEAF = Divergence(reason="It hears nothing.", model="deaf", place="src/ear.ts:7", cases={}, span=(4, 6))


def disputed(case: str, reading: str = "") -> ResultLine:
    readings = (("RUL-1", reading),) if reading else ()
    return gate_input(case, Verdict.VARIANT if reading else Verdict.PASS, readings=readings, ruling="RUL-1")


def with_models(*divergences: Divergence, follows: Readings = (), deaf: str = "") -> KnownDivergences:
    """A file with these entries; the models are on lines 4, 14, … The model `deaf` predicts that these letters fail."""
    lines = {one.model: 10 * number + 4 for number, one in enumerate(divergences) if one.model}
    predicted = {f"s/said/{letter}": DEAF for letter in deaf}
    return KnownDivergences(divergences, follows=follows, lines=lines, shown="known.yaml", predicted=predicted)


def failing(case: str, choice: Choice = ADOPTED, **more: Any) -> ResultLine:
    """A failing case that this choice explains."""
    return gate_input(f"s/said/{case}", Verdict.FAIL, explained_by=choice, **more)


def answering(case: str, verdict: Verdict = Verdict.PASS, readings: Readings = ()) -> ResultLine:
    """A case that does not fail."""
    return gate_input(f"s/said/{case}", verdict, readings=readings)


def judged(known: KnownDivergences, *results: ResultLine) -> list[GateFinding]:
    return findings(known, results, LETTERS, TODAY)


def test_a_failure_of_a_case_listed_as_unsupported_is_new() -> None:
    """A model does not hide that a case that the file lists as unsupported is answered now, and fails."""
    listed = replace(
        with_models(IT_IS_DEAF, deaf="a"), unsupported=(ListedNames(reason="Not public.", names=("echo.say",)),)
    )
    assert listing(listed, failing("a", DEAF), TODAY) == Listing(Status.NEW, NewReason.LISTED_AS_UNSUPPORTED)
    new, stale = judged(listed, failing("a", DEAF))
    assert (new.status, new.name, new.causes) == (Status.NEW, "s/said/a", ("deaf",))
    assert (stale.status, stale.name) == (Status.STALE, "echo.say")


def test_a_model_explains_each_failure_that_it_predicts() -> None:
    """A failure that the deviation explains is known, whatever its signature, and has the reason of the entry."""
    known = with_models(IT_IS_DEAF, deaf="ab")
    assert judged(known, failing("a", DEAF), failing("b", DEAF)) == []
    assert listing(known, failing("a", DEAF), TODAY) == Listing(Status.KNOWN, "It hears nothing.")


def test_a_refuted_reading_is_a_model_like_a_deviation() -> None:
    """The entry names the ruling and the reading."""
    known = with_models(Divergence(reason="It reads another way.", model="RUL-9=b", cases={}))
    assert known.model.readings == (("RUL-9", "b"),)
    assert judged(replace(known, predicted={"s/said/a": REFUTED}), failing("a", REFUTED)) == []


def test_followed_readings_can_go_with_a_deviation() -> None:
    """An explanation is known only if the file has all of its parts."""
    both = Choice((OPEN,), ("deaf",))
    assert judged(with_models(IT_IS_DEAF, follows=(OPEN,)), failing("a", both)) == []
    (one,) = judged(with_models(IT_IS_DEAF), failing("a", both))
    assert (one.reason, one.unlisted) == (NewReason.NOT_LISTED, ("RUL-1=b",))


def test_a_cause_that_the_file_does_not_name_is_named() -> None:
    """A new failure has the deviation that explains it."""
    (one,) = judged(with_models(IT_IS_DEAF), failing("a", MUTE))
    assert (one.status, one.name, one.reason, one.unlisted) == (
        Status.NEW,
        "s/said/a",
        NewReason.NOT_LISTED,
        ("mute",),
    )


def test_a_known_failure_that_becomes_unsupported_keeps_its_reason() -> None:
    """A new unsupported case has the reason of its entry, or of the model that predicts its failure."""
    listed = Divergence(reason="It mumbles.", cases={"s/said/b": (ONE,)})
    known = with_models(IT_IS_DEAF, listed, deaf="a")
    gone = [answering(letter, Verdict.UNSUPPORTED) for letter in "abc"]
    assert [one.listed_reason for one in judged(known, *gone)] == ["It hears nothing.", "It mumbles.", ""]


def test_open_readings_alone_are_no_cause() -> None:
    """A failure that only open readings explain together needs a reason of its own."""
    (one,) = judged(with_models(IT_IS_DEAF), failing("a", Choice((OPEN, ("RUL-2", "b")))))
    assert (one.reason, one.unlisted) == (NewReason.NOT_LISTED, ())


def test_another_failure_than_the_model_predicts_is_new() -> None:
    """The model predicts a failure of the case, and the case fails with another answer."""
    (one,) = judged(with_models(IT_IS_DEAF, deaf="a"), failing("a"))
    assert (one.reason, one.predicted) == (NewReason.OTHER_ANSWER, ("deaf",))


@pytest.mark.parametrize("verdict", [Verdict.PASS, Verdict.VARIANT])
def test_a_model_that_predicts_too_many_failures_is_stale(verdict: Verdict) -> None:
    """All cases that no longer match a model are one finding at its line; the entry is not to be deleted."""
    known = with_models(IT_IS_DEAF, deaf="abc")
    (one,) = judged(known, failing("a", DEAF), answering("b", verdict), answering("c", verdict))
    assert (one.status, one.name, one.place, one.entry, one.off_model) == (
        Status.STALE,
        "deaf",
        "known.yaml:4",
        "",
        ("s/said/b", "s/said/c"),
    )
    expected = listing(known, answering("b", verdict), TODAY)
    assert expected is not None and expected.status == Status.STALE


def test_a_model_whose_cause_is_gone_is_stale() -> None:
    """None of the predicted failures occurs in a whole run: one finding with the lines of the entry. Unsupported cases do
    not count. In a part of the corpus, the other failures are unknown."""
    known = with_models(IT_IS_DEAF, deaf="abc")
    part = [answering("a"), answering("b"), answering("c", Verdict.UNSUPPORTED)]
    *_, wide = judged(known, *part)
    assert (wide.name, wide.off_model, wide.entry) == ("deaf", ("s/said/a", "s/said/b"), "")
    *_, one = judged(known, *part, answering("d"))
    assert (one.status, one.name, one.place, one.entry) == (Status.STALE, "deaf", "known.yaml:4", "known.yaml:4-6")
    assert one.off_model == ()


def test_an_unknown_name_of_a_model_is_unmatched() -> None:
    """A deviation or reading that nothing can answer under is a finding, and an update drops it; cases of its entry stay."""
    with_cases = Divergence(reason="It mumbles.", model="RUL-9=z", cases={"s/said/a": (ONE,)})
    known = with_models(
        Divergence(reason="It is def.", model="def", cases={}), with_cases, follows=(("RUL-7", "b"), OPEN)
    )
    results, names = [failing("a")], {"deaf", "RUL-1=b", "RUL-9=b"}
    unmatched = [(one.name, one.place) for one in findings(known, results, replace(LETTERS, alternatives=names), TODAY)]
    assert unmatched == [("def", "known.yaml:4"), ("RUL-7=b", ""), ("RUL-9=z", "known.yaml:14")]
    assert findings(known, results, LETTERS, TODAY) == []
    made = merged(known, results, replace(LETTERS, alternatives=names))
    assert (made.follows, [(one.model, [*one.cases]) for one in made.divergences]) == (
        (OPEN,),
        [("", ["s/said/a"])],
    )


def test_a_flaky_model_predicts_nothing_and_explains() -> None:
    """The implementation does not follow it in every run, so the choice of the file lacks it."""
    known = with_models(replace(IT_IS_DEAF, flaky=True))
    assert (known.model, known.flaky_models) == (ADOPTED, ("deaf",))
    assert known.modelled(DEAF) == replace(IT_IS_DEAF, flaky=True)
    assert judged(known, failing("a", DEAF), answering("b")) == []


def test_an_update_writes_a_model_for_a_single_cause() -> None:
    """New failures of one deviation or refuted reading get one entry with a model, the most frequent cause first."""
    results = [
        failing("a", REFUTED),
        failing("b", DEAF),
        failing("c", DEAF),
        failing("d"),
    ]
    made = merged(KnownDivergences(), results, LETTERS)
    assert made.divergences == (
        Divergence(reason="TODO", model="deaf", cases={}),
        Divergence(reason="TODO", model="RUL-9=b", cases={}),
        Divergence(reason="TODO", category="echo.say $.text", cases={"s/said/d": (ONE,)}),
    )
    assert judged(made, *results) == []
    assert merged(made, results, LETTERS) == made


def test_an_update_lists_what_no_model_explains_whole() -> None:
    """Two deviations, or a deviation with a reading that is not followed, explain a case only together: it is listed
    unless the file has every part."""
    both, with_reading = Choice(deviations=("deaf", "mute")), Choice((OPEN,), ("deaf",))
    made = merged(KnownDivergences(), [failing("a", both), failing("b", with_reading)], LETTERS)
    assert [(one.model, [*one.cases]) for one in made.divergences] == [("", ["s/said/a", "s/said/b"])]
    results = [
        failing("a", both),
        failing("b", with_reading),
        failing("c", MUTE),
        answering("d", Verdict.VARIANT, readings=(OPEN,)),
    ]
    made = merged(with_models(IT_IS_DEAF), results, LETTERS)
    assert [one.model for one in made.divergences] == ["deaf", "mute"]
    assert (made.follows, judged(made, *results)) == ((OPEN,), [])


def test_a_reading_that_explains_failures_stays_among_the_followed_ones() -> None:
    """Variants of another reading of the ruling do not replace it, since the models need it."""
    variant = answering("b", Verdict.VARIANT, readings=(("RUL-1", "c"),))
    results = [failing("a", Choice((OPEN,), ("deaf",))), variant]
    made = merged(with_models(IT_IS_DEAF, follows=(OPEN,)), results, LETTERS)
    assert (made.follows, made.divergences, judged(made, *results)) == ((OPEN,), (IT_IS_DEAF,), [])
    assert merged(with_models(IT_IS_DEAF), results, LETTERS).follows == ()
    assert merged(KnownDivergences(), [variant], LETTERS).follows == (("RUL-1", "c"),)


def test_an_update_writes_no_model_for_a_flaky_case() -> None:
    """A case that does not fail in every execution is listed with its signatures."""
    made = merged(KnownDivergences(), [failing("a", DEAF, flaky=rounds(ONE, ""))], LETTERS)
    assert [(one.model, one.flaky, [*one.cases]) for one in made.divergences] == [("", True, ["s/said/a"])]


def predicting(**failures: str) -> Callable[[Choice], dict[str, Choice]]:
    """Predictions of models: deviation → the letters of the cases in which it predicts a failure."""
    return lambda model: {
        f"s/said/{letter}": Choice(deviations=(name,)) for name in model.deviations for letter in failures[name]
    }


def test_an_update_lists_the_cases_of_a_new_model_that_predicts_too_much() -> None:
    """A deviation explains a failure by chance: its other predictions do not occur, so it is no model. The right one is."""
    results = [
        failing("a", DEAF),
        failing("b", MUTE),
        failing("c", MUTE),
        answering("d"),
    ]
    made = updated(KnownDivergences(), results, LETTERS, predicting(deaf="ad", mute="bc"))
    assert made.divergences == (
        Divergence(reason="TODO", model="mute", cases={}),
        Divergence(reason="TODO", category="echo.say $.text", cases={"s/said/a": (ONE,)}),
    )
    assert judged(made, *results) == []
    assert updated(made, results, LETTERS, predicting(mute="bc")) == made


def test_an_update_lists_the_failures_that_remain_of_a_model() -> None:
    """A whole run shows that a model predicts too much: its failures become a list without a reason, with the former one.
    In a part of the corpus the model stays."""
    known, predict = with_models(IT_IS_DEAF, deaf="ab"), predicting(deaf="ab")
    part = [failing("a", DEAF), answering("b")]
    assert updated(known, part, LETTERS, predict).divergences == (IT_IS_DEAF,)
    whole = [*part, answering("c"), answering("d")]
    made = updated(known, whole, LETTERS, predict)
    (one,) = made.divergences
    assert (one.reason, one.before, one.model, one.cases) == (
        "TODO",
        "It hears nothing.",
        "",
        {"s/said/a": (ONE,)},
    )
    assert judged(made, *whole) == []


def test_an_update_keeps_a_model_with_its_reason_and_place() -> None:
    """An entry stays while one of its predicted failures occurs or some case is not selected, and goes with its cause."""
    known = with_models(IT_IS_DEAF, deaf="ab")
    for results in ([failing("a", DEAF), answering("b")], [answering("b")], []):
        assert merged(known, results, LETTERS).divergences == (IT_IS_DEAF,)
    known = with_models(IT_IS_DEAF, deaf="a")
    part = [answering("a"), answering("b"), answering("c")]
    assert merged(known, part, LETTERS).divergences == (IT_IS_DEAF,)
    assert merged(known, [*part, answering("d")], LETTERS).divergences == ()


def test_a_changed_case_of_a_model_waits_in_an_entry_without_it() -> None:
    """An entry can have a model and cases; a case with a new signature leaves the model."""
    known = with_models(Divergence(reason="It hears nothing.", model="deaf", cases={"s/said/a": ("222222222222",)}))
    made = merged(known, [failing("a"), failing("b", DEAF)], LETTERS)
    assert [(one.reason, one.model, [*one.cases]) for one in made.divergences] == [
        ("It hears nothing.", "deaf", []),
        ("TODO", "", ["s/said/a"]),
    ]


def test_a_known_failure_that_a_new_one_can_hide_is_masked() -> None:
    """Where an operation has a new failure, a known one that does not show is not called stale."""
    file = with_models(Divergence(reason="It is deaf.", model="deaf"), deaf="ab")
    hidden, broken = answering("a"), gate_input("s/said/c", Verdict.FAIL)
    found = judged(file, hidden, answering("b"), broken, answering("d"))
    assert [(finding.status, finding.name) for finding in found] == [(Status.NEW, "s/said/c"), (Status.MASKED, "deaf")]
    assert masked_listings(found, [hidden, broken]) == {
        "s/said/a": Listing(Status.MASKED, "new failures of echo.say can hide the known failure")
    }
    assert not is_deleted(found[1])
    other = judged(file, hidden, answering("b"), gate_input("s/shouted/a", Verdict.FAIL), answering("d"))
    assert [finding.status for finding in other] == [Status.NEW, Status.STALE]


def test_a_model_of_which_only_other_causes_are_left_is_gone() -> None:
    """A predicted failure that another cause explains now is no trace of the model."""
    file = with_models(
        Divergence(reason="It is deaf.", model="deaf"), Divergence(reason="Mute.", model="mute"), deaf="ab"
    )
    [gone] = judged(file, answering("a"), failing("b", MUTE), answering("c"), answering("d"))
    assert (gone.status, gone.name, gone.off_model, gone.stale) == (Status.STALE, "deaf", (), 1)
    [left] = judged(file, answering("a"), failing("b", DEAF), answering("c"), answering("d"))
    assert left.off_model == ("s/said/a",)
