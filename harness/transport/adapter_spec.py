"""`--adapter` → what to start and under which name."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from harness.errors import UsageError, one_line
from harness.transport.manifest import NAME

_BARE = re.compile(r"[^\s./=]+")
_LABEL_LIKE = re.compile(r"([\w-]+)=(?=.)", re.DOTALL)
_LABELLED = re.compile(r"([a-z][a-z0-9-]*)=(.*)", re.DOTALL)
_INTERPRETER = re.compile(
    r"(?:python|pypy|node|nodejs|deno|bun|npx|ruby|perl|php|lua|tclsh|java|mono|dotnet|go|cargo|swift|dart|julia|Rscript"
    r"|elixir|escript|racket|uv|run|env|sh|bash|zsh)"
    r"[0-9.]*(?:\.exe)?"
)


@dataclass(frozen=True, slots=True)
class AdapterSpec:
    """One implementation of a run: a shipped adapter by its name, or a command of the user's own.

    `sdk` is the working copy that a shipped adapter judges in place of the release.
    """

    name: str
    command: tuple[str, ...] = ()
    sdk: Path | None = None


def with_sdk(chosen: Sequence[AdapterSpec], sdk: Path) -> list[AdapterSpec]:
    """The same with the working copy given to the one that it is for. Raises `UsageError` if that is not plain."""
    ours = [one for one in chosen if not one.command]
    if len(ours) != 1:
        raise UsageError(
            "--sdk needs exactly one shipped --adapter, the one that the working copy is judged with; "
            f"{', '.join(one.name for one in ours) or 'none'} was given."
        )
    return [replace(one, sdk=sdk) if one is ours[0] else one for one in chosen]


def choose(options: Sequence[str], shipped: Collection[str]) -> list[AdapterSpec]:
    """What the `--adapter` options name. Raises `UsageError` for unknown, taken and unusable names."""
    chosen: list[AdapterSpec] = []
    for option in options:
        one = _choose(option, shipped)
        if any(one.name == other.name for other in chosen):
            raise UsageError(
                f"Two adapters are called {one.name}. Give one a name of its own: --adapter name='COMMAND'."
            )
        chosen.append(one)
    return chosen


def says_a_name(option: str) -> bool:
    """Whether an `--adapter` option is a name, or gives one to its command."""
    return _BARE.fullmatch(option) is not None or _LABEL_LIKE.match(option) is not None


def _choose(option: str, shipped: Collection[str]) -> AdapterSpec:
    if _BARE.fullmatch(option):
        if option not in shipped:
            known = ", ".join(sorted(shipped))
            raise UsageError(
                f"No adapter is called {one_line(option)}. Shipped: {known}. A command needs a space, a dot or a slash."
            )
        return AdapterSpec(option)
    labelled = _LABELLED.fullmatch(option)
    label, text = labelled.groups() if labelled else ("", option)
    if not labelled and (unusable := _LABEL_LIKE.match(option)):
        raise UsageError(
            f"--adapter {one_line(option)}: {unusable[1]} is no name. Write one of a-z, 0-9 and -, beginning with a letter."
        )
    try:
        command = tuple(shlex.split(text))
    except ValueError as error:
        raise UsageError(f"--adapter {one_line(option)}: the command cannot be split into words: {error}.") from None
    if not command:
        raise UsageError(
            "--adapter was given no command. Write a shipped name, or a command such as 'node my-adapter.mjs'."
        )
    name = label or _named_after(command)
    if name in shipped:
        raise UsageError(
            f"{name} is the name of a shipped adapter. Give yours another: --adapter my-{name}='{one_line(text)}'."
        )
    return AdapterSpec(name, command)


def _named_after(command: Sequence[str]) -> str:
    """The file name of the first word that is neither an interpreter nor an option, without extension."""
    words = [word for word in command if not word.startswith("-") and not _INTERPRETER.fullmatch(PurePath(word).name)]
    stem = PurePath(words[0] if words else command[0]).name.split(".")[0]
    name = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")
    if not NAME.fullmatch(name):
        raise UsageError(
            f"No name can be made of {one_line(' '.join(command))}. Give it one: --adapter name='COMMAND'."
        )
    return name
