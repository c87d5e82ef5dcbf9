"""Mutants of the reference: by the operators of mutmut, by a table of porters' mistakes, and by deviations.

Only the operators of mutmut are in use. Its runner starts a test runner for each mutant.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import libcst as cst
import yaml
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators

REFERENCE = "reference_impl"

MISTAKES = Path(__file__).with_name("mistakes.yaml")
_TYPES = frozenset("Callable Collection Iterable Iterator Mapping Sequence Set dict list set tuple".split())
_NOT_MUTATED = (cst.Annotation, cst.Decorator, cst.Import, cst.ImportFrom)


class Kind(StrEnum):
    """Where a mutant comes from."""

    OPERATOR = "operator"
    MISTAKE = "mistake"
    DEVIATION = "deviation"


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change of the reference. `name` stays when other lines change.

    `module` is the path of the changed module and `source` its whole text; `first` and `last` are the changed lines of
    the original, or for a mistake those of the function. A deviation has none of them; `switch` is its name.
    """

    name: str
    kind: Kind
    module: str = ""
    source: str = ""
    first: int = 0
    last: int = 0
    switch: str = ""


def modules(root: Path) -> list[Path]:
    """The modules of the reference's main text that belong to a system or to a part that systems share."""
    top = root / REFERENCE
    folders = [folder for folder in sorted(top.iterdir()) if folder.is_dir() and folder.name != "readings"]
    return [path for folder in folders for path in sorted(folder.rglob("*.py"))]


def by_operators(root: Path, path: Path) -> Iterator[Mutant]:
    """Every mutant of a module that differs from it in more than annotations, and that Python can compile."""
    text = path.read_text(encoding="utf-8")
    shown = path.relative_to(root).as_posix()
    original = _compared(text)
    seen: set[str] = set()
    names: Counter[str] = Counter()
    for place, new in _changes(text):
        changed = _spliced(text, place, new)
        if changed in seen or _compared(changed) in (original, None):
            continue
        seen.add(changed)
        name = _name(shown, text, changed, names)
        yield Mutant(name, Kind.OPERATOR, shown, changed, place.start.line, place.end.line)


def by_mistakes(root: Path, table: Path = MISTAKES) -> Iterator[Mutant]:
    """The mutants of a table of mistakes. Raises `ValueError` for a text that its module does not have exactly once."""
    for entry in yaml.safe_load(table.read_text(encoding="utf-8")):
        module, before = entry["module"], entry["before"]
        text = (root / REFERENCE / module).read_text(encoding="utf-8")
        if text.count(before) != 1:
            raise ValueError(f"{table.name}: {entry['name']}: its text stands {text.count(before)} times in {module}.")
        first = text[: text.index(before)].count("\n") + 1
        first, last = _function_of(text, first, first + before.rstrip("\n").count("\n"))
        changed = text.replace(before, entry["after"])
        yield Mutant(f"{module}: {entry['name']}", Kind.MISTAKE, f"{REFERENCE}/{module}", changed, first, last)


def _function_of(text: str, first: int, last: int) -> tuple[int, int]:
    """The lines of the function around the lines from `first` to `last`; these lines if there is none.

    A mistake can add a step to a function that its old lines did not take, such as a second `if` for an `elif`.
    """
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            begin, end = node.body[0].lineno, node.end_lineno or 0
            if begin <= first and last <= end:
                return begin, end
    return first, last


def by_deviations(names: Sequence[str]) -> list[Mutant]:
    """A mutant for each deviation. Readings are no mistakes; the tests of the readings ask the cases about them."""
    return [Mutant(name, Kind.DEVIATION, switch=name) for name in names]


def _changes(text: str) -> Iterator[tuple[CodeRange, str]]:
    """Places of a module, each with the text that an operator puts there."""
    wrapper = MetadataWrapper(cst.parse_module(text))
    collector = _Collector(wrapper.resolve(PositionProvider))
    wrapper.module.visit(collector)
    printer = cst.Module([])
    for node, new in collector.found:
        yield collector.places[node], printer.code_for_node(new).strip("\n")


class _Collector(cst.CSTVisitor):
    """Collects every node that an operator changes, with the node in its place."""

    def __init__(self, places: Mapping[cst.CSTNode, Any]) -> None:
        super().__init__()
        self.places = places
        self.found: list[tuple[cst.CSTNode, cst.CSTNode]] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, _NOT_MUTATED):
            return False
        for kind, operator in mutation_operators:
            if isinstance(node, kind):
                change: Callable[[Any], Any] = operator
                self.found += [(node, new) for new in change(node)]
        return True


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


def _name(shown: str, old: str, new: str, names: Counter[str]) -> str:
    """`module: old line → new line`, with a number behind the second of the same name."""
    pairs = zip(old.splitlines(), new.splitlines(), strict=False)
    before, after = next(((a, b) for a, b in pairs if a != b), ("", ""))
    name = f"{shown.removeprefix(REFERENCE + '/')}: {before.strip()} → {after.strip()}"
    names[name] += 1
    return name if names[name] == 1 else f"{name} ({names[name]})"
