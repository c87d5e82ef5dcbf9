"""Known divergences: what a gate expects of one implementation, and how a run compares with it. Pure.

A `KnownDivergences` holds divergences, each a reason with its cases and the signatures of their failures; reasons for
operations and cases that the implementation does not support, and for places of answers that it does not report; and the
readings that it follows in disputed cases.
docs/known-divergences.md describes the file; `harness.corpus.known_divergences_file` reads and writes it, and
`known_update` brings it up to date.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import translate
from functools import cache

from ..model import Cause, Choice, Documented, Readings
from .alternatives import Model

TODO = "TODO"
"""Beginning of a reason that a person still has to write; a gate refuses it."""

_SPECIAL = frozenset("*?[")
"""Characters that make a name a glob."""


class NewReason(StrEnum):
    """Why a result is new. The record of a gate holds the value as the reason of its expectation."""

    NOT_LISTED = "not-listed"
    OTHER_ANSWER = "other-answer"
    OTHER_SIGNATURE = "other-signature"
    UNSUPPORTED_NOT_LISTED = "unsupported-not-listed"
    LISTED_AS_UNSUPPORTED = "listed-as-unsupported"


def is_unwritten(reason: str) -> bool:
    """Whether a person still has to write this reason."""
    return reason.lstrip().upper().startswith(TODO)


class Status(StrEnum):
    """Status of a result or of a line of the file in a gate. Every status except `known` keeps the gate from green."""

    KNOWN = "known"
    FLAKY = "flaky"
    NEW = "new"
    STALE = "stale"
    UNMATCHED = "unmatched"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True, kw_only=True)
class Divergence:
    """One reason and the cases that it explains: full name → the signatures seen of it. `since`, `expires`: YYYY-MM-DD.
    `flaky`: the cases do not fail in every run, or the implementation does not follow the model in every run.

    With a `model` it explains every failing answer that the model predicts: the name of a deviation, or a reading that the
    text refutes (`RUL-B03=b`). `place` is where the cause is in the source of the implementation, `file:line`.

    Two members help the person who writes the reason: `kind` is the failure group of the cases, `before` the reason of
    their former failures. `rows` are the first and last line of the entry in the file, where they hold nothing else.
    """

    reason: str
    cases: Mapping[str, tuple[str, ...]]
    link: str = ""
    owner: str = ""
    since: str = ""
    expires: str = ""
    flaky: bool = False
    documented: Documented | None = None
    model: str = ""
    place: str = ""
    kind: str = ""
    before: str = ""
    rows: tuple[int, int] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownUnsupported:
    """One reason and the names that it explains: operations, full names of cases, or globs over either. `adapter` is the
    adapter's own reason, for the person who writes the reason."""

    reason: str
    names: tuple[str, ...]
    adapter: str = ""
    rows: tuple[int, int] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownUnobservable:
    """One reason and the places of answers that the implementation does not report: an operation and a JSON Pointer, as
    `song.sing/tune`."""

    reason: str
    names: tuple[str, ...]
    rows: tuple[int, int] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownReading:
    """The disputed cases of one ruling in which the implementation follows `reading`: full names or globs. `flaky`: it does
    not follow the reading in every run."""

    ruling: str
    reading: str
    cases: tuple[str, ...]
    flaky: bool = False
    line: int = field(default=0, compare=False)

    def holds(self, case: str) -> bool:
        """Whether a disputed case of the ruling belongs to the entry."""
        return any(matches(name, case) for name in self.cases)


