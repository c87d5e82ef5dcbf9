"""RunRecord → a report for the editors of the specification.

Its parts: the implementations, the causes of their failures side by side, the decisions that the text leaves open,
expressions that the engine rejects, requirements that implementations break in cases without a decision, and requirements
that cannot be observed. Each claim names a case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...base.text_limits import MAX_NAME
from ...errors import plural
from ...model import RecordedImplementation, SdkState
from ..document import Block, Code, Heading, Item, Paragraph, Span, Spans, Strong, as_html, as_markdown
from ..result_text import describe_skipped
from ..run_summary import RunSummary
from ..summary_text import missing_texts, observed_parts
from .review_decisions import decision_blocks
from .review_descriptions import Target, description_blocks
from .review_findings import finding_blocks


def render(summary: RunSummary, target: Target | None = None, *, html: bool = False) -> str:
    """The report as Markdown or as an HTML page; without `target` the names of cases are no links."""
    blocks = list(_blocks(summary, target or _nowhere))
    return as_html(blocks) if html else as_markdown(blocks)


def _nowhere(_: str) -> str:
    return ""


def _blocks(summary: RunSummary, target: Target) -> Iterator[Block]:
    record = summary.record
    yield Heading(1, f"Review of the specification, revision {', '.join(record.metadata.revisions)}")
    yield from _implementations(summary)
    yield from description_blocks(record, target)
    yield from decision_blocks(record, target)
    yield from finding_blocks(record, target)


def _implementations(summary: RunSummary) -> Iterator[Block]:
    """The implementations with their versions, and those without answers."""
    record = summary.record
    entries = record.metadata.implementations
    listed: list[Spans] = [[*_implementation(entry), *_limits(summary, entry.name)] for entry in entries]
    listed += [[Code(describe_skipped(entry), MAX_NAME)] for entry in record.metadata.skipped]
    yield Paragraph([f"Made from the run of {record.metadata.started_at} over {plural(summary.cases, 'case')}."])
    yield from map(Item, listed)
    started = [entry.name for entry in entries if entry.identity]
    yield Paragraph(["In this run: ", *_names(started), "; no other."] if started else ["No implementation started."])
    absent = [entry.name for entry in entries if not entry.identity] + [entry.name for entry in record.metadata.skipped]
    if absent:
        yield Paragraph(["Without a column below, because their answers are unknown: ", *_names(absent), "."])
    yield Paragraph(["Corpus ", Code(record.metadata.corpus_digest), "."])
    yield from (Paragraph([Strong(sentence)]) for sentence in missing_texts(summary))


def _names(names: Iterable[str]) -> Spans:
    return [span for name in names for span in (", ", Code(name))][1:]


def _working_copy(sdk: SdkState | None) -> Spans:
    """How a working copy was obtained: its tag and revision, or the digest of its files."""
    if sdk is None:
        return []
    if not sdk.revision:
        return [", judged as a working copy outside a repository, so without a revision: files ", Code(sdk.digest[:12])]
    tag: Spans = [Code(sdk.tag), ", "] if sdk.tag else []
    changed = " with changes" if sdk.changed else ""
    return [", judged as a working copy at ", *tag, "revision ", Code(sdk.revision[:12]), changed]


def _limits(summary: RunSummary, name: str) -> Spans:
    """What an implementation does not report, by operation."""
    found = observed_parts(summary, name)
    return [f"; {found}"] if found else []


def _implementation(entry: RecordedImplementation) -> Spans:
    """An implementation with its versions, or the reason why it did not start."""
    if entry.identity:
        return [Code(entry.name), ": ", Code(entry.description), *_working_copy(entry.sdk)]
    lines = [entry.reason or "the run did not wait for it", *entry.log.strip().split("\n")]
    # The last line is the most specific one; a line with an address or a folder of this machine is not published.
    last: list[Span] = [" … ", Code(lines[-1].strip())] if len(lines) > 1 and "/" not in lines[-1] else []
    return [Code(entry.name), " ", Strong("did not start"), ": ", Code(lines[0]), *last]
