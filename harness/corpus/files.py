"""Which files a corpus has, and what each is: a catalogue, a fixture, a suite, a schema; and what is none of these."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from harness.errors import Problem, one_line

_SUITE = re.compile(r"[a-z0-9_]+(?:/[a-z0-9_-]+)+")
_SURROGATE = re.compile("[\ud800-\udfff]")  # what Python makes of a byte that is not UTF-8
_LOOKS_LIKE_CORPUS = (".yaml", ".yml", ".json", ".jsonl")


@dataclass(slots=True)
class SystemFiles:
    """The files of one system below `cases/`; suites by the name that their place gives them."""

    name: str
    catalogues: dict[str, Path] = field(default_factory=dict)
    fixtures: dict[str, Path] = field(default_factory=dict)
    suites: dict[str, Path] = field(default_factory=dict)


def case_files(root: Path, problems: list[Problem]) -> list[SystemFiles]:
    """The files below `root/cases`, by system; a problem for each that would be passed over in silence.

    Hidden files, and files that look like no part of a corpus, are nobody's business.
    """
    systems: dict[str, SystemFiles] = {}
    for path in _files(root / "cases", root, problems):
        parts = path.relative_to(root / "cases").parts
        shown = path.relative_to(root).as_posix()
        if path.suffix != ".yaml":
            problems.append(_stray(shown, _remedy(path)))
        elif len(parts) == 1:
            problems.append(_stray(shown, "Put it into the folder of a system, cases/<system>/."))
        else:
            _place(path, parts, shown, systems.setdefault(parts[0], SystemFiles(parts[0])), problems)
    return list(systems.values())


def _place(path: Path, parts: tuple[str, ...], shown: str, system: SystemFiles, problems: list[Problem]) -> None:
    inside = parts[1:]
    suite = "/".join(parts).removesuffix(".yaml")
    if inside in (("requirements.yaml",), ("rulings.yaml",)):
        system.catalogues[path.stem] = path
    elif inside[0] == "fixtures" and len(inside) == 2:
        system.fixtures[path.stem] = path
    elif inside[0] == "fixtures":
        problems.append(_stray(shown, f"Put it into cases/{system.name}/fixtures itself."))
    elif _SUITE.fullmatch(suite):
        system.suites[suite] = path
    else:
        message = f"The place would call the suite {one_line(suite)}; names have only a-z, 0-9, _ and -."
        problems.append(Problem(shown, message, "Rename the file or its folder."))


def schema_files(root: Path, problems: list[Problem]) -> list[Path]:
    """The schemas `root/schemas/<system>/*.json`; those directly below `schemas` describe files and are not meant."""
    found = []
    for path in _files(root / "schemas", root, problems):
        depth = len(path.relative_to(root / "schemas").parts)
        shown = path.relative_to(root).as_posix()
        if depth == 1:
            continue
        if path.suffix != ".json":
            problems.append(_stray(shown, "Write schemas as .json files."))
        elif depth > 2:
            problems.append(_stray(shown, "Put it into the folder of a system, schemas/<system>/."))
        else:
            found.append(path)
    return found


def _files(folder: Path, root: Path, problems: list[Problem]) -> list[Path]:
    """Every file below `folder` that looks like a part of a corpus, in order; links to folders are a problem."""
    found = []

    def unreadable(error: OSError) -> None:
        shown = Path(error.filename).relative_to(root).as_posix()
        problems.append(Problem(shown, f"This folder cannot be read: {error.strerror}.", "Check its permissions."))

    for here, folders, names in os.walk(folder, onerror=unreadable):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
        for name in folders:
            path = Path(here, name)
            if path.is_symlink():
                shown = path.relative_to(root).as_posix()
                message = "This folder is a link, and links to folders are not followed."
                problems.append(Problem(shown, message, "Put the folder itself here."))
        for path in (Path(here, name) for name in names if _looks_like_corpus(name)):
            shown = path.relative_to(root).as_posix()
            if _SURROGATE.search(shown):
                problems.append(Problem(shown, "The name of this file or its folder is not UTF-8.", "Rename it."))
            else:
                found.append(path)
    return sorted(found, key=lambda path: path.as_posix())


def _looks_like_corpus(name: str) -> bool:
    return not name.startswith(".") and name.lower().endswith(_LOOKS_LIKE_CORPUS)


def _stray(shown: str, remedy: str) -> Problem:
    return Problem(shown, "This file is no part of the corpus, and would be passed over.", remedy)


def _remedy(path: Path) -> str:
    return "Rename it to end in .yaml." if path.suffix.lower() in (".yml", ".yaml") else "Write it as a .yaml file."
