"""Converts a run record to reports, several at once: text, HTML, JUnit, Markdown, JSON, SARIF, CTRF, a badge, a review."""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TextIO
from urllib.parse import quote

from ..base.files import make_folder_of, replace_file
from ..compare.run_diff import Comparison
from ..corpus.loader import load_corpus
from ..corpus.paths import shipped
from ..errors import ParityError, RecordError, UsageError, printable
from ..model import Requirement, RunRecord, path_word, replace
from ..records import going_on, join, read_record, read_shard
from ..report.ci import ctrf, json_summary, junit, markdown, sarif, workflow_commands
from ..report.conformance import limited
from ..report.review import review
from ..report.run_summary import RunSummary, summarise
from ..report.site import single_page
from ..report.terminal import console
from .compare import compared, whole_record
from .options import add_options, output, path_argument
from .streams import width
from .text_option import FOUND, WORDS, add_text_option, text_of

_FORMATS: dict[str, tuple[str, Callable[[RunSummary, Comparison | None], Iterable[str]]]] = {
    "html": ("one self-contained page with the failing cases and the variants", single_page.stream),
    "junit": ("JUnit XML for a CI system", lambda summary, _: junit.stream(summary)),
    "markdown": ("Markdown for a step summary or a comment on a pull request", lambda *of: [markdown.render(*of)]),
    "json": ("JSON summary for programs", json_summary.stream),
    "sarif": ("SARIF for annotations at the lines of a pull request", lambda summary, _: sarif.stream(summary)),
    "annotations": (
        "workflow commands of GitHub, for its checks",
        lambda summary, _: workflow_commands.stream(summary),
    ),
    "ctrf": ("CTRF JSON for dashboards", lambda summary, _: ctrf.stream(summary)),
    "badge": ("endpoint JSON of a shields.io badge", lambda summary, _: [json_summary.render_badge(summary)]),
}
_DETAILS, _REVIEW = "details", "review"
_STDOUT = "-"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "records",
        type=path_argument,
        nargs="+",
        metavar="RECORD",
        help="the run record; for a review also several, each of other implementations over the same cases",
    )
    parser.add_argument(
        f"--{_DETAILS}",
        type=output,
        metavar="FILE",
        help="the text that `parity run --verbose` prints (- for standard output)",
    )
    for name, (what, _) in _FORMATS.items():
        parser.add_argument(f"--{name}", type=output, metavar="FILE", help=f"{what} (- for standard output)")
    parser.add_argument(
        f"--{_REVIEW}",
        type=output,
        metavar="FILE",
        help="review for the editors of the specification: what to decide first, and the outline of the text (HTML if FILE "
        "ends in .html, else Markdown)",
    )
    add_text_option(parser, f"for a review, {WORDS}{FOUND}")
    add_options(parser, ["since"], since="an older record; HTML, Markdown and JSON list the changes")
    parser.add_argument(
        "--profile",
        action="append",
        default=[],
        metavar="NAME",
        help="only the cases of this conformance profile; may be repeated",
    )


def run(arguments: argparse.Namespace) -> int:
    wanted = {name: file for name in (_DETAILS, *_FORMATS, _REVIEW) if (file := getattr(arguments, name)) is not None}
    _check(wanted, [*arguments.records, *([arguments.since] if arguments.since else [])])
    if len(arguments.records) > 1 and (wanted.keys() != {_REVIEW} or arguments.since):
        raise UsageError(f"Several records make only a review. Use --{_REVIEW} FILE alone, or name one record.")
    if arguments.specification and _REVIEW not in wanted:
        raise UsageError(
            f"--text names the text of the specification, which only a review quotes. Add --{_REVIEW} FILE."
        )
    record, changes = _read(arguments)
    if arguments.profile:
        record = limited(record, arguments.profile)
    summary = summarise(record)
    if "badge" in wanted and summary.is_generated:
        raise UsageError(
            "--badge: a record of `parity fuzz` has no badge, because its cases are no corpus. Leave it out."
        )
    log = sys.stderr if _STDOUT in wanted.values() else sys.stdout
    for name, file in wanted.items():
        if name == _DETAILS:
            path = path_word(str(arguments.records[0]))
            pieces: Iterable[str] = [console.render(summary, color=False, width=width(), path=path)]
        else:
            pieces = [_review(summary, file, arguments)] if name == _REVIEW else _FORMATS[name][1](summary, changes)
        _write(name, file, pieces, log)
    if not record.complete:
        raise RecordError(
            f"{arguments.records[0]}: this record has no footer: its run did not end. The reports are marked incomplete. "
            f"{going_on(arguments.records[0], record)}"
        )
    return 0


