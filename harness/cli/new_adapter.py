"""Writes a starter adapter: the protocol is complete, and every operation of a system is listed as not written yet."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import sys
from collections import Counter
from pathlib import Path

from ..corpus.loader import Corpus, load_corpus
from ..errors import UsageError, one_line, plural, printable
from ..plan.chosen_cases import corpus_folder
from ..scaffolding.languages import Language, is_language, language_names, read_language
from ..scaffolding.shapes import shapes_of, simplest
from ..scaffolding.skeleton import build_and_command, skeleton
from .options import add_options, options_of, path_argument


def add_arguments(parser: argparse.ArgumentParser) -> None:
    names = language_names()
    parser.add_argument("language", type=_language, metavar="LANGUAGE", help=f"one of {', '.join(names)}")
    parser.add_argument("folder", type=path_argument, metavar="DIR", help="the folder to write: new or empty")
    parser.add_argument(
        "--system", metavar="NAME", help="the system whose operations are listed (default: the one with the most cases)"
    )
    add_options(parser, ["corpus"])


def _language(text: str) -> str:
    """The name of a language that has a skeleton."""
    if is_language(text):
        return text
    raise argparse.ArgumentTypeError(
        f"{one_line(text)} has no skeleton; expected one of {', '.join(language_names())}. An adapter can be "
        "written in any language: docs/porting-an-sdk.md shows a complete one"
    )


def run(arguments: argparse.Namespace) -> int:
    folder: Path = arguments.folder
    _check_is_empty(folder)
    corpus = load_corpus(corpus_folder(options_of(arguments)))
    shapes = shapes_of(_system(corpus, arguments.system), corpus.operations, corpus.schemas)
    language = read_language(arguments.language)
    elsewhere = arguments.corpus.resolve() if arguments.corpus else None
    first = simplest(shapes).operation
    cases = _cases_file(first, corpus)
    name = _name(folder)
    commands = _next(language, Path(), name, elsewhere, cases, parity="parity", pytest="pytest")
    files = skeleton(language, shapes, commands, name)
    _write(files, folder)
    print(printable(f"{folder}: {', '.join(sorted(files))}. It needs {language.needs}."))
    listed = f"{plural(len(shapes) - 1, 'other operation')} {'is' if len(shapes) == 2 else 'are'} listed"
    print(printable(f"{first} is sketched in {language.edit}; {listed} as not written yet."))
    print(printable(f"\nnext: fill in {first} in {folder / language.edit}, at its TODO; then"))
    ours = {name: _program(name) for name in ("parity", "pytest")}
    for command in _next(language, folder, name, arguments.corpus, cases, **ours):
        print(printable(f"  {command}"))
    return 0


def _check_is_empty(folder: Path) -> None:
    """Raises `UsageError` unless `folder` is empty or absent: no file is overwritten."""
    try:
        taken = any(folder.iterdir())
    except FileNotFoundError:
        return
    except OSError as error:
        raise UsageError(f"{folder} cannot be used: {error.strerror}. Name a new folder.") from None
    if taken:
        raise UsageError(f"{folder} is not empty; no file in it is overwritten. Name a new folder.")


def _system(corpus: Corpus, given: str | None) -> str:
    """The given system, or the one with the most cases. Raises `UsageError` for an unknown name."""
    systems = sorted({operation.system for operation in corpus.operations.values()})
    if given is not None and given not in systems:
        raise UsageError(
            f"--system {one_line(given)}: not a system of the corpus ({', '.join(systems)}). Correct the name."
        )
    if not systems:
        raise UsageError("The corpus describes no operations. Add schemas/<system>/<operation>.json.")
    cases = Counter(corpus.operations[case.operation].system for case in corpus.cases)
    return given or max(systems, key=lambda system: cases[system])


def _cases_file(operation: str, corpus: Corpus) -> str:
    """The case file with the most cases of the operation, below the folder `cases`; empty if no case has it."""
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


def _name(folder: Path) -> str:
    """The name of the port: that of its folder, as far as it can be a label of `--adapter`."""
    name = re.sub(r"[^a-z0-9]+", "-", folder.resolve().name.lower()).strip("-0123456789")
    return name or "my-sdk"


def _next(
    language: Language, folder: Path, name: str, corpus: Path | None, cases: str, *, parity: str, pytest: str
) -> list[str]:
    """The next commands, run from the parent of `folder`; the first one also builds the adapter where it needs a build."""
    build, command = build_and_command(language, folder)
    adapter = shlex.quote(f"{name}={command}")
    option = f" --corpus {shlex.quote(str(corpus))}" if corpus else ""
    return [
        f"{build} && {parity} probe{option} {adapter}" if build else f"{parity} probe{option} {adapter}",
        f"{parity} run{option} --adapter {adapter}",
        f'{pytest} "$({parity} cases{option} --path){cases}" --adapter {adapter} -x',
    ]


def _program(name: str) -> str:
    """The word that starts our program in this shell: its name if PATH leads to it, else its path."""
    ours, found, here = Path(sys.executable).with_name(name), shutil.which(name), Path.cwd()
    if not os.access(ours, os.X_OK) or (found and ours.samefile(found)):
        return name
    return shlex.quote(str(ours.relative_to(here) if ours.is_relative_to(here) else ours))
