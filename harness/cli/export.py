"""Writes the corpus as plain JSON into a folder, for a test suite that does not use parity. docs/exported-corpus.md
describes the files."""

from __future__ import annotations

import argparse
from pathlib import Path

from .. import VERSION
from ..base.files import make_folder_of
from ..corpus.exported import MANIFEST, ExportedFile, export, listed, stale
from ..corpus.loader import check_corpus
from ..errors import ParityError, UsageError, one_line, plural
from ..plan.chosen_cases import read_corpus
from ..report.phrases import first_and_more
from ..scaffolding.runners import RUNNERS, runner_files
from .options import CORPUS, add_options, options_of, path_argument
from .streams import notice

_MAX_SHOWN = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=path_argument, metavar="DIR", help="the folder of the exported corpus")
    add_options(parser, CORPUS)
    parser.add_argument(
        "--runner",
        choices=RUNNERS,
        action="append",
        default=[],
        help="also write a small runner for this test framework; may be repeated",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; exit with 1 if the folder is not up to date, and list the files",
    )


def run(arguments: argparse.Namespace) -> int:
    corpus, cases, _ = read_corpus(options_of(arguments), notice)
    check_corpus(corpus)
    folder: Path = arguments.folder
    files = [
        *export(corpus, corpus.tagged(cases), VERSION),
        *(file for name in arguments.runner for file in runner_files(name)),
    ]
    outdated = stale(folder, files)
    if arguments.check:
        _print(outdated, folder)
        return 1 if outdated else 0
    if folder.is_dir() and any(folder.iterdir()) and not listed(folder):
        raise UsageError(f"{folder}: the folder has files, but no {MANIFEST} of an export. Name an empty folder.")
    _write(folder, files, [path for path, state in outdated.items() if state == "surplus"])
    systems = ", ".join(sorted({case.system for case in cases}))
    counts = f"{plural(len(files), 'file')}, {plural(len(outdated), 'change')}"
    print(f"{plural(len(cases), 'case')} of {systems} in {folder}: {counts}")
    return 0


def _print(outdated: dict[str, str], folder: Path) -> None:
    if not outdated:
        print(f"{folder} is up to date.")
        return
    print(f"{folder} is not up to date: {plural(len(outdated), 'file')}")
    for line in first_and_more([f"{one_line(path)}: {state}" for path, state in outdated.items()], _MAX_SHOWN):
        print(f"  {line}")
    print("To update it, run the same command without --check.")


def _write(folder: Path, files: list[ExportedFile], surplus: list[str]) -> None:
    for path in [*surplus, *(file.path for file in files)]:
        _refuse_link(folder, path)
    try:
        for path in surplus:
            (folder / path).unlink()
        for file in files:
            make_folder_of(folder / file.path)
            (folder / file.path).write_text(file.text, "utf-8", newline="\n")
    except OSError as error:
        raise ParityError(f"{error.filename}: {error.strerror}. Name a folder that can be written to.") from None


def _refuse_link(folder: Path, path: str) -> None:
    """Raises `UsageError` if a link below the folder would lead the file elsewhere."""
    places = [folder / path, *(folder / path).parents]
    for place in places[: len(Path(path).parts)]:
        if place.is_symlink():
            raise UsageError(
                f"{place}: this is a symbolic link, and an export stays in its folder. Delete it, or name another folder."
            )
