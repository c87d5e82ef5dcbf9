"""Adapters for verbs that look at each of them: connected where that can be done, else the reason in one line."""

from __future__ import annotations

import contextlib
import io
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from ..corpus.paths import cache
from ..errors import AdapterUnavailable, one_line
from .adapter_spec import AdapterSpec
from .connect import ProcessConnection, connect
from .manifest import Manifest, missing_requirements
from .sandbox import Sandbox
from .working_copy import inspect_working_copy

_ERROR_LINE = re.compile(
    r"\b(?:error|forbidden|denied|cannot|can't|not found|no such|failed|refused|4\d\d)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Reachable:
    """An adapter and the connection to it, or `why` there is none; `harmless` if it is only not for this machine."""

    name: str
    connection: ProcessConnection | None
    why: str = ""
    harmless: bool = False


def reach(one: AdapterSpec, manifests: dict[str, Manifest], sandbox: Sandbox, passed: Sequence[str]) -> Reachable:
    """Connects one adapter; what its build prints is not shown, only what it failed with. Raises `AdapterUnavailable`
    or `UsageError` for a working copy that is none of its SDK."""
    sdk = inspect_working_copy(manifests[one.name], one.sdk) if one.sdk else None
    missing = "" if one.command else missing_requirements(manifests[one.name], with_sdk=sdk is not None)
    if missing:
        return Reachable(one.name, None, missing, harmless=True)
    if not one.command and manifests[one.name].build and sys.stderr.isatty():
        print(f"{one.name}: built now, if it was not built before …", file=sys.stderr)
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            return Reachable(one.name, connect(one, manifests, cache(), sandbox, passed, sdk))
    except AdapterUnavailable as unavailable:
        return Reachable(one.name, None, short(unavailable.text, unavailable.log))


def short(reason: str, log: str = "") -> str:
    """A failure on one line: its reason, and the line of the log that most likely names the error."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    if not lines:
        return one_line(reason, 400)
    error = next((line for line in lines if _ERROR_LINE.search(line)), lines[-1])
    return one_line(f"{reason} {error}", 400)
