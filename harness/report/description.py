"""RunRecord → the description of each SDK: the readings that it follows, the causes of its failures, and the rest. Pure.

An SDK is the specification, plus readings that the text leaves open, plus deviations, plus failures without a cause. A cause
is a deviation, or a reading that the text refutes. Neither excuses a failure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from ..compare.causes import UNDECIDED, UNEXPLAINED, refuted_parts
from ..gate.places import SourcePlace, place_of
from ..model import FAILING, REFERENCE, RecordedResult, Ruling, RunRecord, where
from .ruling_adherence import FollowedReading, by_ruling, followers
from .run_summary import not_started

COMBINED = "combined readings"
"""The part of a failure that only open readings explain, together, and that another answer of the SDK contradicts."""

_Results = tuple[RecordedResult, ...]


class FollowedRuling(Struct, frozen=True):
    """A ruling with the readings that an SDK follows, in the order of the ruling. `text` is None if the record does not have
    the ruling. `is_mixed` is as in `Followers`."""

    id: str
    text: Ruling | None
    readings: tuple[FollowedReading, ...]
    is_mixed: bool

    @property
    def title(self) -> str:
        """The title of the ruling; empty if the record does not have it."""
        return self.text.title if self.text else ""

    @property
    def others(self) -> tuple[FollowedReading, ...]:
        """The readings that are not adopted and that answers without a failure follow."""
        adopted = self.text.adopted if self.text else ""
        return tuple(reading for reading in self.readings if reading.results and reading.reading != adopted)

    @property
    def other_cases(self) -> int:
        """The number of answers that follow these readings, failing ones included."""
        return sum(other.cases for other in self.others)


class FailureCause(Struct, frozen=True):
    """A cause with the failures of one implementation that it explains, alone or with others. `name` is a deviation or
    `RUL-B03=b`; with `is_group` it is a failure group of failures without a cause.

    `reason` is from the known-divergence file, or is the title of the ruling. `place` is None if it is unknown.
    `is_effect`: the failures can follow from others.
    """

    name: str
    reason: str
    place: SourcePlace | None
    results: _Results
    is_group: bool = False
    is_effect: bool = False

    @property
    def is_reading(self) -> bool:
        """Whether the cause is a reading that the text refutes."""
        return "=" in self.name and not self.is_group

    @property
    def title(self) -> str:
        """`three-anchor-forms`, `RUL-B16=b (refuted)`."""
        return f"{self.name} (refuted)" if self.is_reading else self.name


class Description(Struct, frozen=True):
    """An SDK as the record shows it. `rulings` has each ruling with a followed reading, also an adopted one; the one with
    most answers by other readings comes first. `causes` begin with the one of most failures.

    Each failure is in at least one cause, or in `rest` below `COMBINED`, `UNEXPLAINED` or `UNDECIDED`.
    """

    implementation: str
    rulings: tuple[FollowedRuling, ...]
    causes: tuple[FailureCause, ...]
    rest: Mapping[str, _Results]

    @property
    def departures(self) -> tuple[FollowedRuling, ...]:
        """The rulings in which it follows a reading that is not adopted, without a failure."""
        return tuple(ruling for ruling in self.rulings if ruling.others)

    @property
    def readings(self) -> int:
        """The number of readings that are not adopted and that it follows without a failure."""
        return sum(len(ruling.others) for ruling in self.departures)

    @property
    def deviations(self) -> int:
        """The number of causes that are deviations."""
        return sum(not cause.is_reading for cause in self.causes)

    @property
    def refuted(self) -> int:
        """The number of causes that are readings which the text refutes."""
        return len(self.causes) - self.deviations

    @property
    def caused(self) -> int:
        """The number of failures that causes explain."""
        return len({result.case for cause in self.causes for result in cause.results})

    @property
    def is_specification(self) -> bool:
        """Whether it has no variant and no failure."""
        return not (self.departures or self.causes or any(self.rest.values()))


def descriptions(record: RunRecord) -> list[Description]:
    """The description of each SDK that started."""
    absent = {REFERENCE, *not_started(record)}
    return [_description(record, name) for name in record.implementations if name not in absent]


def _without_cause(result: RecordedResult) -> str:
    """The part in place of a cause."""
    return COMBINED if result.explained_by else UNDECIDED if result.undecided else UNEXPLAINED


def _description(record: RunRecord, name: str) -> Description:
    rulings = record.metadata.rulings
    results = where(
        record.results, lambda one: bool(one.readings or one.explained_by or one.verdict in FAILING), {name}
    )
    grouped: dict[str, list[RecordedResult]] = {}
    rest: dict[str, list[RecordedResult]] = {COMBINED: [], UNEXPLAINED: [], UNDECIDED: []}
    for result in where(results, lambda one: one.verdict in FAILING):
        causes_of = refuted_parts(result.explained_by, rulings)
        for cause in causes_of:
            grouped.setdefault(cause, []).append(result)
        if not causes_of:
            rest[_without_cause(result)].append(result)
    causes = [_cause(record, name, cause, failures) for cause, failures in grouped.items()]
    return Description(
        name,
        tuple(sorted(_rulings(results, record), key=lambda one: (-one.other_cases, one.id))),
        tuple(sorted(causes, key=lambda one: (-len(one.results), one.name))),
        {part: tuple(failures) for part, failures in rest.items()},
    )


def _cause(record: RunRecord, implementation: str, name: str, results: Sequence[RecordedResult]) -> FailureCause:
    entry = record.metadata.implementation(implementation)
    listed = next((cause for cause in (entry.causes if entry else ()) if cause.name == name), None)
    ruling = record.metadata.rulings.get(name.partition("=")[0])
    reason = listed.reason if listed else (ruling.title if ruling else "")
    return FailureCause(name, reason, place_of(listed) if listed else None, tuple(results))


def _rulings(results: Sequence[RecordedResult], record: RunRecord) -> Iterator[FollowedRuling]:
    for id_, following in by_ruling(results).items():
        text = record.metadata.rulings.get(id_)
        one = followers(id_, text, following, record)
        if one.readings:
            yield FollowedRuling(id_, text, tuple(one.readings.values()), one.is_mixed)


class SharedCause(Struct, frozen=True):
    """A cause with the failures of each implementation that it explains, by its name, in the order of the run."""

    name: str
    by: Mapping[str, FailureCause]

    @property
    def first(self) -> FailureCause:
        """The cause of the first implementation."""
        return next(iter(self.by.values()))

    @property
    def is_reading(self) -> bool:
        """Whether it is a reading that the text refutes."""
        return self.first.is_reading

    @property
    def reason(self) -> str:
        """The first reason; the known-divergence files of the SDKs word the same reason differently."""
        return next((cause.reason for cause in self.by.values() if cause.reason), "")

    @property
    def failures(self) -> int:
        """The number of failures that it explains, of all implementations."""
        return sum(len(cause.results) for cause in self.by.values())


def shared(causes: Iterable[tuple[str, FailureCause]]) -> list[SharedCause]:
    """The causes of implementations, each once."""
    by_name: dict[str, dict[str, FailureCause]] = {}
    for name, cause in causes:
        by_name.setdefault(cause.name, {})[name] = cause
    return [SharedCause(name, by) for name, by in by_name.items()]


def shared_causes(descriptions: Sequence[Description]) -> list[SharedCause]:
    """The causes: those of most SDKs first, then those of one SDK, by SDK; among these, those with most failures first."""
    names = [description.implementation for description in descriptions]
    return sorted(
        shared((description.implementation, cause) for description in descriptions for cause in description.causes),
        key=lambda one: (-len(one.by), [names.index(name) for name in one.by], -one.failures, one.name),
    )
