"""Builds of a Python working copy: after an edit of one line, against the first build and against the language alone."""

from __future__ import annotations

import shutil
import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..measure import Command, Cost, cpu, measure
from ..table import Row
from . import HERE, Bench
from .start import CASE

PACKAGE = "src/jeffs_brain_memory"
INSTALL = HERE / "programs" / "install.py"
OVER_FIRST = "edited Python copy built, over its first build"
OVER_LANGUAGE = "edited Python copy built, over venv and pip"

Round = tuple[Cost, Cost, Cost, Cost]
"""The costs of one case: with the first build, with the build after an edit, without a build; and of the language alone."""


def builds(bench: Bench) -> Iterator[Row]:
    """Both ratios, without the cost of the case itself. The stand-in of the tests has no dependencies, so its first build
    is the shortest possible; `--python-sdk DIR` measures a copy of the SDK."""
    copy = bench.folder / "copy"
    given = bench.python_sdk or bench.root / "tests" / "adapters" / "python_package"
    shutil.copytree(given, copy, ignore=shutil.ignore_patterns(".git", ".venv", "__pycache__"))
    if bench.sizes.own_caches:  # which are empty
        run = ("run", "--adapter", "reference", "--select", CASE, "--record", bench.folder / "copy.jsonl")
        measure(bench.command(*run))
    rounds = [_round(bench, copy, number) for number in range(1, 1 + max(1, min(3, bench.times)))]
    name = "the SDK" if bench.python_sdk else "the stand-in of the tests"
    edited = [max(edit.cpu - without.cpu, 0.001) for _, edit, without, _ in rounds]
    first = [max(first.cpu - without.cpu, 0.001) for first, _, without, _ in rounds]
    alone = [cpu(language) for _, _, _, language in rounds]
    yield _ratio(OVER_FIRST, edited, first, f"the first build of {name}", 0.25)
    yield _ratio(OVER_LANGUAGE, edited, alone, "an environment without pip, an editable install", 1.5)


def _round(bench: Bench, copy: Path, number: int) -> Round:
    """One round: another pyproject.toml, so that nothing of an earlier build fits; then one more line in a module."""
    run = bench.command(
        "run", "--adapter", "python", "--sdk", copy, "--select", CASE, "--record", bench.folder / "copy.jsonl"
    )
    _append(copy / "pyproject.toml", f"# round {number}\n")
    first = measure(run)
    _append(copy / PACKAGE / "__init__.py", f"# round {number}\n")
    edited, without = measure(run), measure(run)
    alone = Command((_base(bench), INSTALL, copy, bench.folder / f"environment-{number}"), bench.root)
    return first, edited, without, measure(alone)


def _base(bench: Bench) -> Path:
    """The interpreter of the newest base: it has pip, and what the build of the copy requires."""
    found = (bench.cache / "builds").glob("python-base-*/*/environment/bin/python")
    return max(found, key=lambda path: path.lstat().st_mtime)


def _append(path: Path, line: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(line)


def _ratio(name: str, mine: Sequence[float], floor: Sequence[float], of: str, goal: float) -> Row:
    value = statistics.median(one / bare for one, bare in zip(mine, floor, strict=True))
    note = f"{of}: {statistics.median(floor):.2f} s CPU"
    return Row(name, value, "×", note, goal, min(mine) / min(floor))
