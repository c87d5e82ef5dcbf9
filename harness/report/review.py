"""RunRecord → a report for the editors of the specification, in the order in which they would read it.

Who was asked, decisions that the text leaves to them, expressions that the engine refuses, requirements that
implementations break in cases on which no decision rests, and what cannot be observed. Each claim leads to a case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from harness.model import RecordedImplementation
from harness.report.document import (
    Block,
    Bullets,
    Code,
    Heading,
    Paragraph,
    Span,
    Spans,
    Strong,
    as_html,
    as_markdown,
)
from harness.report.review_decisions import decision_blocks
from harness.report.review_findings import finding_blocks
from harness.report.review_spans import Target
from harness.report.summary import RunSummary
from harness.report.summary_text import missing_texts
from harness.report.text import plural


def render(summary: RunSummary, target: Target | None = None, *, html: bool = False) -> str:
    """The report as Markdown or as an HTML page; without `target` cases are named and not linked."""
    blocks = list(_blocks(summary, target or _nowhere))
    return as_html(blocks) if html else as_markdown(blocks)


def _nowhere(_: str) -> str:
    return ""


def _blocks(summary: RunSummary, target: Target) -> Iterator[Block]:
    record = summary.record
    yield Heading(1, f"Review of the specification, revision {', '.join(record.metadata.revisions)}")
    yield from _asked(summary)
    yield from decision_blocks(record, target)
    yield from finding_blocks(record, target)


def _asked(summary: RunSummary) -> Iterator[Block]:
    """Who was asked what, and who could not be."""
    record = summary.record
    entries = record.metadata.implementations
    said: list[Spans] = [_told(entry) for entry in entries]
    said += [[Code(name), " ", Strong("was left out"), ": ", Code(reason, 300)] for name, reason in record.skipped]
    yield Paragraph([f"Made from the run of {record.metadata.started_at} over {plural(summary.cases, 'case')}."])
    yield Bullets(said)
    asked = [entry.name for entry in entries if entry.identity]
    yield Paragraph(["Asked: ", *_names(asked), "; no other."] if asked else ["Nobody could be asked."])
    absent = [entry.name for entry in entries if not entry.identity] + [name for name, _ in record.skipped]
    if absent:
        yield Paragraph(["Without a column below, since nothing is known of their answers: ", *_names(absent), "."])
    yield Paragraph(["Corpus ", Code(record.metadata.corpus_digest), "."])
    yield from (Paragraph([Strong(sentence)]) for sentence in missing_texts(summary))


def _names(names: Iterable[str]) -> Spans:
    return [span for name in names for span in (", ", Code(name))][1:]


def _told(entry: RecordedImplementation) -> Spans:
    """An implementation with its versions, or why it could not be asked."""
    if entry.identity:
        return [Code(entry.name), ": ", Code(entry.description)]
    lines = [entry.reason or "it was not waited for", *entry.log.strip().split("\n")]
    # What stands last says most; with an address or a folder of the machine it is not for publishing.
    last: list[Span] = [" … ", Code(lines[-1].strip())] if len(lines) > 1 and "/" not in lines[-1] else []
    return [Code(entry.name), " ", Strong("could not be asked"), ": ", Code(lines[0]), *last]
