"""The option that gives the text of a specification, and where the text is found without it."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from ..corpus.loader import Corpus
from ..corpus.specification_text import SpecificationText, read_text
from ..errors import UsageError
from ..model import RunRecord
from ..report.result_text import sdk_folder
from .options import path_argument

WORDS = "shows the words behind each requirement"

FOUND = " (default: the known folder in the repository of a working copy that --sdk or a record names)"
"""What the help of a verb says that looks for the text by itself."""


def add_text_option(parser: argparse._ActionsContainer, effect: str) -> None:
    """Adds the option. `effect` is what it does."""
    parser.add_argument(
        "--text",
        dest="specification",
        type=path_argument,
        metavar="DIR",
        help=f"the folder with the documents of the specification, Markdown or plain text: {effect}",
    )


def text_of(
    folder: Path | None, corpus: Corpus, sdk: str = "", records: Iterable[RunRecord] = ()
) -> SpecificationText | None:
    """The text in `folder`, else in the repository of the working copy at `sdk` or of one that a record names; None if there
    is none. Raises `UsageError` if `folder` has no document of the corpus."""
    requirements = corpus.requirements.values()
    if folder is not None:
        return read_text(folder, requirements)
    sources = [sdk]
    for record in records:
        entries = [entry for entry in record.metadata.implementations if entry.sdk]
        sources += [sdk_folder(entry, record.metadata.options) for entry in entries]
    for known in _known_folders(corpus.text_folders.values(), sources):
        try:
            return read_text(known, requirements)
        except (OSError, UsageError):
            continue
    return None


def _known_folders(names: Collection[str], sources: Iterable[str]) -> Iterator[Path]:
    """The folders of these names in the repositories of the sources."""
    for source in filter(None, sources):
        for root in (Path(source).absolute(), *Path(source).absolute().parents):
            yield from (root / name for name in names if (root / name).is_dir())
            if (root / ".git").exists():
                break
