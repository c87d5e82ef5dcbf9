"""Decisions: where the text leaves room, the main text of a section calls a method of its class of decisions.

The class has the adopted readings. A reading or a deviation is a subclass that overrides methods; ``super()`` is the
reading below it. Subclasses are composed for a block, and nothing is replaced.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import FunctionType
from typing import Any, ClassVar, TypeVar, cast

Names = str | tuple[str, ...]


class Decisions:
    """What a section leaves open: a method for each place that a ruling decides, with the adopted reading.

    A subclass that names a reading, such as ``reading="RUL-B03=b"``, or a deviation is in force where it is chosen.
    """

    switches: ClassVar[tuple[str, ...]] = ()
    """The readings or deviations that the class itself is a part of."""

    def __init_subclass__(cls, *, reading: Names = (), deviation: Names = ()) -> None:
        super().__init_subclass__()
        named = reading or deviation
        cls.switches = (named,) if isinstance(named, str) else named
        if cls.switches:
            defined.append(cls)


Kind = type[Decisions]
defined: list[Kind] = []
"""Every class that names a reading or a deviation, in the order of definition."""

Kinds = tuple[Kind, ...]
"""Readings and deviations in force: the first one is asked first."""

_Section = TypeVar("_Section", bound=Decisions)


class Composition:
    """Readings and deviations, composed with the sections that they change; the recorder of a section is asked first."""

    def __init__(self, kinds: Kinds, recorders: Mapping[Kind, Kind] | None = None) -> None:
        self._kinds = kinds
        self._recorders = recorders or {}
        self._classes: dict[Kind, Kind] = {}
        self._decisions: dict[Kind, Decisions] = {}

    def deciding(self, section: Kind) -> Kind:
        """The class of a section with the readings and deviations."""
        if section not in self._classes:
            recorders = [self._recorders[section]] if section in self._recorders else []
            parts = (*recorders, *(kind for kind in self._kinds if issubclass(kind, section)))
            self._classes[section] = type(section.__name__, (*parts, section), {}) if parts else section
        return self._classes[section]

    def decided(self, section: Kind) -> Decisions:
        """An object of this class."""
        if section not in self._decisions:
            self._decisions[section] = self.deciding(section)()
        return self._decisions[section]


_in_force: ContextVar[Composition] = ContextVar("in_force", default=Composition(()))  # noqa: B039
_reached: ContextVar[set[str]] = ContextVar("reached")


def decided(section: type[_Section]) -> _Section:
    """The decisions of a section: the adopted ones, or those of the readings in force."""
    return cast(_Section, _in_force.get().decided(section))


def deciding(section: type[_Section]) -> type[_Section]:
    """The class of a section, adopted or with the readings in force: for objects that have values of their own."""
    return cast(type[_Section], _in_force.get().deciding(section))


@contextmanager
def composing(composition: Composition, reached: set[str] | None = None) -> Iterator[None]:
    """The readings and deviations are in force within the block, in place of those of a block around it. ``reached``
    receives what the recorders of the composition record.
    """
    in_force = _in_force.set(composition)
    recorded = _reached.set(set() if reached is None else reached)
    try:
        yield
    finally:
        _reached.reset(recorded)
        _in_force.reset(in_force)


def recorder(section: Kind, points: Mapping[str, Collection[str]]) -> Kind:
    """A subclass that records the names of each of these methods when it is called."""

    def recording(method: str, names: Collection[str]) -> Callable[..., Any]:
        def record(self: Decisions, *args: Any, **named: Any) -> Any:
            _reached.get().update(names)
            return getattr(super(found, self), method)(*args, **named)

        return record

    found = type(section.__name__, (section,), {method: recording(method, names) for method, names in points.items()})
    return found


def outermost_first(kinds: Collection[Kind]) -> Kinds:
    """The order of composition: a class that replaces a method is below those that extend one by ``super()``, and the
    later of two classes is asked first. A class that another one extends is a part of it.
    """
    ordered = sorted(kinds, key=_rank)[::-1]
    return tuple(kind for kind in ordered if not any(issubclass(one, kind) and one is not kind for one in ordered))


def _rank(kind: Kind) -> tuple[bool, bool]:
    extends = [extends_below(method) for method in overrides(kind).values()]
    return all(extends), any(extends)


def section_of(kind: Kind) -> Kind:
    """The class of decisions that a reading or a deviation changes."""
    return kind.__mro__[kind.__mro__.index(Decisions) - 1]


def overrides(kind: Kind) -> dict[str, FunctionType]:
    """The methods of the section that a class overrides."""
    section = section_of(kind)
    found: dict[str, FunctionType] = {}
    for one in kind.__mro__[: kind.__mro__.index(section)]:
        for name, value in vars(one).items():
            if hasattr(section, name) and isinstance(value, FunctionType) and not name.startswith("_"):
                found.setdefault(name, value)
    return found


def extends_below(method: FunctionType) -> bool:
    """Whether a method calls ``super()``, so that it stands beside other alternatives of its place."""
    return "__class__" in method.__code__.co_freevars
