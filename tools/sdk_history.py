"""Judges revisions of an SDK's repository in the given order, and prints how the verdicts change from each to the next.

Each revision is exported into a temporary folder (`git archive`; the repository itself is only read), built as a working
copy, and judged by `parity run --sdk`. A revision that cannot be built is named and skipped. `--keep DIR`
keeps the working copies and the records; only then the text has commands that repeat a case.

  python tools/sdk_history.py --adapter go --repo ../memory --path go v0.1.0 v0.2.0 main
  python tools/sdk_history.py --adapter ts --repo ../memory --path sdks/ts/memory --include sdks/ts --include package.json …
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from harness.compare.run_diff import Change, Comparison, compare  # noqa: E402
from harness.errors import ParityError, one_line  # noqa: E402
from harness.model import RunRecord, Verdict  # noqa: E402
from harness.records import read_record  # noqa: E402
from harness.report.run_diff_text import render as render_changes  # noqa: E402
from harness.report.summary import summarise  # noqa: E402

_SHOWN = [change for change in Change if change not in (Change.ADDED, Change.REMOVED)]
_MAX_SUBJECT = 46


@dataclass(frozen=True, slots=True)
class Revision:
    """A commit of the SDK's repository: the name given on the command line, its short hash, date and subject."""

    name: str
    commit: str
    date: str
    subject: str


@dataclass(frozen=True, slots=True)
class Step:
    """A judged revision and the changes since the one judged before it; `problem` is why it could not be judged."""

    revision: Revision
    record: RunRecord | None = None
    changes: Comparison | None = None
    problem: str = ""


