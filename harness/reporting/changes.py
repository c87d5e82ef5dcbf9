"""Comparison → the text that `parity compare` prints. What is newly failing stands last, next to the prompt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.comparing import Change, Changed, Comparison
from harness.errors import one_line
from harness.model import FAILING, RecordedResult, RunRecord, Verdict
from harness.reporting.describing import describe, plural

MOST_SHOWN = 20
"""Cases listed of each sort of change and implementation."""

_IN_FULL = 3
_ORDER = (
    Change.REMOVED,
    Change.ADDED,
    Change.NEWLY_ANSWERED,
    Change.FIXED,
    Change.READING,
    Change.DIFFERENCE,
    Change.NO_LONGER_ANSWERED,
    Change.NEWLY_FAILING,
)


def render(comparison: Comparison, after: RunRecord, width: int = 100) -> str:
    """The whole text; `after` is the newer of the two records."""
    lines = [*_who(comparison)]
    for change in _ORDER:
        for name, changes in comparison.changes.items():
            listed = [one for one in changes if one.change is change]
            if listed:
                lines += ["", *_listed(name, change, listed, after, width)]
    lines += ["", *(f"{one_line(name)}: {tally(changes)}" for name, changes in comparison.changes.items())]
    return "".join(f"{line}\n" for line in lines).lstrip("\n")


def _who(comparison: Comparison) -> Iterator[str]:
    """What is compared, as far as the two runs are not alike."""
    if not comparison.same_corpus:
        yield "The two runs asked from different corpora; a case that itself changed is marked."
    for name, (then, now) in comparison.versions.items():
        yield f"{one_line(name)}: it was {one_line(then)}, and now it is {one_line(now)}."
    for names, where in ((comparison.removed, "older"), (comparison.added, "newer")):
        for name in names:
            yield f"{one_line(name)} is in the {where} record alone and is not compared."


def _listed(name: str, change: Change, listed: Sequence[Changed], after: RunRecord, width: int) -> Iterator[str]:
    yield f"{one_line(name)}, {change.value}: {plural(len(listed), 'case')}"
    for number, one in enumerate(listed[:MOST_SHOWN]):
        yield f"  {one_line(one.result.case, 400)}{_mark(one)}: {transition(one)}"
        if change is Change.NEWLY_FAILING and number < _IN_FULL and one.after is not None:
            yield from (f"    {line}" for line in describe(one.after, after, width - 4))
    if len(listed) > MOST_SHOWN:
        yield f"  … and {len(listed) - MOST_SHOWN} more"


def _mark(one: Changed) -> str:
    return " (the case changed)" if one.question_changed else ""


def transition(one: Changed) -> str:
    """`pass → fail`; of a case that stands in one record alone its verdict there."""
    return " → ".join(_verdict(side) for side in (one.before, one.after) if side is not None)


def _verdict(result: RecordedResult) -> str:
    if result.verdict is Verdict.VARIANT:
        return f"variant {one_line(result.reading, 40)}"
    named = result.verdict.value if result.kind is None else f"{result.verdict.value}/{result.kind.value}"
    return f"{named} {one_line(result.signature, 40)}".rstrip() if result.verdict in FAILING else named


def tally(changes: Sequence[Changed]) -> str:
    """`2 newly failing, 1 fixed`; `nothing changed`."""
    counts = ((change, sum(one.change is change for one in changes)) for change in Change)
    return ", ".join(f"{count} {change.value}" for change, count in counts if count) or "nothing changed"
