"""A fact → its words, one function each, and how much of a foreign text is shown. Every format calls these."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ..errors import one_line, plural
from ..gate.listing import NewReason
from ..gate.places import SourcePlace
from ..gate.summary import new_reason
from ..model import ConformanceProfile, HasOutcome, RecordedResult, Ruling, RunMetadata, Verdict, failing, supported
from .conformance import AnsweredShare, Conformance, ObservedShare, OperationShare, ProfileState
from .run_summary import VerdictCounts

ALL_DISPUTED: Final = "all its cases are disputed"


def corpus_text(date: str, digest: str) -> str:
    """`corpus 2026-11-24 (digest 97272292670a)`: its revision; a corpus of one's own has no date."""
    return f"corpus {f'{date} ' if date else ''}(digest {one_line(digest[:12])})"


def made_by_text(run: RunMetadata) -> str:
    """`parity 0.1.0, corpus 2026-11-24 (digest 97272292670a)`: what a record was made with."""
    return one_line(f"parity {run.harness_version}, {corpus_text(run.corpus_date, run.corpus_digest)}")


def verb(count: int, one: str, several: str) -> str:
    """The form of a verb for a number of things."""
    return one if count == 1 else several


def and_more(count: int, noun: str = "", *, is_least: bool = False) -> str:
    """`and 3 more`, `and 1 more case`, `and at least 3 more cases`; empty if nothing is left out."""
    if count <= 0:
        return ""
    lead = "and at least" if is_least else "and"
    return f"{lead} {plural(count, f'more {noun}')}" if noun else f"{lead} {count:,} more"


def first_and_more(items: Sequence[str], most: int, noun: str = "", lead: str = "… ") -> Iterator[str]:
    """The first items, and a line with the number of the others if there are any."""
    yield from items[:most]
    if more := and_more(len(items) - most, noun):
        yield f"{lead}{more}"


def following_text(follows: Mapping[str, int]) -> str:
    """`can follow from the 121 failures of fusion.rrf`, for the number of failures by operation; of two at most."""
    ordered = sorted(follows.items(), key=lambda item: (-item[1], item[0]))
    named = [f"the {plural(count, 'failure')} of {one_line(name)}" for name, count in ordered[:2]]
    more = and_more(len(ordered) - 2, "operation").removeprefix("and ")
    return f"can follow from {' and '.join(filter(None, [*named, more]))}"


def n_of_m(part: int, whole: int, noun: str = "") -> str:
    """`5 of 5,384`, `5 of 5,384 cases`."""
    return f"{part:,} of {plural(whole, noun) if noun else f'{whole:,}'}"


def percentage(part: int, whole: int) -> str:
    """`part` of `whole` as `98.4%`, rounded down: 100% only for the whole, 0% only for nothing."""
    tenths = 1000 * part // whole if whole else 0
    if 0 < part < whole:
        tenths = max(tenths, 1)
    return f"{tenths // 10}%" if tenths % 10 == 0 else f"{tenths / 10:.1f}%"


def share_text(one: AnsweredShare) -> str:
    """`5 of 5,384 cases`: the answered ones."""
    return n_of_m(one.answered, one.cases, "case")


def charge_text(result: HasOutcome, requirement: str, statement: str) -> str:
    """`SONG-01  A song is sung.`, or `candidate: SONG-01  A song is sung.` where no cause names the requirement."""
    return f"{'' if result.by_cause else 'candidate: '}{requirement}  {statement}"


def percent(one: AnsweredShare) -> str:
    """The answered share as `98.4%`."""
    return percentage(one.answered, one.cases)


def share(counts: VerdictCounts) -> str:
    """The share of supported cases that do not fail, as `98.4%`: 100% only if none fails, 0% only if all do."""
    cases = supported(counts)
    if not cases:
        return "unsupported" if counts else "no verdict"
    return percentage(cases - failing(counts), cases)


def floor_text(passed: float, cases: int = 1) -> str:
    """The share of `cases` that a constant answer passes, as `14.7%`; `passed` is their number, or the share itself."""
    return percentage(round(1000 * passed / cases), 1000) if cases else ""


