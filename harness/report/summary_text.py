"""RunSummary → sentences: the headline, missing verdicts, doubts and the state of the gate; and the table of sections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from ..errors import one_line, plural
from ..gate.summary import RED_STATUSES, GateSummary, status_of
from ..model import REFERENCE, NotTestedCode, Status, failing, supported, where
from .document import Code, Spans, Table
from .failure_groups import BREAKS
from .phrases import (
    and_more,
    limits,
    n_of_m,
    observed_text,
    operation_text,
    percent,
    profile_text,
    share,
    share_text,
    verb,
)
from .run_summary import UNANSWERED, Doubt, MissingCode, MissingVerdicts, RunSummary, VerdictCounts
from .suite_counts import by_section

MAX_RATES = 4
"""Operations of an implementation whose shares without a failure are shown."""

_MAX_SECTIONS = 60


def headline(summary: RunSummary) -> str:
    """The outcome of the run in one sentence without its full stop."""
    if not summary.record.complete:
        return "the run is incomplete"
    counted = {*summary.totals} - {*summary.not_started, REFERENCE}
    cases = sum(supported(counts) for name, counts in summary.totals.items() if name in counted)
    failures = where(summary.failing, names=counted)
    silent = sum(result.kind in BREAKS for result in failures)
    bad = len(failures) - silent
    parts = [f"{n_of_m(bad, cases - silent, 'answer')} {verb(bad, 'fails', 'fail')}"] if bad else []
    parts += [f"{plural(silent, 'case')} {verb(silent, 'has', 'have')} no answer"] if silent else []
    parts = [*parts, *doubt_texts(summary)] or ["no failures"]
    return ", ".join([*parts, *_incomplete_texts(summary)])


def _incomplete_texts(summary: RunSummary) -> list[str]:
    """`ts answered 5 of 100 cases` for each implementation that left more than 5% of them, and `ts observed 62%` for each
    that does not report more than 5% of the expected answers."""
    shares = {
        one_line(name): conformance.share
        for name, conformance in summary.conformance.items()
        if name != REFERENCE and conformance.systems
    }
    texts = [f"{name} answered {share_text(share)}" for name, share in shares.items() if not share.is_complete]
    return texts + [
        f"{name} {observed_text(share.observed)}" for name, share in shares.items() if not share.observed.is_complete
    ]


def missing_texts(summary: RunSummary) -> list[str]:
    """A sentence for each gap in the verdicts."""
    return [missing_text(missing) for missing in summary.missing]


_MISSING = {
    MissingCode.INCOMPLETE_RECORD: "The record is incomplete (no footer): {found} of {expected}.",
    MissingCode.NO_VERDICTS: "{name} has no verdicts.",
    MissingCode.ALL_UNSUPPORTED: "{name} supports none of the {expected}.",
    MissingCode.SOME_MISSING: "{name} has no verdict for {lacking} of {expected}.",
    MissingCode.NO_OPERATIONS: "{name} offers no operation.",
    MissingCode.FEW_ANSWERED: "{name} answered {found} of the {expected} of its own operations, fewer than --min-answered "
    "requires.",
    MissingCode.REFERENCE_UNSUPPORTED: "{name} does not support {lacking}. The reference must support every case.",
}


def missing_text(missing: MissingVerdicts) -> str:
    """A sentence for one gap in the verdicts."""
    code, lacking = missing.code, missing.expected - missing.found
    return _MISSING[code].format(
        name=missing.implementation,
        found=f"{missing.found:,}",
        expected=plural(missing.expected, "verdict" if code is MissingCode.INCOMPLETE_RECORD else "case"),
        lacking=plural(lacking, "case") if code is MissingCode.REFERENCE_UNSUPPORTED else f"{lacking:,}",
    )


def answered_texts(summary: RunSummary) -> list[str]:
    """`ts answered 5 of 100 cases of jeffs_brain (5%)` for each implementation that started and answered."""
    return [
        f"{one_line(name)} answered {share_text(own.share)} of {', '.join(own.systems)} ({percent(own.share)})"
        for name, own in summary.conformance.items()
        if own.systems
    ]


def profile_texts(summary: RunSummary) -> list[str]:
    """`profiles of ts: query-dsl passed, retrieval failed (3 of 40), temporal not completed (1 of 9)`, for each
    implementation; a profile has the name of its system if an implementation has several systems."""
    found = {
        name: [profile_text(profile, part, own, _is_all_known(summary, name)) for profile, part in own.profiles]
        for name, own in summary.conformance.items()
    }
    return [f"profiles of {one_line(name)}: {', '.join(texts)}" for name, texts in found.items() if texts]


def _is_all_known(summary: RunSummary, name: str) -> bool:
    """Whether a gate knows all failures of an implementation."""
    return summary.gate is not None and all(status_of(result) is Status.KNOWN for result in summary.failures_of(name))


def rate_texts(summary: RunSummary) -> list[str]:
    """`pass or variant of ts: temporal.parseDate 61% (a constant answer passes 21%), …`: the operations with the
    largest shares of failures and those whose result has limits, for each implementation that has any."""
    found = {
        name: [*shown, *(share for share in shares if share not in shown and limits(share))]
        for name, shares in summary.operations.items()
        for shown in [[share for share in shares if failing(share.counts)][:MAX_RATES]]
    }
    return [
        f"pass or variant of {one_line(name)}: {', '.join(map(operation_text, shares))}"
        for name, shares in found.items()
        if shares
    ]


def section_tables(summary: RunSummary) -> Iterator[Table]:
    """A table of the sections with failures: the failing ones of the supported cases of each implementation that started;
    none without a failure."""
    started = [name for name in summary.totals if name not in summary.not_started]
    rows: list[Sequence[Spans]] = [
        [[Code(section)], *(_failing_text(row[name]) for name in started)]
        for sections in by_section(summary).values()
        for section, row in sections.items()
        if any(failing(row[name]) for name in started)
    ]
    if more := and_more(len(rows) - _MAX_SECTIONS, "section"):
        rows[_MAX_SECTIONS:] = [[f"… {more}", *("" for _ in started)]]
    if rows:
        is_known = all(_is_all_known(summary, name) for name in started)
        yield Table(
            [f"{'known ' if is_known else ''}failures by section", *([Code(name)] for name in started)],
            rows,
            len(started),
            is_cut=True,
        )


def _failing_text(counts: VerdictCounts) -> str:
    cases = supported(counts)
    return n_of_m(failing(counts), cases) if cases else share(counts)


_NOT_TESTED = {
    NotTestedCode.NO_TOOLCHAIN: "a tool is missing",
    NotTestedCode.NOT_FETCHED: "its release cannot be fetched",
    NotTestedCode.NOT_BUILT: "its build failed",
}
"""An SDK without a release is not expected in a run."""


def not_tested_text(summary: RunSummary) -> str:
    """`NOT COMPLETE: not tested: go (its release cannot be fetched)`; empty if each SDK that has a release was built."""
    found = [entry for entry in summary.record.metadata.skipped if entry.code in _NOT_TESTED]
    names = ", ".join(f"{one_line(entry.name)} ({_NOT_TESTED[entry.code]})" for entry in found)
    return f"NOT COMPLETE: not tested: {names}" if found else ""


def doubt_texts(summary: RunSummary) -> list[str]:
    """Why the run is not trustworthy, in a few words each."""
    return [_doubt_text(doubt, summary) for doubt in summary.doubts]


def _doubt_text(doubt: Doubt, summary: RunSummary) -> str:
    match doubt:
        case Doubt.NOT_STARTED:
            names = ", ".join(map(one_line, summary.not_started))
            return (
                f"{plural(len(summary.not_started), 'adapter')} did not start ({names})" if names else "a start failed"
            )
        case Doubt.MISSING_VERDICTS:
            is_unanswered = {gap.code for gap in summary.missing} <= UNANSWERED
            return "too few answers" if is_unanswered else "verdicts are missing"
        case Doubt.INCIDENTS:
            return plural(len(summary.record.incidents), "incident")
        case Doubt.FLAKY:
            count = len(summary.unstable)
            if summary.gate:
                return plural(count, "state leak")
            return f"{plural(count, 'verdict')} {verb(count, 'is', 'are')} flaky"
        case _:
            assert_never(doubt)


def known_texts(gate: GateSummary) -> list[str]:
    """Number of known results: `214 known divergences`, and `78 known unsupported cases` if there are any; or
    `214 failures as at the base`."""
    failure, gap, end = (
        ("failure", "unsupported case", " as at the base")
        if gate.base
        else ("known divergence", "known unsupported case", "")
    )
    others = [f"{plural(gate.known_unsupported, gap)}{end}"] if gate.known_unsupported else []
    return [f"{plural(gate.known, failure)}{end}", *others]


def gate_defects(gate: GateSummary) -> Sequence[tuple[Status, str, Sequence[str]]]:
    """What fails a gate beside results: a status, a sentence, and the names that it is about."""
    return (
        (Status.UNMATCHED, "The corpus has no such case or operation.", gate.unmatched),
        (
            Status.NEW,
            "The base reports this path."
            if gate.base
            else "The known-divergence file does not list this unobservable path.",
            gate.new_paths,
        ),
        (Status.STALE, "The implementation does not declare this path unobservable.", gate.stale_paths),
    )


_COUNTED = {Status.STALE: "stale case", Status.READING: "changed reading"}


def red_reasons(summary: RunSummary, gate: GateSummary) -> list[str]:
    """Why the gate is red: `2 new`, `28 stale cases`, …, and the doubts about the run."""
    parts = [
        plural(number, _COUNTED[status]) if status in _COUNTED else f"{number:,} {status}"
        for status in RED_STATUSES
        if (number := gate.red[status])
    ]
    parts += [f"{len(gate.unmatched):,} {Status.UNMATCHED}"] if gate.unmatched else []
    paths = {Status.NEW: gate.new_paths, Status.STALE: gate.stale_paths}
    parts += [plural(len(names), f"{status} unobservable path") for status, names in paths.items() if names]
    parts += [plural(gate.unwritten_reasons, "unwritten reason")] if gate.unwritten_reasons else []
    return parts + doubt_texts(summary)


def new_in_corpus_texts(gate: GateSummary) -> list[str]:
    """`106 new in the corpus`, `3 no longer in the corpus`, where there are any; they fail no gate."""
    counts = {"new": len(gate.listed[Status.NEW_IN_CORPUS]), "no longer": len(gate.lost)}
    return [f"{count:,} {state} in the corpus" for state, count in counts.items() if count]


def gate_sentence(summary: RunSummary, gate: GateSummary) -> str:
    """`gate: green, 214 known divergences` or `gate: red (2 new), 212 known divergences`."""
    state = "green" if gate.is_green else f"red ({', '.join(red_reasons(summary, gate))})"
    return f"gate: {', '.join([state, *new_in_corpus_texts(gate), *known_texts(gate)])}"


def title(summary: RunSummary) -> str:
    """The gate's sentence, or the headline of a run."""
    return gate_sentence(summary, summary.gate) if summary.gate else headline(summary)
