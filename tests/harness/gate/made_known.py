"""Known divergences and results made by hand, for tests of a gate."""

from __future__ import annotations

from datetime import date
from typing import Any

from harness.gate.findings import Declared, findings
from harness.gate.known_divergences import KnownDivergences, ListedNames
from harness.gate.listing import GateInput
from harness.model import (
    ADOPTED,
    Choice,
    Crash,
    Errored,
    Failed,
    Outcome,
    OutOfReach,
    Passed,
    Raised,
    Readings,
    Status,
    Unsupported,
    Variant,
    Verdict,
)

TODAY = date(2026, 11, 21)
ONE, OTHER, THIRD = "111111111111", "222222222222", "333333333333"
OPERATION_OF = {
    "s/said/a": "echo.say",
    "s/said/b": "echo.say",
    "s/shouted/a": "echo.shout",
    "s/shouted/b": "echo.shout",
}
CORPUS = Declared(OPERATION_OF)
NOT_KEPT = Raised("")


def without(name: str, reason: str = "mute") -> KnownDivergences:
    """One unsupported name, on line 3 of its file."""
    return KnownDivergences(
        unsupported=(ListedNames(reason=reason, names=(name,)),), lines={name: 3}, shown="known.yaml"
    )


def reasons(file: KnownDivergences) -> dict[str, str]:
    """The unsupported names, each with its reason; of an unwritten one with the adapter's reason."""
    return {
        name: f"{one.reason}: {one.adapter}" if one.adapter else one.reason
        for one in file.unsupported
        for name in one.names
    }


def gate_input(
    case: str,
    verdict: Verdict = Verdict.PASS,
    signature: str = ONE,
    reason: str = "",
    readings: Readings = (),
    explained_by: Choice = ADOPTED,
    **more: Any,
) -> GateInput:
    """A result with this verdict, of the operation of its case."""
    outcome: Outcome
    match verdict:
        case Verdict.PASS:
            outcome = Passed(NOT_KEPT, readings=readings)
        case Verdict.VARIANT:
            outcome = Variant(NOT_KEPT, readings)
        case Verdict.UNSUPPORTED:
            outcome = Unsupported(OutOfReach(reason))
        case Verdict.ERROR:
            outcome = Errored(Crash(), signature)
        case Verdict.FAIL:
            outcome = Failed(NOT_KEPT, differences=(), signature=signature, explained_by=explained_by)
    return GateInput(case, OPERATION_OF.get(case, "echo.say"), outcome, **more)


def unsupported(case: str, reason: str = "no such function") -> GateInput:
    return gate_input(case, Verdict.UNSUPPORTED, reason=reason)


def found(expected: KnownDivergences, *results: GateInput) -> list[tuple[Status, str, str]]:
    return [(one.status, one.name, one.place) for one in findings(expected, results, CORPUS, TODAY)]
