"""What the operators of mutmut change in the text of a module."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators

_NOT_MUTATED = (cst.Annotation, cst.Decorator, cst.Import, cst.ImportFrom)


@dataclass(frozen=True, slots=True)
class Change:
    """A new text at a place of a module. `scope` names the function, or the constant of a module or class, around it."""

    scope: str
    operator: str
    place: CodeRange
    new: str


def changes(text: str) -> Iterator[Change]:
    """What each operator changes in a module, in the order of its places."""
    wrapper = MetadataWrapper(cst.parse_module(text))
    places = wrapper.resolve(PositionProvider)
    collector = _Collector()
    wrapper.module.visit(collector)
    printer = cst.Module([])
    for scope, operator, node, new in collector.found:
        yield Change(scope, operator, places[node], printer.code_for_node(new).strip("\n"))


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
