"""Switches: the reference follows another reading, or a deviation of an SDK, in place of its main text.

The main text knows no switch. A point of decision is a function of the main text that names its ruling. A switch
substitutes such functions while it is on; off, it costs nothing. The modules in ``readings`` and ``deviations`` define
the switches, and name the operations on which each of them acts: several sections use one function, and a ruling is
about some of them.
"""

import pkgutil
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any, Final, TypeVar

from .decisions import (
    Composition,
    Decisions,
    Kind,
    Kinds,
    composing,
    extends_below,
    outermost_first,
    overrides,
    recorder,
    section_of,
)

_PACKAGE: Final = __name__.rpartition(".")[0]
_FOLDERS: Final = ("readings", "deviations")

_Function = TypeVar("_Function", bound=Callable[..., Any])


class SwitchError(ValueError):
    """A name that is no switch, or switches that exclude each other."""


@dataclass(frozen=True, slots=True)
class Substitution:
    """Function ``by`` stands in place of function ``of``. With ``wraps``, its first argument is the function that it
    stands for, so that several switches can change one function.
    """

    of: Callable[..., Any]
    by: Callable[..., Any]
    wraps: bool


@dataclass(frozen=True, slots=True)
class Switch:
    """A reading ``RUL-B03=b``, or a deviation ``one-alternative-alias-ignored``, with its substitutions. It acts on the
    operations whose name matches one of the globs ``operations``, and on no other.
    """

    name: str
    is_reading: bool
    operations: tuple[str, ...]
    substitutions: list[Substitution] = field(default_factory=list)
    kinds: list[type[Decisions]] = field(default_factory=list)

    @property
    def ruling(self) -> str:
        """The ruling of a reading; the name of a deviation."""
        return self.name.partition("=")[0]

    def acts_on(self, operation: str) -> bool:
        """Whether the switch can change an answer of the operation."""
        return any(fnmatchcase(operation, glob) for glob in self.operations)


class Switches:
    """The switches that one module defines, by name, and globs of the operations on which they act."""

    def __init__(self, *operations: str) -> None:
        self._operations = operations
        self.table: dict[str, Switch] = {}

    def reading(
        self, ruling: str, reading: str, of: Callable[..., Any], *, wraps: bool = False
    ) -> Callable[[_Function], _Function]:
        """Decorator: the function stands in place of ``of`` under this reading. It can be repeated."""
        return self._substitute(f"{ruling}={reading}", of, wraps, is_reading=True)

    def deviation(self, name: str, of: Callable[..., Any], *, wraps: bool = False) -> Callable[[_Function], _Function]:
        """Decorator: the function stands in place of ``of`` under this deviation. It can be repeated."""
        return self._substitute(name, of, wraps, is_reading=False)

    def _substitute(
        self, name: str, of: Callable[..., Any], wraps: bool, *, is_reading: bool
    ) -> Callable[[_Function], _Function]:
        switch = Switch(name, is_reading, self._operations)

        def add(by: _Function) -> _Function:
            self.table.setdefault(switch.name, switch).substitutions.append(Substitution(of, by, wraps))
            return by

        return add


@cache
def all_switches() -> Mapping[str, Switch]:
    """Every switch of every system, by name: readings first."""
    found: dict[str, Switch] = {}
    for folder in _FOLDERS:
        package = f"{_PACKAGE}.{folder}"
        path = [str(Path(__file__).with_name(folder))]
        for module in pkgutil.walk_packages(path, f"{package}."):
            if module.ispkg:
                continue
            imported = import_module(module.name)
            own: dict[str, Switch] = {}
            if hasattr(imported, "SWITCHES"):
                own |= imported.SWITCHES.table
            for kind in vars(imported).values():
                if isinstance(kind, type) and issubclass(kind, Decisions) and kind.__module__ == module.name:
                    for name in kind.switches:
                        own.setdefault(name, Switch(name, "=" in name, imported.ACTS_ON)).kinds.append(kind)
            for name, switch in own.items():
                if name in found:
                    raise SwitchError(f"{name} is defined in two modules")
                found[name] = switch
    return found


