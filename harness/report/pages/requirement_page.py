"""A requirement, its cases and a run → the page that `parity explain REQUIREMENT` prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.text import Text

from ...compare.causes import cause_name, count_by_cause
from ...errors import one_line, printable
from ...model import FAILING, Case, RecordedResult, Requirement, Ruling, RunRecord
from ..phrases import MAX_NAME, MAX_STATEMENT, counts_text, plural, verb
from ..sections import Medium, render_sections
from .ruling_page import MAX_CASES, NO_RECORD, TEXT, case_lines, listed_lines, record_note


@dataclass(frozen=True, slots=True, kw_only=True)
class RequirementPage:
    """A requirement with the rulings about it and the cases that cite it. `record`, `names` and `rulings` are as in
    `RulingPage`."""

    requirement: Requirement
    about: Sequence[Ruling]
    cases: Sequence[Case]
    rulings: Mapping[str, Ruling]
    record: RunRecord | None = None
    names: Sequence[str] = ()
    is_same_corpus: bool = True


def render(page: RequirementPage, medium: Medium) -> str:
    """The whole page."""
    id_ = page.requirement.id
    sections = {
        "": _head(page.requirement),
        "rulings": _rulings(page.about),
        "verdicts": _verdicts(page),
        "cases": case_lines("cite it", page.cases),
        "repeat": [Text(f"parity run --select requirement:{id_}", no_wrap=True)] if page.cases else [],
    }
    return render_sections(sections, medium)


def _head(one: Requirement) -> Iterator[Text]:
    yield Text(one_line(f"{one.id}  {one.level}"), style="bold")
    yield Text(one_line(f"{one.at}  ·  {one.document}, {one.section}  ·  revision {one.revision}", MAX_NAME))
    yield Text(printable(one.statement.strip()))
    if one.unobservable:
        yield Text(printable(f"no case can show it: {one.unobservable.strip()}"))
    if one.positive_only:
        yield Text(printable(f"no negative case can show it: {one.positive_only.strip()}"))


def _rulings(about: Sequence[Ruling]) -> Iterator[Text]:
    for one in about:
        yield Text(one_line(f"{one.id}  {one.title} (severity {one.severity}; {TEXT[one.text]})", MAX_NAME))
        yield Text(printable(f"    adopted: {one.readings[one.adopted].strip()}"), style="dim")


def _verdicts(page: RequirementPage) -> Iterator[Text]:
    """The verdicts of each implementation on the cases, then its failing cases by cause."""
    if page.record is None:
        yield Text(NO_RECORD, style="dim")
        return
    cited = [one for one in page.record.results if page.requirement.id in one.requirements]
    for name in page.record.implementations:
        if page.names and name not in page.names:
            continue
        results = [one for one in cited if one.implementation == name]
        yield Text(f"{one_line(name)}: {counts_text(Counter(one.verdict for one in results))}")
        failing = [one for one in results if one.verdict in FAILING]
        yield from _by_cause([one for one in failing if page.requirement.id in one.charged], page.rulings)
        beside = sum(page.requirement.id not in one.charged for one in failing)
        if beside:
            differs = verb(beside, "differs", "differ")
            yield Text(f"    {plural(beside, 'failing case')} {differs} only at places of other requirements")
    yield Text(record_note(page.record, page.is_same_corpus), style="dim")


def _by_cause(failing: Sequence[RecordedResult], rulings: Mapping[str, Ruling]) -> Iterator[Text]:
    for cause, count in count_by_cause(failing, rulings).items():
        yield Text(f"    {one_line(cause, MAX_STATEMENT)}: {plural(count, 'failing case')}")
        cases = [one.case for one in failing if cause_name(one, rulings) == cause]
        yield from listed_lines(cases, MAX_CASES, " " * 8, style="dim")
