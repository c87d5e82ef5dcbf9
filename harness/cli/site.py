"""Writes a static site from run records: a page for each suite, operation, requirement, ruling and version of an
implementation, and for each case with a failure or a variant. It works from disk and from any web host."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ..base.files import take_lock
from ..base.text_limits import MAX_NAME, MAX_WORD
from ..corpus.loader import Corpus, load_corpus
from ..corpus.value_types import operation_types
from ..errors import ParityError, RecordError, UsageError, one_line, printable
from ..plan.chosen_cases import corpus_folder
from ..records import going_on, read_record
from ..report.pages.schema_page import types_text
from ..report.site.contents import OperationText, SiteInput
from ..report.site.layout import Page
from ..report.site.pages import site_pages
from .options import add_options, check_each_once, options_of, path_argument
from .text_option import FOUND, WORDS, add_text_option, text_of

_LIST = "parity-site.json"
"""The list of the files of a site. A folder that has it, or an empty one, can be written to."""
_TYPES_WIDTH = 100
"""Columns of the types of an operation."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder",
        type=path_argument,
        metavar="DIR",
        help="the folder of the site: a new one, an empty one or an older site",
    )
    parser.add_argument(
        "records",
        type=path_argument,
        nargs="+",
        metavar="RECORD",
        help="run records, of any implementations and versions; versions of one implementation show a trend",
    )
    add_options(parser, ["corpus"])
    add_text_option(parser, f"{WORDS}{FOUND}")


def run(arguments: argparse.Namespace) -> int:
    folder: Path = arguments.folder
    older = _files_of(folder)
    corpus = load_corpus(corpus_folder(options_of(arguments)))
    records = [read_record(path) for path in arguments.records]
    check_each_once(arguments.records)
    given = SiteInput(
        records=records,
        cases=corpus.tagged(corpus.cases),
        requirements=corpus.requirements,
        rulings=corpus.rulings,
        operations=_operations(corpus),
        corpus_digest=corpus.digest,
        text=text_of(arguments.specification, corpus, records=records),
    )
    with _alone(folder):
        count, size = _write(folder, site_pages(given), older)
    print(printable(f"site: {folder / 'index.html'} ({count:,} files, {size / 1e6:.1f} MB)"))
    for path, record in zip(arguments.records, records, strict=True):
        named = one_line(", ".join(record.implementations), MAX_NAME)
        print(printable(f"record: {path}, of {one_line(record.metadata.started_at, MAX_WORD)}: {named}"))
    for path, record in zip(arguments.records, records, strict=True):
        if not record.complete:
            raise RecordError(
                f"{path}: this record has no footer: its run did not end. The site marks it as incomplete. "
                f"{going_on(path, record)}"
            )
    return 0


def _operations(corpus: Corpus) -> dict[str, OperationText]:
    """The title, the description and the types of each operation."""
    texts = {}
    for name, operation in corpus.operations.items():
        types = operation_types(corpus.schemas, operation.system, name)
        title = types.title if types.title != name else ""
        texts[name] = OperationText(title, types.description, "\n".join(types_text(types, _TYPES_WIDTH)))
    return texts


def _files_of(folder: Path) -> frozenset[str]:
    """The files of an older site in the folder; none if it is new or empty. Raises `UsageError` for any other folder."""
    try:
        if not folder.exists() or not any(folder.iterdir()):
            return frozenset()
        listed = json.loads((folder / _LIST).read_text("utf-8"))
    except NotADirectoryError:
        raise UsageError(f"{folder}: this is a file. Name a folder for the site.") from None
    except (OSError, ValueError):
        listed = None
    if not isinstance(listed, list) or not all(isinstance(name, str) for name in listed):
        message = f"{folder}: the folder has other files and no site of parity. Name a new or an empty folder."
        raise UsageError(message)
    return frozenset(name for name in listed if not Path(name).is_absolute() and ".." not in Path(name).parts)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Locks the folder; the lock ends with the process. Raises `ParityError` if another process has it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise ParityError(f"{one_line(str(folder))}: the site cannot be written: {error.strerror}.") from None
    try:
        if not take_lock(descriptor):
            raise ParityError(f"{folder}: another command is writing this site. Wait for it, or name another folder.")
        yield
    finally:
        os.close(descriptor)


def _write(folder: Path, pages: Iterable[Page], older: frozenset[str]) -> tuple[int, int]:
    """Writes the pages, removes the files of the older site that this one does not have, and returns the number of files
    and of bytes."""
    written: set[str] = set()
    size = 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / _LIST).write_text(json.dumps(sorted(older)), "utf-8")
        made: set[Path] = set()
        for page in pages:
            path = folder / page.path
            if path.parent not in made:
                path.parent.mkdir(parents=True, exist_ok=True)
                made.add(path.parent)
            content = page.text.encode("utf-8")
            path.write_bytes(content)
            written.add(page.path)
            size += len(content)
        for name in older - written:
            (folder / name).unlink(missing_ok=True)
        (folder / _LIST).write_text(json.dumps(sorted(written)), "utf-8")
    except OSError as error:
        where = error.filename or folder
        raise ParityError(f"{one_line(str(where))}: the site cannot be written: {error.strerror}.") from None
    return len(written), size
