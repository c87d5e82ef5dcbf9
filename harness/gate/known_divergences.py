"""Content of a known-divergence file: what a gate expects of one implementation. Pure.

It holds divergences, each a reason with its cases and the signatures of their failures; reasons for operations and cases
that the implementation does not support, and for places of answers that it does not report; and the readings that it
follows in disputed cases. docs/known-divergences.md describes the file.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cached_property
from typing import Any, TypeAlias

from ..base.text_limits import MAX_STATEMENT
from ..compare.causes import names_of
from ..compare.verdict import error_signature
from ..corpus.entries import TODO
from ..errors import Problem, one_line
from ..model import ADOPTED, Case, Cause, Choice, Documented, Readings, TimedOut
from .known_corpus import KnownCorpus
from .names import is_glob, matches, means

_KEYS = {"category": "kind"}
"""Members with another name in the file."""

_TIMEOUT = error_signature(TimedOut(0.0))
"""The signature of every timeout."""


_CAUSE_NAME = re.compile(r"(?=.{1,80}$)[a-z0-9]+(?:-[a-z0-9]+)*")


def cause_name(text: str) -> str:
    """The text if it can be the name of the cause of listed cases, whose form is that of a deviation; else empty."""
    return text if _CAUSE_NAME.fullmatch(text) else ""


def is_unwritten(reason: str) -> bool:
    """Whether a person still has to write this reason."""
    return reason.lstrip().upper().startswith(TODO)


def as_reason(text: str) -> str:
    """An adapter's reason as the reason of an entry: one line with a capital and a full stop; `TODO` without a reason."""
    text = one_line(text, MAX_STATEMENT).strip()
    if is_unwritten(text) or not text:
        return TODO
    return f"{text[0].upper()}{text[1:]}{'' if text[-1] in '.!?…' else '.'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Divergence:
    """One reason and the cases that it explains: full name → the signatures seen of it. `since`, `expires`: YYYY-MM-DD.
    `flaky`: the cases do not fail in every run, or the implementation does not follow the model in every run.

    With a `model` it explains every failing answer that the model predicts: the name of a deviation, or a reading that the
    text refutes (`RUL-B03=b`). Without one, `name` names the cause of the listed answers. `requirements` are those that the
    cause breaks, and `place` is where it is in the source of the implementation, `file:line`.

    Two members help the person who writes the reason: `category` is the failure group of the cases, `before` the reason of
    their former failures. `span` has the first and last line of the entry in the file, where they hold nothing else.
    """

    reason: str
    name: str = ""
    model: str = ""
    requirements: tuple[str, ...] = ()
    place: str = ""
    category: str = ""
    before: str = ""
    link: str = ""
    owner: str = ""
    since: str = ""
    expires: str = ""
    flaky: bool = False
    documented: Documented | None = None
    cases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    span: tuple[int, int] | None = field(default=None, compare=False)

    @property
    def cause(self) -> str:
        """The name of the cause; empty if it has none."""
        return self.model or self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedNames:
    """One reason and the names that it explains. Below `unsupported` these are operations, full names of cases, or globs
    over either. Below `unobservable` each is an operation and a JSON Pointer, `song.sing/tune`."""

    reason: str
    names: tuple[str, ...]
    span: tuple[int, int] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedReading:
    """The disputed cases of one ruling in which the implementation follows `reading`: full names or globs. `flaky`: it does
    not follow the reading in every run."""

    ruling: str
    reading: str
    flaky: bool = False
    cases: tuple[str, ...]
    line: int = field(default=0, compare=False)

    def holds(self, case: str) -> bool:
        """Whether a disputed case of the ruling belongs to the entry."""
        return any(matches(name, case) for name in self.cases)


Entry: TypeAlias = "Divergence | ListedNames | ListedReading"


def keys_of(entry: type[Entry]) -> frozenset[str]:
    """The keys that an entry can have in the file."""
    return frozenset(_KEYS.get(member.name, member.name) for member in fields(entry) if member.compare)


def members_of(entry: Entry) -> Iterator[tuple[str, Any]]:
    """The members of an entry, by key and in the order of the file, without optional ones that it does not have."""
    for member in fields(entry):
        value = getattr(entry, member.name)
        if member.compare and (value or member.default is member.default_factory is MISSING):
            yield _KEYS.get(member.name, member.name), value


