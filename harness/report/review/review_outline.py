"""The review's outline: the sentences in the order of the text, each with its rulings and the causes that break it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from ...compare.causes import causes_or_state
from ...errors import plural
from ..document import Block, Code, Heading, Item, Paragraph, Quote, Span, Strong, prose
from ..phrases import and_more
from ..ruling_adherence import ResultsByName, RulingAdherence
from ..sentence_costs import SentenceCost, size
from .review_spans import ReviewInput, joined

_MAX_CAUSES = 3
_RARE = 0.2
"""The share of the departing answers of a ruling up to which a reading is shown without its statement."""


def outline_blocks(given: ReviewInput) -> Iterator[Block]:
    """Document, section, sentence."""
    requirements = given.record.metadata.requirements.values()
    order = {requirement.id: place for place, requirement in enumerate(requirements)}
    sections: dict[tuple[str, str], int] = {}
    for requirement in requirements:
        sections.setdefault((requirement.document, requirement.section), len(sections))
    last = len(order)
    placed = sorted(
        given.costs,
        key=lambda cost: (sections.get(given.place(cost), last), order.get(cost.requirement, last)),
    )
    for document, of_document in groupby(placed, key=lambda cost: given.place(cost)[0]):
        yield Heading(2, f"Outline of {document}" if document else "Outline")
        for section, of_section in groupby(of_document, key=lambda cost: given.place(cost)[1]):
            yield Heading(3, section or "Without a section")
            listed = list(of_section)
            for cost in listed:
                yield from _sentence(cost, given)
            yield from _agreed([ruling for cost in listed for ruling in cost.rulings if ruling.is_followed])


def _sentence(cost: SentenceCost, given: ReviewInput) -> Iterator[Block]:
    """A sentence that costs something: its words, its sums, its rulings, and the deviations from it."""
    rulings = [ruling for ruling in cost.rulings if not ruling.is_followed]
    if not (cost.cost or rulings):
        return
    yield Heading(4, cost.topic.title if cost.topic else ", ".join(cost.requirements) or "Without a requirement")
    if cost.topic:
        definitions = [" ", *prose(cost.topic.wording)] if cost.topic.wording else []
        yield Paragraph([f"About {', '.join(cost.requirements)}.", *definitions])
    elif cost.requirement:
        yield Quote(given.said(cost.requirement))
    varying = size(cost.varying)
    counts = [f"{cost.cost - varying:,} fail"] if cost.cost > varying else []
    counts += [plural(varying, "variant")] if varying else []
    if counts:
        yield Paragraph([", ".join(counts), *(["; ", *given.effect(cost)] if cost.effect else []), "."])
    for ruling in rulings:
        yield from _ruling(ruling, given)
    common = {cause.name for cause in cost.common}
    deviations = [departure for departure in cost.departures if not departure.ruling]
    yield from (Item(given.departure(departure)) for departure in deviations if departure.name in common)
    others: list[Sequence[Span]] = [
        [Code(departure.name), " ", *given.who(departure.by)]
        for departure in deviations
        if departure.name not in common
    ]
    if others:
        yield Item(["Broken by ", *joined(others, "; "), "."])
    if cost.uncaused:
        yield Item(["Without a cause: ", *given.who(cost.uncaused), "."])


def _agreed(rulings: Sequence[RulingAdherence]) -> Iterator[Block]:
    """The rulings of which the SDKs follow no other reading, on one line."""
    if rulings:
        listed: list[Sequence[Span]] = [[Strong(ruling.id, ruling.id), f" {ruling.text.title}"] for ruling in rulings]
        yield Paragraph(["No SDK follows another reading: ", *joined(listed, "; "), "."])


def _ruling(ruling: RulingAdherence, given: ReviewInput) -> Iterator[Block]:
    """The wording with those who follow the adopted reading, the other readings, the other failures, a better text."""
    text = ruling.text
    yield Item([Strong(f"{ruling.id} {text.title}", ruling.id)])
    followed = given.who(ruling.answers(text.adopted)) or ["no SDK"]
    said = text.wording or text.readings[text.adopted]
    yield Item([Strong(text.adopted), " (", *followed, "): ", *prose(said)], 1)
    most = sum(size(departure.by) for departure in ruling.departures)
    often = [departure for departure in ruling.departures if size(departure.by) > _RARE * most]
    yield from (Item(given.departure(departure), 1) for departure in often)
    rare = [departure for departure in ruling.departures if departure not in often]
    if rare:
        named = ([f"{departure.name} (", *given.who(departure.by), ")"] for departure in rare)
        yield Item(["rarely ", *joined(named), "."], 1)
    failing = {name: following.failing for name, following in ruling.of_sdks.items() if following.failing}
    if failing:
        yield Item(["otherwise (", *given.who(failing), "): ", *_causes(failing, given), "."], 1)
    varying = {name: following.varying for name, following in ruling.of_sdks.items()}
    if any(varying.values()):
        yield Item(["another reading from run to run: ", *given.who(varying), "."], 1)
    if text.better:
        yield Item(["better: ", *prose(text.better)], 1)


def _causes(failing: ResultsByName, given: ReviewInput) -> list[Span]:
    """The causes of these failures, the most frequent first."""
    rulings = given.record.metadata.rulings
    results = [result for of_sdk in failing.values() for result in of_sdk]
    counts = Counter(name for result in results for name in causes_or_state(result, rulings))
    spans = joined([Code(name)] for name, _ in counts.most_common(_MAX_CAUSES))
    more = and_more(len(counts) - _MAX_CAUSES)
    return [*spans, f" {more}"] if more else spans
