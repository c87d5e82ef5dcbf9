"""`adapter.toml`: the toolchain, build and command of a shipped adapter."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version

from ..errors import AdapterUnavailable, UsageError, one_line
from ..model import NotTestedCode

NAME = re.compile(r"[a-z][a-z0-9-]*")
_NUMBER = re.compile(r"\d+(?:\.\d+)+|\d+")


@dataclass(frozen=True, slots=True)
class Tool:
    """A program that must be on PATH: the command that prints its version, the lowest version, how to install it."""

    command: str
    version: tuple[str, ...]
    minimum: str
    install: str


@dataclass(frozen=True, slots=True)
class MissingTool:
    """A tool that is absent or too old. `found` is its version: None if it is not on PATH, empty if it prints none."""

    tool: Tool
    found: str | None

    def __str__(self) -> str:
        tool = self.tool
        if self.found is None:
            return f"{tool.command} is not on PATH. {tool.install}"
        return f"{tool.command}: expected {tool.minimum} or newer, found {self.found or 'no version'}. {tool.install}"


@dataclass(frozen=True, slots=True)
class BuildPlan:
    """Files that are copied into a build folder, the commands run there, and the variables that reach them.

    `fetch` are the commands that bring the release and all that it needs; where one fails, nothing is wrong with the code.
    The others follow.
    """

    inputs: tuple[str, ...]
    fetch: tuple[tuple[str, ...], ...]
    steps: tuple[tuple[str, ...], ...]
    environment: tuple[str, ...]
    fixed: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class BasePlan:
    """The part of a working copy's build that `files` of its folder decide, such as the installed dependencies.

    Working copies with equal files share it. `steps` build it.
    """

    files: tuple[str, ...]
    steps: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class SdkPlan:
    """The build of a working copy of the SDK in place of its release.

    A folder is the SDK if its file `marker` matches `match`. The copy has the folder's files except those below a folder
    named in `exclude`. With `checkout` it has the rest of the git checkout too; where git does not track the folder,
    `include_siblings` names folders of the nearest folder above that has all of them. `inputs` are further files beside
    the manifest. `steps` replace the build's own; `{sdk}` in them is the copy. `missing_symbol` finds, in the output of a
    failed step, the names that the working copy does not have. `unreleased_reason`: why the SDK has no release. The build
    of `base` comes first; `{base}` is its folder.
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
    base: BasePlan | None


@dataclass(frozen=True, slots=True)
class ReleasePlan:
    """The build of another release than the pinned one. `inputs` are further files beside the manifest; `steps` replace the
    build's own; `{version}` in them is the version."""

    inputs: tuple[str, ...]
    steps: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Manifest:
    """One shipped adapter. `folder` holds its files; `implementation` is the SDK and version that it wraps."""

    name: str
    folder: Path
    language: str
    implementation: str
    tools: tuple[Tool, ...]
    build: BuildPlan | None
    sdk: SdkPlan | None
    release: ReleasePlan | None
    command: tuple[str, ...]
    environment: tuple[str, ...]


def shipped_manifests(root: Path) -> dict[str, Manifest]:
    """The manifests of all adapters below `root`/adapters, by name; the reference first."""
    found = [read_manifest(path) for path in sorted((root / "adapters").glob("*/adapter.toml"))]
    found.sort(key=lambda manifest: (manifest.name != "reference", manifest.name))
    return {manifest.name: manifest for manifest in found}


def read_manifest(path: Path) -> Manifest:
    """Reads one manifest. Raises `UsageError` with the file and the key."""
    try:
        values = tomllib.loads(path.read_text("utf-8"))
        manifest = _manifest(values, path.parent)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path}: the manifest cannot be read: {one_line(str(error))}. Correct the file.") from None
    except re.error as error:
        raise UsageError(
            f"{path}: [sdk]: {one_line(str(error.pattern))}: not a regular expression: {error.msg}. Correct it."
        ) from None
    except (KeyError, TypeError, AttributeError) as error:
        found = "missing" if isinstance(error, KeyError) else "of the wrong type"
        raise UsageError(
            f"{path}: {one_line(str(error.args[0]))}: {found}. docs/protocol.md lists the keys of a manifest."
        ) from None
    if manifest.name != path.parent.name or not NAME.fullmatch(manifest.name):
        raise UsageError(
            f"{path}: name: expected {path.parent.name}, the name of its folder (a-z, 0-9, -); "
            f"found {one_line(manifest.name)}. Correct it."
        )
    return manifest


