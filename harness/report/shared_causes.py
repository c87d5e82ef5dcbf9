"""Descriptions → the causes of failures side by side: for each cause, the SDKs that have it. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .description import Description, FailureCause


@dataclass(frozen=True, slots=True)
class SharedCause:
    """A cause with the failures of each SDK that it explains, by the name of the SDK, in the order of the run."""

    name: str
    by: Mapping[str, FailureCause]

    @property
    def reason(self) -> str:
        """The first reason; the known-divergence files of the SDKs word the same reason differently."""
        return next((one.reason for one in self.by.values() if one.reason), "")

    @property
    def failures(self) -> int:
        """The number of failures that it explains, of all SDKs."""
        return sum(len(one.results) for one in self.by.values())


def shared_causes(descriptions: Sequence[Description]) -> list[SharedCause]:
    """The causes: those of most SDKs first, then those of one SDK, by SDK; among these, those with most failures first."""
    names = [one.implementation for one in descriptions]
    by_name: dict[str, dict[str, FailureCause]] = {}
    for description in descriptions:
        for cause in description.causes:
            by_name.setdefault(cause.name, {})[description.implementation] = cause
    return sorted(
        (SharedCause(name, by) for name, by in by_name.items()),
        key=lambda one: (-len(one.by), [names.index(name) for name in one.by], -one.failures, one.name),
    )
