"""RunSummary → workflow commands of GitHub, which a job prints to get annotations in its checks.

An error is what the change did: a group of new failures. A warning is what remains to do in the known-divergence file. The
texts quote adapters; `command` keeps each of them on one line and inside its own part of the command.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum

from msgspec import Struct

from ...base.text_limits import MAX_OUTPUT, MAX_VALUE
from ...errors import one_line, plural, printable
from ...gate.summary import GateSummary
from ...model import FAILING, RunRecord, Status, where
from ..failure_groups import FailureGroup, failure_groups
from ..failure_spans import short_text
from ..phrases import and_more, following_text
from ..requirement_failures import main_requirement
from ..result_text import alike_unsupported, requirement_statement
from ..run_summary import RunSummary
from ..summary_text import gate_defects, new_in_corpus_texts, title
from .sarif import Place, file_line, line_at, source_line

MAX_COMMANDS = 10
"""Errors of one step that GitHub shows; the same for warnings."""


class Level(StrEnum):
    """The command of an annotation."""

    ERROR = "error"
    WARNING = "warning"


class Annotation(Struct, frozen=True):
    """One annotation: a line in the list of checks, with a title. With a `place` it also stands at this line of a change."""

    level: Level
    title: str
    message: str
    place: Place | None = None


def stream(summary: RunSummary) -> Iterator[str]:
    """A line for each annotation; a gate that passes has none, but for what is new in the corpus."""
    for level in Level:
        at_level = [annotation for annotation in annotations_of(summary) if annotation.level is level]
        shown = at_level if len(at_level) <= MAX_COMMANDS else at_level[: MAX_COMMANDS - 1]
        yield from map(command, shown)
        if more := and_more(len(at_level) - len(shown)):
            yield command(Annotation(level, "parity", f"{more}. The summary of this job has them all."))


def command(annotation: Annotation) -> str:
    """`::error title=…::…` and a line feed, from which a runner reads exactly the title and the message."""
    place = {"file": annotation.place[0], "line": str(annotation.place[1])} if annotation.place else {}
    members = {"title": one_line(annotation.title, MAX_VALUE), **place}
    said = ",".join(f"{name}={_escaped(text, _IN_MEMBER)}" for name, text in members.items())
    return f"::{annotation.level} {said}::{_escaped(annotation.message[:MAX_OUTPUT], _IN_MESSAGE)}\n"


_IN_MESSAGE = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_MEMBER = {**_IN_MESSAGE, **str.maketrans({":": "%3A", ",": "%2C"})}
"""The characters that end a part of a command, as a runner reads them."""


def _escaped(text: str, escapes: Mapping[int, str]) -> str:
    return printable(text).translate(escapes)


def annotations_of(summary: RunSummary) -> Iterator[Annotation]:
    """First the result as a whole, then each group of failures, then what fails a gate beside them."""
    record, gate = summary.record, summary.gate
    if summary.exit_status:
        yield Annotation(Level.ERROR, "parity", f"{title(summary)}. The summary of this job says what to do.")
    for name, reason in summary.not_started.items():
        yield Annotation(Level.ERROR, f"parity: {name} did not start", reason)
    if gate and (leaks := summary.unstable):
        told = "The answer depends on what was asked before. Repair this first: other failures can follow from it."
        yield Annotation(Level.ERROR, plural(len(leaks), "state leak"), f"{told} E.g. {leaks[0].case}")
    failures = where(gate.listed[Status.NEW], lambda result: result.verdict in FAILING) if gate else summary.failures
    for entry in record.metadata.implementations:
        named = main_requirement(record, entry.name)
        for group in failure_groups(where(failures, names={entry.name}), record.metadata):
            example = group.results[0]
            yield _of_group(group, named(example), source_line(record, entry, example, group.follows), record)
    if gate:
        yield from _of_gate(gate, record)


def _of_group(group: FailureGroup, requirement: str, place: Place | None, record: RunRecord) -> Annotation:
    """A group with its most frequent place, an example, and the requirement that the example breaks; or what it follows."""
    example = group.results[0]
    lines = [f"{plural(len(group.results), 'case')}, e.g. {example.case}: {short_text(example, record)}"]
    if group.follows:
        lines.append(f"This {following_text(group.follows)}.")
    elif requirement:
        lines.append(f"{requirement}  {requirement_statement(record, requirement)}")
    return Annotation(Level.ERROR, f"{example.implementation}: {group.name}", "\n".join(lines), place)


def _of_gate(gate: GateSummary, record: RunRecord) -> Iterator[Annotation]:
    for (operation, reason), count in alike_unsupported(gate.listed[Status.NEW]):
        yield Annotation(Level.ERROR, f"{operation}: {plural(count, 'case')} unsupported", reason)
    for status, (level, what, sentence) in _OF_CASES.items():
        if results := gate.listed[status]:
            place = file_line(record, results[0])
            yield Annotation(level, plural(len(results), what), f"{sentence} E.g. {results[0].case}", place)
    file = record.metadata.gate
    for status, sentence, names in gate_defects(gate):
        if file and names:
            level = Level.ERROR if status is Status.NEW else Level.WARNING
            what = f"{status} {'line' if status is Status.UNMATCHED else 'unobservable path'}"
            place = line_at(file.path, file.places.get(names[0], ""))
            yield Annotation(level, plural(len(names), what), f"{sentence} E.g. {names[0]}", place)
    for text in new_in_corpus_texts(gate):
        written = "The known-divergence file was written for an older corpus, so this fails no gate."
        yield Annotation(Level.WARNING, text, f"{written} --write-known takes it in.")
    if count := gate.unwritten_reasons:
        sentence = "Replace each TODO of the known-divergence file with a reason."
        yield Annotation(Level.WARNING, plural(count, "unwritten reason"), sentence)


_OF_CASES = {
    Status.READING: (Level.ERROR, "changed reading", "An answer is by another reading than before."),
    Status.STALE: (Level.WARNING, "stale case", "The known-divergence file lists a failure that no longer occurs."),
    Status.EXPIRED: (Level.WARNING, "expired case", "A known failure should be repaired by a date that has passed."),
}
"""What keeps a gate from green beside new failures."""
