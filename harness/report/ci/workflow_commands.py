"""RunSummary → workflow commands of GitHub, which a job prints to get annotations in its checks.

An error is what the change did: a group of new failures. A warning is what remains to do in the known-divergence file. The
texts quote adapters; `command` keeps each of them on one line and inside its own part of the command.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum

from msgspec import Struct

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

MAX_COMMANDS = 10
"""Errors of one step that GitHub shows; the same for warnings."""


class Level(StrEnum):
    """The command of an annotation."""

    ERROR = "error"
    WARNING = "warning"


class Annotation(Struct, frozen=True):
    """One annotation: a line in the list of checks, with a title."""

    level: Level
    title: str
    message: str


def stream(summary: RunSummary) -> Iterator[str]:
    """A line for each annotation; none for a run or a gate that passes."""
    for level in Level:
        at_level = [annotation for annotation in annotations_of(summary) if annotation.level is level]
        shown = at_level if len(at_level) <= MAX_COMMANDS else at_level[: MAX_COMMANDS - 1]
        yield from map(command, shown)
        if more := and_more(len(at_level) - len(shown)):
            yield command(Annotation(level, "parity", f"{more}. The summary of this job has them all."))


def command(annotation: Annotation) -> str:
    """`::error title=…::…` and a line feed, from which a runner reads exactly the title and the message."""
    title = _escaped(annotation.title).replace(":", "%3A").replace(",", "%2C")
    return f"::{annotation.level} title={title}::{_escaped(annotation.message)}\n"


def _escaped(text: str) -> str:
    return printable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def annotations_of(summary: RunSummary) -> Iterator[Annotation]:
    """First the result as a whole, then each group of failures, then what fails a gate beside them."""
    record, gate = summary.record, summary.gate
    if not summary.exit_status:
        return
    yield Annotation(Level.ERROR, "parity", f"{title(summary)}. The summary of this job says what to do.")
    for name, reason in summary.not_started.items():
        yield Annotation(Level.ERROR, f"parity: {name} did not start", reason)
    failures = where(gate.listed[Status.NEW], lambda result: result.verdict in FAILING) if gate else summary.failures
    for name in record.implementations:
        named = main_requirement(record, name)
        for group in failure_groups(where(failures, names={name}), record.metadata):
            yield _of_group(group, named(group.results[0]), record)
    if gate:
        yield from _of_gate(gate)


def _of_group(group: FailureGroup, requirement: str, record: RunRecord) -> Annotation:
    """A group with its most frequent place, an example, and the requirement that the example breaks; or what it follows."""
    example = group.results[0]
    lines = [f"{plural(len(group.results), 'case')}, e.g. {example.case}: {short_text(example, record)}"]
    if group.follows:
        lines.append(f"This {following_text(group.follows)}.")
    elif requirement:
        lines.append(f"{requirement}  {requirement_statement(record, requirement)}")
    return Annotation(Level.ERROR, f"{one_line(example.implementation)}: {group.name}", "\n".join(lines))


def _of_gate(gate: GateSummary) -> Iterator[Annotation]:
    for (operation, reason), count in alike_unsupported(gate.listed[Status.NEW]):
        yield Annotation(Level.ERROR, f"{operation}: {plural(count, 'case')} unsupported", reason)
    for status, sentence in _OF_LINES.items():
        yield from _of_names(status, sentence, "case", [result.case for result in gate.listed[status]])
    for status, sentence, names in gate_defects(gate):
        what = "line" if status is Status.UNMATCHED else "unobservable path"
        yield from _of_names(status, sentence, what, names)
    for text in new_in_corpus_texts(gate):
        written = "The known-divergence file was written for an older corpus, so this fails no gate."
        yield Annotation(Level.WARNING, text, f"{written} --write-known takes it in.")
    if count := gate.unwritten_reasons:
        yield Annotation(
            Level.WARNING,
            plural(count, "unwritten reason"),
            "Replace each TODO of the known-divergence file with a reason.",
        )


_OF_LINES = {
    Status.STALE: "The known-divergence file lists a failure that no longer occurs. Delete its line.",
    Status.EXPIRED: "The known-divergence file lists a failure until a date that has passed.",
}
"""What fails a gate though the change did not do it."""


def _of_names(status: Status, sentence: str, what: str, names: Sequence[str]) -> Iterator[Annotation]:
    if names:
        level = Level.ERROR if status is Status.NEW else Level.WARNING
        yield Annotation(level, plural(len(names), f"{status} {what}"), f"{sentence} E.g. {names[0]}")
