"""A ruling, its cases and a run → the page that `parity explain RULING` prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.text import Text

from ..compare.causes import cause_name
from ..errors import one_line, printable
from ..model import FAILING, Case, RecordedResult, Requirement, Ruling, RunRecord
from .documented import documented_text
from .phrases import MAX_NAME, first_and_more, plural, verb
from .ruling_adherence import FollowedReading, Followers, followers
from .terminal import Medium, render_sections

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


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingPage:
    """A ruling with its requirements and cases. `disputed` have an answer for each reading, `cited` are the other cases of
    its evidence. `record` is the run that shows who follows which reading; None without one. `names` limits it to these
    implementations, if there are any. `rulings` are all of the corpus."""

    ruling: Ruling
    requirements: Sequence[Requirement]
    disputed: Sequence[Case]
    cited: Sequence[Case]
    rulings: Mapping[str, Ruling]
    record: RunRecord | None = None
    names: Sequence[str] = ()
    is_same_corpus: bool = True


def render(page: RulingPage, medium: Medium) -> str:
    """The whole page."""
    ruling = page.ruling
    sections = {
        "": _head(ruling),
        "readings": _readings(page),
        "suggested wording": [Text(printable(ruling.wording.strip()))] if ruling.wording.strip() else [],
        "basis": _basis(ruling),
        "requirements": requirement_lines(page.requirements),
        "cases": [
            *case_lines("disputed", page.disputed),
            *case_lines("cited as evidence, with one answer", page.cited),
        ],
        "repeat": [Text(f"parity run --select ruling:{ruling.id}", no_wrap=True)] if page.disputed else [],
    }
    return render_sections(sections, medium)


def alike_text(found: Followers) -> str:
    """`passes 3 cases that separate no readings`."""
    count = len(found.alike)
    return f"passes {plural(count, 'case')} that {verb(count, 'separates', 'separate')} no readings"


def _head(ruling: Ruling) -> Iterator[Text]:
    yield Text(one_line(f"{ruling.id}  {ruling.title}", MAX_NAME), style="bold")
    yield Text(one_line(f"{ruling.at}  ·  severity {ruling.severity}  ·  {TEXT[ruling.text]}", MAX_NAME))
    yield Text(printable(f"question: {ruling.question.strip()}"))
    if ruling.text_note:
        yield Text(printable(f"note: {ruling.text_note.strip()}"))


def _basis(ruling: Ruling) -> Iterator[Text]:
    yield Text(printable(f"{ruling.basis}: {ruling.why.strip()}"))
    if ruling.documented:
        yield Text(documented_text(ruling.documented))


def requirement_lines(requirements: Sequence[Requirement]) -> Iterator[Text]:
    """Each requirement with its level, statement and section."""
    for one in requirements:
        yield Text(printable(f"{one.id}  {one.level}  {one.statement.strip()}"))
        yield Text(one_line(f"    {one.document}, {one.section}"), style="dim")


def case_lines(title: str, cases: Sequence[Case]) -> Iterator[Text]:
    """The number of cases, then their names."""
    if not cases:
        return
    yield Text(f"{title}: {plural(len(cases), 'case')}")
    yield from listed_lines([one.name for one in cases], MAX_LISTED, "  ")


def listed_lines(names: Sequence[str], most: int, indent: str, style: str = "") -> Iterator[Text]:
    """The first names, and the number of the others."""
    shown = [one_line(name, MAX_NAME) for name in names]
    yield from (Text(f"{indent}{line}", style=style, no_wrap=True) for line in first_and_more(shown, most))


def _readings(page: RulingPage) -> Iterator[Text]:
    """Each reading with the implementations that follow it, then the failures that another cause explains, then the answers
    that follow none."""
    ruling = page.ruling
    found = {name: followers(ruling.id, ruling, results) for name, results in _results(page).items()}
    for reading, words in ruling.readings.items():
        adopted = ", adopted" if reading == ruling.adopted else ""
        yield Text(printable(f"{reading}{adopted}: {words.strip()}"))
        if page.record is None:
            continue
        following = {name: one.readings[reading] for name, one in found.items() if reading in one.readings}
        if not following:
            departs = reading != ruling.adopted and any(one.deviating for one in found.values())
            yield Text(f"    {NO_EXACT_FOLLOWER if departs else 'followed by none'}", style="dim")
        for name, followed in following.items():
            yield from _counted(ruling.id, name, followed, is_mixed=found[name].is_mixed)
    for name, one in found.items():
        if one.deviating:
            failures = plural(len(one.deviating), "failure")
            yield Text(f"{one_line(name)}: {failures} explained by another cause:")
            yield from (
                Text(f"    {one_line(deviation, MAX_NAME)}: {plural(count, 'case')}")
                for deviation, count in one.deviations.items()
            )
    for name, one in found.items():
        if one.none:
            yield Text(f"{one_line(name)} fails {plural(len(one.none), 'case')} by none of these readings:")
            by_cause = {result.case: cause_name(result, page.rulings) for result in one.none}
            shown = [f"{one_line(case, MAX_NAME)}: {cause}" for case, cause in by_cause.items()]
            yield from (Text(f"    {line}") for line in first_and_more(shown, MAX_CASES))
    for name, one in found.items():
        if one.alike:
            yield Text(f"{one_line(name)} {alike_text(one)}.")
    yield Text(NO_RECORD if page.record is None else record_note(page.record, page.is_same_corpus), style="dim")


def _results(page: RulingPage) -> Mapping[str, Sequence[RecordedResult]]:
    """The results of each implementation of the page."""
    if page.record is None:
        return {}
    found: dict[str, list[RecordedResult]] = {
        name: [] for name in page.record.implementations if not page.names or name in page.names
    }
    for result in page.record.results:
        if result.implementation in found:
            found[result.implementation].append(result)
    return found


def _counted(ruling: str, name: str, followed: FollowedReading, *, is_mixed: bool) -> Iterator[Text]:
    """`go: 12 cases, 7 of them fail (mixed)`, then the first cases, failing ones first. Cases that do not cite the ruling
    are counted apart: a record has the reading of their failures, and not of their passes."""
    beyond = [one for one in followed.every if ruling not in (one.ruling, *one.cited_by_rulings)]
    counts = [_count_text([one for one in followed.every if one not in beyond])] if len(beyond) < followed.cases else []
    counts += [f"{_count_text(beyond)}, beyond the ruling's own cases"] if beyond else []
    mixed = " (mixed: other answers follow another reading)" if is_mixed else ""
    yield Text(f"  {one_line(name)}: {'; '.join(counts)}{mixed}")
    yield from listed_lines([one.case for one in followed.every], MAX_CASES, " " * 6, style="dim")


def _count_text(results: Sequence[RecordedResult]) -> str:
    """`12 cases, 7 of them fail`."""
    failing = sum(one.verdict in FAILING for one in results)
    fails = f", {failing} of them {verb(failing, 'fails', 'fail')}" if failing else ""
    return f"{plural(len(results), 'case')}{fails}"


NO_RECORD = "Without a run record this page shows no answers. `parity run` writes one; --record FILE names another one."


def record_note(record: RunRecord, is_same_corpus: bool) -> str:
    """`run of 2026-11-22T18:18:34Z: ts, go`, and the doubts about it."""
    note = f"run of {record.metadata.started_at}: {', '.join(record.implementations)}"
    note += "" if record.complete else "; the run did not end"
    note += "" if is_same_corpus else "; the corpus has changed since"
    return one_line(note, MAX_NAME)
