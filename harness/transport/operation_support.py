"""`operations.toml` beside a manifest: how a shipped adapter answers each operation, as data that people and tests read."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from harness.errors import UsageError, one_line
from harness.model import Implementation

FILE_NAME = "operations.toml"


class State(StrEnum):
    """How an operation is answered."""

    DIRECT = "direct"
    OBSERVED = "observed"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class OperationSupport:
    """What is declared of one operation. `how` names the call, says how it is observed, or why it is unsupported.

    `out_of_reach` are requests that get no answer; `unobservable` gives for a JSON Pointer why that part is not told.
    """

    state: State
    how: str
    out_of_reach: str = ""
    unobservable: Mapping[str, str] = field(default_factory=dict)


def read_declarations(folder: Path, operations: Iterable[str]) -> dict[str, OperationSupport]:
    """What the adapter in `folder` declares of these operations, by name; one that it says nothing of is missing.

    The file's keys are names or globs over names; a name goes before a glob. Raises `UsageError`, naming the file.
    """
    path = folder / FILE_NAME
    try:
        entries = {key: _declared(value) for key, value in tomllib.loads(path.read_text("utf-8")).items()}
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise UsageError(f"{path}: not a readable table of operations: {one_line(str(error))}. Correct it.") from None
    found = {}
    for name in operations:
        keys = [name] if name in entries else [key for key in entries if fnmatchcase(name, key)]
        if keys:
            found[name] = entries[keys[0]]
    return found


def _declared(value: Mapping[str, Any]) -> OperationSupport:
    states = [state for state in State if state in value]
    if len(states) != 1 or not set(value) <= {*State, "out_of_reach", "unobservable"}:
        raise ValueError(
            f"one of {', '.join(State)}, with out_of_reach and unobservable, was wanted, not {', '.join(value)}"
        )
    return OperationSupport(
        states[0], value[states[0]], value.get("out_of_reach", ""), dict(value.get("unobservable", {}))
    )


def disagreements(
    declared: Mapping[str, OperationSupport], said: Implementation, operations: Iterable[str]
) -> Iterator[str]:
    """A sentence for each operation of which the adapter says something else than is declared."""
    for name in operations:
        one = declared.get(name)
        offered = name in said.operations
        if one is None:
            if offered:
                yield f"{name} is offered, and the table has no entry for it."
            continue
        reason = said.unsupported.get(name, "")
        if offered == (one.state is State.UNSUPPORTED):
            yield f"{name} is declared {one.state}, and {'is offered' if offered else f'is not offered: {reason}'}."
        elif reason not in ("", one.how):
            yield f"{name} is declared unsupported because {one.how}, and is because {reason}."
        elif offered and set(one.unobservable) != set(said.unobservable.get(name, ())):
            wanted, got = sorted(one.unobservable), sorted(said.unobservable.get(name, ()))
            yield f"{name} is declared not to tell {wanted}, and does not tell {got}."
