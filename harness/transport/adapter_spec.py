"""`--adapter` options → which adapters to start, and their names in the run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path, PurePath

from msgspec import Struct

from ..base.files import relative_here
from ..errors import UsageError, one_line
from ..model import replace
from .manifest import NAME, Manifest

LABEL = re.compile(r"[a-z][a-z0-9-]*(?:@[A-Za-z0-9][A-Za-z0-9.+-]*)?")
"""The name of an implementation in a run. Behind `@` stands a version or another mark, such as `ts@0.2.0`."""

_BARE = re.compile(r"[^\s./=]+")
_VERSION = re.compile(r"v?(\d+\.\d+\.\d+[A-Za-z0-9.+-]*)")
"""A whole version; a tag such as `latest`, or a part such as `0.2`, stands for another one later, and a cache would keep the
first."""

_RELEASE = re.compile(r"[^\s./=@]+@[^\s/=]*")
_LABEL_LIKE = re.compile(r"([\w-]+(?:@[\w.+-]*)?)=(?=.)", re.DOTALL)
_LABELLED = re.compile(rf"({LABEL.pattern})=(.*)", re.DOTALL)
_INTERPRETER = re.compile(
    r"(?:python|pypy|node|nodejs|deno|bun|npx|ruby|perl|php|lua|tclsh|java|mono|dotnet|go|cargo|swift|dart|julia|Rscript"
    r"|elixir|escript|racket|uv|run|env|sh|bash|zsh)"
    r"[0-9.]*(?:\.exe)?"
)


class AdapterSpec(Struct, frozen=True):
    """One implementation of a run: a shipped adapter by its name, or the user's own command.

    A shipped adapter judges the working copy `sdk` or the release `version` in place of the release that it pins.
    `is_sdk_option`: the option `--sdk` names the working copy, not the option `--adapter`.
    """

    name: str
    command: tuple[str, ...] = ()
    sdk: Path | None = None
    version: str = ""
    is_sdk_option: bool = False

    @property
    def is_shipped(self) -> bool:
        """Whether it names a shipped adapter."""
        return not self.command

    @property
    def is_pinned(self) -> bool:
        """Whether it judges the release that a shipped adapter pins."""
        return self.is_shipped and not self.sdk and not self.version

    @property
    def option(self) -> str:
        """The `--adapter` option that names it; a working copy of `--sdk` is not part of it."""
        if self.command:
            return f"{self.name}={shlex.join(self.command)}"
        return f"{self.name}={relative_here(self.sdk)}" if self.sdk and not self.is_sdk_option else self.name

    @property
    def sdk_option(self) -> str:
        """The option that names its working copy."""
        return f"--sdk {self.sdk}" if self.is_sdk_option else f"--adapter {self.option}"

    @property
    def adapter(self) -> str:
        """The shipped adapter's name, for a spec without a command."""
        return adapter_of(self.name)


def adapter_of(name: str) -> str:
    """The shipped adapter of an implementation's name: `ts` of `ts@0.2.0`."""
    return name.partition("@")[0]


def _with_sdk(specs: Sequence[AdapterSpec], sdk: Path) -> list[AdapterSpec]:
    """The specs, the shipped one with the working copy. Raises `UsageError` unless exactly one is shipped."""
    shipped = [spec for spec in specs if spec.is_pinned]
    if len(shipped) != 1:
        raise UsageError(
            "--sdk: expected exactly one shipped --adapter, which judges the working copy; "
            f"found {', '.join(spec.name for spec in shipped) or 'none'}. Name one with --adapter."
        )
    return [replace(spec, sdk=sdk, is_sdk_option=True) if spec is shipped[0] else spec for spec in specs]


def parse_specs(options: Sequence[str], shipped: Collection[str], sdk: Path | None = None) -> list[AdapterSpec]:
    """The adapters that the `--adapter` options name, the shipped one with the working copy `sdk` if that is given. Raises
    `UsageError` for unknown, repeated and unusable names."""
    specs: list[AdapterSpec] = []
    for option in options:
        spec = _parse(option, shipped)
        if any(spec.name == other.name for other in specs):
            raise UsageError(
                f"--adapter: two adapters have the name {spec.name}. Label one of them: --adapter LABEL='COMMAND'."
            )
        specs.append(spec)
    return _with_sdk(specs, sdk) if sdk else specs