@lru_cache(maxsize=4096)
def _composition(operation: str, names: frozenset[str], *, records: bool) -> Composition:
    """The composition of the switches that act on the operation; deviations are asked before readings."""
    chosen = [switch for name, switch in all_switches().items() if name in names]
    _refuse_exclusive(chosen)
    acting = [switch for switch in chosen if switch.acts_on(operation)]
    kinds: Kinds = ()
    for is_reading in (False, True):
        own = [kind for switch in acting if switch.is_reading is is_reading for kind in switch.kinds]
        kinds += outermost_first(dict.fromkeys(own))
    return Composition(kinds, _recorders(operation) if records else None)


def _refuse_exclusive(chosen: Collection[Switch]) -> None:
    """Raises SwitchError for two readings, or two deviations, that replace one method."""
    replacing: dict[tuple[bool, Kind, str], tuple[str, object]] = {}
    for switch in chosen:
        for place, method in replaced(switch).items():
            first, before = replacing.setdefault((switch.is_reading, *place), (switch.name, method))
            if before is not method and first != switch.name:
                section, name = place
                raise SwitchError(f"{first} and {switch.name} replace the same method, {section.__name__}.{name}")


def replaced(switch: Switch) -> dict[tuple[Kind, str], object]:
    """The methods that a switch overrides without ``super()``, by section and name."""
    return {
        (section_of(kind), name): method
        for kind in switch.kinds
        for name, method in overrides(kind).items()
        if not extends_below(method)
    }


@cache
def _recorders(operation: str) -> Mapping[Kind, Kind]:
    """The recorder of each section that a switch changes for one operation."""
    points: dict[Kind, dict[str, set[str]]] = {}
    for name in _acting_on(operation):
        for kind in all_switches()[name].kinds:
            for method in overrides(kind):
                points.setdefault(section_of(kind), {}).setdefault(method, set()).add(name)
    return {section: recorder(section, own) for section, own in points.items()}


@cache
def _acting_on(operation: str) -> frozenset[str]:
    """The names of the switches that can change an answer of the operation."""
    return frozenset(name for name, switch in all_switches().items() if switch.acts_on(operation))


_reached: list[set[frozenset[str]]] = []
"""The sets that receive the names of the switches of each point of decision, one for each block of ``following`` that
records."""


@contextmanager
def following(operation: str, names: Collection[str], reached: set[str] | None = None) -> Iterator[None]:
    """Turns the switches that act on the operation on within the block, in place of those of a block around it. The block
    performs this operation. Raises SwitchError.

    ``reached`` receives the name of every switch that acts on the operation, on or off, whose point of decision is
    executed.
    """
    changed = _substituted(operation, frozenset(names))
    _all_bindings()
    recorders = _old_recorders() if reached is not None else {}
    bindings = [(owner, name, by) for of, by in changed.items() if of not in recorders for owner, name in _bindings(of)]
    before = [(owner, name, vars(owner)[name]) for owner, name, _ in bindings]
    for owner, name, by in bindings:
        setattr(owner, name, by)
    for of in changed.keys() & recorders.keys():
        recorders[of].current = changed[of]
    points: set[frozenset[str]] = set()
    if reached is not None:
        _reached.append(points)
    composition = _composition(operation, frozenset(names), records=reached is not None)
    try:
        with composing(composition, reached):
            yield
    finally:
        if reached is not None:
            _reached.pop()
            reached |= _acting_on(operation).intersection(chain.from_iterable(points))
        for of in changed.keys() & recorders.keys():
            recorders[of].current = of
        for owner, name, by in before:
            setattr(owner, name, by)