@dataclass(frozen=True, slots=True)
class KnownDivergences:
    """Content of a known-divergence file. `readings` is None if the file does not list readings. `follows` has the open
    readings that a prediction assumes. `versions` are the versions of the implementation for which the file holds, as
    version specifiers of Python packages (`>=0.2,<0.3`); empty for all.

    Each name of `divergences`, `unsupported` and `unobservable` occurs once; `lines` gives its line in the file `shown`.
    """

    divergences: tuple[Divergence, ...] = ()
    unsupported: tuple[KnownUnsupported, ...] = ()
    unobservable: tuple[KnownUnobservable, ...] = ()
    readings: tuple[KnownReading, ...] | None = None
    follows: Readings = ()
    versions: str = ""
    lines: Mapping[str, int] = field(default_factory=dict)
    shown: str = ""
    _exact: frozenset[str] = field(init=False, repr=False, compare=False)
    _globs: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        listed = [name for one in self.unsupported for name in one.names]
        object.__setattr__(self, "_exact", frozenset(name for name in listed if not is_glob(name)))
        object.__setattr__(self, "_globs", tuple(name for name in listed if is_glob(name)))

    def holds_for(self, version: str) -> bool:
        """Whether the file is for this version. A file with `versions` is for no text that is not a version."""
        if not self.versions:
            return True
        from packaging.specifiers import SpecifierSet
        from packaging.version import InvalidVersion, Version

        try:
            return SpecifierSet(self.versions).contains(Version(version), prereleases=True)
        except InvalidVersion:
            return False

    def divergence(self, case: str) -> Divergence | None:
        """The divergence that explains the case; None if there is none."""
        return next((one for one in self.divergences if case in one.cases), None)

    @property
    def model(self) -> Model:
        """The followed readings and every deviation of the file, without the flaky ones, which predict no answer."""
        models = [one.model for one in self.divergences if one.model and not one.flaky]
        readings = [tuple(model.split("=", 1)) for model in models if "=" in model]
        deviations = sorted(model for model in models if "=" not in model)
        return Model(
            tuple(sorted([*self.follows, *((ruling, reading) for ruling, reading in readings)])), tuple(deviations)
        )

    @property
    def flaky_models(self) -> tuple[str, ...]:
        """The deviations that the implementation does not follow in every run."""
        return tuple(sorted(one.model for one in self.divergences if one.model and one.flaky))

    @property
    def causes(self) -> tuple[Cause, ...]:
        """The entries with a model."""
        return tuple(Cause(one.model, one.reason, one.place, one.flaky) for one in self.divergences if one.model)

    def flaky_cases(self, ruling_of: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
        """The cases whose verdict varies from run to run, each with the signatures of its failures. `ruling_of` has the
        ruling of each disputed case."""
        found = {case: signed for one in self.divergences if one.flaky for case, signed in one.cases.items()}
        for one in self.readings or ():
            if one.flaky:
                held = (case for case, ruling in ruling_of.items() if ruling == one.ruling and one.holds(case))
                found |= {case: found.get(case, ()) for case in held}
        return found

    def modelled(self, choice: Choice) -> Divergence | None:
        """The first entry whose model is in the choice; None if the file does not have every part of the choice."""
        whole = self.model
        deviations = {*whole.deviations, *self.flaky_models}
        if not set(choice.readings).issubset(whole.readings) or not deviations.issuperset(choice.deviations):
            return None
        names = names_of(choice)
        return next((one for one in self.divergences if one.model in names), None)

    def unsupported_name(self, case: str, operation: str) -> str:
        """The name that lists the case as unsupported: its own, its operation's, or a glob; empty if there is none."""
        for name in (case, operation):
            if name in self._exact:
                return name
        return next((name for name in self._globs if means(name, case, operation)), "")

    def unsupported_reason(self, name: str) -> str:
        """The reason for a name that `unsupported` lists; empty for any other."""
        return next((one.reason for one in self.unsupported if name in one.names), "")

    @property
    def unobservable_names(self) -> tuple[str, ...]:
        """The unobservable places of the file."""
        return tuple(name for one in self.unobservable for name in one.names)

    def reading_of(self, case: str, ruling: str) -> str:
        """The reading that the file lists for a disputed case; empty for the adopted one."""
        listed = (one for one in self.readings or () if one.ruling == ruling and one.holds(case))
        return next((one.reading for one in listed), "")

    def allowed_readings(self, case: str, ruling: str) -> frozenset[str]:
        """The readings that a disputed case may follow: the listed one, or, if it varies, all listed ones and the adopted
        one (empty)."""
        listed = [one for one in self.readings or () if one.ruling == ruling and one.holds(case)]
        if any(one.flaky for one in listed):
            return frozenset({"", *(one.reading for one in listed)})
        return frozenset({self.reading_of(case, ruling)})

    def reasons(self) -> list[str]:
        """The reasons of all entries."""
        entries: tuple[Divergence | KnownUnsupported | KnownUnobservable, ...]
        entries = (*self.divergences, *self.unsupported, *self.unobservable)
        return [one.reason for one in entries]

    def place(self, name: str) -> str:
        """The place of a name, as `file:line`; empty if the file does not have it."""
        return f"{self.shown}:{self.lines[name]}" if name in self.lines else ""

    def entry(self, one: Divergence | KnownUnsupported | KnownUnobservable) -> str:
        """The place of a whole entry, as `file:first-last`; empty if its lines hold something else too."""
        return "{}:{}-{}".format(self.shown, *one.rows) if one.rows else ""


def names_of(choice: Choice) -> list[str]:
    """The parts of a choice, as `model` names them."""
    return [*choice.deviations, *(f"{ruling}={reading}" for ruling, reading in choice.readings)]


def is_glob(name: str) -> bool:
    """Whether a name is a glob."""
    return not _SPECIAL.isdisjoint(name)


def means(name: str, case: str, operation: str) -> bool:
    """Whether a name of `unsupported` means this case: a name with a slash is about cases, others about operations."""
    return matches(name, case if "/" in name else operation)


def matches(name: str, text: str) -> bool:
    """Whether a name is this text, or a glob over it."""
    return _pattern(name).match(text) is not None if is_glob(name) else name == text


@cache
def _pattern(glob: str) -> re.Pattern[str]:
    return re.compile(translate(glob))
