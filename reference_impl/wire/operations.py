"""Every operation of every system that the reference implements, by its wire name."""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

Json = dict[str, Any]

Operation = Callable[[Json], Json]
"""From the JSON object of a request, which is valid for its schema, to the JSON object of an answer."""


class Systems(Mapping[str, Mapping[str, Operation]]):
    """The tables of the packages in this folder, in the order of their names. A package is imported at its first use,
    because most runs of the reference concern one system.
    """

    def __init__(self) -> None:
        self._names = sorted(module.parent.name for module in Path(__file__).parent.glob("*/operations.py"))

    def __getitem__(self, system: str) -> Mapping[str, Operation]:
        if system not in self._names:
            raise KeyError(system)
        operations: Mapping[str, Operation] = import_module(f"{__package__}.{system}.operations").OPERATIONS
        return operations

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


# System (its folder of schemas) -> its operations.
SYSTEMS: Final = Systems()
