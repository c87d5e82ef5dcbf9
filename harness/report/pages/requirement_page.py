"""A requirement, its cases and a run → the page that `parity explain REQUIREMENT` prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from ...compare.causes import cause_name, count_by_cause
from ...corpus.specification_text import SpecificationText
from ...errors import plural
from ...model import FAILING, Case, RecordedResult, Requirement, Ruling, RunRecord
from ..document import Block, Heading, Item, first_items, literal, sections
from ..document_terminal import Medium, render_document
from ..phrases import counts_text, verb
from ..quotation_text import quotation_items
from ..result_text import repeat_command
from .ruling_page import MAX_CASES, NO_RECORD, TEXT, case_items, record_note


class RequirementPage(Struct, frozen=True, kw_only=True):
    """A requirement with the rulings about it and the cases that cite it. `record`, `names` and `rulings` are as in
    `RulingPage`."""

    requirement: Requirement
    about: Sequence[Ruling]
    cases: Sequence[Case]
    rulings: Mapping[str, Ruling]
    record: RunRecord | None = None
    names: Sequence[str] = ()
    is_same_corpus: bool = True
    text: SpecificationText | None = None


def render(page: RequirementPage, medium: Medium) -> str:
    """The whole page."""
    titled = {
        "": _head(page.requirement),
        "the text": quotation_items(page.text, page.requirement, 0),
        "rulings": _rulings(page.about),
        "verdicts": _verdicts(page),
        "cases": case_items("cite it", page.cases),
        "repeat": [literal(repeat_command((), f"requirement:{page.requirement.id}"))] if page.cases else [],
    }
    return render_document(sections(titled.items()), medium)


def _head(one: Requirement) -> Iterator[Block]:
    yield Heading(2, f"{one.id}  {one.level}")
    yield Item(f"{one.at}  ·  {one.document}, {one.section}  ·  revision {one.revision}")
    yield Item(one.statement)
    if one.unobservable:
        yield Item(f"no case can show it: {one.unobservable}")
    if one.positive_only:
        yield Item(f"no negative case can show it: {one.positive_only}")


def _rulings(about: Sequence[Ruling]) -> Iterator[Block]:
    for ruling in about:
        yield Item(f"{ruling.id}  {ruling.title} (severity {ruling.severity}; {TEXT[ruling.text]})")
        yield Item(f"adopted: {ruling.readings[ruling.adopted]}", 2, "dim")


def _verdicts(page: RequirementPage) -> Iterator[Block]:
    """The verdicts of each implementation on the cases, then its failing cases by cause."""
    if page.record is None:
        yield Item(NO_RECORD, tone="dim")
        return
    id_ = page.requirement.id
    cited = [result for result in page.record.results if id_ in result.requirements]
    for name in page.record.implementations:
        if page.names and name not in page.names:
            continue
        results = [result for result in cited if result.implementation == name]
        yield Item(f"{name}: {counts_text(Counter(result.verdict for result in results))}")
        failing = [result for result in results if result.verdict in FAILING]
        yield from _by_cause([result for result in failing if id_ in result.charged], page.rulings)
        if beside := sum(id_ not in result.charged for result in failing):
            differs = verb(beside, "differs", "differ")
            yield Item(f"{plural(beside, 'failing case')} {differs} only at places of other requirements", 2)
    yield Item(record_note(page.record, page.is_same_corpus), tone="dim")


def _by_cause(failing: Sequence[RecordedResult], rulings: Mapping[str, Ruling]) -> Iterator[Block]:
    for cause, count in count_by_cause(failing, rulings).items():
        yield Item(f"{cause}: {plural(count, 'failing case')}", 2)
        cases = [result.case for result in failing if cause_name(result, rulings) == cause]
        yield from first_items(cases, MAX_CASES, "case", 4, "dim")
