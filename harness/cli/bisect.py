"""Finds the commit of an SDK's repository that changed the answer to a case, between a good and a bad revision.

Revisions are exported and built as working copies, as few as a bisection needs. Commits that do not build are skipped.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping

from ..compare.bisection import State, first_bad
from ..compare.run_diff import ChangedResult
from ..errors import AdapterUnavailable, UsageError, plural, printable
from ..model import RunOptions, RunRecord
from ..report.terminal.revision_text import Flip, render_flips
from ..transport.repository import Revision
from .revisions import NO_CHANGE, Judge, add_revision_arguments, opened
from .streams import medium


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_revision_arguments(parser)
    parser.add_argument("--good", required=True, metavar="REV", help="an older tag, branch or commit")
    parser.add_argument("--bad", required=True, metavar="REV", help="a newer revision with another answer")
    parser.add_argument("cases", nargs="+", metavar="CASE", help="cases: names or patterns, as --select takes them")


def run(arguments: argparse.Namespace) -> int:
    with opened(arguments, RunOptions(selection=tuple(arguments.cases))) as judge:
        good, bad = (judge.repository.revision(name) for name in (arguments.good, arguments.bad))
        if not judge.repository.is_ancestor(good.commit, bad.commit):
            raise UsageError(
                f"--good {arguments.good} is not in the history of --bad {arguments.bad}. Name an ancestor."
            )
        judge.check_path((good, bad))
        _, after = (_end(judge, revision) for revision in (good, bad))
        wanted = _changes(judge, good, bad)
        flips = [_flip(judge, good, bad, change) for change in wanted.values()]
        same = {result.case for result in after.results} - wanted.keys()
        sys.stdout.write(render_flips(flips, medium()))
    if same:
        names = f": {', '.join(sorted(same))}" if len(same) <= 3 else ""
        print(printable(f"\n{plural(len(same), 'case')} with the same answer in both revisions{names}"))
    for line in _skipped(judge):
        print(printable(line))
    return 0 if wanted else 1


def _end(judge: Judge, revision: Revision) -> RunRecord:
    """The record of an end of the search. Raises `AdapterUnavailable` if it cannot be judged."""
    record = judge(revision)
    if record is None:
        raise AdapterUnavailable(
            f"{revision.name} ({revision.short}) cannot be judged: {judge.problems[revision.commit]}",
            remedy="Name a revision that builds.",
        )
    return record


def _changes(judge: Judge, before: Revision, after: Revision) -> Mapping[str, ChangedResult]:
    """The cases with another answer, by name."""
    found = judge.changes(before, after).changes.values()
    return {change.result.case: change for changes in found for change in changes if change.change not in NO_CHANGE}


def _flip(judge: Judge, good: Revision, bad: Revision, wanted: ChangedResult) -> Flip:
    """The commit that changed the answer to the case of `wanted`, the change between the two ends."""
    case = wanted.result.case
    seen: dict[str, Revision] = {good.commit: good, bad.commit: bad}
    changed = {bad.commit: wanted}

    def state(commit: str) -> State:
        revision = seen.setdefault(commit, judge.repository.revision(commit))
        if judge(revision) is None:
            return State.SKIPPED
        change = _changes(judge, good, revision).get(case)
        if change:
            changed[commit] = change
        found = State.BAD if change else State.GOOD
        print(printable(f"  {found.value}: {case}"), file=sys.stderr, flush=True)
        return found

    found = first_bad(good.commit, bad.commit, judge.repository.candidates, state)
    first = next((commit for commit in found.commits if commit in changed), bad.commit)
    possible = [commit for commit in judge.repository.between(good.commit, bad.commit) if commit in found.commits]
    commits = [seen.setdefault(commit, judge.repository.revision(commit)) for commit in possible]
    is_final = case not in _changes(judge, seen[first], bad)
    return Flip(case, commits or [bad], changed[first], judge.records[first], is_final)


def _skipped(judge: Judge) -> Iterator[str]:
    if judge.problems:
        yield f"\n{plural(len(judge.problems), 'commit')} could not be judged:"
        yield from (f"  {commit[:9]} {problem}" for commit, problem in judge.problems.items())