def _review(summary: RunSummary, file: str, arguments: argparse.Namespace) -> str:
    """The review, with links to its cases if the file is inside a checkout that has them, and with the words of the text if
    a folder has it."""
    words = _words(summary.record, arguments.specification)
    path = Path(file).resolve()
    root = _checkout(path)

    def target(at: str) -> str:
        case_file, _, line = at.rpartition(":")
        if root is None or file == _STDOUT or not (root / case_file).is_file():
            return ""
        return f"{quote(os.path.relpath(root / case_file, path.parent))}#L{quote(line)}"

    return review.render(summary, target, words, html=path.suffix.lower() in (".html", ".htm"))


def _words(record: RunRecord, folder: Path | None) -> Callable[[Requirement], str]:
    """Gives the words of the text behind a requirement. A record without anchors has those of the shipped corpus."""
    if folder is None and not any(entry.sdk for entry in record.metadata.implementations):
        return lambda _: ""
    corpus = load_corpus(shipped())
    recorded = {id_: entry for id_, entry in record.metadata.requirements.items() if entry.anchors}
    requirements = {**corpus.requirements, **recorded}
    text = text_of(folder, replace(corpus, requirements=requirements), records=[record])
    return lambda requirement: text.words(requirements.get(requirement.id, requirement)) if text else ""


def _checkout(path: Path) -> Path | None:
    """The nearest parent folder with a folder `cases`; None if there is none."""
    try:
        return next((folder for folder in path.parents if (folder / "cases").is_dir()), None)
    except PermissionError:
        return None


def _read(arguments: argparse.Namespace) -> tuple[RunRecord, Comparison | None]:
    """The record, or several as one, and the changes since the older record if one is given."""
    first, *others = arguments.records
    if others:
        return join([read_shard(path) for path in arguments.records]).record(), None
    if arguments.since is None:
        return read_record(first), None
    record = whole_record(first)
    return record, compared(whole_record(arguments.since), record)


def _check(wanted: dict[str, str], records: Sequence[Path]) -> None:
    """Raises `UsageError` if no report is requested, two have one file, or one would overwrite a record."""
    if not wanted:
        options = ", ".join(f"--{name} FILE" for name in (_DETAILS, *_FORMATS, _REVIEW))
        raise UsageError(f"No report is requested. Use at least one of: {options}.")
    taken = set()
    for file in wanted.values():
        place = file if file == _STDOUT else Path(file).resolve()
        if place in taken:
            where = "standard output" if file == _STDOUT else file
            raise UsageError(f"Two reports cannot be written to {where}. Name another file for one of them.")
        if file != _STDOUT and any(_is_same(Path(file), record) for record in records):
            raise UsageError(f"{file}: this is the record. Name another file for the report.")
        taken.add(place)


def _write(name: str, file: str, pieces: Iterable[str], log: TextIO) -> None:
    """Writes one report, and prints its path to `log`."""
    if file == _STDOUT:
        sys.stdout.buffer.writelines(piece.encode("utf-8") for piece in pieces)
        sys.stdout.flush()
        return
    path = Path(file)
    encoded = (piece.encode("utf-8") for piece in pieces)
    try:
        make_folder_of(path)
        if path.exists() and not path.is_file():
            with os.fdopen(_opened(path), "wb") as file_there:
                file_there.writelines(encoded)
        else:
            replace_file(path.resolve(), encoded)
    except OSError as error:
        why = "this pipe has no reader" if error.errno == errno.ENXIO else error.strerror
        raise ParityError(f"{path}: the {name} report cannot be written: {why}. Name another file.") from None
    print(printable(f"{name}: {path}"), file=log)


def _is_same(file: Path, record: Path) -> bool:
    """Whether both paths lead to one file, by a link too."""
    try:
        return file.samefile(record)
    except OSError:  # one of them does not exist
        return file.resolve() == record.resolve()


def _opened(path: Path) -> int:
    """A descriptor for writing a device or a pipe; a pipe without a reader is an error instead of a wait."""
    descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
    os.set_blocking(descriptor, True)
    return descriptor
