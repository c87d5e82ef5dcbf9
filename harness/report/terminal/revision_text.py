"""Judged revisions of an SDK → text: the table of a history, and the commits that a bisection finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.text import Text

from ...base.text_limits import MAX_NAME, MAX_VALUE
from ...compare.run_diff import Change, ChangedResult, Comparison
from ...errors import one_line, printable
from ...model import RunRecord, Verdict
from ...transport.repository import Revision
from ..document import Table, as_markdown
from ..laid_out import lines_of, plain_table
from ..phrases import and_more, plural
from ..run_summary import RunSummary
from .run_diff_text import MAX_SHOWN, failure_lines, transition
from .run_diff_text import render as render_changes

_SHOWN = [change for change in Change if change not in (Change.ADDED, Change.REMOVED)]
_MAX_SUBJECT = 46


@dataclass(frozen=True, slots=True)
class Step:
    """A judged revision and the changes since the one judged before it; `problem` is why it could not be judged.
    `same_source` is the first revision with the same files."""

    revision: Revision
    record: RunRecord | None = None
    changes: Comparison | None = None
    problem: str = ""
    same_source: Revision | None = None


def history_table(steps: Sequence[Step], width: int = 0) -> str:
    """One row for each revision: its verdicts, and the changes since the revision judged before it. In Markdown; or in
    `width` columns, without the numbers that no revision has."""
    head = ["revision", "date", "subject", *(verdict.value for verdict in Verdict), *(one.value for one in _SHOWN)]
    rows = [_row(step) for step in steps]
    if not width:
        return as_markdown(
            [Table([[title] for title in head], [[[cell] for cell in row] for row in rows], len(head) - 3)]
        )
    kept = [at for at in range(len(head)) if any(row[at] not in ("", "0") for row in rows)]
    table = plain_table(head[:3])
    table.columns[2].no_wrap = False  # the only one that becomes narrower
    for at in kept[3:]:
        words = [word for text in (head[at], *(row[at] for row in rows)) for word in text.split()]
        table.add_column(head[at], justify="right", width=max(map(len, words)))
    for row in rows:
        texts = [Text(printable(row[at])) for at in kept]
        texts[2].no_wrap, texts[2].overflow = True, "ellipsis"
        table.add_row(*texts)
    return "".join(f"{line.rstrip()}\n" for line in lines_of(table, width))


def _row(step: Step) -> list[str]:
    one = step.revision
    same = f" (source = {step.same_source.short})" if step.same_source else ""
    if step.record is None:
        numbers = ["not judged", *[""] * (len(Verdict) + len(_SHOWN) - 1)]
    else:
        counts = Counter(result.verdict for result in step.record.results)
        numbers = [f"{counts[verdict]:,}" for verdict in Verdict]
        numbers += [f"{len(step.changes.of(change)):,}" if step.changes else "" for change in _SHOWN]
    return [f"{one.short}{same}", one.date, one_line(one.subject, _MAX_SUBJECT), *numbers]


def step_details(before: Step, step: Step, summary: RunSummary, *, is_repeatable: bool) -> Iterator[str]:
    """The changes from one judged revision to the next, as `parity compare` prints them; nothing without changes."""
    if step.changes is not None and any(map(step.changes.of, _SHOWN)):
        one = step.revision
        yield f"\n{before.revision.short} → {one.short}  {one_line(one.subject, MAX_VALUE)}\n"
        yield render_changes(step.changes, summary, is_repeatable=is_repeatable).rstrip("\n")


@dataclass(frozen=True, slots=True)
class Flip:
    """The commits of which one changed the answer to a case, oldest name first. `before` is the answer of the good end,
    `change` how the first judged commit with another answer differs from it, `after` the record of that commit.
    `is_final`: the bad end still has that answer."""

    case: str
    commits: Sequence[Revision]
    change: ChangedResult
    after: RunRecord
    is_final: bool


def flip_text(flips: Sequence[Flip], width: int) -> Iterator[str]:
    """A block for each commit, or set of commits, with the cases whose answers it changed, newly
    failing ones first."""
    blocks: dict[tuple[str, ...], list[Flip]] = {}
    order = list(Change)
    for flip in sorted(flips, key=lambda one: order.index(one.change.change)):
        blocks.setdefault(tuple(one.commit for one in flip.commits), []).append(flip)
    for block in blocks.values():
        commits = block[0].commits
        if len(commits) > 1:
            yield f"\none of {plural(len(commits), 'commit')}, because some of them could not be judged:"
        else:
            yield ""
        yield from (f"{one.short} {one.date} {one_line(one.subject, MAX_VALUE)}" for one in commits)
        for flip in block[:MAX_SHOWN]:
            later = "" if flip.is_final else "; the bad revision has another answer again"
            yield f"  {one_line(flip.case, MAX_NAME)}: {transition(flip.change)}{later}"
            yield from (f"    {line}" for line in _difference(flip, width - 4))
        if more := and_more(len(block) - MAX_SHOWN, "case"):
            yield f"  … {more}"


def _difference(flip: Flip, width: int) -> Iterator[str]:
    """The first difference from the expected answer: after the change, or before it if the case fails no longer."""
    for result in (flip.change.after, flip.change.before):
        if result is not None and (lines := list(failure_lines(result, flip.after, width))):
            yield from lines
            return
