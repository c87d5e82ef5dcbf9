"""Adopts another reading of a ruling in the corpus of a checkout: the letter in the ruling and in its disputed cases, and
the answers of other cases that change. Lists what only a person can do."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ..base.files import replace_file
from ..corpus.adoption import Adoption, adopt, mentions
from ..corpus.loader import check_corpus, load_corpus
from ..corpus.paths import shipped
from ..corpus.reading_names import named_readings, other_readings
from ..errors import CorpusError, ParityError, Problem, UsageError, one_line
from ..model import Choice
from ..plan.chosen_cases import corpus_folder
from ..plan.run_plan import required_answers
from ..report.document_terminal import Medium
from ..report.pages.adoption_page import AdoptionPage, render
from .options import add_options, options_of
from .streams import medium


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("readings", nargs="+", metavar="RULING=READING", help="the reading to adopt, such as RUL-B65=b")
    parser.add_argument(
        "--write",
        action="store_true",
        help="change the files (default: show what would be changed, and change nothing)",
    )
    parser.add_argument("--markdown", action="store_true", help="print the page as Markdown, for an issue")
    add_options(parser, ["corpus"])


def run(arguments: argparse.Namespace) -> int:
    root = corpus_folder(options_of(arguments))
    _check_folder(root, is_named=bool(arguments.corpus))
    corpus = load_corpus(root)
    check_corpus(corpus)
    readings = named_readings(arguments.readings, corpus.rulings)
    for ruling, reading in readings:
        if reading == corpus.rulings[ruling].adopted:
            others = ", ".join(other_readings(ruling, corpus.rulings))
            raise UsageError(f"{ruling}={reading}: this reading is adopted already. Other readings: {others}.")
    with required_answers(Choice(readings), corpus.rulings) as source:
        adoption = adopt(readings, corpus, source)
    page = AdoptionPage(
        adoption=adoption,
        rulings=corpus.rulings,
        requirements=corpus.requirements,
        mentions=list(mentions(root, [ruling for ruling, _ in readings])),
        folder=str(root),
        corpus=str(arguments.corpus or ""),
        is_written=arguments.write,
        problems=_written(root, adoption) if arguments.write else (),
    )
    sys.stdout.write(render(page, Medium(is_markdown=True) if arguments.markdown else medium()))
    return 1 if page.problems else 0


def _check_folder(root: Path, *, is_named: bool) -> None:
    """Raises `UsageError` for the corpus of an installed parity, which the next installation replaces, and where nobody
    names a folder but the current one has a corpus of its own."""
    here = Path.cwd()
    if not is_named and here != root and (here / "cases").is_dir() and (here / "schemas").is_dir():
        raise UsageError(
            f"This parity belongs to {root}, and the current folder has a corpus too. Name the one to edit: --corpus ."
        )
    if root == shipped() and not (root / "pyproject.toml").exists():
        raise UsageError(
            f"{root}: this is the corpus of an installed parity, and no checkout. Name a folder with cases/ and schemas/ "
            "that you keep: --corpus DIR"
        )


def _written(root: Path, adoption: Adoption) -> tuple[Problem, ...]:
    """Writes the files, and returns the problems that the corpus has then."""
    for name, text in adoption.texts.items():
        try:
            replace_file(root / name, [text.encode("utf-8")])
        except OSError as error:
            raise ParityError(f"{one_line(str(root / name))}: the file cannot be written: {error.strerror}.") from None
    try:
        check_corpus(load_corpus(root))
    except CorpusError as error:
        return error.problems
    return ()
