"""Puts the text of a mutant in the place of a module of the reference, in this process.

A change in the body of a function replaces the function's code. Any other change imports the reference anew, which costs
about 0.12 s.
"""

from __future__ import annotations

import ast
import functools
import inspect
import sys
from collections.abc import Collection
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from .mutants import REFERENCE, Mutant


def substitute(mutant: Mutant, at_import: Collection[int]) -> None:
    """Changes the imported reference into the mutant.

    `at_import`: lines of the original that its import executes; what a function among them returns is kept in
    constants, so that a change of it needs a new import. Raises whatever the import of the mutant raises.
    """
    if not _replace_code(mutant, at_import):
        sys.meta_path.insert(0, _Finder(_dotted(mutant.module), mutant.source, mutant.module))
        forget_reference()


def forget_reference() -> None:
    """Lets the next import execute the modules of the reference again, and those of the models that extend it."""
    for name in [name for name in sys.modules if name.split(".")[0] in (REFERENCE, "adapters")]:
        del sys.modules[name]


def _replace_code(mutant: Mutant, at_import: Collection[int]) -> bool:
    """Gives the changed function its new code; False if the change is not within the body of one function."""
    module = sys.modules.get(_dotted(mutant.module))
    if module is None or module.__file__ is None:
        return False
    path = _function_around(ast.parse(Path(module.__file__).read_text(encoding="utf-8")), mutant, at_import)
    if not path:
        return False
    code: CodeType | None = compile(mutant.source, mutant.module, "exec")
    value: object = module
    for name in path:
        code = _inner(code, name) if code else None
        value = vars(value).get(name) if isinstance(value, type | ModuleType) else None
    function = _unwrapped(value)
    if code is None or function is None or code.co_freevars != function.__code__.co_freevars:
        return False
    function.__code__ = code
    for cached in caches_of_reference():
        cached.cache_clear()
    return True


def _function_around(original: ast.Module, mutant: Mutant, at_import: Collection[int]) -> tuple[str, ...]:
    """The path of the function whose body has the changed lines; empty if there is none, or if the import calls it."""
    for node in original.body:
        owner, children = ((node.name,), node.body) if isinstance(node, ast.ClassDef) else ((), [node])
        for child in children:
            if isinstance(child, ast.FunctionDef) and child.lineno < child.body[0].lineno:
                lines = range(child.body[0].lineno, (child.end_lineno or 0) + 1)
                if mutant.first in lines and mutant.last in lines:
                    return () if any(line in at_import for line in lines) else (*owner, child.name)
    return ()


def _inner(code: CodeType, name: str) -> CodeType | None:
    found = [one for one in code.co_consts if isinstance(one, CodeType) and one.co_name == name]
    return found[0] if len(found) == 1 else None


def _unwrapped(value: object) -> FunctionType | None:
    """The function itself, without decorators."""
    if isinstance(value, property):
        value = value.fget
    elif isinstance(value, functools.cached_property):
        value = value.func
    elif isinstance(value, staticmethod | classmethod):
        value = value.__func__
    inner = inspect.unwrap(value) if callable(value) else None
    return inner if isinstance(inner, FunctionType) else None


def caches_of_reference() -> list[functools._lru_cache_wrapper[Any]]:
    """The cached functions of the imported reference."""
    modules = [module for name, module in sys.modules.items() if name.split(".")[0] == REFERENCE]
    values = (value for module in modules for value in vars(module).values())
    return [value for value in values if isinstance(value, functools._lru_cache_wrapper)]


def _dotted(module: str) -> str:
    return module.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


class _Finder(Loader):
    """Finds one module, with another text than its file has."""

    def __init__(self, name: str, source: str, shown: str) -> None:
        self._name, self._source, self._shown = name, source, shown

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """The specification of the module; None for any other."""
        return ModuleSpec(name, self, is_package=self._shown.endswith("__init__.py")) if name == self._name else None

    def exec_module(self, module: ModuleType) -> None:
        """Executes the changed text."""
        exec(compile(self._source, self._shown, "exec"), module.__dict__)
