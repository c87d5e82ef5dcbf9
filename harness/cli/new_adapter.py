"""Writes an adapter to begin with: it speaks the protocol, and lists every operation of a system as not written yet."""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import sys
from collections import Counter
from pathlib import Path

from harness.cli.options import add_corpus_folder, place
from harness.corpus.loader import Corpus, load_corpus
from harness.corpus.paths import shipped
from harness.errors import UsageError, one_line, printable
from harness.report.text import plural
from harness.scaffolding.languages import Language, is_language, language_names, read_language
from harness.scaffolding.shapes import shapes_of, simplest
from harness.scaffolding.writer import build_and_command, skeleton


def add_arguments(parser: argparse.ArgumentParser) -> None:
    names = language_names()
    parser.add_argument("language", type=_language, metavar="LANGUAGE", help=f"one of {', '.join(names)}")
    parser.add_argument("folder", type=place, metavar="DIR", help="where it is written: a new folder, or an empty one")
    parser.add_argument(
        "--system", metavar="NAME", help="whose operations are listed (default: the system with the most cases)"
    )
    add_corpus_folder(parser)


def _language(text: str) -> str:
    """The name of a language that there is a skeleton for."""
    if is_language(text):
        return text
    raise argparse.ArgumentTypeError(
        f"there is no skeleton for {one_line(text, 60)}, but for {', '.join(language_names())}. An adapter can be written "
        "in any other language too: docs/porting-an-sdk.md shows a whole one"
    )


def run(arguments: argparse.Namespace) -> int:
    folder: Path = arguments.folder
    _refuse_what_is_there(folder)
    corpus = load_corpus((arguments.corpus or shipped()).resolve())
    shapes = shapes_of(_system(corpus, arguments.system), corpus.operations, corpus.schemas)
    language = read_language(arguments.language)
    elsewhere = arguments.corpus.resolve() if arguments.corpus else None
    first = simplest(shapes).operation
    cases = _cases_file(first, corpus)
    files = skeleton(language, shapes, _next(language, Path(), elsewhere, cases, parity="parity", pytest="pytest"))
    _write(files, folder)
    print(printable(f"{folder}: {', '.join(sorted(files))}. It needs {language.needs}."))
    listed = f"{plural(len(shapes) - 1, 'other operation')} {'is' if len(shapes) == 2 else 'are'} listed"
    print(printable(f"{first} is sketched in {language.edit}; {listed} as not written yet."))
    print(printable(f"\nnext: fill in {first} in {folder / language.edit}, at its TODO; then"))
    ours = {name: _program(name) for name in ("parity", "pytest")}
    for command in _next(language, folder, arguments.corpus, cases, **ours):
        print(printable(f"  {command}"))
    return 0


def _refuse_what_is_there(folder: Path) -> None:
    """Raises `UsageError` unless `folder` is empty or not there: nobody's file is written over."""
    try:
        taken = any(folder.iterdir())
    except FileNotFoundError:
        return
    except OSError as error:
        raise UsageError(f"{folder} cannot be used: {error.strerror}. Name a folder that is not there yet.") from None
    if taken:
        raise UsageError(f"{folder} is not empty, and nothing in it is written over. Name a new folder.")


def _system(corpus: Corpus, given: str | None) -> str:
    """The system that is meant. Raises `UsageError` if there is none of that name."""
    known = sorted({operation.system for operation in corpus.operations.values()})
    if given is not None and given not in known:
        raise UsageError(f"The corpus has no system {one_line(given, 60)}. It has: {', '.join(known)}.")
    if not known:
        raise UsageError("The corpus describes no operations. Add schemas/<system>/<operation>.json.")
    cases = Counter(corpus.operations[case.operation].system for case in corpus.cases)
    return given or max(known, key=lambda system: cases[system])


def _cases_file(operation: str, corpus: Corpus) -> str:
    """The file with the most cases of the operation, below the folder of the cases; empty if it has none."""
    files = Counter(case.at.rpartition(":")[0] for case in corpus.cases if case.operation == operation)
    return max(files, key=lambda file: files[file]).removeprefix("cases") if files else ""


def _write(files: dict[str, str], folder: Path) -> None:
    try:
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    except OSError as error:
        raise UsageError(f"{error.filename} cannot be written: {error.strerror}. Name another folder.") from None


def _next(language: Language, folder: Path, corpus: Path | None, cases: str, *, parity: str, pytest: str) -> list[str]:
    """The commands to go on with, from the folder in which `folder` is found; the first builds what has to be built."""
    build, command = build_and_command(language, folder)
    adapter = shlex.quote(command)
    option = f" --corpus {shlex.quote(str(corpus))}" if corpus else ""
    return [
        f"{build} && {parity} probe{option} {adapter}" if build else f"{parity} probe{option} {adapter}",
        f"{parity} run{option} --adapter {adapter}",
        f'{pytest} "$({parity} cases{option} --path){cases}" --adapter {adapter} -x',
    ]


def _program(name: str) -> str:
    """What a shell here calls one of our programs by: its name, unless that is another program or none; else its path."""
    ours, found, here = Path(sys.executable).with_name(name), shutil.which(name), Path.cwd()
    if not os.access(ours, os.X_OK) or (found and ours.samefile(found)):
        return name
    return shlex.quote(str(ours.relative_to(here) if ours.is_relative_to(here) else ours))
