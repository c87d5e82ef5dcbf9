"""Description → text: the sentence on an SDK, the lines of the console, and the rows of both."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill

from ..base.text_limits import MAX_VALUE
from ..errors import one_line
from .description import Description, FailureCause, FollowedRuling
from .phrases import plural, verb

_MAX_CAUSES = 3
_MARK = "*"
_UNBROKEN = "\xa0"
"""Stands for a blank at which no line is broken."""


def description_sentence(one: Description) -> str:
    """`go: 21 other readings; 18 deviations and 2 refuted readings explain 340 failures; 3 unexplained failures`."""
    together = ", some of them together" if sum(len(cause.results) for cause in one.causes) > one.caused else ""
    explain = verb(len(one.causes), "explains", "explain")
    counts = {
        plural(one.readings, "other reading"): one.readings,
        f"{_causes(one)} {explain} {plural(one.caused, 'failure')}{together}": one.caused,
        f"{plural(len(one.combined), 'failure')} that only combined readings explain": len(one.combined),
        plural(len(one.unexplained), "unexplained failure"): len(one.unexplained),
        f"{plural(len(one.undecided), 'failure')} not decided": len(one.undecided),
    }
    parts = [text for text, count in counts.items() if count] or ["as the specification"]
    return f"{one_line(one.implementation)}: {'; '.join(parts)}"


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
    """`one-alternative-alias-ignored  query/parse.go:73  The reason.`; `RUL-B16=b (refuted)  …`."""
    return "  ".join(part for part in (cause.title, cause.place, cause.reason) if part)


def ruling_text(ruling: FollowedRuling) -> str:
    """`RUL-B08=c 14`; with every reading and a mark if the readings are mixed: `RUL-B08=a 3 c 14*`. Failures count too."""
    counts = [
        f"{reading.reading} {reading.cases:,}" for reading in (ruling.readings if ruling.is_mixed else ruling.others)
    ]
    return one_line(f"{ruling.id}={' '.join(counts)}{_MARK if ruling.is_mixed else ''}", MAX_VALUE)