def counts_text(counts: Mapping[Verdict, int]) -> str:
    """`79 pass, 1 fail`: the number of each verdict that there is."""
    return ", ".join(f"{counts[verdict]:,} {verdict}" for verdict in Verdict if counts.get(verdict)) or "no verdicts"


def profile_text(profile: ConformanceProfile, part: AnsweredShare, of: Conformance, is_known: bool = False) -> str:
    """`retrieval failed (3 of 40 fail)`; with its system if the implementation has several."""
    named = f"{profile.system}/{profile.name}" if len(of.systems) > 1 else profile.name
    return f"{named} {state_text(part, is_known=is_known)}"


def state_text(part: AnsweredShare, *, is_known: bool = False) -> str:
    """`failed (3 of 40 fail)`, `3 of 40 known to fail` if a gate knows all its failures, or the answered cases if it is not
    completed; with the limits of the result, as `not completed (observed 62%)`."""
    notes = limits(part)
    if part.state is ProfileState.FAILED and is_known:
        return f"{n_of_m(part.failing, part.cases)} known to fail{in_brackets(notes)}"
    if part.state is ProfileState.FAILED:
        notes = [f"{n_of_m(part.failing, part.cases)} {verb(part.failing, 'fails', 'fail')}", *notes]
    elif not (part.cases and part.is_complete):
        notes = [f"{n_of_m(part.answered, part.cases)} answered", *notes]
    return f"{part.state}{in_brackets(notes)}"


def operation_text(one: OperationShare) -> str:
    """`temporal.parseDate 61% (a constant answer passes 21%)`, with the limits of the result."""
    floor = [] if one.floor is None else [f"a constant answer passes {floor_text(one.floor)}"]
    return f"{one_line(one.operation)} {share(one.counts)}{in_brackets([*floor, *limits(one)])}"


def limits(one: AnsweredShare | OperationShare) -> list[str]:
    """What a result says nothing about: `observed 62%` if the implementation does not report every expected leaf, and a note
    if every case is disputed."""
    observed = [] if one.observed.is_whole else [observed_text(one.observed)]
    return [*observed, *([ALL_DISPUTED] if one.is_disputed else [])]


def observed_text(one: ObservedShare) -> str:
    """`observed 62%`."""
    return f"observed {percentage(one.observed, one.leaves)}"


def place_text(place: SourcePlace | None) -> str:
    """`query/parse.go:73 (Parse)`, `query/parse.go (Parse; not found in this copy)`; empty for None."""
    if place is None:
        return ""
    notes = filter(None, (place.symbol, "not found in this copy" if place.line == 0 else ""))
    inside = "; ".join(notes)
    return f"{place.file}{f':{place.line}' if place.line else ''}{f' ({inside})' if inside else ''}"


def wording_texts(ruling: Ruling) -> Iterator[tuple[str, str]]:
    """Title and text of each wording that a ruling suggests."""
    titled = (("Suggested wording", ruling.wording), ("Suggested change", ruling.better))
    yield from ((title, text) for title, text in titled if text)


def in_brackets(notes: Sequence[str]) -> str:
    """` (3 of 40, observed 62%)`; empty without a note."""
    return f" ({', '.join(notes)})" if notes else ""


NEW_REASON_TEXT = {
    NewReason.NOT_LISTED: "not a known divergence",
    NewReason.OTHER_ANSWER: "not as its known cause predicts",
    NewReason.OTHER_SIGNATURE: "known divergence with another signature",
    NewReason.UNSUPPORTED_NOT_LISTED: "not listed as unsupported",
    NewReason.LISTED_AS_UNSUPPORTED: "listed as unsupported, and answered now",
    NewReason.NOT_AT_BASE: "no failure at the base",
    NewReason.OTHER_AT_BASE: "another failure at the base",
    NewReason.ANSWERED_AT_BASE: "answered at the base",
}
"""The text of each reason for a new result."""


def listing_text(result: RecordedResult) -> str:
    """The reason of a result's listing; empty without one."""
    reason = new_reason(result)
    if reason is not None:
        return NEW_REASON_TEXT[reason]
    return result.expectation.reason if result.expectation else ""