@lru_cache(maxsize=4096)
def _substituted(operation: str, names: frozenset[str]) -> Mapping[Callable[..., Any], Callable[..., Any]]:
    """Function of the main text -> function in its place: replacements first, then wrappers; deviations last."""
    table = all_switches()
    if unknown := sorted(names - table.keys()):
        raise SwitchError(f"{', '.join(unknown)}: no such reading or deviation")
    chosen = [switch for name, switch in table.items() if name in names]
    rulings = [switch.ruling for switch in chosen]
    if twice := sorted({ruling for ruling in rulings if rulings.count(ruling) > 1}):
        raise SwitchError(f"{', '.join(twice)}: two readings of one ruling")
    changed: dict[Callable[..., Any], Callable[..., Any]] = {}
    replaced: dict[tuple[Callable[..., Any], bool], str] = {}
    for switch, substitution in _in_order(chosen):
        of = substitution.of
        if not substitution.wraps:
            before = replaced.setdefault((of, switch.is_reading), switch.name)
            if before != switch.name:
                raise SwitchError(f"{before} and {switch.name} replace the same function, {of.__qualname__}")
        if switch.acts_on(operation):
            changed[of] = _wrapper(substitution.by, changed.get(of, of)) if substitution.wraps else substitution.by
    return changed


def _in_order(chosen: Collection[Switch]) -> Iterator[tuple[Switch, Substitution]]:
    for is_reading in (True, False):
        for wraps in (False, True):
            for switch in chosen:
                for substitution in switch.substitutions:
                    if (switch.is_reading, substitution.wraps) == (is_reading, wraps):
                        yield switch, substitution


def _wrapper(by: Callable[..., Any], current: Callable[..., Any]) -> Callable[..., Any]:
    def wrapped(*args: Any, **named: Any) -> Any:
        return by(current, *args, **named)

    return wrapped


@dataclass(slots=True, eq=False)
class _Recorder:
    """Stands in place of a function: adds ``switches`` to the last set of ``_reached``, and calls ``current``."""

    current: Callable[..., Any]
    switches: frozenset[str]

    def function(self) -> Callable[..., Any]:
        """A function, not an object, so that it can stand in place of a method."""

        switches = self.switches

        def recording(*args: Any, **named: Any) -> Any:
            if _reached:
                _reached[-1].add(switches)
            return self.current(*args, **named)

        return recording


@cache
def _old_recorders() -> Mapping[Callable[..., Any], _Recorder]:
    """A recorder in place of every point of decision, from the first use to the end of the process."""
    found = {of: _Recorder(of, switches) for of, switches in _points().items()}
    places = [(owner, name, of) for of in found for owner, name in _bindings(of)]
    for owner, name, of in places:
        setattr(owner, name, found[of].function())
    return found


@cache
def _points() -> Mapping[Callable[..., Any], frozenset[str]]:
    """Every function that a switch substitutes, with the names of these switches."""
    found: dict[Callable[..., Any], set[str]] = {}
    for switch in all_switches().values():
        for substitution in switch.substitutions:
            found.setdefault(substitution.of, set()).add(switch.name)
    return {of: frozenset(names) for of, names in found.items()}


@cache
def _all_bindings() -> None:
    """Finds the bindings of every point of decision while all names have the functions of the main text."""
    for of in _points():
        _bindings(of)


@cache
def _bindings(of: Callable[..., Any]) -> list[tuple[Any, str]]:
    """Every module of the reference, or class, that has the function under a name."""
    *classes, method = of.__qualname__.split(".")
    if classes:
        owner: Any = sys.modules[of.__module__]
        for name in classes:
            owner = getattr(owner, name)
        return [(owner, method)]
    main = [module for name, module in sys.modules.items() if name.startswith(f"{_PACKAGE}.") and not _is_apart(name)]
    return [(module, name) for module in main for name, value in vars(module).items() if value is of]


def _is_apart(module: str) -> bool:
    """Whether a module defines switches; there, the name of a function of the main text keeps its function."""
    return module.removeprefix(f"{_PACKAGE}.").split(".")[0] in _FOLDERS
