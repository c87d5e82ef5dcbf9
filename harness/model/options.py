"""The options of a run that its record keeps, one row each.

Recording, resuming, joining records and printed commands read the rows: an option is added to `RunOptions`, to the command
line and to the schema of records, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import IntEnum
from typing import Any, TypeAlias

OptionValue: TypeAlias = "str | float | tuple[str, ...]"
"""A path, a number, or the values of an option that may be repeated."""


class Scope(IntEnum):
    """The records between which an option must be equal, because it decides verdicts or the exit status."""

    NONE = 0
    """It names a place or a part of the corpus: the digests of the files and of the cases are compared instead."""
    ONE_RUN = 1
    """An interrupted run and the rest of it, and the shards of one run."""
    ALL_RUNS = 2
    """These, and the runs of different implementations that are joined into one record."""


@dataclass(frozen=True, slots=True)
class Option:
    """One row: the `flag` on the command line, the `key` in a record's header, and for a number the least and the greatest
    value on the command line."""

    flag: str
    key: str
    scope: Scope
    least: float = 0
    most: float = 0

    @property
    def argument(self) -> str:
        """The attribute of parsed arguments."""
        return self.flag.removeprefix("--").replace("-", "_")


def _row(default: Any, flag: str, key: str, scope: Scope, least: float = 0, most: float = 0) -> Any:
    return field(default=default, metadata={"option": Option(flag, key, scope, least, most)})


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The options of a run with their defaults.

    `timeout` is in seconds; `sdk` is a folder; `repeat` is how often each case is sent; `max_breaks` is how many breaks in a
    row end the sending, 0 for no limit; `min_answered` is the percentage of the cases of its own operations that an
    implementation must answer.
    """

    corpus: str = _row("", "--corpus", "corpus", Scope.NONE)
    systems: tuple[str, ...] = _row((), "--system", "systems", Scope.NONE)
    timeout: float = _row(10.0, "--timeout", "timeout", Scope.ALL_RUNS, 0.001, 86_399)
    pass_env: tuple[str, ...] = _row((), "--pass-env", "passEnv", Scope.ONE_RUN)
    sdk: str = _row("", "--sdk", "sdk", Scope.NONE)
    repeat: int = _row(1, "--repeat", "repeat", Scope.ALL_RUNS, 2, 1000)
    max_breaks: int = _row(10, "--max-breaks", "maxBreaks", Scope.ALL_RUNS, 0, 1_000_000)
    min_answered: float = _row(1.0, "--min-answered", "minAnswered", Scope.ALL_RUNS, 0, 100)


OPTIONS: Mapping[str, Option] = {one.name: one.metadata["option"] for one in fields(RunOptions)}
"""The row of each member of `RunOptions`."""

DEFAULT_OPTIONS = RunOptions()


def given_options(options: RunOptions) -> dict[str, Any]:
    """The members that are not at their default."""
    values = {name: getattr(options, name) for name in OPTIONS}
    return {name: value for name, value in values.items() if value != getattr(DEFAULT_OPTIONS, name)}


def option_words(options: RunOptions, names: Collection[str] = OPTIONS.keys()) -> list[str]:
    """The words of a command line that gives these members."""
    given = [(OPTIONS[name].flag, value) for name, value in given_options(options).items() if name in names]
    return [word for flag, value in given for text in option_texts(value) for word in (flag, text)]


def option_texts(value: OptionValue) -> list[str]:
    """The values behind the flag, one for each time that it is given."""
    if isinstance(value, tuple):
        return [*value]
    return [value if isinstance(value, str) else f"{value:.10g}"]


def shared_options(options: Sequence[RunOptions]) -> RunOptions:
    """The members that are equal in all of them; the others have their default."""
    first, *others = options
    values = given_options(first).items()
    return replace(
        DEFAULT_OPTIONS, **{name: value for name, value in values if all(getattr(one, name) == value for one in others)}
    )


def different_options(ours: RunOptions, theirs: RunOptions, scope: Scope) -> Iterator[str]:
    """The members that must be equal in this scope and are not. The values of a repeated option have no order."""
    for name, option in OPTIONS.items():
        first, second = getattr(ours, name), getattr(theirs, name)
        if isinstance(first, tuple):
            first, second = {*first}, {*second}
        if option.scope >= scope and first != second:
            yield name
