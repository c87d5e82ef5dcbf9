"""Comparison → the text that `parity compare` prints: newly failing first, then what changed otherwise, then what came or
went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from harness.compare.run_diff import Change, Changed, Comparison
from harness.errors import one_line
from harness.model import FAILING, RecordedResult, RunRecord, Verdict
from harness.report.error_text import outcome_text
from harness.report.failure_groups import first_difference
from harness.report.suite_counts import system_of
from harness.report.summary import not_started, totals
from harness.report.text import describe, describe_difference, describe_not_started, plural

MAX_SHOWN = 20
"""Cases listed of each sort of change and implementation."""

_IN_FULL = 3
_ORDER = (
    Change.NEWLY_FAILING,
    Change.NO_LONGER_ANSWERED,
    Change.DIFFERENCE,
    Change.READING,
    Change.FIXED,
    Change.NEWLY_ANSWERED,
    Change.ADDED,
    Change.REMOVED,
)


def render(comparison: Comparison, after: RunRecord, width: int = 100) -> str:
    """The whole text; `after` is the newer of the two records."""
    lines, silent = [*_who(comparison, after)], not_started(after)
    for change in _ORDER:
        for name, changes in comparison.changes.items():
            listed = [one for one in changes if one.change is change]
            if listed and name not in silent:
                lines += ["", *_listed(name, change, listed, after, width)]
    for name, reason in silent.items():
        lines += ["", *describe_not_started(name, reason, after)]
    lines += ["", *(f"{one_line(name)}: {tally(changes)}" for name, changes in comparison.changes.items())]
    return "".join(f"{line}\n" for line in lines).lstrip("\n")


def _who(comparison: Comparison, after: RunRecord) -> Iterator[str]:
    """What is compared, as far as the two runs are not alike."""
    if not comparison.same_corpus:
        yield "The two runs asked from different corpora; a case that itself changed is marked."
    for name, (then, now) in comparison.versions.items():
        yield f"{one_line(name)}: it was {one_line(then)}, and now it is {one_line(now)}."
    for name, where, why in alone(comparison, after):
        left_out = f" It was left out of the newer run: {one_line(why, 400)}" if why else ""
        yield f"{one_line(name)} is in the {where} record alone and is not compared.{left_out}"


def alone(comparison: Comparison, after: RunRecord) -> Iterator[tuple[str, str, str]]:
    """The implementations of one record alone: name, which record (`older`, `newer`), why the newer run left it out."""
    left_out = dict(after.skipped)
    yield from ((name, "older", left_out.get(name, "")) for name in comparison.removed)
    yield from ((name, "newer", "") for name in comparison.added)


def _listed(name: str, change: Change, listed: Sequence[Changed], after: RunRecord, width: int) -> Iterator[str]:
    yield f"{one_line(name)}, {change.value}: {plural(len(listed), 'case')}"
    listed, unasked = without_unasked(listed)
    for number, one in enumerate(listed[:MAX_SHOWN]):
        yield f"  {one_line(one.result.case, 400)}{_mark(one)}: {transition(one)}"
        if change is Change.NEWLY_FAILING and number < _IN_FULL and one.after is not None:
            yield from (f"    {line}" for line in describe(one.after, after, width - 4))
        if change is Change.DIFFERENCE and one.after is not None:
            yield from (f"    {line}" for line in _now(one.after, width - 4))
    if len(listed) > MAX_SHOWN:
        yield f"  … and {len(listed) - MAX_SHOWN} more"
    for counts in unasked.values():
        by_system = ", ".join(f"{one_line(system)} {count}" for system, count in counts.items())
        yield f"  {counts.total()} unsupported: {by_system}"


def without_unasked(changes: Sequence[Changed]) -> tuple[list[Changed], Mapping[str, Counter[str]]]:
    """The changes that say something one by one; and of cases that came or went and are unsupported, which may be whole
    systems that a gate left out, how many there are of each system, by implementation."""
    telling: list[Changed] = []
    unasked: dict[str, Counter[str]] = {}
    for one in changes:
        if one.change in (Change.ADDED, Change.REMOVED) and one.result.verdict is Verdict.UNSUPPORTED:
            unasked.setdefault(one.result.implementation, Counter())[system_of(one.result.case)] += 1
        else:
            telling.append(one)
    return telling, unasked


def _now(result: RecordedResult, width: int) -> Iterator[str]:
    """What a failing case now fails with."""
    part = first_difference(result)
    if part is not None:
        yield from describe_difference(part, width)
    elif text := outcome_text(result.outcome):
        yield one_line(text, 400)


def _mark(one: Changed) -> str:
    return " (the case changed)" if one.question_changed else ""


def transition(one: Changed) -> str:
    """`pass → fail`; of a case that stands in one record alone its verdict there."""
    signed = one.change is not Change.DIFFERENCE  # which tells the new difference itself
    return " → ".join(_verdict(side, signed) for side in (one.before, one.after) if side is not None)


def _verdict(result: RecordedResult, signed: bool) -> str:
    if result.verdict is Verdict.VARIANT:
        return f"variant {one_line(result.reading, 40)}"
    named = result.verdict.value if result.kind is None else f"{result.verdict.value}/{result.kind.value}"
    return f"{named} {one_line(result.signature, 40)}".rstrip() if signed and result.verdict in FAILING else named


def tally(changes: Sequence[Changed]) -> str:
    """`2 newly failing, 1 fixed`; `nothing changed`."""
    counts = ((change, sum(one.change is change for one in changes)) for change in Change)
    return ", ".join(f"{count} {change.value}" for change, count in counts if count) or "nothing changed"


def gate_state(record: RunRecord) -> Iterator[str]:
    """How far each implementation is: `ts is now at 540 pass, 44 fail`."""
    for name, counts in totals(record).items():
        told = ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict])
        yield f"{one_line(name)} is now at {told or 'no verdict'}"
