"""`operations.toml` beside a manifest: how a shipped adapter supports each operation, as data for people and tests."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from ..base.json_path import follow, pointer_steps
from ..errors import UsageError, one_line
from ..model import ABSENT, Absent, Implementation, Json

FILE_NAME = "operations.toml"

_PLACEHOLDER = re.compile(r"\{(/[^{}|]*|\$\w+)(?:\|([^{}]*))?\}")
_OPTIONAL = re.compile(r"\[\[(.*?)\]\]")


class State(StrEnum):
    """How an adapter supports an operation."""

    DIRECT = "direct"
    OBSERVED = "observed"
    UNSUPPORTED = "unsupported"


class ArgumentChoice(Struct, frozen=True, forbid_unknown_fields=True):
    """One text of an argument that the adapter translates, and the requests that it applies to: those with the members of
    `when`, with the `present` members and without the `absent` ones, all by JSON Pointer."""

    text: str
    when: dict[str, Any] = {}
    present: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()

    def applies(self, request: Json) -> bool:
        """Whether this is the text for the request."""
        values = ((_member(request, pointer), wanted) for pointer, wanted in self.when.items())
        return (
            all(value == wanted and type(value) is type(wanted) for value, wanted in values)
            and not any(isinstance(_member(request, pointer), Absent) for pointer in self.present)
            and all(isinstance(_member(request, pointer), Absent) for pointer in self.absent)
        )


class _Entry(Struct, forbid_unknown_fields=True):
    """An entry of the file: one of the three states, with the call, the way of observation or the reason."""

    direct: str | None = None
    observed: str | None = None
    unsupported: str | None = None
    out_of_reach: str = ""
    unobservable: dict[str, str] = {}
    calls: tuple[str, ...] = ()
    arguments: dict[str, tuple[ArgumentChoice, ...]] = {}


class OperationSupport(Struct, frozen=True):
    """The declared support of one operation. `how` is the call, the way of observation, or the reason why it is unsupported.

    `out_of_reach` describes the requests that get no answer; `unobservable` maps a JSON Pointer to the reason why the
    adapter cannot report that part. `calls` are the public calls of the SDK in the SDK's own language. In one,
    `{/pointer}` stands for that member of the request, `{/pointer|text}` for `text` if the request lacks it, and `{$name}`
    for the first of `arguments[name]` that applies. `[[…]]` is left out if one of its arguments is missing.
    """

    state: State
    how: str
    out_of_reach: str = ""
    unobservable: Mapping[str, str] = field(default_factory=dict)
    calls: tuple[str, ...] = ()
    arguments: Mapping[str, tuple[ArgumentChoice, ...]] = field(default_factory=dict)

    def calls_for(self, request: Json) -> list[str]:
        """The calls with the arguments of this request, each as JSON; a missing member outside `[[…]]` is `absent`."""

        def filled(text: str) -> str:
            return _PLACEHOLDER.sub(lambda placeholder: self._argument(request, placeholder) or "absent", text)

        def optional(group: re.Match[str]) -> str:
            found = list(_PLACEHOLDER.finditer(group[1]))
            return group[1] if all(self._argument(request, placeholder) is not None for placeholder in found) else ""

        calls = (filled(_OPTIONAL.sub(optional, call)) for call in self.calls)
        return [call for call in calls if call]

    def _argument(self, request: Json, placeholder: re.Match[str]) -> str | None:
        """The text of a placeholder; None if the request lacks it."""
        name, fallback = placeholder.groups()
        if name.startswith("$"):
            texts = (choice.text for choice in self.arguments.get(name[1:], ()) if choice.applies(request))
            return next(texts, fallback)
        value = _member(request, name)
        return fallback if isinstance(value, Absent) else json.dumps(value, ensure_ascii=False)


def _member(request: Json, pointer: str) -> Json | Absent:
    return follow(request, pointer_steps(pointer), ABSENT)  # type: ignore[no-any-return]


def read_declarations(folder: Path, operations: Iterable[str]) -> dict[str, OperationSupport]:
    """The declared support of these operations, by name, for the adapter in `folder`; undeclared ones are missing.

    The file's keys are names, or globs over names; a name has precedence. Raises `UsageError` with the file.
    """
    path = folder / FILE_NAME
    try:
        listed = msgspec.convert(tomllib.loads(path.read_text("utf-8")), dict[str, _Entry])
        entries = {name: _declared(name, entry) for name, entry in listed.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, msgspec.ValidationError) as error:
        raise UsageError(
            f"{path}: the table of operations cannot be read: {one_line(str(error))}. Correct it."
        ) from None
    found = {}
    for name in operations:
        keys = [name] if name in entries else [key for key in entries if fnmatchcase(name, key)]
        if keys:
            found[name] = entries[keys[0]]
    return found


def _declared(name: str, entry: _Entry) -> OperationSupport:
    stated = {state: how for state in State if (how := getattr(entry, state)) is not None}
    if len(stated) != 1:
        raise ValueError(f"{name}: expected one of {', '.join(State)}, found {', '.join(stated) or 'none'}")
    [(state, how)] = stated.items()
    return OperationSupport(state, how, entry.out_of_reach, entry.unobservable, entry.calls, entry.arguments)


def disagreements(
    declared: Mapping[str, OperationSupport], reported: Implementation, operations: Iterable[str]
) -> Iterator[str]:
    """A sentence for each operation whose declared support differs from the reply to `initialize`."""
    for name in operations:
        one = declared.get(name)
        offered = name in reported.operations
        if one is None:
            if offered:
                yield f"{name}: offered, not declared."
            continue
        reason = reported.unsupported.get(name, "")
        if offered == (one.state is State.UNSUPPORTED):
            yield f"{name}: declared {one.state}, reported {'as offered' if offered else f'as not offered: {reason}'}."
        elif reason not in ("", one.how):
            yield f"{name}: declared unsupported ({one.how}), reported with another reason ({reason})."
        elif offered and set(one.unobservable) != set(reported.unobservable.get(name, ())):
            wanted, got = sorted(one.unobservable), sorted(reported.unobservable.get(name, ()))
            yield f"{name}: declared unobservable {wanted}, reported unobservable {got}."
