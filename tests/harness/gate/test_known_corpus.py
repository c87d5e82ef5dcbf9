"""A known-divergence file and the failures that its models explained when it was written."""

from __future__ import annotations

from pathlib import Path

from made_known import ONE, OPERATION_OF, OTHER, RULINGS, TODAY, gate_input

from harness.corpus.loader import Corpus
from harness.corpus.schemas import Schemas
from harness.gate.findings import Declared, findings
from harness.gate.known_corpus import written_for
from harness.gate.known_divergences import Divergence, KnownDivergences
from harness.gate.listing import listing
from harness.gate.update import explained_failures, merged
from harness.model import ADOPTED, Choice, ResultLine, Status, Verdict, replace

DEAF = Choice(deviations=("deaf",))
KNOWN = KnownDivergences((Divergence(reason="It is deaf.", model="deaf"),), lines={"deaf": 3}, shown="known.yaml")
EMPTY = Corpus(Path(), (), {}, {}, {}, Schemas({}, {}), {}, "0" * 64)
WITHOUT = Declared(OPERATION_OF, alternatives=(), rulings=RULINGS)
"""A parity that has no deviation any more."""


def fail(case: str, signature: str = ONE, explained_by: Choice = ADOPTED) -> ResultLine:
    return gate_input(case, Verdict.FAIL, signature, explained_by=explained_by)


def status(known: KnownDivergences, seen: ResultLine) -> Status | None:
    found = listing(known, seen, TODAY)
    return found.status if found else None


def written() -> KnownDivergences:
    """The file after a run in which the deviation explains one failure."""
    failures = explained_failures(KNOWN, [fail("s/said/a", explained_by=DEAF), fail("s/said/b", OTHER)])
    assert failures == {"deaf": [("s/said/a", ONE)]}
    return replace(KNOWN, corpus=written_for(EMPTY, None, (), failures))


def test_a_cause_that_parity_drops_keeps_its_failures() -> None:
    """The same failure is known with the reason of its entry; another one of the case, and of another case, is new. The line
    is the corpus' doing, and an update lists the cases below the name of the cause."""
    known, same = written(), fail("s/said/a")
    others = fail("s/said/a", OTHER), fail("s/said/b")
    assert [status(known, seen) for seen in (same, *others)] == [Status.KNOWN, Status.NEW, Status.NEW]
    assert [(finding.status, finding.name) for finding in findings(known, [same], WITHOUT, TODAY)] == [
        (Status.NEW_IN_CORPUS, "deaf")
    ]
    (entry,) = merged(known, [same], WITHOUT).divergences
    assert (entry.reason, entry.name, entry.model, entry.cases) == ("It is deaf.", "deaf", "", {"s/said/a": (ONE,)})


def test_a_slip_of_the_pen_is_no_dropped_cause() -> None:
    """A model that explained no failure when the file was written is unmatched."""
    known = replace(written(), divergences=(*KNOWN.divergences, Divergence(reason="It is daef.", model="daef")))
    assert {finding.name: finding.status for finding in findings(known, (), WITHOUT, TODAY)} == {
        "deaf": Status.NEW_IN_CORPUS,
        "daef": Status.UNMATCHED,
    }


def test_a_prediction_that_changed_blames_no_sdk() -> None:
    """A case that passes and that the deviation predicts to fail is stale if it failed when the file was written."""
    known = replace(written(), predicted={"s/said/a": DEAF, "s/said/b": DEAF})
    passing = gate_input("s/said/a"), gate_input("s/said/b")
    assert [status(known, seen) for seen in passing] == [Status.STALE, Status.NEW_IN_CORPUS]