def released_specs(
    options: Sequence[str], shipped: Mapping[str, Manifest], sdk: Path | None = None
) -> list[AdapterSpec]:
    """The same. Raises `UsageError` too for an adapter whose SDK has no release and that got no working copy."""
    specs = parse_specs(options, shipped, sdk)
    for spec in specs:
        plan = shipped[spec.adapter].sdk if spec.is_pinned else None
        if plan is not None and plan.unreleased_reason:
            raise UsageError(
                f"--adapter {spec.name} needs a working copy: --adapter {spec.name}=DIR; nothing was run. "
                f"{plan.unreleased_reason}"
            )
    return specs


def has_name(option: str) -> bool:
    """Whether an `--adapter` option is a bare name, a release or a labelled command."""
    return bool(_BARE.fullmatch(option) or _RELEASE.fullmatch(option)) or _LABEL_LIKE.match(option) is not None


def _parse(option: str, shipped: Collection[str]) -> AdapterSpec:
    if _BARE.fullmatch(option) or _RELEASE.fullmatch(option):
        adapter, at, version = option.partition("@")
        if adapter not in shipped:
            names = ", ".join(sorted(shipped))
            raise UsageError(
                f"--adapter {one_line(option)}: expected a shipped adapter ({names}) or a command; no shipped adapter has "
                "this name. Correct it, or write a command, which has a space, a dot or a slash."
            )
        whole = _VERSION.fullmatch(version)
        if at and not (LABEL.fullmatch(option) and whole):
            raise UsageError(
                f"--adapter {one_line(option)}: expected a whole version after @, such as {adapter}@1.2.0. Correct it."
            )
        return AdapterSpec(option, version=whole[1] if whole else "")
    labelled = _LABELLED.fullmatch(option)
    label, text = labelled.groups() if labelled else ("", option)
    if not labelled and (unusable := _LABEL_LIKE.match(option)):
        raise UsageError(
            f"--adapter {one_line(option)}: {unusable[1]} is not a valid name. Use a-z, 0-9 and -, starting with a letter."
        )
    if adapter_of(label) in shipped and label:
        return AdapterSpec(label, sdk=_folder(label, text))
    try:
        command = tuple(shlex.split(text))
    except ValueError as error:
        raise UsageError(
            f"--adapter {one_line(option)}: the command cannot be split into words: {error}. Correct the quotes."
        ) from None
    if not command:
        raise UsageError(
            "--adapter: the command is empty. Write a shipped name, or a command such as 'node my-adapter.mjs'."
        )
    name = label or _derived_name(command)
    if name in shipped:
        raise UsageError(
            f"--adapter {name}: this is the name of a shipped adapter. Use another: --adapter my-{name}='{one_line(text)}'."
        )
    return AdapterSpec(name, command)


def _folder(label: str, text: str) -> Path:
    """The working copy of `LABEL=DIR`, where the label belongs to a shipped adapter."""
    adapter = adapter_of(label)
    if Path(text).is_dir():
        return Path(text).resolve()
    raise UsageError(
        f"--adapter {label}={one_line(text)}: {adapter} is a shipped adapter, so its working copy is expected; this is not "
        f"a folder. Name the SDK's folder, or label your command otherwise: --adapter my-{adapter}='{one_line(text)}'."
    )


def _derived_name(command: Sequence[str]) -> str:
    """The file name, without extension, of the first word that is neither an interpreter nor an option."""
    words = [word for word in command if not word.startswith("-") and not _INTERPRETER.fullmatch(PurePath(word).name)]
    stem = PurePath(words[0] if words else command[0]).name.split(".")[0]
    name = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")
    if not NAME.fullmatch(name):
        raise UsageError(
            f"--adapter {one_line(' '.join(command))}: the command gives no valid name. Label it: --adapter LABEL='COMMAND'."
        )
    return name
