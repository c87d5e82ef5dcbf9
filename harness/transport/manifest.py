"""`adapter.toml`: what a shipped adapter needs, how it is built, how it is started."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version

from harness.errors import UsageError, one_line

NAME = re.compile(r"[a-z][a-z0-9-]*")
_NUMBER = re.compile(r"\d+(?:\.\d+)+|\d+")


@dataclass(frozen=True, slots=True)
class Tool:
    """A program that must be on PATH, the version that is needed at least, and how a reader gets it."""

    command: str
    version: tuple[str, ...]
    minimum: str
    install: str


@dataclass(frozen=True, slots=True)
class BuildPlan:
    """Files that are copied into a build folder, the commands run there, and the variables that reach them."""

    inputs: tuple[str, ...]
    steps: tuple[tuple[str, ...], ...]
    environment: tuple[str, ...]
    fixed: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SdkPlan:
    """How a working copy of the SDK is judged in place of its release.

    A folder is that SDK if the file `marker` in it matches `match`. What is copied are its files, without those in folders
    called as one of `exclude`; `checkout`: with the rest of the git checkout that it lies in; `include_siblings`:
    where git does not
    know it, with these folders of the nearest folder above that has them. `inputs` are further files
    beside the manifest. `steps` are run in the place of the build's own; `{sdk}` in them is the copy. In the output of a
    step that fails, `missing_symbol` finds what the working copy does not have. `unreleased_reason`: there is no
    release, and why.
    """

    name: str
    marker: str
    match: re.Pattern[str]
    exclude: frozenset[str]
    checkout: bool
    include_siblings: tuple[str, ...]
    inputs: tuple[str, ...]
    steps: tuple[tuple[str, ...], ...]
    missing_symbol: re.Pattern[str] | None
    unreleased_reason: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """One shipped adapter. `folder` is where its files lie."""

    name: str
    folder: Path
    language: str
    implementation: str
    tools: tuple[Tool, ...]
    build: BuildPlan | None
    sdk: SdkPlan | None
    command: tuple[str, ...]
    environment: tuple[str, ...]


def shipped_manifests(root: Path) -> dict[str, Manifest]:
    """The manifests of all adapters below `root`/adapters, by name; the reference first."""
    found = [read_manifest(path) for path in sorted((root / "adapters").glob("*/adapter.toml"))]
    found.sort(key=lambda manifest: (manifest.name != "reference", manifest.name))
    return {manifest.name: manifest for manifest in found}


def read_manifest(path: Path) -> Manifest:
    """Reads one manifest. Raises `UsageError`, naming the file."""
    try:
        values = tomllib.loads(path.read_text("utf-8"))
        manifest = _manifest(values, path.parent)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path}: not a readable manifest: {one_line(str(error))}. Correct the file.") from None
    except (KeyError, TypeError, AttributeError, re.error) as error:
        raise UsageError(
            f"{path}: the manifest lacks or misuses {one_line(str(error))}. See docs/protocol.md."
        ) from None
    if manifest.name != path.parent.name or not NAME.fullmatch(manifest.name):
        raise UsageError(f"{path}: the adapter is called {one_line(manifest.name)}; it must be called like its folder.")
    return manifest


def _manifest(values: Mapping[str, Any], folder: Path) -> Manifest:
    build, sdk, run = values.get("build"), values.get("sdk"), values["run"]
    return Manifest(
        name=_text(values, "name"),
        folder=folder,
        language=_text(values, "language"),
        implementation=_text(values, "implementation"),
        tools=tuple(
            Tool(
                _text(tool, "command"),
                _command(tool["version"], "version"),
                str(tool["minimum"]),
                _text(tool, "install"),
            )
            for tool in values.get("toolchain", [])
        ),
        build=None if build is None else _build_plan(build),
        sdk=None if sdk is None else _sdk_plan(sdk),
        command=_command(run["command"], "command"),
        environment=_texts(run.get("environment", []), "environment"),
    )


def _build_plan(build: Mapping[str, Any]) -> BuildPlan:
    return BuildPlan(
        inputs=_texts(build["inputs"], "inputs"),
        steps=tuple(_command(step, "steps") for step in build.get("steps", [])),
        environment=_texts(build.get("environment", []), "environment"),
        fixed={key: str(value) for key, value in build.get("set", {}).items()},
    )


def _sdk_plan(sdk: Mapping[str, Any]) -> SdkPlan:
    return SdkPlan(
        name=_text(sdk, "name"),
        marker=_text(sdk, "marker"),
        match=re.compile(_text(sdk, "match")),
        exclude=frozenset([".git", *_texts(sdk.get("exclude", []), "exclude")]),
        checkout=sdk.get("checkout", False) is True,
        include_siblings=_texts(sdk.get("include_siblings", []), "include_siblings"),
        inputs=_texts(sdk.get("inputs", []), "inputs"),
        steps=tuple(_command(step, "steps") for step in sdk["steps"]),
        missing_symbol=re.compile(_text(sdk, "missing_symbol")) if "missing_symbol" in sdk else None,
        unreleased_reason=_text(sdk, "unreleased_reason") if "unreleased_reason" in sdk else "",
    )


def _command(value: Any, key: str) -> tuple[str, ...]:
    """A program and its arguments."""
    words = _texts(value, key)
    if not words:
        raise TypeError(key)
    return words


def _texts(value: Any, key: str) -> tuple[str, ...]:
    """A list of texts; one text would be taken for the list of its letters."""
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise TypeError(key)
    return tuple(value)


def _text(values: Mapping[str, Any], key: str) -> str:
    found = values[key]
    if not isinstance(found, str):
        raise TypeError(key)
    return found


def missing_requirements(manifest: Manifest, *, with_sdk: bool = False) -> str:
    """Why this adapter cannot be asked on this machine, with what to do; empty if nothing is known to be in the way."""
    if manifest.sdk and manifest.sdk.unreleased_reason and not with_sdk:
        return manifest.sdk.unreleased_reason
    return " ".join(missing_tools(manifest))


def missing_tools(manifest: Manifest) -> list[str]:
    """A sentence for each tool that is not here, or too old, with what to do."""
    return [sentence for tool in manifest.tools if (sentence := _missing(tool))]


def is_missing(tool: Tool) -> bool:
    """Whether the tool is absent or too old."""
    return bool(_missing(tool))


def _missing(tool: Tool) -> str:
    if shutil.which(tool.command) is None:
        return f"{tool.command} is not on PATH. {tool.install}"
    found = tool_version(tool)
    try:
        old = not found or Version(found) < Version(tool.minimum)
    except InvalidVersion:
        old = True
    return f"{tool.command} is version {found or 'unknown'}; {tool.minimum} is needed. {tool.install}" if old else ""


def tool_version(tool: Tool) -> str:
    """The first version number that the tool prints of itself; empty if it prints none."""
    return _asked(tool.version)


def _asked(command: Sequence[str]) -> str:
    try:
        done = subprocess.run(list(command), capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        return ""
    number = _NUMBER.search(done.stdout or done.stderr)
    return number.group() if number else ""
