"""Switches: the readings and deviations by name, and the block in which the reference follows some of them.

The modules in ``readings``, and in the folder ``model`` of each adapter that ships with parity, define them as subclasses
of decisions. ``ACTS_ON`` of a module names the operations on which they act: several sections use one decision, and a
ruling is about some of them.
"""

import pkgutil
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Final

from .decisions import (
    Composition,
    Kind,
    Kinds,
    composing,
    defined,
    extends_below,
    outermost_first,
    overrides,
    recorder,
    section_of,
)

_PACKAGE: Final = __name__.rpartition(".")[0]
_ADAPTERS: Final = Path(__file__).resolve().parents[1] / "adapters"


class SwitchError(ValueError):
    """A name that is no switch, or switches that exclude each other."""


@dataclass(frozen=True, slots=True)
class Switch:
    """A reading ``RUL-B03=b``, or a deviation ``one-alternative-alias-ignored``, with its classes. It acts on the
    operations whose name matches one of the globs ``operations``, and on no other.
    """

    name: str
    is_reading: bool
    operations: tuple[str, ...]
    kinds: list[Kind] = field(default_factory=list)

    @property
    def ruling(self) -> str:
        """The ruling of a reading; the name of a deviation."""
        return self.name.partition("=")[0]

    def acts_on(self, operation: str) -> bool:
        """Whether the switch can change an answer of the operation."""
        return any(fnmatchcase(operation, glob) for glob in self.operations)

    def replaced(self) -> dict[tuple[Kind, str], object]:
        """The methods that the switch overrides without ``super()``, by section and name."""
        return {
            (section_of(kind), name): method
            for kind in self.kinds
            for name, method in overrides(kind).items()
            if not extends_below(method)
        }


@cache
def all_switches() -> Mapping[str, Switch]:
    """Every switch of every system, by name: readings first."""
    modules = [*_modules()]
    for module in modules:
        import_module(module)
    found: dict[str, Switch] = {}
    for kind in sorted(defined, key=lambda kind: modules.index(kind.__module__)):
        acts_on = sys.modules[kind.__module__].ACTS_ON
        for name in kind.switches:
            switch = found.setdefault(name, Switch(name, "=" in name, acts_on))
            if switch.operations != acts_on:
                raise SwitchError(f"{name} acts on other operations in another module")
            switch.kinds.append(kind)
    return found


def _modules() -> Iterator[str]:
    """The names of the modules that define switches: readings first."""
    path = [str(Path(__file__).with_name("readings"))]
    yield from (module.name for module in pkgutil.walk_packages(path, f"{_PACKAGE}.readings.") if not module.ispkg)
    models = sorted(_ADAPTERS.glob("*/model/*.py"))
    yield from (".".join(path.relative_to(_ADAPTERS.parent).with_suffix("").parts) for path in models)


@cache
def _acting_on(operation: str) -> frozenset[str]:
    """The names of the switches that can change an answer of the operation."""
    return frozenset(name for name, switch in all_switches().items() if switch.acts_on(operation))


@contextmanager
def following(operation: str, names: Collection[str], reached: set[str] | None = None) -> Iterator[None]:
    """Turns the switches that act on the operation on within the block, in place of those of a block around it. The block
    performs this operation. Raises SwitchError.

    ``reached`` receives the name of every switch that acts on the operation, on or off, whose point of decision is
    executed.
    """
    with composing(_composition(operation, frozenset(names), records=reached is not None), reached):
        yield


@lru_cache(maxsize=4096)
def _composition(operation: str, names: frozenset[str], *, records: bool) -> Composition:
    """The composition of the switches that act on the operation; deviations are asked before readings."""
    table = all_switches()
    if unknown := sorted(names - table.keys()):
        raise SwitchError(f"{', '.join(unknown)}: no such reading or deviation")
    chosen = [switch for name, switch in table.items() if name in names]
    _refuse_exclusive(chosen)
    acting = [switch for switch in chosen if switch.acts_on(operation)]
    kinds: Kinds = ()
    for is_reading in (False, True):
        own = [kind for switch in acting if switch.is_reading is is_reading for kind in switch.kinds]
        kinds += outermost_first(dict.fromkeys(own))
    return Composition(kinds, _recorders(operation) if records else None)


def _refuse_exclusive(chosen: Collection[Switch]) -> None:
    """Raises SwitchError for two readings of one ruling, and for two switches of a kind that replace one method."""
    rulings = [switch.ruling for switch in chosen]
    if twice := sorted({ruling for ruling in rulings if rulings.count(ruling) > 1}):
        raise SwitchError(f"{', '.join(twice)}: two readings of one ruling")
    replacing: dict[tuple[bool, Kind, str], tuple[str, object]] = {}
    for switch in chosen:
        for (section, name), method in switch.replaced().items():
            first, before = replacing.setdefault((switch.is_reading, section, name), (switch.name, method))
            if before is not method and first != switch.name:
                raise SwitchError(f"{first} and {switch.name} replace the same method, {section.__name__}.{name}")


@cache
def _recorders(operation: str) -> Mapping[Kind, Kind]:
    """The recorder of each section that a switch changes for one operation."""
    points: dict[Kind, dict[str, set[str]]] = {}
    for name in _acting_on(operation):
        for kind in all_switches()[name].kinds:
            for method in overrides(kind):
                points.setdefault(section_of(kind), {}).setdefault(method, set()).add(name)
    return {section: recorder(section, own) for section, own in points.items()}
