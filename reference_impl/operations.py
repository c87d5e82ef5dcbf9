"""Every operation of every system that the reference implements, by its wire name."""

import importlib
import importlib.util
import pkgutil
from typing import Final

import reference_impl
from reference_impl.operation import Operation


def _systems() -> dict[str, dict[str, Operation]]:
    """The tables of the packages below this one that have a module `operations`."""
    found = {}
    for package in pkgutil.iter_modules(reference_impl.__path__):
        if package.ispkg and importlib.util.find_spec(f"reference_impl.{package.name}.operations"):
            found[package.name] = importlib.import_module(f"reference_impl.{package.name}.operations").OPERATIONS
    return found


# System (its folder of schemas) -> its operations.
SYSTEMS: Final[dict[str, dict[str, Operation]]] = _systems()
