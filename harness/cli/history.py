"""Judges revisions of an SDK's repository in the given order: the verdicts of each, and the changes since the one before.

Each revision is exported, built as a working copy and judged. A revision that cannot be built is named and skipped.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from ..corpus.loader import load_corpus
from ..corpus.paths import shipped
from ..errors import AdapterUnavailable, UsageError, one_line, printable
from ..model import RunRecord, replace
from ..report.document_terminal import Medium
from ..report.terminal.revision_text import Step, render_history
from ..transport.manifest import shipped_manifests
from ..transport.operation_support import State, read_declarations
from ..transport.repository import Revision
from .options import add_options, options_of
from .revisions import Judge, add_revision_arguments, opened
from .streams import medium


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_revision_arguments(parser)
    add_options(parser, ["systems", "selection"])
    parser.add_argument("revisions", nargs="+", metavar="REV", help="tags, branches or commits, the oldest first")


def run(arguments: argparse.Namespace) -> int:
    options = options_of(arguments)
    with opened(arguments, replace(options, systems=options.systems or _systems(arguments.adapter))) as judge:
        steps = _steps(judge, arguments.revisions)
        target = medium() if sys.stdout.isatty() else Medium(is_markdown=True)
        sys.stdout.write(render_history(steps, target, is_repeatable=bool(arguments.keep)))
    if not arguments.keep:
        print("\nThe working copies and records are removed. To keep them, and to repeat a case: --keep DIR")
    for step in steps:
        if step.problem:
            print(printable(f"\n{step.revision.short} was not judged: {step.problem}"))
    return AdapterUnavailable.exit_status if any(step.record is None for step in steps) else 0


def _steps(judge: Judge, names: Sequence[str]) -> list[Step]:
    """The revisions, each with its record or its problem, and with the changes since the last judged one."""
    steps: list[Step] = []
    before: Revision | None = None
    revisions = [judge.repository.revision(name) for name in names]
    if not any(judge.repository.folders(revision.commit, judge.path) for revision in revisions):
        found = one_line(", ".join(judge.repository.folders(revisions[-1].commit)), 400)
        raise UsageError(
            f"--path {one_line(judge.path)}: no revision has this folder. {revisions[-1].short} has {found or 'no folder'}."
        )
    for revision in revisions:
        record = judge(revision)
        if record is None:
            steps.append(Step(revision, problem=judge.problems[revision.commit]))
            continue
        same = next((step.revision for step in steps if _digest(step.record) == _digest(record)), None)
        steps.append(Step(revision, record, judge.changes(before, revision) if before else None, same_source=same))
        before = revision
    return steps


def _systems(adapter: str) -> tuple[str, ...]:
    """The systems with operations that a shipped adapter declares; none for another adapter."""
    operations = load_corpus(shipped()).operations
    folders = [manifest.folder for name, manifest in shipped_manifests(shipped()).items() if name == adapter]
    declared = read_declarations(folders[0], operations) if folders else {}
    offered = [operations[name].system for name, support in declared.items() if support.state is not State.UNSUPPORTED]
    return tuple(dict.fromkeys(offered))


def _digest(record: RunRecord | None) -> str:
    """The digest of the judged working copy; empty for a revision without a record."""
    sdk = record.metadata.implementations[0].sdk if record else None
    return sdk.digest if sdk else ""
