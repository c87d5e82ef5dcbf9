"""The words of the code: CONTRIBUTING.md bars names, and no name of a module says two things."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]


def paths() -> list[str]:
    """The modules of harness/."""
    return sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "harness").rglob("*.py"))


@cache
def modules() -> dict[str, ast.Module]:
    """The same with their content."""
    return {path: ast.parse((ROOT / path).read_text("utf-8")) for path in paths()}


@cache
def barred() -> set[tuple[str, str]]:
    """The names in the last column of the table, each with its kind: a class, a function or a loop."""
    table = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("## Words of the code")[1].split("\n## ")[0]
    last = [line.rstrip("|").rpartition("|")[2] for line in table.splitlines() if line.startswith("| **")]
    return {(kind, name) for cell in last for kind, name in re.findall(r"(class|function|loop) `(\w+)`", cell)}


def named(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """What a module defines, and the names of its loops."""
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name):
                yield "class", name.lstrip("_")
            case ast.FunctionDef(name=name):
                yield "function", name.lstrip("_")
            case ast.For(target=target) | ast.comprehension(target=target):
                yield from (("loop", part.id) for part in ast.walk(target) if isinstance(part, ast.Name))


def test_no_name_is_barred() -> None:
    """No class, function or loop has a barred name."""
    found = {(path, *name) for path, tree in modules().items() for name in barred().intersection(named(tree))}
    assert {(path, name) for path, _, name in found} == set()


def test_no_two_modules_share_a_name() -> None:
    """A module's name says what it holds without its folder."""
    names = Counter(Path(path).stem for path in paths() if not Path(path).stem.startswith("__"))
    assert {name for name, count in names.items() if count > 1} == set()
