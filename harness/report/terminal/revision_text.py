"""Judged revisions of an SDK → pages: the table of a history, and the commits that a bisection finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from ...compare.run_diff import Change, ChangedResult, Comparison
from ...errors import one_line, plural
from ...model import RunRecord, Verdict, replace
from ...transport.repository import Revision
from ..document import Block, Item, Table, laid_out, literal, sections
from ..document_terminal import INDENT, Medium, render_document
from ..phrases import and_more
from ..run_summary import summarise
from .run_diff_text import MAX_SHOWN, changed_sections, failure_lines, transition

_SHOWN = [change for change in Change if change not in (Change.ADDED, Change.REMOVED)]
_MAX_SUBJECT = 46


class Step(Struct, frozen=True):
    """A judged revision and the changes since the one judged before it; `problem` is why it could not be judged.
    `same_source` is the first revision with the same files."""

    revision: Revision
    record: RunRecord | None = None
    changes: Comparison | None = None
    problem: str = ""
    same_source: Revision | None = None


def render_history(steps: Sequence[Step], medium: Medium, *, is_repeatable: bool) -> str:
    """The table of the revisions, then the changes from one judged revision to the next, as `parity compare` prints them."""
    parts = [render_document([_table(steps, is_whole=medium.is_markdown)], medium)]
    for before, step in pairwise(step for step in steps if step.record):
        if step.record and step.changes and any(map(step.changes.of, _SHOWN)):
            title = literal(f"{before.revision.short} → {step.revision.short}  {step.revision.subject}")
            changes = changed_sections(step.changes, summarise(step.record), medium.width, is_repeatable)
            parts.append(render_document(sections([("", [title]), *changes]), replace(medium, is_markdown=False)))
    return "\n".join(parts)


def _table(steps: Sequence[Step], *, is_whole: bool) -> Table:
    """One row for each revision: its verdicts, and the changes since the revision judged before it; `is_whole` with the
    numbers that no revision has."""
    head = ["revision", "date", "subject", *Verdict, *_SHOWN]
    rows = [_row(step) for step in steps]
    kept = [at for at in range(len(head)) if is_whole or any(row[at] not in ("", "0") for row in rows)]
    return Table([head[at] for at in kept], [[row[at] for at in kept] for row in rows], len(kept) - 3, is_cut=True)


def _row(step: Step) -> list[str]:
    revision = step.revision
    same = f" (source = {step.same_source.short})" if step.same_source else ""
    if step.record is None:
        numbers = ["not judged", *[""] * (len(Verdict) + len(_SHOWN) - 1)]
    else:
        counts = Counter(result.verdict for result in step.record.results)
        numbers = [f"{counts[verdict]:,}" for verdict in Verdict]
        numbers += [f"{len(step.changes.of(change)):,}" if step.changes else "" for change in _SHOWN]
    return [f"{revision.short}{same}", revision.date, one_line(revision.subject, _MAX_SUBJECT), *numbers]


class Flip(Struct, frozen=True):
    """The commits of which one changed the answer to a case, oldest name first. `before` is the answer of the good end,
    `change` how the first judged commit with another answer differs from it, `after` the record of that commit.
    `is_final`: the bad end still has that answer."""

    case: str
    commits: Sequence[Revision]
    change: ChangedResult
    after: RunRecord
    is_final: bool


def render_flips(flips: Sequence[Flip], medium: Medium) -> str:
    """A section for each commit, or set of commits, with the cases whose answers it changed, newly failing ones first."""
    by_commits: dict[tuple[str, ...], list[Flip]] = {}
    order = list(Change)
    for flip in sorted(flips, key=lambda flip: order.index(flip.change.change)):
        by_commits.setdefault(tuple(commit.commit for commit in flip.commits), []).append(flip)
    return render_document(sections(("", _flips(group, medium.width)) for group in by_commits.values()), medium)


def _flips(flips: Sequence[Flip], width: int) -> Iterator[Block]:
    commits = flips[0].commits
    if len(commits) > 1:
        yield Item(f"one of {plural(len(commits), 'commit')}, because some of them could not be judged:")
    yield from (literal(f"{commit.short} {commit.date} {commit.subject}") for commit in commits)
    for flip in flips[:MAX_SHOWN]:
        later = "" if flip.is_final else "; the bad revision has another answer again"
        yield literal(f"{flip.case}: {transition(flip.change)}{later}", 1)
        yield from laid_out(_difference(flip, width - 2 * INDENT), 2)
    if more := and_more(len(flips) - MAX_SHOWN, "case"):
        yield Item(f"… {more}", 1)


def _difference(flip: Flip, width: int) -> Iterator[str]:
    """The first difference from the expected answer: after the change, or before it if the case fails no longer."""
    sides = (result for result in (flip.change.after, flip.change.before) if result is not None)
    yield from next(filter(None, (list(failure_lines(result, flip.after, width)) for result in sides)), [])
