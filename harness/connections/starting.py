"""Chosen adapters → connections that the engine can start."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.connections.build import build
from harness.connections.environment import Surroundings
from harness.connections.manifest import Manifest, what_is_missing
from harness.connections.naming import Chosen
from harness.connections.process import Process
from harness.connections.working_copy import WorkingCopy
from harness.errors import AdapterUnavailable
from harness.protocol import Channel


@dataclass(frozen=True, slots=True)
class Subprocess:
    """A `Connection` that starts a command."""

    command: tuple[str, ...]
    folder: Path
    environment: Mapping[str, str]

    def start(self, environment: Sequence[tuple[str, str]]) -> Channel:
        """Starts the command with these variables set over its own."""
        return Process(self.command, self.folder, {**self.environment, **dict(environment)})


@dataclass(frozen=True, slots=True)
class Unavailable:
    """A `Connection` to an adapter that could not be built; starting it says why."""

    reason: str

    def start(self, environment: Sequence[tuple[str, str]]) -> Channel:  # noqa: ARG002
        raise AdapterUnavailable(self.reason)


def connect(
    chosen: Chosen,
    shipped: Mapping[str, Manifest],
    cache: Path,
    surroundings: Surroundings,
    passed: Sequence[str],
    sdk: WorkingCopy | None = None,
) -> Subprocess:
    """Builds the adapter if it must be built, over the working copy `sdk` if one is given. Raises `AdapterUnavailable`."""
    if chosen.command:
        return Subprocess(chosen.command, Path.cwd(), surroundings.variables(passed, {}))
    manifest = shipped[chosen.name]
    if lacking := what_is_missing(manifest, with_sdk=sdk is not None):
        raise AdapterUnavailable(lacking)
    folder = build(manifest, cache, surroundings, sdk)
    command = tuple(sys.executable if word == "{python}" else word for word in manifest.command)
    return Subprocess(command, folder, surroundings.variables([*manifest.environment, *passed], {}))
