"""A ruling, its cases and a run → a text for an issue of the specification, which `parity explain RULING --markdown` prints.

It has the question, the words of the text, who follows which reading in how many cases, the suggested wording with its
effect, and the commands that show the same. Names are links if the address of a site is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from ...base.text_limits import MAX_TEXT
from ...model import REFERENCE, Choice, RecordedResult, Requirement
from ..adoption_effects import adoption_effects
from ..document import Block, Code, Heading, Item, Link, Paragraph, Quote, Span, Spans, Strong, Table, prose
from ..phrases import and_more, wording_texts
from ..result_text import repeat_command
from ..site.site_paths import case_address, requirement_path, ruling_path
from ..versions import version_text
from .ruling_page import RulingPage, documented_items, followers_of, record_note, state_items

_ANOTHER = "by another cause"
_MAX_CAUSES = 3


def issue_blocks(page: RulingPage) -> Iterator[Block]:
    """The text for an issue."""
    ruling = page.ruling
    yield Heading(2, f"{ruling.id}: {ruling.title}")
    yield from state_items(ruling)
    yield Paragraph(prose(ruling.question))
    for requirement in page.requirements:
        yield from _said(requirement, page)
    yield from documented_items(ruling.documented)
    yield Heading(3, "Who does what")
    yield from _who(page)
    yield Heading(3, "Proposal")
    for title, wording in wording_texts(ruling):
        yield Paragraph([Strong(title), ": ", *prose(wording)])
    if ruling.topic and ruling.topic.wording:
        yield Paragraph([Strong("Definitions"), ": ", *prose(ruling.topic.wording)])
    if varying := _varying(page):
        yield Paragraph([Strong("Effect"), f": with the suggested wording these variants become failures: {varying}."])
    yield Paragraph([Strong(f"Why {ruling.adopted}"), ": ", *prose(ruling.why)])
    same = [
        other for other in page.rulings.values() if ruling.topic and other.topic == ruling.topic and other != ruling
    ]
    if same:
        links = ((", ", *_link(other.id, ruling_path(other.id), page)) for other in same)
        yield Paragraph(["Same topic: ", *[span for link in links for span in link][1:], "."])
    yield Heading(3, "Repeat")
    yield Item([Code(repeat_command((), f"ruling:{ruling.id}"), MAX_TEXT)])
    readings = [name for name in ruling.readings if name != ruling.adopted]
    yield from (Item([Code(f"parity impact {ruling.id}={name} repeat.jsonl", MAX_TEXT)]) for name in readings[:1])
    page_link = _link(f"{ruling.id} with all its cases", ruling_path(ruling.id), page)
    yield Item(page_link if page.site else [Code(f"parity explain {ruling.id}", MAX_TEXT)])


def _varying(page: RulingPage) -> str:
    """`ts 10, go 6`: the variants by readings that are not adopted."""
    counts = {
        name: sum(len(each.results) for reading, each in following.readings.items() if reading != page.ruling.adopted)
        for name, following in followers_of(page).items()
        if name != REFERENCE
    }
    return ", ".join(f"{name} {count:,}" for name, count in counts.items() if count)


def _link(text: str, path: str, page: RulingPage) -> list[Span]:
    """A name, linked to its page if the address of the site is known."""
    return [Link(text, f"{page.site}/{quote(path, safe='/#~@')}" if page.site else "")]


def _said(requirement: Requirement, page: RulingPage) -> Iterator[Block]:
    """The place of a requirement, then the words of the text behind it, else its statement."""
    place = ", ".join(part for part in (requirement.document, requirement.section) if part)
    yield Paragraph([f"{place} (", *_link(requirement.id, requirement_path(requirement.id), page), "):"])
    quotation = page.text.quotation(requirement) if page.text else None
    passages = [passage.words for passage in quotation.passages] if quotation else []
    if passages:
        yield from (Quote(f"“{' '.join(words.split())}”") for words in passages)
    else:
        yield Quote(prose(requirement.statement))


def _who(page: RulingPage) -> Iterator[Block]:
    """A row for each reading, with the cases of each implementation and what the reading does as the text."""
    ruling, record = page.ruling, page.record
    by_name = {name: following for name, following in followers_of(page).items() if name != REFERENCE}
    if record is None or not by_name:
        yield from (Item([f"{name}: ", *prose(statement)]) for name, statement in ruling.readings.items())
        return
    answers = {name: following for name, following in by_name.items() if following.is_answered}
    rows: list[Sequence[Spans]] = []
    for name, statement in ruling.readings.items():
        title: Span = Strong(f"{name}, adopted") if name == ruling.adopted else name
        followed = [following.readings.get(name) for following in answers.values()]
        cells = [_answers(each.results, each.failing, page) if each else "·" for each in followed]
        effect = "·" if name == ruling.adopted else _effect(name, list(answers), page)
        rows.append([[title, ": ", *prose(statement)], *cells, effect])
    causes = Counter(name for following in answers.values() for name in following.deviations)
    named = [span for name, _ in causes.most_common(_MAX_CAUSES) for span in (", ", Code(name))]
    more = and_more(len(causes) - _MAX_CAUSES)
    others = {
        _ANOTHER: [following.deviating for following in answers.values()],
        "none of the readings": [following.none for following in answers.values()],
        "passes that separate no readings": [following.alike for following in answers.values()],
    }
    for label, results in others.items():
        if any(results):
            because = [": ", *named[1:], f" {more}" if more else ""] if label == _ANOTHER else []
            rows.append([[label, *because], *(_answers(of_name, (), page) for of_name in results), "·"])
    yield Table(["reading", *([Code(name)] for name in answers), "as the text"], rows)
    entries = map(record.metadata.implementation, answers)
    versions = ", ".join(f"{entry.name} {version_text(entry)}" for entry in entries if entry)
    silent = [name for name in by_name if name not in answers]
    unknown = f" Not observed: {', '.join(silent)}." if silent else ""
    yield Paragraph(f"Numbers are answers of {versions} ({record_note(record, page.is_same_corpus)}).{unknown}")


def _answers(results: Sequence[RecordedResult], failing: Sequence[RecordedResult], page: RulingPage) -> Spans:
    """`12`, `12, 7 fail`: the number of answers and of those that fail, linked to the first case."""
    parts = [(len(results), ""), (len(failing), " fail")]
    spans = [
        _link(f"{count:,}{word}", case_address((failing if word else results)[0].case), page)
        for count, word in parts
        if count
    ]
    return [span for part in spans for span in (", ", *part)][1:] or "·"


def _effect(reading: str, names: Sequence[str], page: RulingPage) -> Spans:
    """`+10; at stake: go 4`: what a reading does as the text."""
    if page.record is None:
        return "·"
    effects = adoption_effects(page.record, Choice(((page.ruling.id, reading),)), names)
    gained = sum(len(effect.gained) for effect in effects.values())
    lost = ", ".join(f"{name} {len(effect.lost):,}" for name, effect in effects.items() if effect.lost)
    return f"{gained:,} pass{f'; at stake: {lost}' if lost else ''}"
