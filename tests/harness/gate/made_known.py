"""Known divergences and results made by hand, for tests of a gate."""

from __future__ import annotations

from datetime import date
from typing import Any

from harness.compare.causes import names_of
from harness.gate.findings import Declared, GateFinding, findings
from harness.gate.known_divergences import Divergence, KnownDivergences, ListedNames
from harness.gate.listing import GateInput
from harness.model import ADOPTED, Choice, Readings, Status, Verdict

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


RULED = Declared(OPERATION_OF, dict.fromkeys(OPERATION_OF, "RUL-1"))
LETTERS = Declared({f"s/said/{letter}": "echo.say" for letter in "abcd"})
"""The corpus of models: four cases of one operation."""

DEAF, MUTE = Choice(deviations=("deaf",)), Choice(deviations=("mute",))
OPEN = ("RUL-1", "b")
REFUTED = Choice((("RUL-9", "b"),))
IT_IS_DEAF = Divergence(reason="It hears nothing.", model="deaf", place="src/ear.ts:7", cases={}, span=(4, 6))


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


def disputed(case: str, reading: str = "") -> GateInput:
    verdict = Verdict.VARIANT if reading else Verdict.PASS
    return GateInput(case, OPERATION_OF[case], verdict, ruling="RUL-1", reading=reading)


def flaky(*signatures: str) -> GateInput:
    """A result of `s/said/a` whose executions end with these signatures; an empty one passes."""
    failing = next(filter(None, signatures))
    return GateInput("s/said/a", "echo.say", Verdict.FAIL, failing, category="kind", flaky=frozenset(signatures))


def with_models(*divergences: Divergence, follows: Readings = ()) -> KnownDivergences:
    """A file with these entries; the models are on lines 4, 14, …"""
    lines = {one.model: 10 * number + 4 for number, one in enumerate(divergences) if one.model}
    return KnownDivergences(divergences, follows=follows, lines=lines, shown="known.yaml")


def predictable(case: str, choice: Choice = ADOPTED, predicted: Choice = ADOPTED, **more: Any) -> GateInput:
    """A failing case that this choice explains. Its causes are the deviations and the readings of RUL-9."""
    causes = tuple(name for name in names_of(choice) if "=" not in name or name.startswith("RUL-9"))
    return GateInput(
        f"s/said/{case}",
        "echo.say",
        Verdict.FAIL,
        ONE,
        category="echo.say $.text",
        explained_by=choice,
        causes=causes,
        predicted=predicted,
        **more,
    )


def answering(
    case: str, verdict: Verdict = Verdict.PASS, predicted: Choice = ADOPTED, readings: Readings = ()
) -> GateInput:
    """A case that does not fail."""
    return GateInput(f"s/said/{case}", "echo.say", verdict, predicted=predicted, readings=readings)


def judged(known: KnownDivergences, *results: GateInput) -> list[GateFinding]:
    return findings(known, results, LETTERS, TODAY)
