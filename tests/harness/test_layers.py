"""The direction in which the rooms of the harness use each other, read off the imports."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

FLOORS = (
    {"model", "base"},
    {"errors"},
    {"compare"},
    {"protocol"},
    {"corpus"},
    {"transport", "extras", "gate"},
    {"runner", "scaffolding"},
    {"records"},
    {"plan"},
    {"report"},
    {"probe", "fuzz"},
    {"api"},
    {"cli", "pytest_plugin"},
    {"__main__"},
)
"""From the ground up; a room uses those on floors below its own."""

FLOOR = {room: number for number, floor in enumerate(FLOORS) for room in floor}


@cache
def imports(folder: str) -> dict[Path, frozenset[tuple[str, bool]]]:
    """For each module below a folder the full names that it imports, anywhere in it, and whether an import is relative."""
    paths = [path.relative_to(ROOT) for path in (ROOT / folder).rglob("*.py")]
    return {path: frozenset(_imports(path)) for path in sorted(paths)}


def _imports(path: Path) -> Iterator[tuple[str, bool]]:
    package = path.parent.parts
    for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            yield ".".join([*above, *([node.module] if node.module else [])]), node.level > 0
        elif isinstance(node, ast.Import):
            yield from ((alias.name, False) for alias in node.names)


def test_a_room_uses_only_what_lies_below_it() -> None:
    """Imports lead downwards or stay in the room, and never to the reference."""
    wrong = set()
    for path, names in imports("harness").items():
        room = path.parts[1].removesuffix(".py")
        for first, *others in (name.split(".") for name, _ in names):
            is_upward = first == "harness" and others and others[0] != room and FLOOR[others[0]] >= FLOOR[room]
            if first in ("reference_impl", "strategies") or is_upward:
                wrong.add((path.as_posix(), ".".join([first, *others])))
    assert wrong == set()


def test_the_reference_knows_nothing_of_the_harness() -> None:
    """The executable specification could be taken out and read alone."""
    folders = ("reference_impl", "adapters/reference", "strategies")
    modules = {path: names for folder in folders for path, names in imports(folder).items()}
    assert len(modules) > 100
    assert [path for path, names in modules.items() if any(name.split(".")[0] == "harness" for name, _ in names)] == []


def test_a_model_knows_the_reference_and_other_models_alone() -> None:
    """What an SDK does beyond the specification extends the reference, which knows no model."""
    names = {name for path, found in imports("adapters").items() if "model" in path.parts for name, _ in found}
    ours = {name for name in names if name.split(".")[0] not in sys.stdlib_module_names}
    assert ours
    assert all(name.startswith("reference_impl.") or name.split(".")[2:3] == ["model"] for name in ours)
    assert not any(
        name.split(".")[0] == "adapters" for found in imports("reference_impl").values() for name, _ in found
    )


def test_imports_inside_a_package_are_relative() -> None:
    """No module names its own package, whose full name differs between a checkout and an installation."""
    packages = ("harness", "reference_impl", "strategies", "parity")
    absolute = {
        (path.as_posix(), name)
        for package in packages[:3]
        for path, names in imports(package).items()
        for name, is_relative in names
        if not is_relative and name.split(".")[0] in packages
    }
    assert absolute == set()