def revision(repo: Path, name: str) -> Revision:
    """The commit that `name` stands for. Raises `ParityError` if there is none."""
    found = _git(repo, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    done = _git(repo, "log", "-1", "--format=%h%x00%as%x00%s", found.stdout.decode("ascii", "replace").strip(), "--")
    if found.returncode or done.returncode:
        raise ParityError(f"{repo}: git finds no revision {one_line(name, 80)}. Name a tag, a branch or a commit.")
    commit, date, subject = done.stdout.decode("utf-8", "replace").strip().split("\0")
    return Revision(name, commit, date, subject)


def export(repo: Path, commit: str, paths: Sequence[str], target: Path) -> None:
    """Writes these paths of a commit into `target`. A path that the commit does not have is left out."""
    listed = _git(repo, "ls-tree", "--name-only", commit, "--", *paths).stdout.decode("utf-8", "replace").splitlines()
    done = _git(repo, "archive", "--format=tar", commit, "--", *listed) if listed else None
    target.mkdir(parents=True, exist_ok=True)
    target.mkdir(parents=True, exist_ok=True)
    if done is None or done.returncode:
        raise ParityError(f"{repo}: {commit} has none of {', '.join(paths)}.")
    with tempfile.TemporaryFile() as file:
        file.write(done.stdout)
        file.seek(0)
        with tarfile.open(fileobj=file) as archive:
            archive.extractall(target, filter="data")


def _git(repo: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", "-C", str(repo), *words], capture_output=True, check=False)


def judge(adapter: str, sdk: Path, system: str, record: Path) -> str:
    """Runs the system's cases against a working copy into `record`; the reason if that could not be done, else empty."""
    words = ["run", "--adapter", adapter, "--sdk", str(sdk), "--system", system, "--record", str(record)]
    done = subprocess.run([sys.executable, "-m", "harness", *words], cwd=ROOT, capture_output=True, check=False)
    if done.returncode in (0, 1):
        return ""
    if record.exists():
        for entry in read_record(record).metadata.implementations:
            return one_line(entry.reason, 400)
    lines = done.stderr.decode("utf-8", "replace").split("\n")
    return one_line(next(filter(None, reversed(lines)), f"parity ended with status {done.returncode}"), 400)


def history(arguments: argparse.Namespace, revisions: Sequence[Revision], folder: Path) -> Iterator[Step]:
    """The steps, each when it is judged. Working copies and records go into `folder`."""
    before: RunRecord | None = None
    for number, one in enumerate(revisions, 1):
        copy, record = folder / f"{number:02}-{one.commit}", folder / f"{number:02}-{one.commit}.jsonl"
        try:
            export(arguments.repo, one.commit, [arguments.path, *arguments.include], copy)
            problem = judge(arguments.adapter, copy / arguments.path, arguments.system, record)
        except ParityError as error:
            problem = str(error)
        if problem:
            yield Step(one, problem=problem)
            continue
        after = read_record(record)
        yield Step(one, after, compare(before, after) if before else None)
        before = after


def table(steps: Sequence[Step]) -> Iterator[str]:
    """One row for each revision, in Markdown: its verdicts, and the changes since the revision judged before it."""
    head = ["revision", "date", "subject", *(verdict.value for verdict in Verdict), *(one.value for one in _SHOWN)]
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * 3}{'--:|' * (len(head) - 3)}"
    for step in steps:
        one = step.revision
        row = [one.commit, one.date, one_line(one.subject, _MAX_SUBJECT).replace("|", "¦")]
        if step.record is None:
            row += ["not judged", *[""] * (len(head) - 4)]
        else:
            counts = Counter(result.verdict for result in step.record.results)
            row += [str(counts[verdict]) for verdict in Verdict]
            row += [str(len(step.changes.of(change))) if step.changes else "" for change in _SHOWN]
        yield f"| {' | '.join(row)} |"


def _details(before: Step, step: Step, *, keeps_folders: bool) -> Iterator[str]:
    """What changed from one judged revision to the next, as `parity compare` prints it."""
    if step.changes is not None and step.record is not None and any(map(step.changes.of, _SHOWN)):
        one = step.revision
        yield f"\n{before.revision.commit} → {one.commit}  {one_line(one.subject, 100)}\n"
        yield render_changes(step.changes, summarise(step.record), is_repeatable=keeps_folders).rstrip("\n")


def main() -> int:
    """Prints the table, then each step with changes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--adapter", required=True, metavar="NAME", help="a shipped adapter that takes --sdk")
    parser.add_argument("--repo", required=True, type=Path, metavar="DIR", help="a clone of the SDK's repository")
    parser.add_argument(
        "--path", default=".", metavar="PATH", help="the SDK's folder in the repository (default: its root)"
    )
    parser.add_argument(
        "--include",
        action="append",
        default=[],
        metavar="PATH",
        help="another path that the build needs; may be repeated",
    )
    parser.add_argument(
        "--system", default="jeffs_brain", metavar="NAME", help="the system to judge (default: jeffs_brain)"
    )
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="keep the working copies and the records in this folder"
    )
    parser.add_argument("revisions", nargs="+", metavar="REV", help="tags, branches or commits, the oldest first")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sdk-history-") as temporary:
        folder = (arguments.keep or Path(temporary)).resolve()
        try:
            revisions = [revision(arguments.repo, name) for name in arguments.revisions]
            steps = []
            for step in history(arguments, revisions, folder):
                print(f"{step.revision.commit}: {step.problem or 'judged'}", file=sys.stderr, flush=True)
                steps.append(step)
        except ParityError as error:
            print(error, file=sys.stderr)
            return error.exit_status
        except OSError as error:
            print(f"{error.filename}: {error.strerror}. Name another folder with --keep.", file=sys.stderr)
            return ParityError.exit_status
        print(*table(steps), sep="\n")
        for before, step in pairwise(step for step in steps if step.record is not None):
            for text in _details(before, step, keeps_folders=bool(arguments.keep)):
                print(text)
        if not arguments.keep:
            print("\nThe working copies and records are removed. To keep them, and to repeat a case: --keep DIR")
        for step in steps:
            if step.problem:
                print(f"\n{step.revision.commit} was not judged: {step.problem}")
    return 0 if all(step.record is not None for step in steps) else 3


if __name__ == "__main__":
    sys.exit(main())
