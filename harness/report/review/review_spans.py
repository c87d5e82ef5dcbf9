"""What all parts of the review use: the values that it is made of, and spans about sentences, SDKs and rulings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from ...compare.causes import names_of
from ...errors import one_line, plural
from ...model import REFERENCE, Choice, RecordedResult, Requirement, RunRecord
from ..document import Code, Link, Span, Spans, Strong, prose
from ..phrases import and_more, verb
from ..ruling_adherence import Departure, ResultsByName
from ..run_summary import not_started
from ..sentence_costs import SentenceCost, size

_MAX_IDS = 3
_MAX_WORDS = 240
"""Characters of a quotation."""
_MAX_STATEMENT = 100
"""Characters of the statement of a reading or a deviation."""
_PART_END = re.compile("(?<=[.;]) ")


class ReviewInput(Struct, frozen=True):
    """A record and the costs of its sentences. `target` gives the target of a link to `file:line`, empty if there is none.
    `quotation` gives the words of the text behind a requirement, empty if they are not known."""

    record: RunRecord
    costs: Sequence[SentenceCost]
    target: Callable[[str], str]
    quotation: Callable[[Requirement], str]

    @property
    def sdks(self) -> Sequence[str]:
        """The SDKs that started."""
        absent = {REFERENCE, *not_started(self.record)}
        return [name for name in self.record.implementations if name not in absent]

    def place(self, cost: SentenceCost) -> tuple[str, str]:
        """The document and the section of a sentence."""
        requirement = self.record.metadata.requirements.get(cost.requirement)
        return (requirement.document, requirement.section) if requirement else ("", "")

    def said(self, id_: str) -> Sequence[Span]:
        """The words of the text in quotation marks, else the statement of a requirement."""
        requirement = self.record.metadata.requirements.get(id_)
        if requirement is None:
            return []
        words = self.quotation(requirement)
        return prose(f"“{one_line(words, _MAX_WORDS)}”" if words else requirement.statement)

    def number(self, results: Sequence[RecordedResult]) -> Spans:
        """The number of results, linked to the first one."""
        return [Link(f"{len(results):,}", self.target(results[0].at))] if results else ["·"]

    def who(self, by: ResultsByName) -> list[Span]:
        """`ts 47, go 12`, or `all 141` if every SDK has some: the SDKs with their numbers of answers."""
        having = [results for results in by.values() if results]
        if len(having) == len(self.sdks) > 1:
            return ["all ", *self.number([result for results in having for result in results])]
        return self.each(by)

    def each(self, by: ResultsByName) -> list[Span]:
        """`ts 47, go 12`: each SDK with its number of answers, if it has any."""
        return joined([Code(name), " ", *self.number(results)] for name, results in by.items() if results)

    def departure(self, departure: Departure) -> list[Span]:
        """`RUL-B39=a (go 85, python 83): The statement.`; of a long one only its first parts."""
        name: Span = Link(departure.name, f"#{departure.ruling}") if departure.ruling else Code(departure.name)
        first, *parts = _PART_END.split(departure.statement)
        for part in parts:
            if len(first) + len(part) > _MAX_STATEMENT:
                break
            first += f" {part}"
        return [name, " (", *self.who(departure.by), "): ", *prose(f"{first.rstrip('.;')}.")]

    def effect(self, cost: SentenceCost) -> list[Span]:
        """`RUL-B39=a gains 168, at stake ts 88`: what the practice of most SDKs does as the text; nothing without one."""
        if not cost.effect:
            return []
        named: list[Span] = [Code(name) for name in names_of(Choice(cost.practice.readings))]
        deviations = len(cost.practice.deviations)
        named += [plural(deviations, "deviation")] if deviations else []
        gain = verb(len(cost.practice.readings) + deviations, "gains", "gain")
        gained = size({name: effect.gained for name, effect in cost.effect.items()})
        lost = self.each({name: effect.lost for name, effect in cost.effect.items()})
        at_stake: list[Span] = [", at stake ", *lost] if lost else []
        return [*joined([name] for name in named), f" {gain} {gained:,}", *at_stake]

    def sentence(self, cost: SentenceCost) -> list[Span]:
        """`algorithms, Multipliers (INTENT-PREF-05): The statement.`; a topic has its title before its first statement."""
        place = ", ".join(filter(None, self.place(cost))) or "no requirement"
        more = and_more(len(cost.requirements) - _MAX_IDS)
        ids = f" ({', '.join(cost.requirements[:_MAX_IDS])}{f' {more}' if more else ''})" if cost.requirements else ""
        title = f"{cost.topic.title}: " if cost.topic else ""
        return [Strong(place), ids, f": {title}", *self.said(cost.requirement)]


def joined(parts: Iterable[Sequence[Span]], by: str = ", ") -> list[Span]:
    """The spans of all parts, with a text between two of them."""
    return [span for part in parts for span in (by, *part)][1:]


def ruling_spans(ids: Iterable[str]) -> list[Span]:
    """Rulings by their ids, each linked to its place in the report, in brackets; nothing without any."""
    spans = joined([Link(id_, f"#{id_}")] for id_ in ids)
    return [" (", *spans, ")"] if spans else []