def _manifest(values: Mapping[str, Any], folder: Path) -> Manifest:
    build, sdk, release, run = values.get("build"), values.get("sdk"), values.get("release"), values["run"]
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
        release=None if release is None else _release_plan(release),
        command=_command(run["command"], "command"),
        environment=_texts(run.get("environment", []), "environment"),
    )


def _build_plan(build: Mapping[str, Any]) -> BuildPlan:
    return BuildPlan(
        inputs=_texts(build["inputs"], "inputs"),
        fetch=_steps(build, "fetch") if "fetch" in build else (),
        steps=_steps(build) if "steps" in build else (),
        environment=_texts(build.get("environment", []), "environment"),
        fixed={key: str(value) for key, value in build.get("set", {}).items()},
    )


def _sdk_plan(sdk: Mapping[str, Any]) -> SdkPlan:
    base = sdk.get("base")
    return SdkPlan(
        name=_text(sdk, "name"),
        marker=_text(sdk, "marker"),
        match=re.compile(_text(sdk, "match")),
        exclude=frozenset([".git", *_texts(sdk.get("exclude", []), "exclude")]),
        checkout=sdk.get("checkout", False) is True,
        include_siblings=_texts(sdk.get("include_siblings", []), "include_siblings"),
        inputs=_texts(sdk.get("inputs", []), "inputs"),
        steps=_steps(sdk),
        missing_symbol=re.compile(_text(sdk, "missing_symbol")) if "missing_symbol" in sdk else None,
        unreleased_reason=_text(sdk, "unreleased_reason") if "unreleased_reason" in sdk else "",
        base=None if base is None else BasePlan(_texts(base["files"], "files"), _steps(base)),
    )


def _release_plan(release: Mapping[str, Any]) -> ReleasePlan:
    return ReleasePlan(
        inputs=_texts(release.get("inputs", []), "inputs"),
        steps=_steps(release),
    )


def _steps(table: Mapping[str, Any], key: str = "steps") -> tuple[tuple[str, ...], ...]:
    return tuple(_command(step, key) for step in table[key])


def _command(value: Any, key: str) -> tuple[str, ...]:
    """A program and its arguments."""
    words = _texts(value, key)
    if not words:
        raise TypeError(key)
    return words


def _texts(value: Any, key: str) -> tuple[str, ...]:
    """A list of strings; a single string is refused, since Python reads it as a list of letters."""
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise TypeError(key)
    return tuple(value)


def _text(values: Mapping[str, Any], key: str) -> str:
    found = values[key]
    if not isinstance(found, str):
        raise TypeError(key)
    return found


def check_requirements(manifest: Manifest, *, with_sdk: bool = False) -> None:
    """Raises `AdapterUnavailable` if this adapter cannot run on this machine, as far as is known before a build."""
    if manifest.sdk and manifest.sdk.unreleased_reason and not with_sdk:
        raise AdapterUnavailable(manifest.sdk.unreleased_reason, code=NotTestedCode.NO_RELEASE)
    if missing := missing_tools(manifest):
        raise AdapterUnavailable(" ".join(map(str, missing)), code=NotTestedCode.NO_TOOLCHAIN)


def missing_tools(manifest: Manifest) -> list[MissingTool]:
    """The tools that are absent or too old."""
    return [missing for tool in manifest.tools if (missing := missing_tool(tool))]


def missing_tool(tool: Tool) -> MissingTool | None:
    """The tool with its version if it is absent or too old, else None."""
    if shutil.which(tool.command) is None:
        return MissingTool(tool, None)
    found = tool_version(tool)
    try:
        is_old = not found or Version(found) < Version(tool.minimum)
    except InvalidVersion:
        is_old = True
    return MissingTool(tool, found) if is_old else None


def tool_version(tool: Tool) -> str:
    """The first version number in the output of the tool's version command; empty if there is none."""
    try:
        done = subprocess.run(list(tool.version), capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        return ""
    number = _NUMBER.search(done.stdout or done.stderr)
    return number.group() if number else ""
