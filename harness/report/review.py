"""RunRecord → a report for the editors of the specification.

Its parts: the implementations, the decisions that the text leaves open, expressions that the engine refuses, requirements
that implementations break in cases without a decision, and requirements that cannot be observed. Each claim names a case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from harness.model import RunRecord
from harness.report.case_order import in_corpus_order
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
from harness.report.summary import cases, unanswered_implementations
from harness.report.text import plural


def render(record: RunRecord, target: Target | None = None, *, html: bool = False) -> str:
    """The report as Markdown or as an HTML page; without `target` the names of cases are no links."""
    blocks = list(_blocks(in_corpus_order(record), target or _nowhere))
    return as_html(blocks) if html else as_markdown(blocks)


def _nowhere(_: str) -> str:
    return ""


def _blocks(record: RunRecord, target: Target) -> Iterator[Block]:
    corpus: Any = record.header["corpus"]
    yield Heading(1, f"Review of the specification, revision {', '.join(corpus.get('revisions', []))}")
    yield from _implementations(record, corpus)
    yield from decision_blocks(record, target)
    yield from finding_blocks(record, target)


def _implementations(record: RunRecord, corpus: Mapping[str, Any]) -> Iterator[Block]:
    """The implementations with their versions, and those without answers."""
    entries: Any = record.header["implementations"]
    listed: list[Spans] = [_implementation(entry) for entry in entries]
    listed += [[Code(name), " ", Strong("was skipped"), ": ", Code(reason, 300)] for name, reason in record.skipped]
    yield Paragraph([f"Made from the run of {record.header.get('startedAt')} over {plural(cases(record), 'case')}."])
    yield Bullets(listed)
    started = [entry["name"] for entry in entries if entry["started"]]
    yield Paragraph(["In this run: ", *_names(started), "; no other."] if started else ["No implementation started."])
    absent = [entry["name"] for entry in entries if not entry["started"]] + [name for name, _ in record.skipped]
    if absent:
        yield Paragraph(["Without a column below, because their answers are unknown: ", *_names(absent), "."])
    yield Paragraph(["Corpus ", Code(str(corpus["digest"])), "."])
    yield from (Paragraph([Strong(sentence)]) for sentence in unanswered_implementations(record))


def _names(names: Iterable[str]) -> Spans:
    return [span for name in names for span in (", ", Code(name))][1:]


def _implementation(entry: Mapping[str, Any]) -> Spans:
    """An implementation with its versions, or the reason why it did not start."""
    if entry["started"]:
        keys = ("implementation", "version", "language", "runtime")
        return [Code(entry["name"]), ": ", Code(" ".join(str(entry[key]) for key in keys if entry.get(key)))]
    lines = str(entry.get("reason", "the run did not wait for it")).strip().split("\n")
    # The last line is the most specific one; a line with an address or a folder of this machine is not published.
    last: list[Span] = [" … ", Code(lines[-1].strip())] if len(lines) > 1 and "/" not in lines[-1] else []
    return [Code(entry["name"]), " ", Strong("did not start"), ": ", Code(lines[0]), *last]
