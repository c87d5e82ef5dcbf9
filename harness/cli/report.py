"""Makes reports from a run record: HTML, JUnit XML, Markdown, a JSON summary, a badge, a review; several at once."""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO
from urllib.parse import quote

from harness.cli.compare import compared, whole_record
from harness.cli.options import output, place
from harness.compare.run_diff import Comparison
from harness.corpus.paths import make_folder_of
from harness.errors import ParityError, RecordError, UsageError, printable
from harness.model import RunRecord
from harness.records import going_on, read_record
from harness.report import html, json_summary, junit, markdown, review
from harness.report.summary import RunSummary, summarise

_FORMATS: dict[str, tuple[str, Callable[[RunSummary, Comparison | None], str]]] = {
    "html": ("one page to browse, which needs nothing else", html.render),
    "junit": ("JUnit XML for a CI system", lambda summary, _: junit.render(summary)),
    "markdown": ("for a step summary or a comment on a pull request", markdown.render),
    "json": ("a summary for programs", json_summary.render),
    "badge": ("the endpoint JSON of a shields.io badge", lambda summary, _: json_summary.render_badge(summary)),
}
_REVIEW = "review"
_STDOUT = "-"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", type=place, metavar="RECORD", help="the run record")
    for name, (what, _) in _FORMATS.items():
        parser.add_argument(f"--{name}", type=output, metavar="FILE", help=f"{what} (- for standard output)")
    parser.add_argument(
        f"--{_REVIEW}",
        type=output,
        metavar="FILE",
        help="for the editors of the specification: what they have to decide (HTML if FILE ends in .html, else Markdown)",
    )
    parser.add_argument(
        "--since", type=place, metavar="OLDER", help="an older record; HTML, Markdown and JSON tell what changed since"
    )


def run(arguments: argparse.Namespace) -> int:
    wanted = {name: file for name in (*_FORMATS, _REVIEW) if (file := getattr(arguments, name)) is not None}
    _check(wanted, [one for one in (arguments.record, arguments.since) if one is not None])
    record, changes = _read(arguments)
    summary = summarise(record)
    told = sys.stderr if _STDOUT in wanted.values() else sys.stdout
    for name, file in wanted.items():
        text = _review(summary, file) if name == _REVIEW else _FORMATS[name][1](summary, changes)
        _write(name, file, text, told)
    if not record.complete:
        raise RecordError(
            f"{arguments.record}: this record has no footer, so its run did not come to its end; the reports say so. "
            f"{going_on(arguments.record, record)}"
        )
    return 0


def _review(summary: RunSummary, file: str) -> str:
    """The review; its cases are linked where the file lies in a checkout that has them."""
    path = Path(file).resolve()
    root = _checkout(path)

    def target(at: str) -> str:
        case_file, _, line = at.rpartition(":")
        if root is None or file == _STDOUT or not (root / case_file).is_file():
            return ""
        return f"{quote(os.path.relpath(root / case_file, path.parent))}#L{quote(line)}"

    return review.render(summary, target, html=path.suffix.lower() in (".html", ".htm"))


def _checkout(path: Path) -> Path | None:
    """The folder around the path that has cases, if it lies in one."""
    try:
        return next((folder for folder in path.parents if (folder / "cases").is_dir()), None)
    except PermissionError:
        return None


def _read(arguments: argparse.Namespace) -> tuple[RunRecord, Comparison | None]:
    """The record, and what changed since the older one if there is one."""
    if arguments.since is None:
        return read_record(arguments.record), None
    record = whole_record(arguments.record)
    return record, compared(whole_record(arguments.since), record)


def _check(wanted: dict[str, str], records: Sequence[Path]) -> None:
    """Raises `UsageError` if nothing is to be written, two things to one place, or something over a record that is read."""
    if not wanted:
        raise UsageError(f"Say which report to make: {', '.join(f'--{name} FILE' for name in (*_FORMATS, _REVIEW))}.")
    taken = set()
    for file in wanted.values():
        place = file if file == _STDOUT else Path(file).resolve()
        if place in taken:
            raise UsageError(f"Two reports cannot be written to {'standard output' if file == _STDOUT else file}.")
        if any(place == record.resolve() for record in records):
            raise UsageError(f"{file}: this is the record itself. Name another file for the report.")
        taken.add(place)


def _write(name: str, file: str, text: str, told: TextIO) -> None:
    """Writes one report, and tells where it lies."""
    data = text.encode("utf-8")
    if file == _STDOUT:
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
        return
    path = Path(file)
    try:
        make_folder_of(path)
        with os.fdopen(_opened(path), "wb") as file_there:
            file_there.write(data)
    except OSError as error:
        why = "nobody reads this pipe" if error.errno == errno.ENXIO else error.strerror
        raise ParityError(f"{path}: the {name} report cannot be written: {why}. Name another file.") from None
    print(printable(f"{name}: {path}"), file=told)


def _opened(path: Path) -> int:
    """A descriptor of what is to be written; a named pipe that nobody reads is not waited for."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NONBLOCK, 0o666)
    os.set_blocking(descriptor, True)
    return descriptor
