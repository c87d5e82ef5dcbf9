"""A ruling, its cases and a run → the page that `parity explain RULING` prints at a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from ...base.text_limits import MAX_NAME
from ...compare.causes import cause_name
from ...corpus.specification_text import SpecificationText
from ...errors import one_line, plural
from ...model import (
    FAILING,
    OPEN,
    Case,
    Documented,
    RecordedResult,
    Requirement,
    Ruling,
    RunRecord,
    corpus_place,
    where,
)
from ..document import Block, Heading, Item, Link, Span, first_items, literal, sections
from ..document_terminal import Medium, render_document
from ..documented import documented_text
from ..phrases import first_and_more, verb, wording_texts
from ..quotation_text import quotation_items
from ..result_text import repeat_command
from ..ruling_adherence import FollowedReading, Followers, followers

MAX_CASES = 5
"""Cases that are listed for each reading and implementation."""

NO_EXACT_FOLLOWER = "no answer is exactly this reading, but deviations depart from the adopted one"
"""Stands at a reading that is not adopted, if failures on the ruling's evidence have deviations as their causes."""

MAX_LISTED = 20
"""Cases that are listed at the end of the page."""

TEXT = {
    "decides": "the text decides: an answer by another reading fails",
    "leaves-room": "the text leaves room: an answer by another reading is a variant",
    "contradicts-itself": "the text contradicts itself: an answer by another reading is a variant",
    "": "nobody has classified the text",
}
"""What the specification does at the place of a ruling."""


class RulingPage(Struct, frozen=True, kw_only=True):
    """A ruling with its requirements and cases. `disputed` have an answer for each reading, `cited` are the other cases of
    its evidence. `record` is the run that shows who follows which reading; None without one. `names` limits it to these
    implementations, if there are any. `rulings` are all of the corpus. `site` is the address of a site, for links."""

    ruling: Ruling
    requirements: Sequence[Requirement]
    disputed: Sequence[Case]
    cited: Sequence[Case]
    rulings: Mapping[str, Ruling]
    record: RunRecord | None = None
    names: Sequence[str] = ()
    is_same_corpus: bool = True
    text: SpecificationText | None = None
    site: str = ""


def render(page: RulingPage, medium: Medium) -> str:
    """The whole page."""
    ruling = page.ruling
    titled = {
        "": _head(ruling),
        "readings": _readings(page),
        "topic": _topic(ruling),
        **{title.lower(): [Item(wording)] for title, wording in wording_texts(ruling)},
        "basis": [Item(f"{ruling.basis}: {ruling.why}"), *documented_items(ruling.documented)],
        "requirements": requirement_items(page.requirements, page.text),
        "cases": [
            *case_items("disputed", page.disputed),
            *case_items("cited as evidence, with one answer", page.cited),
        ],
        "repeat": [literal(repeat_command((), f"ruling:{ruling.id}"))] if page.disputed or page.cited else [],
    }
    return render_document(sections(titled.items()), medium)


def apart_texts(following: Followers) -> Iterator[str]:
    """`passes 3 cases that separate no readings`, and how many answers follow several."""
    if count := len(following.alike):
        yield f"passes {plural(count, 'case')} that {verb(count, 'separates', 'separate')} no readings"
    if count := len(following.varying):
        yield f"answers {plural(count, 'case')} by one reading or another from run to run"


def ruling_title(ruling: Ruling) -> str:
    """`RUL-B03  How loud (severity low)`."""
    return f"{ruling.id}  {ruling.title} (severity {ruling.severity})"


def state_of(ruling: Ruling) -> str:
    """`open`, `proposed`, `accepted in 1.1`."""
    return f"{ruling.state} in {ruling.accepted_in}" if ruling.accepted_in else ruling.state


def reading_line(ruling: Ruling, name: str) -> str:
    """`a, adopted: Every letter is a capital.`"""
    return f"{name}{', adopted' if name == ruling.adopted else ''}: {ruling.readings.get(name, '')}"


def _head(ruling: Ruling) -> Iterator[Block]:
    yield Heading(2, f"{ruling.id}  {ruling.title}")
    yield Item(f"{ruling.at}  ·  severity {ruling.severity}  ·  {TEXT[ruling.text]}")
    yield Item(f"question: {ruling.question}")
    if ruling.text_note:
        yield Item(f"note: {ruling.text_note}")
    yield from state_items(ruling)


def state_items(ruling: Ruling) -> Iterator[Block]:
    """How far the editors are with a ruling, with the link to their discussion; nothing of an open one without a link."""
    if ruling.link or ruling.state != OPEN:
        link: Sequence[Span] = ["  ·  ", Link(ruling.link, ruling.link)] if ruling.link else []
        yield Item([f"state: {state_of(ruling)}", *link])


def _topic(ruling: Ruling) -> Iterator[Block]:
    """The topic's title, and the definitions that the suggested wordings use."""
    if ruling.topic:
        yield Item(ruling.topic.title)
        if ruling.topic.wording:
            yield Item(ruling.topic.wording, 1)


