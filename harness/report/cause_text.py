"""Readings, deviations and causes as text: why an answer fails, what an SDK is, and the lines and rows about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import fill

from ..base.text_limits import MAX_NAME, MAX_VALUE
from ..compare.attribution import MAX_SEARCHED
from ..compare.causes import UNDECIDED, UNEXPLAINED, is_refuted, names_of, verdict_text
from ..compare.combination_search import MAX_SIZE
from ..errors import one_line, plural
from ..model import Choice, HasOutcome, Readings, Ruling, Undecided, Verdict
from .description import COMBINED, Description, FailureCause, FollowedRuling
from .phrases import in_brackets, place_text, verb

_MAX_CAUSES = 3
_MARK = "*"
_UNBROKEN = "\xa0"
"""Stands for a blank at which no line is broken."""


def readings_text(readings: Readings) -> str:
    """`RUL-B03=b`, `RUL-B03=b and RUL-B47=c`; empty without a reading."""
    return one_line(_joined(names_of(Choice(readings))), MAX_NAME)


def verdict_with_readings(result: HasOutcome) -> str:
    """`pass`, `error/crash`, `variant, RUL-B03=b`."""
    text = verdict_text(result)
    return f"{text}, {readings_text(result.readings)}" if result.verdict is Verdict.VARIANT else text


def explained_by_text(result: HasOutcome, rulings: Mapping[str, Ruling]) -> str:
    """The explanation of a failure, which does not excuse it, or how far the search for one went; empty without either.

    `known cause: deaf and RUL-B16=b, a reading that the text refutes, with RUL-B03=b`
    """
    choice = result.explained_by
    if not choice:
        return undecided_text(result.undecided) if result.undecided else ""
    refuted = tuple(reading for reading in choice.readings if is_refuted(reading, rulings))
    others = tuple(reading for reading in choice.readings if reading not in refuted)
    if choice.listed:
        return one_line(f"known cause: {choice.listed}, which lists this answer", MAX_NAME)
    if not (choice.deviations or refuted):
        return f"would be explained by {readings_text(others)} together, which another of its answers contradicts"
    causes = [_joined(choice.deviations)] if choice.deviations else []
    causes += (
        [f"{readings_text(refuted)}, {verb(len(refuted), 'a reading', 'readings')} that the text refutes"]
        if refuted
        else []
    )
    beside = [f"with {readings_text(others)}"] if others else []
    return one_line(f"known cause: {', '.join([' and '.join(causes), *beside])}", MAX_NAME)


def undecided_text(undecided: Undecided) -> str:
    """`not decided: of the 41 open readings that the request reaches, no more than 2 were tried together`."""
    reached = f"of the {undecided.readings} open readings that the request reaches"
    match undecided.size:
        case 0:
            return (
                f"not decided: parity searches an explanation for the first {MAX_SEARCHED:,} failures of a run; repeat this "
                "case alone to search for its own"
            )
        case 1:
            return f"not decided: {reached}, not all pairs were compared with the answer"
        case size if size < MAX_SIZE:
            return f"not decided: {reached}, not all combinations of {size + 1} were compared with the answer"
    return "not decided: not all combinations with a deviation were compared with the answer"


def _joined(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def description_sentence(one: Description) -> str:
    """`go: 343 failing (340 by 18 deviations and 2 refuted readings, 3 unexplained), 30 variants (21 other readings)`."""
    notes = {
        f"{one.caused:,} by {_causes(one)}": one.caused,
        f"{len(one.rest[COMBINED]):,} by combined readings alone": len(one.rest[COMBINED]),
        f"{len(one.rest[UNEXPLAINED]):,} unexplained": len(one.rest[UNEXPLAINED]),
        f"{len(one.rest[UNDECIDED]):,} not decided": len(one.rest[UNDECIDED]),
    }
    failing = sum(notes.values())
    varying = sum(len(other.results) for ruling in one.departures for other in ruling.others)
    parts = [f"{failing:,} failing{in_brackets([text for text, count in notes.items() if count])}"] if failing else []
    parts += [f"{plural(varying, 'variant')} ({plural(one.readings, 'other reading')})"] if varying else []
    return f"{one_line(one.implementation)}: {', '.join(parts) or 'no failure and no variant'}"


def _causes(description: Description) -> str:
    """`18 deviations and 2 refuted readings`."""
    counts = {"deviation": description.deviations, "refuted reading": description.refuted}
    return " and ".join(plural(count, name) for name, count in counts.items() if count)


def description_lines(description: Description, width: int) -> Iterator[str]:
    """The sentence, the causes with most failures, then the readings with their cases."""
    if description.is_specification:
        return
    yield description_sentence(description)
    yield from (
        one_line(f"{len(cause.results):>6,}  {cause_text(cause)}", width) for cause in description.causes[:_MAX_CAUSES]
    )
    rest = description.causes[_MAX_CAUSES:]
    if rest:
        results = {result.case for cause in rest for result in cause.results}
        yield f"{len(results):>6,}  {plural(len(rest), 'other cause')}"
    if description.departures:
        is_mixed = any(ruling.is_mixed for ruling in description.departures)
        marked = f", {_MARK} mixed: several readings of one ruling" if is_mixed else ""
        followed = ", ".join(ruling_text(ruling).replace(" ", _UNBROKEN) for ruling in description.departures)
        text = f"  readings (cases{marked}): {followed}"
        yield from (
            fill(text, width, subsequent_indent="    ", break_on_hyphens=False).replace(_UNBROKEN, " ").splitlines()
        )


def cause_text(cause: FailureCause) -> str:
    """`one-alternative-alias-ignored  query/parse.go:73 (Parse)  The reason.`; `RUL-B16=b (refuted)  …`."""
    return "  ".join(part for part in (cause.title, place_text(cause.place), cause.reason) if part)


def ruling_text(ruling: FollowedRuling) -> str:
    """`RUL-B08=c 14`; with every reading and a mark if the readings are mixed: `RUL-B08=a 3 c 14*`. Failures count too."""
    counts = [
        f"{reading.reading} {reading.cases:,}" for reading in (ruling.readings if ruling.is_mixed else ruling.others)
    ]
    return one_line(f"{ruling.id}={' '.join(counts)}{_MARK if ruling.is_mixed else ''}", MAX_VALUE)
