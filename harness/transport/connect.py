"""Adapter specs → connections that the runner can start."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import AdapterUnavailable
from ..protocol import Channel
from .adapter_spec import AdapterSpec
from .build import build
from .manifest import Manifest, missing_requirements
from .process import Process
from .sandbox import Sandbox
from .working_copy import WorkingCopy


@dataclass(frozen=True, slots=True)
class ProcessConnection:
    """A `Connection` that starts a command."""

    command: tuple[str, ...]
    folder: Path
    environment: Mapping[str, str]

    def start(self, environment: Sequence[tuple[str, str]]) -> Channel:
        """Starts the command with these variables set over its own."""
        return Process(self.command, self.folder, {**self.environment, **dict(environment)})


@dataclass(frozen=True, slots=True)
class Unavailable:
    """A `Connection` to an adapter that could not be built; `start` raises `AdapterUnavailable` with the reason."""

    reason: str

    def start(self, environment: Sequence[tuple[str, str]]) -> Channel:  # noqa: ARG002
        raise AdapterUnavailable(self.reason)


def connect(
    spec: AdapterSpec,
    shipped: Mapping[str, Manifest],
    cache: Path,
    sandbox: Sandbox,
    passed: Sequence[str],
    sdk: WorkingCopy | None = None,
) -> ProcessConnection:
    """Builds the adapter where its manifest has a build, with the working copy `sdk` if one is given, and returns the
    connection. `passed` are names of the caller's variables that the adapter may see. Raises `AdapterUnavailable`."""
    if spec.command:
        return ProcessConnection(spec.command, Path.cwd(), sandbox.variables(passed, {}))
    manifest = shipped[spec.name]
    if reason := missing_requirements(manifest, with_sdk=sdk is not None):
        raise AdapterUnavailable(reason)
    folder = build(manifest, cache, sandbox, sdk)
    command = tuple(sys.executable if word == "{python}" else word for word in manifest.command)
    return ProcessConnection(command, folder, sandbox.variables([*manifest.environment, *passed], {}))
