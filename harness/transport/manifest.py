"""`adapter.toml`: the toolchain, build and command of a shipped adapter."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from functools import cache
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct
from packaging.version import InvalidVersion, Version

from ..errors import AdapterUnavailable, UsageError, one_line
from ..model import NotTestedCode

FILE_NAME = "adapter.toml"
NAME = re.compile(r"[a-z][a-z0-9-]*")
_NUMBER = re.compile(r"\d+(?:\.\d+)+|\d+")


Words: TypeAlias = "Annotated[tuple[str, ...], Meta(min_length=1)]"
"""A program and its arguments."""


class Tool(Struct, frozen=True):
    """A program that must be on PATH: the command that prints its version, the lowest version, how to install it."""

    command: str
    version: Words
    minimum: str
    install: str


class MissingTool(Struct, frozen=True):
    """A tool that is absent or too old. `found` is its version: None if it is not on PATH, empty if it prints none."""

    tool: Tool
    found: str | None

    def __str__(self) -> str:
        tool = self.tool
        if self.found is None:
            return f"{tool.command} is not on PATH. {tool.install}"
        return f"{tool.command}: expected {tool.minimum} or newer, found {self.found or 'no version'}. {tool.install}"


class BuildPlan(Struct, frozen=True):
    """Files that are copied into a build folder, the commands run there, and the variables that reach them.

    `fetch` are the commands that bring the release and all that it needs; where one fails, nothing is wrong with the code.
    The others follow. `fixed` are the variables under `set`.
    """

    inputs: tuple[str, ...]
    fetch: tuple[Words, ...] = ()
    steps: tuple[Words, ...] = ()
    environment: tuple[str, ...] = ()
    fixed: dict[str, str] = msgspec.field(default_factory=dict, name="set")


class BasePlan(Struct, frozen=True):
    """The part of a working copy's build that `files` of its folder decide, such as the installed dependencies.

    Working copies with equal files share it. `steps` build it.
    """

    files: tuple[str, ...]
    steps: tuple[Words, ...]


class SdkPlan(Struct, frozen=True, kw_only=True):
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
    exclude: frozenset[str] = frozenset()
    checkout: bool = False
    include_siblings: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    steps: tuple[Words, ...]
    missing_symbol: re.Pattern[str] | None = None
    unreleased_reason: str = ""
    base: BasePlan | None = None

    @property
    def excluded(self) -> frozenset[str]:
        """The names of folders that no copy has."""
        return self.exclude | {".git"}


class ReleasePlan(Struct, frozen=True):
    """The build of another release than the pinned one. `inputs` are further files beside the manifest; `steps` replace the
    build's own; `{version}` in them is the version."""

    steps: tuple[Words, ...]
    inputs: tuple[str, ...] = ()


class StartPlan(Struct, frozen=True):
    """The command that starts an adapter, and the caller's variables that reach it."""

    command: Words
    environment: tuple[str, ...] = ()


class Manifest(Struct, frozen=True):
    """One shipped adapter. `implementation` is the SDK and version that it wraps. `folder` holds its files."""

    name: str
    language: str
    implementation: str
    run: StartPlan
    tools: tuple[Tool, ...] = msgspec.field(default=(), name="toolchain")
    build: BuildPlan | None = None
    sdk: SdkPlan | None = None
    release: ReleasePlan | None = None
    folder: Path = Path()


def shipped_manifests(root: Path) -> dict[str, Manifest]:
    """The manifests of all adapters below `root`/adapters, by name; the reference first."""
    found = [read_manifest(path) for path in sorted((root / "adapters").glob(f"*/{FILE_NAME}"))]
    found.sort(key=lambda manifest: (manifest.name != "reference", manifest.name))
    return {manifest.name: manifest for manifest in found}


def read_manifest(path: Path) -> Manifest:
    """Reads one manifest. Raises `UsageError` with the file and the key."""
    try:
        values = {**_parsed(path.read_text("utf-8")), "folder": path.parent}
        manifest = msgspec.convert(values, Manifest, dec_hook=_pattern)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path}: the manifest cannot be read: {one_line(str(error))}. Correct the file.") from None
    except msgspec.ValidationError as error:
        raise UsageError(f"{path}: {one_line(str(error))}. docs/protocol.md lists the keys of a manifest.") from None
    if manifest.name != path.parent.name or not NAME.fullmatch(manifest.name):
        raise UsageError(
            f"{path}: name: expected {path.parent.name}, the name of its folder (a-z, 0-9, -); "
            f"found {one_line(manifest.name)}. Correct it."
        )
    return manifest


@cache
def _parsed(text: str) -> dict[str, Any]:
    """The values of a manifest: a command reads each one several times."""
    return tomllib.loads(text)


def _pattern(_: type, value: Any) -> Any:
    """The value of a type that TOML does not have: a text is a regular expression, the folder is one already."""
    if not isinstance(value, str):
        return value
    try:
        return re.compile(value)
    except re.error as error:
        raise ValueError(f"not a regular expression: {error.msg}") from None


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
