"""Adapter specs → connections that the runner can start."""

from __future__ import annotations

import contextlib
import io
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from ..corpus.paths import cache as build_cache
from ..errors import AdapterUnavailable, one_line
from ..model import NotTested, NotTestedCode
from ..protocol import Channel, Connection
from .adapter_spec import AdapterSpec
from .build import build
from .manifest import Manifest, check_requirements
from .process import Process
from .sandbox import Sandbox
from .working_copy import WorkingCopy, inspect_working_copy

_ERROR_LINE = re.compile(
    r"\b(?:error|forbidden|denied|cannot|can't|not found|no such|failed|refused|4\d\d)\b", re.IGNORECASE
)
"""The line of a build's output that people see first; nothing else depends on it."""


class ProcessConnection(Struct, frozen=True):
    """A `Connection` that starts a command. `adapter` is the name of the shipped adapter, empty for any other command."""

    command: tuple[str, ...]
    folder: Path
    environment: Mapping[str, str]
    adapter: str = ""

    def start(self, environment: Sequence[tuple[str, str]]) -> Channel:
        """Starts the command with these variables set over its own."""
        return Process(self.command, self.folder, {**self.environment, **dict(environment)})


def connect(
    spec: AdapterSpec,
    shipped: Mapping[str, Manifest],
    cache: Path,
    sandbox: Sandbox,
    passed: Sequence[str],
    sdk: WorkingCopy | None = None,
) -> Connection:
    """Builds the adapter where its manifest has a build, with the working copy of the spec if it names one, and returns the
    connection. `passed` are names of the caller's variables that the adapter may see; `sdk` is the working copy if it was
    inspected already. Raises `AdapterUnavailable`, and `UsageError` for an adapter that takes no working copy."""
    if spec.command:
        return ProcessConnection(spec.command, Path.cwd(), sandbox.variables(passed, {}))
    manifest = shipped[spec.adapter]
    if sdk is None and spec.sdk is not None:
        sdk = inspect_working_copy(manifest, spec.sdk, spec.sdk_option)
    check_requirements(manifest, with_sdk=bool(sdk or spec.version))
    if spec.version and manifest.release is None:
        copy = f" Judge a working copy: --adapter {spec.name}=DIR." if manifest.sdk else ""
        raise AdapterUnavailable(f"{manifest.name} has no other releases: its manifest has no [release].{copy}")
    folder = build(manifest, cache, sandbox, sdk, spec.version)
    command = tuple(sys.executable if word == "{python}" else word for word in manifest.run.command)
    return ProcessConnection(command, folder, sandbox.variables([*manifest.run.environment, *passed], {}), spec.adapter)


class ConnectionAttempt(Struct, frozen=True):
    """An adapter with its connection, or with the reason why there is none."""

    name: str
    connection: Connection | None
    not_tested: NotTested | None = None

    @property
    def reason(self) -> str:
        """Why there is no connection."""
        return self.not_tested.reason if self.not_tested else ""


def try_connect(
    spec: AdapterSpec, manifests: dict[str, Manifest], sandbox: Sandbox, passed: Sequence[str], *, named: bool = True
) -> ConnectionAttempt:
    """Connects one adapter without showing the output of its build; `named`: by the user. Raises `UsageError` if the
    working copy is not one of the SDK."""
    sdk = inspect_working_copy(manifests[spec.adapter], spec.sdk, spec.sdk_option) if spec.sdk else None
    if spec.is_shipped and manifests[spec.adapter].build and sys.stderr.isatty():
        print(f"building {spec.name}, unless its build is in the cache …", file=sys.stderr)
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            return ConnectionAttempt(spec.name, connect(spec, manifests, build_cache(), sandbox, passed, sdk))
    except AdapterUnavailable as unavailable:
        return ConnectionAttempt(spec.name, None, not_tested(spec, manifests, unavailable, named=named))


def not_tested(
    spec: AdapterSpec, manifests: Mapping[str, Manifest], unavailable: AdapterUnavailable, *, named: bool
) -> NotTested:
    """Why an adapter has no connection, on one line. It is an error if the adapter is `named`, or if its build fails."""
    reason = why_not_tested(spec, manifests, unavailable, unavailable.log)
    is_error = named or unavailable.code is NotTestedCode.NOT_BUILT
    return NotTested(spec.name, unavailable.code, reason, is_error, unavailable.log)


def why_not_tested(
    spec: AdapterSpec, manifests: Mapping[str, Manifest], unavailable: AdapterUnavailable, log: str
) -> str:
    """Why an adapter has no connection, on one line; `log` is the output of its build that the reader has not seen."""
    reason = short_reason(unavailable.text, log)
    releases = (NotTestedCode.NOT_FETCHED, NotTestedCode.NOT_BUILT)
    if spec.is_pinned and unavailable.code in releases and manifests[spec.adapter].sdk:
        return f"{one_line(reason, 300).rstrip('.')}. To judge a working copy: --adapter {spec.adapter}=DIR."
    return reason


def short_reason(reason: str, log: str = "") -> str:
    """A failure on one line: its reason, and the line of the log that most likely names the error."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    if not lines:
        return one_line(reason, 400)
    error = next((line for line in lines if _ERROR_LINE.search(line)), lines[-1])
    return one_line(f"{reason} {error}", 400)
