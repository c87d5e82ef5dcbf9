"""Every operation of every system that the reference implements, by its wire name."""

import pkgutil
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from .operation import Operation

_FOLDER = Path(__file__).resolve().parent


def _systems() -> dict[str, dict[str, Operation]]:
    """The tables of the packages in this folder that have a module `operations`, in the order of their names."""
    names = [package.name for package in pkgutil.iter_modules([str(_FOLDER)]) if package.ispkg]
    modules = {name: f"{__package__}.{name}.operations" for name in names}
    return {name: import_module(module).OPERATIONS for name, module in modules.items() if find_spec(module)}


# System (its folder of schemas) -> its operations.
SYSTEMS: Final[dict[str, dict[str, Operation]]] = _systems()
