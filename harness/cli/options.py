"""Options that several verbs share, and the types of their arguments."""

from __future__ import annotations

import argparse
import filecmp
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from ..base.files import relative_here
from ..corpus.paths import default_record
from ..errors import UsageError, one_line
from ..model import DEFAULT_OPTIONS, OPTIONS, RunOptions, parse_number, replace

CORPUS = ("corpus", "systems", "profiles", "selection")
"""The options of a verb that selects cases."""

ADAPTERS = ("adapters", "sdk", "corpus", "timeout", "pass_env")
"""The options of a verb that runs one request."""

RUN = tuple(name for name, option in OPTIONS.items() if option.is_common)
"""The options of every verb that executes cases."""


def add_options(parser: argparse._ActionsContainer, names: Collection[str], **help_: str) -> None:
    """Adds the options of these members of `RunOptions`; `help_` replaces the text of a member."""
    for name in names:
        option, default = OPTIONS[name], getattr(DEFAULT_OPTIONS, name)
        text = help_.get(name, option.help).replace("%", "%%")
        how: dict[str, Any] = {}
        if isinstance(default, tuple):
            how = {"action": "append", "default": []}
        elif option.bare and not option.metavar:
            how = {"action": "store_const", "const": option.bare}
        elif option.bare:
            how = {"nargs": "?", "const": option.bare}
        elif option.choices:
            how = {"choices": option.choices}
        is_number = isinstance(default, int | float)
        if is_number and option.least <= default:
            text += f" (default: {default:g})"
        if option.metavar:
            how |= {"type": number_of(name) if is_number else _TYPES.get(name, str), "metavar": option.metavar}
        parser.add_argument(*filter(None, (option.short, option.flag)), help=text, **how)


def options_of(arguments: argparse.Namespace, others: RunOptions = DEFAULT_OPTIONS) -> RunOptions:
    """The options of a command line; `others` has those that were not given."""
    given: dict[str, Any] = {}
    for name, option in OPTIONS.items():
        match vars(arguments).get(option.argument):
            case None | []:
                pass
            case list(values):
                given[name] = tuple(values)
            case Path() as path:
                given[name] = relative_here(path) if name == "sdk" else str(path)
            case value:
                given[name] = value
    return replace(others, **given)


def record_path(options: RunOptions) -> Path:
    """The file of the run record."""
    return Path(options.record) if options.record else default_record()


def check_each_once(records: Sequence[Path]) -> None:
    """Raises `UsageError` if a record, or a copy of it, is named twice."""
    for first, second in combinations(records, 2):
        if filecmp.cmp(first, second, shallow=False):
            raise UsageError(
                f"{second} is the same record as {first}: the same run does not count twice. Name it once."
            )


def path_argument(text: str) -> Path:
    """A path that can be resolved, whether or not it exists."""
    if not text:
        raise argparse.ArgumentTypeError("the path is empty")
    try:
        Path(text).resolve()
        Path(text).stat()
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        pass  # the code that opens the path reports this
    except (OSError, RuntimeError) as error:
        why = "its symbolic links form a loop" if isinstance(error, RuntimeError) else error.strerror
        raise argparse.ArgumentTypeError(f"{one_line(text)} cannot be resolved: {why}") from None
    return Path(text)


def _corpus(text: str) -> Path:
    """A path whose folder `cases` can be read, if it exists."""
    path = path_argument(text)
    try:
        (path / "cases").stat()
    except PermissionError as error:
        raise argparse.ArgumentTypeError(f"{one_line(text)} cannot be read: {error.strerror}") from None
    except OSError:
        pass  # the loader reports this
    return path


def output(text: str) -> str:
    """The path of an output file; `-` is standard output."""
    path_argument(text)
    return text


def _variable(text: str) -> str:
    """The name of an environment variable."""
    if text and "=" not in text and not any(map(str.isspace, text)):
        return text
    found = one_line(text) if text else "an empty text"
    raise argparse.ArgumentTypeError(f"{found} is not the name of a variable; set the value in the environment")


def _shard(text: str) -> tuple[int, int]:
    """`I/N`: shard I of N, counted from 1."""
    index, slash, of = text.partition("/")
    if slash and text.isascii() and index.isdecimal() and of.isdecimal() and 1 <= int(index) <= int(of):
        return int(index), int(of)
    raise argparse.ArgumentTypeError(f"{one_line(text)} is not I/N, such as 1/4 for the first of four shards")


def number_of(name: str) -> Callable[[str], float]:
    """The type of the argument for a number of `RunOptions`."""

    def parsed(text: str) -> float:
        try:
            return parse_number(name, text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(one_line(str(error))) from None

    return parsed


_TYPES: Mapping[str, Callable[[str], Any]] = {
    "corpus": _corpus,
    "sdk": path_argument,
    "record": path_argument,
    "known": path_argument,
    "since": path_argument,
    "pass_env": _variable,
    "shard": _shard,
}
"""The types of the texts that are checked; a number has its bounds in its row."""