def documented_items(found: Documented | None, depth: int = 0) -> Iterator[Block]:
    """The note on another document of the same project, if there is one."""
    if found:
        yield Item(documented_text(found), depth)


def requirement_items(requirements: Sequence[Requirement], text: SpecificationText | None = None) -> Iterator[Block]:
    """Each requirement with its level, statement and section, and the words of the text behind it."""
    for requirement in requirements:
        yield Item(f"{requirement.id}  {requirement.level}  {requirement.statement}")
        yield Item(f"{requirement.document}, {requirement.section}", 2, "dim")
        yield from quotation_items(text, requirement)


def case_items(title: str, cases: Sequence[Case]) -> Iterator[Block]:
    """The number of cases, then their names."""
    if cases:
        yield Item(f"{title}: {plural(len(cases), 'case')}")
        yield from first_items([case.name for case in cases], MAX_LISTED, "case", 1)


def _readings(page: RulingPage) -> Iterator[Block]:
    """Each reading with the implementations that follow it, then the failures that another cause explains, then the answers
    that follow none."""
    ruling = page.ruling
    by_name = followers_of(page)
    for reading in ruling.readings:
        yield Item(reading_line(ruling, reading))
        if words := ruling.excludes.get(reading):
            yield Item(f"excluded in the suggested wording by: {words}", 1, "dim")
        if not any(following.is_answered for following in by_name.values()):
            continue
        by_reading = {name: all_.readings[reading] for name, all_ in by_name.items() if reading in all_.readings}
        if not by_reading:
            departs = reading != ruling.adopted and any(following.deviating for following in by_name.values())
            yield Item(NO_EXACT_FOLLOWER if departs else "followed by none", 2, "dim")
        for name, followed in by_reading.items():
            yield from _counted(ruling.id, name, followed, is_mixed=by_name[name].is_mixed)
    for name, following in by_name.items():
        if following.deviating:
            yield Item(f"{name}: {plural(len(following.deviating), 'failure')} explained by another cause:")
            yield from (Item(f"{cause}: {plural(count, 'case')}", 2) for cause, count in following.deviations.items())
    for name, following in by_name.items():
        if following.none:
            yield Item(f"{name} fails {plural(len(following.none), 'case')} by none of these readings:")
            by_cause = {result.case: cause_name(result, page.rulings) for result in following.none}
            lines = [f"{case}: {cause}" for case, cause in by_cause.items()]
            yield from (Item(line, 2) for line in first_and_more(lines, MAX_CASES))
    for name, following in by_name.items():
        yield from (Item(f"{name} {text}.") for text in apart_texts(following))
    if page.record is not None and not any(following.is_answered for following in by_name.values()):
        yield Item("Nobody in this record answered these cases.")
    yield Item(NO_RECORD if page.record is None else record_note(page.record, page.is_same_corpus), tone="dim")


def followers_of(page: RulingPage) -> Mapping[str, Followers]:
    """The followers of each implementation of the page."""
    record, ruling = page.record, page.ruling
    if record is None:
        return {}
    names = [name for name in record.implementations if not page.names or name in page.names]
    return {name: followers(ruling.id, ruling, where(record.results, names={name}), record) for name in names}


def _counted(ruling: str, name: str, followed: FollowedReading, *, is_mixed: bool) -> Iterator[Block]:
    """`go: 12 cases, 7 of them fail (mixed)`, then the first cases, disputed ones first, then cited ones. Cases that do not
    cite the ruling are counted apart: a record has the reading of their failures, and not of their passes."""
    ordered = sorted(followed.every, key=lambda one: (one.ruling != ruling, corpus_place(one)))
    own = [result for result in ordered if ruling in (result.ruling, *result.cited_by_rulings)]
    beyond = [result for result in ordered if ruling not in (result.ruling, *result.cited_by_rulings)]
    counts = [_count_text(own)] if own else []
    counts += [f"{_count_text(beyond)}, beyond the ruling's own cases"] if beyond else []
    mixed = " (mixed: other answers follow another reading)" if is_mixed else ""
    yield Item(f"{name}: {'; '.join(counts)}{mixed}", 1)
    yield from first_items([result.case for result in (*own, *beyond)], MAX_CASES, "case", 3, "dim")


def _count_text(results: Sequence[RecordedResult]) -> str:
    """`12 cases, 7 of them fail`."""
    failing = sum(result.verdict in FAILING for result in results)
    fails = f", {failing:,} of them {verb(failing, 'fails', 'fail')}" if failing else ""
    return f"{plural(len(results), 'case')}{fails}"


NO_RECORD = "Without a run record this page shows no answers. `parity run` writes one; --record FILE names another one."


def record_note(record: RunRecord, is_same_corpus: bool) -> str:
    """`run of 2026-11-22T18:18:34Z: ts, go`, and the doubts about it."""
    note = f"run of {record.metadata.started_at}: {', '.join(record.implementations)}"
    note += "" if record.complete else "; the run did not end"
    note += "" if is_same_corpus else "; the corpus has changed since"
    return one_line(note, MAX_NAME)
