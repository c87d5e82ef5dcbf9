"""Mutants of a module by the operators of mutmut, and of the reference by deviations.

Only the operators of mutmut are in use. Its runner starts a test runner for each mutant.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from libcst.metadata import CodeRange

    from .operators import Change

REFERENCE = "reference_impl"

_TYPES = frozenset("Callable Collection Iterable Iterator Mapping Sequence Set dict list set tuple".split())


class Kind(StrEnum):
    """Where a mutant comes from."""

    OPERATOR = "operator"
    DEVIATION = "deviation"


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change of the reference, or of an SDK.

    `name` has the module, the function, the operator and, if the operator changes the function in several ways, an
    ordinal: it stays when other functions change, and when lines of this one move. `scope` is the function, or the constant
    outside functions. `change` shows the first changed line.
    `module` is the path of the changed module and `source` its whole text; `first` and `last` are the changed lines of
    the original. A deviation has none of them; `switch` is its name.
    """

    name: str
    kind: Kind
    module: str = ""
    source: str = ""
    first: int = 0
    last: int = 0
    change: str = ""
    scope: str = ""
    switch: str = ""


def modules(root: Path) -> list[Path]:
    """The modules of the reference's main text that belong to a system or to a part that systems share."""
    top = root / REFERENCE
    folders = [folder for folder in sorted(top.iterdir()) if folder.is_dir() and folder.name != "readings"]
    return [path for folder in folders for path in sorted(folder.rglob("*.py"))]


def by_operators(root: Path, path: Path, chosen: Iterable[Change] | None = None) -> list[Mutant]:
    """Every mutant of a module that differs from it in more than annotations, and that Python can compile; `chosen`: of
    these changes alone."""
    from .operators import changes  # loads libcst and mutmut

    text = path.read_text(encoding="utf-8")
    shown = path.relative_to(root).as_posix()
    original = _compared(text)
    seen: set[str] = set()
    by_name: dict[tuple[str, str], list[tuple[CodeRange, str]]] = {}
    for change in changes(text) if chosen is None else chosen:
        changed = _spliced(text, change.place, change.new)
        if changed not in seen and _compared(changed) not in (original, None):
            seen.add(changed)
            name = " ".join((shown.removeprefix(f"{REFERENCE}/"), change.scope, change.operator))
            by_name.setdefault((name, change.scope), []).append((change.place, changed))
    return [
        Mutant(
            name if len(of_name) == 1 else f"{name} {ordinal}",
            Kind.OPERATOR,
            shown,
            changed,
            place.start.line,
            place.end.line,
            change=_change(text, changed),
            scope=scope,
        )
        for (name, scope), of_name in by_name.items()
        for ordinal, (place, changed) in enumerate(of_name, 1)
    ]


def by_deviations(names: Sequence[str]) -> list[Mutant]:
    """A mutant for each deviation. Readings are no mistakes; the tests of the readings ask the cases about them."""
    return [Mutant(name, Kind.DEVIATION, switch=name) for name in names]


def _spliced(text: str, place: CodeRange, new: str) -> str:
    lines = text.splitlines(keepends=True)
    before = "".join(lines[: place.start.line - 1]) + lines[place.start.line - 1][: place.start.column]
    after = lines[place.end.line - 1][place.end.column :] + "".join(lines[place.end.line :])
    return before + new + after


def _compared(text: str) -> str | None:
    """What a module computes, as text: without annotations, names of types, `strict` of `zip`, layout, messages of errors,
    and without all that only explanations show (`observe`, `SECTION`); None if Python cannot compile it."""
    try:
        tree = ast.parse(text)
        compile(tree, "mutant", "exec")
    except (SyntaxError, ValueError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign | ast.arg):
            node.annotation = ast.Constant(None)
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
        elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            node.exc.args = [one for one in node.exc.args if not _is_message(one)]
        elif isinstance(node, ast.Call):
            node.keywords = [one for one in node.keywords if one.arg not in ("observe", "strict")]
            if isinstance(node.func, ast.Name) and node.func.id == "observe":
                node.args = []
        elif isinstance(node, ast.Assign) and (_assigns_section(node) or _is_type(node.value)):
            node.value = ast.Constant(None)
    return ast.dump(tree)


def _assigns_section(node: ast.Assign) -> bool:
    return any(isinstance(one, ast.Name) and one.id == "SECTION" for one in node.targets)


def _is_message(argument: ast.expr) -> bool:
    """A text, a `str(error)`, or the null that an operator puts in its place."""
    if isinstance(argument, ast.Call):
        return isinstance(argument.func, ast.Name) and argument.func.id == "str"
    return isinstance(argument, ast.JoinedStr) or (
        isinstance(argument, ast.Constant) and isinstance(argument.value, str | None)
    )


def _is_type(value: ast.expr) -> bool:
    return isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name) and value.value.id in _TYPES


def _change(old: str, new: str) -> str:
    """`old line → new line`, of the first line that differs."""
    pairs = zip(old.splitlines(), new.splitlines(), strict=False)
    before, after = next(((a.strip(), b.strip()) for a, b in pairs if a.strip() != b.strip()), ("", ""))
    return f"{before} → {after}"