@dataclass(frozen=True)
class KnownDivergences:
    """Content of a known-divergence file. `readings` is None if the file does not list readings. `follows` has the open
    readings that a prediction assumes. `versions` are the versions of the implementation for which the file holds, as
    version specifiers of Python packages (`>=0.2,<0.3`); empty for all.

    Each name of `divergences`, `unsupported` and `unobservable` occurs once; `lines` gives its line in the file `shown`.
    `predicted` has the failures that the model predicts, by case, each with the part of the model that causes it.
    `is_free`: another reading than the listed one fails no gate. `base` is the commit whose record this content is made of,
    in place of a file.

    `corpus` is the corpus that the file was written for, None if it does not say; `newer` has the cases of the present
    corpus by name, if that is another one. `old_keys` are keys that have another name now.
    """

    divergences: tuple[Divergence, ...] = ()
    unsupported: tuple[ListedNames, ...] = ()
    unobservable: tuple[ListedNames, ...] = ()
    readings: tuple[ListedReading, ...] | None = None
    follows: Readings = ()
    versions: str = ""
    lines: Mapping[str, int] = field(default_factory=dict)
    shown: str = ""
    predicted: Mapping[str, Choice] = field(default_factory=dict, compare=False)
    is_free: bool = field(default=False, compare=False)
    base: str = ""
    corpus: KnownCorpus | None = None
    old_keys: tuple[Problem, ...] = field(default=(), compare=False)
    newer: Mapping[str, Case] = field(default_factory=dict, compare=False)

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

    @cached_property
    def _by_case(self) -> Mapping[str, Divergence]:
        return {case: entry for entry in reversed(self.divergences) for case in entry.cases}

    def divergence(self, case: str) -> Divergence | None:
        """The divergence that lists the case; None if there is none."""
        return self._by_case.get(case)

    @cached_property
    def model(self) -> Choice:
        """The followed readings and every deviation of the file, without the flaky ones, which predict no answer."""
        models = [entry.model for entry in self.divergences if entry.model and not entry.flaky]
        readings = [tuple(model.split("=", 1)) for model in models if "=" in model]
        deviations = sorted(model for model in models if "=" not in model)
        return Choice(
            tuple(sorted([*self.follows, *((ruling, reading) for ruling, reading in readings)])), tuple(deviations)
        )

    def prediction(self, case: str) -> Choice:
        """What explains the failure of the case that the model predicts; empty if it predicts none."""
        return self.predicted.get(case, ADOPTED)

    @property
    def flaky_models(self) -> tuple[str, ...]:
        """The deviations that the implementation does not follow in every run."""
        return tuple(sorted(entry.model for entry in self.divergences if entry.model and entry.flaky))

    @property
    def causes(self) -> tuple[Cause, ...]:
        """The entries whose cause has a name."""
        return tuple(
            Cause(entry.cause, entry.reason, entry.place, entry.flaky, entry.requirements)
            for entry in self.divergences
            if entry.cause
        )

    @property
    def broken_requirements(self) -> dict[str, tuple[str, ...]]:
        """The requirements that each cause breaks, by its name, for those that name any."""
        return {cause.name: cause.requirements for cause in self.causes if cause.requirements}

    @property
    def listed_causes(self) -> dict[tuple[str, str], str]:
        """The causes without a model, by each case and signature that they list."""
        return {
            (case, signature): entry.name
            for entry in self.divergences
            if entry.name and not entry.model
            for case, signatures in entry.cases.items()
            for signature in signatures
        }

    def flaky_cases(self, ruling_of: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
        """The cases whose verdict varies from run to run, each with the signatures of its failures. `ruling_of` has the
        ruling of each disputed case."""
        flaky = {
            case: signatures for entry in self.divergences if entry.flaky for case, signatures in entry.cases.items()
        }
        for entry in self.readings or ():
            if entry.flaky:
                held = (case for case, ruling in ruling_of.items() if ruling == entry.ruling and entry.holds(case))
                flaky |= {case: flaky.get(case, ()) for case in held}
        return flaky

    @property
    def known_hangs(self) -> frozenset[str]:
        """The cases whose only known failure is a timeout, in every run."""
        return frozenset(
            case
            for entry in self.divergences
            if not entry.flaky
            for case, signatures in entry.cases.items()
            if signatures == (_TIMEOUT,)
        )

    def modelled(self, choice: Choice) -> Divergence | None:
        """The first entry whose model is in the choice; None if the file does not have every part of the choice."""
        whole = self.model
        deviations = {*whole.deviations, *self.flaky_models}
        if not set(choice.readings).issubset(whole.readings) or not deviations.issuperset(choice.deviations):
            return None
        names = names_of(choice)
        return next((entry for entry in self.divergences if entry.model in names), None)

    def recorded(self, case: str, signatures: Collection[str]) -> Divergence | None:
        """The entry whose model explained just this failure when the file was written; None if there is none."""
        model = self.corpus.model_of(case, signatures) if self.corpus else ""
        return next((entry for entry in self.divergences if model and entry.model == model), None)

    def is_new(self, case: str) -> bool:
        """Whether the corpus that the file was written for did not have this case, or had it in another form."""
        return bool(self.corpus and case in self.newer and self.corpus.lacks(self.newer[case]))

    def is_lost(self, name: str) -> bool:
        """Whether a name that does not exist was one of the corpus that the file was written for."""
        if self.corpus is None:
            return False
        if name in self.corpus.failures:
            return True
        return bool(self.newer) and ("/" not in name or name in self.unobservable_names or self.corpus.had(name))

    @cached_property
    def _reason_of_unsupported(self) -> Mapping[str, str]:
        return {name: entry.reason for entry in self.unsupported for name in entry.names}

    @cached_property
    def _unsupported_globs(self) -> tuple[str, ...]:
        return tuple(filter(is_glob, self._reason_of_unsupported))

    def unsupported_names(self, case: str, operation: str) -> Iterator[str]:
        """The names that list the case as unsupported: its own, its operation's, and globs."""
        yield from filter(self._reason_of_unsupported.__contains__, (case, operation))
        yield from (name for name in self._unsupported_globs if means(name, case, operation))

    def unsupported_name(self, case: str, operation: str) -> str:
        """The first name that lists the case as unsupported; empty if there is none."""
        return next(self.unsupported_names(case, operation), "")

    def unsupported_reason(self, name: str) -> str:
        """The reason for a name that `unsupported` lists; empty for any other."""
        return self._reason_of_unsupported.get(name, "")

    @property
    def unobservable_names(self) -> tuple[str, ...]:
        """The unobservable places of the file."""
        return tuple(name for entry in self.unobservable for name in entry.names)

    def readings_of(self, case: str, ruling: str) -> tuple[ListedReading, ...]:
        """The entries of a disputed case; none if it follows the adopted reading."""
        return tuple(entry for entry in self.readings or () if entry.ruling == ruling and entry.holds(case))

    def reading_of(self, case: str, ruling: str) -> str:
        """The reading that the file lists for a disputed case; empty for the adopted one."""
        return next((entry.reading for entry in self.readings_of(case, ruling)), "")

    @cached_property
    def rulings_of(self) -> Mapping[str, set[str]]:
        """The rulings below `readings` that name a case in full, by case."""
        found: dict[str, set[str]] = {}
        for entry in self.readings or ():
            for case in entry.cases:
                found.setdefault(case, set()).add(entry.ruling)
        return found

    @property
    def lists_readings(self) -> bool:
        """Whether the file says which readings the implementation follows."""
        return self.readings is not None or bool(self.follows)

    def listed_readings_of(self, ruling: str) -> set[str]:
        """The readings of a ruling that the file lists, whatever the case."""
        return {reading for id_, reading in self.follows if id_ == ruling} | {
            entry.reading for entry in self.readings or () if entry.ruling == ruling
        }

    @property
    def unwritten_reasons(self) -> int:
        """The number of reasons that a person still has to write."""
        reasons = [entry.reason for entry in self.divergences]
        reasons += [entry.reason for entry in (*self.unsupported, *self.unobservable)]
        return sum(map(is_unwritten, reasons))

    def place(self, name: str) -> str:
        """The place of a name, as `file:line`; empty if the file does not have it."""
        return f"{self.shown}:{self.lines[name]}" if name in self.lines else ""

    def entry_place(self, entry: Divergence | ListedNames) -> str:
        """The place of a whole entry, as `file:first-last`; empty if its lines hold something else too."""
        return "{}:{}-{}".format(self.shown, *entry.span) if entry.span else ""
