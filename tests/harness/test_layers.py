"""The direction in which the rooms of the harness use each other, read off the imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

FLOORS = (
    {"model"},
    {"errors"},
    {"compare"},
    {"protocol"},
    {"corpus"},
    {"transport", "extras"},
    {"runner", "scaffolding"},
    {"records"},
    {"report"},
    {"probe", "fuzz", "plan"},
    {"api"},
    {"cli", "pytest_plugin"},
    {"__main__"},
)
"""From the ground up; a room uses those on floors below its own."""

FLOOR = {room: number for number, floor in enumerate(FLOORS) for room in floor}


def imported(path: Path) -> Iterator[str]:
    """The full names of the modules that a file imports, anywhere in it."""
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            yield ".".join([*above, *([node.module] if node.module else [])])
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def modules(folder: str) -> list[Path]:
    return [path.relative_to(ROOT) for path in sorted((ROOT / folder).rglob("*.py"))]


@pytest.mark.parametrize("path", modules("harness"), ids=str)
def test_a_room_uses_only_what_lies_below_it(path: Path) -> None:
    """Imports lead downwards or stay in the room, and never to the reference."""
    room = path.parts[1].removesuffix(".py")
    used = [name.split(".") for name in imported(ROOT / path)]
    assert [name for name in used if name[0] in ("reference_impl", "strategies")] == []
    others = {name[1] for name in used if name[0] == "harness" and len(name) > 1} - {room}
    assert {other for other in others if FLOOR[other] >= FLOOR[room]} == set()


@pytest.mark.parametrize(
    "path", [*modules("reference_impl"), *modules("adapters/reference"), *modules("strategies")], ids=str
)
def test_the_reference_knows_nothing_of_the_harness(path: Path) -> None:
    """The executable specification could be taken out and read alone."""
    assert [name for name in imported(ROOT / path) if name.split(".")[0] == "harness"] == []
