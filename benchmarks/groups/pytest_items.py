"""`pytest cases/`: each case as an item, against as many items that do nothing."""

from __future__ import annotations

from collections.abc import Iterator

from ..measure import Sample, elapsed, in_turn, measure
from ..table import Row
from . import Bench, ratio

_CONFTEST = """\
import pytest


class Item(pytest.Item):
    def runtest(self):
        pass


class File(pytest.File):
    def collect(self):
        return [Item.from_parent(self, name=f"case-{number}") for number in range(int(self.path.read_text()))]


def pytest_collect_file(file_path, parent):
    return File.from_parent(parent, path=file_path) if file_path.suffix == ".items" else None
"""
ITEMS_A_FILE = 50
QUIET = ("-m", "pytest", "-q", "-p", "no:cacheprovider")


def pytest_items(bench: Bench) -> Iterator[Row]:
    """The reference on the shipped corpus, in one process and in two."""
    cases = (f"cases/{bench.sizes.suites}", "--adapter", "reference")
    collected = measure(bench.program(*QUIET, "--collect-only", *cases)).output
    count = sum("::" in line for line in collected.splitlines())
    floor = bench.folder / "floor"
    floor.mkdir()
    (floor / "conftest.py").write_text(_CONFTEST)
    for first in range(0, count, ITEMS_A_FILE):
        (floor / f"suite-{first}.items").write_text(str(min(ITEMS_A_FILE, count - first)))
    empty, one, two = in_turn(
        [
            bench.program(*QUIET, "-p", "no:parity", floor),
            bench.program(*QUIET, *cases),
            bench.program(*QUIET, *cases, "-n", "2"),
        ],
        max(1, min(3, bench.times)),
    )
    yield ratio("pytest cases/ over empty items", one, empty, f"{count:,} items that do nothing", 1.3)
    yield _against_one_process(two, one)


def _against_one_process(two: Sample, one: Sample) -> Row:
    value, least = two.over(one, elapsed)
    note = f"one process: {one.median(elapsed):.1f} s elapsed"
    return Row("pytest cases/ -n 2, elapsed", value, "×", note, 1, least)
