"""The review's first page beside the SDKs: what to decide, what the SDKs must change, engines, and what cannot be tested."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...model import RecordedResult, where
from ..document import Block, Code, Heading, Item, Paragraph, Span, Spans, Table, prose
from ..documented import documented_places, documented_text
from ..phrases import and_more, n_of_m
from ..ruling_adherence import Departure
from ..sentence_costs import SentenceCost, size
from .review_spans import ReviewInput, joined, ruling_spans

_MAX_DOUBTED = 8
_MAX_BROKEN = 6
_MAX_DEPARTURES = 3


def decide_blocks(given: ReviewInput) -> Iterator[Block]:
    """A row for each sentence that most answers speak against."""
    yield Heading(2, "Decide these first")
    doubted = sorted((cost for cost in given.costs if cost.doubting), key=lambda cost: -size(cost.doubting))
    if not doubted:
        yield Paragraph("No answer of an SDK speaks against the text.")
        return
    yield Paragraph("Ordered by the answers that speak against a sentence: failures that the SDKs share, and variants.")
    rows = [_row(number, cost, given) for number, cost in enumerate(doubted[:_MAX_DOUBTED], 1)]
    yield Table(["sentence", "what the SDKs do", "if adopted", "fail", "variant"], rows, 2)
    if more := and_more(len(doubted) - _MAX_DOUBTED, "sentence"):
        yield Paragraph(f"… {more} in the outline.")


def _row(number: int, cost: SentenceCost, given: ReviewInput) -> Sequence[Spans]:
    varying = size(cost.varying)
    beside = {cause.name for cause in cost.other}
    departures = [departure for departure in cost.departures if departure.name not in beside]
    shown = joined((given.departure(departure) for departure in departures[:_MAX_DEPARTURES]), " ")
    more = and_more(len(departures) - _MAX_DEPARTURES)
    return [
        [f"{number}. ", *given.sentence(cost)],
        [*shown, f" … {more}." if more else "", *_otherwise(cost, departures, given)],
        given.effect(cost) or ["no practice in common"],
        f"{size(cost.doubting) - varying:,}",
        f"{varying:,}",
    ]


def _otherwise(cost: SentenceCost, departures: Sequence[Departure], given: ReviewInput) -> list[Span]:
    """The SDKs that follow the adopted reading of the only ruling, and those whose answers show nothing."""
    about = {departure.ruling for departure in departures}
    adopted = [ruling.answers(ruling.text.adopted) for ruling in cost.rulings if ruling.id in about]
    shown = {name for by in (*adopted, *(departure.by for departure in departures)) for name in by}
    silent = joined([Code(name)] for name in given.sdks if name not in shown)
    spans: list[Span] = [" As the text: ", *given.each(adopted[0]), "."] if len(about) == 1 and any(adopted) else []
    return [*spans, " Not shown by ", *silent, "."] if silent else spans


def must_change_blocks(given: ReviewInput) -> Iterator[Block]:
    """A line for each sentence that only some SDKs break."""
    broken = sorted((cost for cost in given.costs if cost.breaking), key=lambda cost: -size(cost.breaking))
    if broken:
        yield Heading(2, "The text decides; the SDKs must change")
    for cost in broken[:_MAX_BROKEN]:
        causes = sorted(cost.other, key=lambda cause: -cause.failures)
        by_cause = ((cause.name, {name: of.results for name, of in cause.by.items()}) for cause in causes)
        shown = [[Code(name), " ", *given.who(by)] for name, by in by_cause][:_MAX_DEPARTURES]
        shown += [["without a cause ", *given.who(cost.uncaused)]] if cost.uncaused else []
        more = and_more(len(causes) - _MAX_DEPARTURES, "cause")
        yield Item([*given.sentence(cost), " ", *joined(shown, "; "), f" {more}" if more else "", "."])
    if more := and_more(len(broken) - _MAX_BROKEN, "sentence"):
        yield Item(f"… {more} in the outline.")


def engine_blocks(given: ReviewInput) -> Iterator[Block]:
    """Expressions that an engine rejects, by its message."""
    refused: dict[tuple[str, str], dict[str, RecordedResult]] = {}
    for result in given.record.results:
        for refusal in result.engine:
            source = "the text" if refusal.side == "wanted" else result.implementation
            refused.setdefault((refusal.message, source), {}).setdefault(refusal.match, result)
    if refused:
        yield Heading(2, "Expressions that the engine rejects")
    for (message, source), matches in refused.items():
        shortest = min(matches, key=lambda match: (len(match), match))
        results = list(matches.values())
        ids = sorted({id_ for result in results for id_ in (result.ruling, *result.cited_by_rulings) if id_})
        expressions: list[Span] = [*given.number(results), " of ", source if source == "the text" else Code(source)]
        yield Item([Code(message), ": ", *expressions, ", such as ", Code(shortest), *ruling_spans(ids), "."])


def untested_blocks(given: ReviewInput) -> Iterator[Block]:
    """The requirements that no case can show."""
    requirements = given.record.metadata.requirements
    ids = [id_ for id_, requirement in requirements.items() if requirement.unobservable]
    if ids:
        yield Heading(2, "What cannot be tested")
        listed = f"{n_of_m(len(ids), len(requirements), 'requirement')}: {', '.join(ids)}. "
        yield Paragraph([listed, Code("parity coverage"), " prints the reasons."])


def documented_blocks(given: ReviewInput) -> Iterator[Block]:
    """Behaviour that another document of the same project describes, with the failures of the SDKs there."""
    places = documented_places(given.record)
    if places:
        yield Heading(2, "Another document says otherwise")
    for place in places:
        by = {name: where(place.results, names={name}) for name in given.sdks}
        reasons = joined(map(prose, place.reasons), "; ")
        about = [*ruling_spans(place.rulings), *([" (", *reasons, ")"] if reasons else [])]
        failing = given.who(by)
        yield Item(
            [*prose(documented_text(place.documented)), *about, *([": ", *failing, " fail"] if failing else []), "."]
        )
