"""Known divergences and results made by hand, for tests of a gate."""

from __future__ import annotations

from datetime import date
from typing import Any

from harness.gate.findings import Declared, findings
from harness.gate.known_divergences import Divergence, KnownDivergences, ListedNames
from harness.gate.listing import GateInput, Status
from harness.model import Verdict

TODAY = date(2026, 11, 21)
ONE, OTHER, THIRD = "111111111111", "222222222222", "333333333333"
MUMBLES = Divergence(reason="It mumbles.", cases={"s/said/a": (ONE,)})
OPERATION_OF = {
    "s/said/a": "echo.say",
    "s/said/b": "echo.say",
    "s/shouted/a": "echo.shout",
    "s/shouted/b": "echo.shout",
}
CORPUS = Declared(OPERATION_OF)


def known(**unsupported: str) -> KnownDivergences:
    """One divergence of `s/said/a`, on line 5 of its file; `unsupported` names operations with `_` for the dot."""
    named = {name.replace("_", ".", 1): reason for name, reason in unsupported.items()}
    lines = {"s/said/a": 5, **{name: 7 + number for number, name in enumerate(named)}}
    entries = tuple(ListedNames(reason=reason, names=(name,)) for name, reason in named.items())
    return KnownDivergences((MUMBLES,), entries, lines=lines, shown="known.yaml")


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


def explaining(*signatures: str, case: str = "s/said/a", **more: Any) -> KnownDivergences:
    return KnownDivergences(
        (Divergence(reason="It mumbles.", cases={case: signatures}, **more),), lines={case: 5}, shown="known.yaml"
    )


def seen(case: str, verdict: Verdict = Verdict.PASS, signature: str = "", reason: str = "") -> GateInput:
    return GateInput(case, OPERATION_OF.get(case, "echo.say"), verdict, signature, reason)


def fail(case: str = "s/said/a", signature: str = ONE) -> GateInput:
    return GateInput(case, OPERATION_OF.get(case, "echo.say"), Verdict.FAIL, signature, category="echo.say $.text")


def unsupported(case: str, reason: str = "no such function") -> GateInput:
    return seen(case, Verdict.UNSUPPORTED, reason=reason)


def found(expected: KnownDivergences, *results: GateInput) -> list[tuple[Status, str, str]]:
    return [(one.status, one.name, one.place) for one in findings(expected, results, CORPUS, TODAY)]
