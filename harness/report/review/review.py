"""RunRecord → a report for the editors of the specification: one page for ten minutes, then the outline of the text.

The page has the SDKs, the sentences to decide first, what the SDKs must change, what contradicts an engine, and what cannot
be tested. The outline has every ruling and every cause of failures at its sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from ...base.text_limits import MAX_NAME
from ...compare.run_diff import Change, changes_between
from ...errors import one_line, plural
from ...model import (
    REFERENCE,
    RecordedImplementation,
    Requirement,
    RunRecord,
    SdkState,
    Verdict,
    failing,
    replace,
    supported,
    where,
)
from ..agreement import agreement
from ..conformance import ObservedShare
from ..document import Block, Code, Heading, Item, Paragraph, Span, Spans, Strong, Table, as_html, as_markdown, prose
from ..phrases import made_by_text, n_of_m, percentage
from ..result_text import describe_skipped
from ..run_summary import RunSummary, VerdictCounts
from ..sentence_costs import sentence_costs
from ..summary_text import missing_texts
from ..versions import families, version_text
from .review_findings import decide_blocks, documented_blocks, engine_blocks, must_change_blocks, untested_blocks
from .review_outline import outline_blocks
from .review_spans import ReviewInput

_READING = (
    "A ruling (RUL-B03) is about a place where the text contradicts itself or allows several readings; one reading is "
    "adopted, so that each case has one expected answer.",
    "Numbers are answers of SDKs, one for each case. Another answer than the expected one fails, or is a variant: it "
    "follows a reading that the text leaves open. An SDK follows a reading where the readings predict different answers and "
    "it gives the one of this reading, also if a deviation explains the answer too. “All 141” is the sum of all SDKs.",
    "At a sentence stand the variants of its rulings, and the failures whose causes break its requirement: of several, the "
    "one that most of these answers cite. A failure with several causes counts for each.",
    "“RUL-B39=a gains 168” tells the practice of most SDKs as the text: readings that more SDKs follow than any other, and "
    "deviations of at least two SDKs that no other one contradicts. The answers gained are those that these alone explain. "
    "Passes are at stake where the readings predict different answers, or where another SDK gains. A record shows no more: "
    "`parity impact RUL-B39=a RECORD` asks the reference.",
    "In the outline, the adopted reading is bold. A requirement that is missing there has no ruling and no such answer. "
    "`parity explain` with the id of a ruling or a requirement lists the cases.",
)


def render(
    summary: RunSummary,
    target: Callable[[str], str] = lambda _: "",
    quotation: Callable[[Requirement], str] = lambda _: "",
    *,
    html: bool = False,
) -> str:
    """The report as Markdown or as an HTML page; `target` and `quotation` are as in `ReviewInput`."""
    blocks = list(_blocks(summary, target, quotation))
    return as_html(blocks) if html else as_markdown(blocks)


def _blocks(
    summary: RunSummary, target: Callable[[str], str], quotation: Callable[[Requirement], str]
) -> Iterator[Block]:
    versions = families(entry for entry in summary.record.metadata.implementations if entry.identity)
    record = _limited(summary.record, [newest.name for newest, *_ in versions])
    given = ReviewInput(record, sentence_costs(record), target, quotation)
    yield Heading(1, f"Review of the specification, revision {', '.join(record.metadata.revisions)}")
    yield from _sdk_blocks(summary, record, [family for family in versions if family[0].name != REFERENCE])
    yield from decide_blocks(given)
    yield from must_change_blocks(given)
    yield from engine_blocks(given)
    yield from documented_blocks(given)
    yield from untested_blocks(given)
    yield Heading(2, "How to read the numbers")
    yield from (Item(prose(sentence)) for sentence in _READING)
    yield from outline_blocks(given)


def _limited(record: RunRecord, names: Sequence[str]) -> RunRecord:
    """The record with the results of these implementations alone."""
    kept = tuple(entry for entry in record.metadata.implementations if entry.name in names)
    metadata = replace(record.metadata, implementations=kept)
    return replace(record, metadata=metadata, results=where(record.results, names={*names}))


def _sdk_blocks(
    summary: RunSummary, record: RunRecord, sdks: Sequence[Sequence[RecordedImplementation]]
) -> Iterator[Block]:
    """The run, a row for each SDK, and those without answers."""
    agreed = agreement(record)
    all_pass = n_of_m(len(agreed.matching), agreed.cases)
    together = f"All pass {all_pass} that at least two answer. " if agreed.cases else ""
    yield Paragraph(
        f"{plural(len(sdks), 'SDK')}, {plural(summary.cases, 'case')}. {together}"
        f"Run of {record.metadata.started_at}, {made_by_text(record.metadata)}."
    )
    head: list[Spans] = ["SDK", "version", "answered", "pass", "other reading", "fail", "observed"]
    head += ["since the version before"] if any(len(versions) > 1 for versions in sdks) else []
    if sdks:
        yield Table(head, [_row(summary, versions)[: len(head)] for versions in sdks], len(head) - 2)
    absent = [entry for entry in summary.record.metadata.implementations if not entry.identity]
    yield from (Item(_not_started(entry)) for entry in absent)
    yield from (Item([Code(describe_skipped(entry), MAX_NAME)]) for entry in summary.record.metadata.skipped)
    yield from (Paragraph([Strong(sentence)]) for sentence in missing_texts(summary))


def _row(summary: RunSummary, versions: Sequence[RecordedImplementation]) -> Sequence[Spans]:
    entry = versions[0]
    counts: VerdictCounts = summary.totals[entry.name]
    share = summary.conformance[entry.name].share if entry.name in summary.conformance else None
    bad = failing(counts)
    observed = share.observed if share else ObservedShare()
    return [
        [Code(entry.name)],
        [Code(entry.description), *_working_copy(entry.sdk)],
        f"{share.answered if share else 0:,}",
        f"{counts[Verdict.PASS]:,}",
        f"{counts[Verdict.VARIANT]:,}",
        f"{bad:,} ({percentage(bad, supported(counts))})",
        percentage(observed.observed, observed.leaves),
        _change(summary.record, versions),
    ]


def _change(record: RunRecord, versions: Sequence[RecordedImplementation]) -> Spans:
    """`+2 (3 new, 1 fixed) since v0.2.3`: the failures that came and went."""
    if len(versions) < 2:
        return "·"
    newest, before = versions[:2]
    changes = Counter(change.change for change in changes_between(record, before.name, record, newest.name))
    new, fixed = changes[Change.NEWLY_FAILING], changes[Change.FIXED]
    return f"{new - fixed:+,} ({new:,} new, {fixed:,} fixed) since {one_line(version_text(before))}"


def _working_copy(sdk: SdkState | None) -> Spans:
    """How a working copy was obtained: its tag and revision, or the digest of its files."""
    if sdk is None:
        return []
    if not sdk.revision:
        return [", a working copy outside a repository: files ", Code(sdk.digest[:12])]
    tag: Spans = [Code(sdk.tag), ", "] if sdk.tag else []
    changed = " with changes" if sdk.changed else ""
    return [", a working copy at ", *tag, "revision ", Code(sdk.revision[:12]), changed]


def _not_started(entry: RecordedImplementation) -> Spans:
    """The reason why an implementation did not start."""
    lines = [entry.reason or "the run did not wait for it", *entry.log.strip().split("\n")]
    # The last line is the most specific one; a line with an address or a folder of this machine is not published.
    last: list[Span] = [" … ", Code(lines[-1].strip())] if len(lines) > 1 and "/" not in lines[-1] else []
    return [Code(entry.name), " ", Strong("did not start"), ": ", Code(lines[0]), *last]
