"""Mutants of the reference: by the operators of mutmut, and by deviations.

Only the operators of mutmut are in use. Its runner starts a test runner for each mutant.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators

REFERENCE = "reference_impl"

_TYPES = frozenset("Callable Collection Iterable Iterator Mapping Sequence Set dict list set tuple".split())
_NOT_MUTATED = (cst.Annotation, cst.Decorator, cst.Import, cst.ImportFrom)


class Kind(StrEnum):
    """Where a mutant comes from."""

    OPERATOR = "operator"
    DEVIATION = "deviation"


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change of the reference.

    `name` has the module, the function, the operator and, if the operator changes the function in several ways, an
    ordinal: it stays when other functions change, and when lines of this one move. `change` shows the first changed line.
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
    switch: str = ""


def modules(root: Path) -> list[Path]:
    """The modules of the reference's main text that belong to a system or to a part that systems share."""
    top = root / REFERENCE
    folders = [folder for folder in sorted(top.iterdir()) if folder.is_dir() and folder.name != "readings"]
    return [path for folder in folders for path in sorted(folder.rglob("*.py"))]


def by_operators(root: Path, path: Path) -> list[Mutant]:
    """Every mutant of a module that differs from it in more than annotations, and that Python can compile."""
    text = path.read_text(encoding="utf-8")
    shown = path.relative_to(root).as_posix()
    original = _compared(text)
    seen: set[str] = set()
    by_name: dict[str, list[tuple[CodeRange, str]]] = {}
    for change in _changes(text):
        changed = _spliced(text, change.place, change.new)
        if changed not in seen and _compared(changed) not in (original, None):
            seen.add(changed)
            name = " ".join((shown.removeprefix(f"{REFERENCE}/"), change.scope, change.operator))
            by_name.setdefault(name, []).append((change.place, changed))
    return [
        Mutant(
            name if len(of_name) == 1 else f"{name} {ordinal}",
            Kind.OPERATOR,
            shown,
            changed,
            place.start.line,
            place.end.line,
            change=_change(text, changed),
        )
        for name, of_name in by_name.items()
        for ordinal, (place, changed) in enumerate(of_name, 1)
    ]


def by_deviations(names: Sequence[str]) -> list[Mutant]:
    """A mutant for each deviation. Readings are no mistakes; the tests of the readings ask the cases about them."""
    return [Mutant(name, Kind.DEVIATION, switch=name) for name in names]


@dataclass(frozen=True, slots=True)
class _Change:
    """A new text at a place of a module. `scope` names the function, or the constant of a module or class, around it."""

    scope: str
    operator: str
    place: CodeRange
    new: str


def _changes(text: str) -> Iterator[_Change]:
    """What each operator changes in a module, in the order of its places."""
    wrapper = MetadataWrapper(cst.parse_module(text))
    places = wrapper.resolve(PositionProvider)
    collector = _Collector()
    wrapper.module.visit(collector)
    printer = cst.Module([])
    for scope, operator, node, new in collector.found:
        yield _Change(scope, operator, places[node], printer.code_for_node(new).strip("\n"))


class _Collector(cst.CSTVisitor):
    """Collects what the operators change: the scope, the operator, the node, and the node in its place."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str, cst.CSTNode, cst.CSTNode]] = []
        self._scopes: list[tuple[cst.CSTNode, str]] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, _NOT_MUTATED):
            return False
        if name := self._name_of(node):
            self._scopes.append((node, name))
        scope = ".".join(name for _, name in self._scopes) or "-"
        for kind, operator in mutation_operators:
            if isinstance(node, kind):
                change: Callable[[Any], Any] = operator
                label = operator.__name__.removeprefix("operator_")
                self.found += [(scope, label, node, new) for new in change(node)]
        return True

    def on_leave(self, original_node: cst.CSTNode) -> None:
        if self._scopes and self._scopes[-1][0] is original_node:
            self._scopes.pop()

    def _name_of(self, node: cst.CSTNode) -> str:
        """The name of a function, a class, or a constant outside functions; empty for any other node."""
        is_inside = any(isinstance(around, cst.FunctionDef) for around, _ in self._scopes)
        match node:
            case cst.FunctionDef(name=cst.Name(value=name)) | cst.ClassDef(name=cst.Name(value=name)):
                return name
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name)), *_]) if not is_inside:
                return name
            case cst.AnnAssign(target=cst.Name(value=name)) if not is_inside:
                return name
        return ""


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
    before, after = next(((a, b) for a, b in pairs if a != b), ("", ""))
    return f"{before.strip()} → {after.strip()}"
