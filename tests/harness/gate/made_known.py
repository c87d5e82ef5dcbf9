"""Known divergences and results made by hand, for tests of a gate."""

from __future__ import annotations

from datetime import date
from typing import Any

from made_values import outcome, ruling

from harness.gate.findings import Declared, findings
from harness.gate.known_divergences import Divergence, KnownDivergences, ListedNames
from harness.model import (
    ADOPTED,
    Choice,
    Difference,
    Failed,
    Passed,
    Raised,
    Readings,
    ResultLine,
    Rounds,
    Status,
    Variant,
    Verdict,
    replace,
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
RULINGS = {"RUL-9": ruling("RUL-9", "decides")}


def without(name: str, reason: str = "mute") -> KnownDivergences:
    """One unsupported name, on line 3 of its file."""
    return KnownDivergences(
        unsupported=(ListedNames(reason=reason, names=(name,)),), lines={name: 3}, shown="known.yaml"
    )


def reasons(file: KnownDivergences) -> dict[str, str]:
    """The unsupported names, each with its reason."""
    return {name: entry.reason for entry in file.unsupported for name in entry.names}


def gate_input(
    case: str,
    verdict: Verdict = Verdict.PASS,
    signature: str = ONE,
    reason: str = "",
    readings: Readings = (),
    explained_by: Choice = ADOPTED,
    **more: Any,
) -> ResultLine:
    """A result with this verdict, of the operation of its case."""
    difference = [Difference("$.text")] * (verdict is Verdict.FAIL)
    found = outcome(verdict, reason=reason, signature=signature, difference=difference)
    if isinstance(found, Passed | Variant):
        found = replace(found, readings=readings)
    if isinstance(found, Failed):
        found = replace(found, explained_by=explained_by)
    return ResultLine(
        case=case,
        at="",
        operation=OPERATION_OF.get(case, "echo.say"),
        requirements=(),
        request=None,
        expected=Raised(""),
        implementation="singer",
        outcome=found,
        **more,
    )


def rounds(*signatures: str) -> tuple[Rounds, ...]:
    """A round for each of these signatures: an empty one passes, `unsupported` has no answer."""
    verdicts = {"": Verdict.PASS, "unsupported": Verdict.UNSUPPORTED}
    seen = (gate_input("s/said/a", verdicts.get(text, Verdict.FAIL), text) for text in signatures)
    return tuple(Rounds((number,), result.outcome) for number, result in enumerate(seen, 1))


def unsupported(case: str, reason: str = "no such function") -> ResultLine:
    return gate_input(case, Verdict.UNSUPPORTED, reason=reason)


def found(expected: KnownDivergences, *results: ResultLine) -> list[tuple[Status, str, str]]:
    return [(one.status, one.name, one.place) for one in findings(expected, results, CORPUS, TODAY)]


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
