"""`operations.toml` beside a manifest: how a shipped adapter supports each operation, as data for people and tests."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec
from msgspec import Struct, field

from ..errors import UsageError, one_line
from ..model import Implementation

FILE_NAME = "operations.toml"


class State(StrEnum):
    """How an adapter supports an operation."""

    DIRECT = "direct"
    OBSERVED = "observed"
    UNSUPPORTED = "unsupported"


class _Entry(Struct, forbid_unknown_fields=True):
    """An entry of the file: one of the three states, with the call, the way of observation or the reason."""

    direct: str | None = None
    observed: str | None = None
    unsupported: str | None = None
    out_of_reach: str = ""
    unobservable: dict[str, str] = {}
    through: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


class OperationSupport(Struct, frozen=True):
    """The declared support of one operation. `how` is the call, the way of observation, or the reason why it is unsupported.

    `out_of_reach` describes the requests that get no answer; `unobservable` maps a JSON Pointer to the reason why the
    adapter cannot report that part. `through` are the operations whose answers enter the observed one, so that their
    failures show in it too. `files` are globs over the files of the SDK's folder that the operation reaches, the nearest
    first; in the file, the name of an operation stands there for its files.
    """

    state: State
    how: str
    out_of_reach: str = ""
    unobservable: Mapping[str, str] = field(default_factory=dict)
    through: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    def reached(self, files: Iterable[str]) -> tuple[str, ...]:
        """Those of these files that the operation reaches, the nearest first."""
        files = [*files]
        return tuple(dict.fromkeys(file for glob in self.files for file in files if fnmatchcase(file, glob)))


def read_declarations(folder: Path, operations: Iterable[str]) -> dict[str, OperationSupport]:
    """The declared support of these operations, by name, for the adapter in `folder`; undeclared ones are missing.

    The file's keys are names, or globs over names; a name has precedence. Raises `UsageError` with the file.
    """
    path = folder / FILE_NAME
    try:
        listed = msgspec.convert(tomllib.loads(path.read_text("utf-8")), dict[str, _Entry])
        entries = {name: _declared(name, entry, listed) for name, entry in listed.items()}
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


def _declared(name: str, entry: _Entry, entries: Mapping[str, _Entry]) -> OperationSupport:
    stated = {state: how for state in State if (how := getattr(entry, state)) is not None}
    if len(stated) != 1:
        raise ValueError(f"{name}: expected one of {', '.join(State)}, found {', '.join(stated) or 'none'}")
    [(state, how)] = stated.items()
    files = tuple(file for given in entry.files for file in (entries[given].files if given in entries else (given,)))
    return OperationSupport(
        state, how, entry.out_of_reach, entry.unobservable, entry.through, tuple(dict.fromkeys(files))
    )


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
