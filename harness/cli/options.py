"""Options that several verbs share, and the types of their arguments."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..corpus.sharding import Part
from ..errors import one_line
from ..model import DEFAULT_OPTIONS, OPTIONS, RunOptions, given_options

EVERYBODY = (
    "a shipped adapter by name, NAME@VERSION, NAME[@LABEL]=DIR with a working copy, or [LABEL=]COMMAND; may be repeated "
    "(default: the reference and every shipped adapter whose toolchain is installed)"
)
WHERE = "write the run record to FILE (default: reports/local/run.jsonl in a checkout, else ./parity-run.jsonl)"


def add_corpus_folder(parser: argparse.ArgumentParser) -> None:
    """Adds `--corpus DIR`."""
    parser.add_argument(
        "--corpus",
        type=corpus_folder,
        metavar="DIR",
        help="a folder with cases/ and schemas/ (default: the shipped corpus)",
    )


def add_adapters(parser: argparse.ArgumentParser, who: str = EVERYBODY) -> None:
    """Adds `--adapter A`."""
    parser.add_argument("--adapter", action="append", default=[], metavar="A", help=who)


def add_sdk(parser: argparse.ArgumentParser, whose: str = "--adapter") -> None:
    """Adds `--sdk DIR`."""
    parser.add_argument(
        "--sdk", type=path_argument, metavar="DIR", help=f"use this working copy instead of the release of {whose}"
    )


def add_verbose(parser: argparse.ArgumentParser) -> None:
    """Adds `--verbose`, which decides what is printed and no verdict."""
    parser.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="print suites, failure groups, requirements, readings and rates too",
    )


def add_passed_variables(parser: argparse.ArgumentParser) -> None:
    """Adds `--pass-env NAME`."""
    parser.add_argument(
        "--pass-env",
        type=variable,
        action="append",
        default=[],
        metavar="NAME",
        help="an environment variable to pass to the adapters; may be repeated",
    )


def add_timeouts(parser: argparse.ArgumentParser, default: float) -> None:
    """Adds `--timeout S` and `--pass-env NAME`."""
    parser.add_argument(
        "--timeout",
        type=seconds,
        default=default,
        metavar="S",
        help="seconds to wait for a reply before the adapter is stopped (default: %(default)g)",
    )
    add_passed_variables(parser)


def run_options(arguments: argparse.Namespace) -> RunOptions:
    """The options that a record keeps, with the default of those that were not given."""
    given: dict[str, Any] = {}
    for name, option in OPTIONS.items():
        match getattr(arguments, option.argument, None):
            case None:
                pass
            case list(values):
                given[name] = tuple(values)
            case Path() as path:
                given[name] = str(path.resolve() if name == "sdk" else path)
            case number:
                given[name] = number
    return replace(DEFAULT_OPTIONS, **given)


def take_options(arguments: argparse.Namespace, begun: RunOptions) -> None:
    """Gives the arguments that were not given the values of the run that was `begun`."""
    for name, value in given_options(begun).items():
        argument = OPTIONS[name].argument
        if getattr(arguments, argument) in (None, []):
            taken = [*value] if isinstance(value, tuple) else Path(value) if isinstance(value, str) else value
            setattr(arguments, argument, taken)


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


def corpus_folder(text: str) -> Path:
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


def variable(text: str) -> str:
    """The name of an environment variable."""
    if text and "=" not in text:
        return text
    found = one_line(text) if text else "an empty text"
    raise argparse.ArgumentTypeError(f"{found} is not the name of a variable; set the value in the environment")


def shard(text: str) -> Part:
    """`I/N`: shard I of N, counted from 1."""
    index, slash, of = text.partition("/")
    if slash and index.isdecimal() and of.isdecimal() and 1 <= int(index) <= int(of):
        return Part(int(index), int(of))
    raise argparse.ArgumentTypeError(f"{one_line(text)} is not I/N, such as 1/4 for the first of four shards")


def integer(least: int, most: int) -> Callable[[str], int]:
    """The type of an argument that is an integer in these bounds."""

    def parsed(text: str) -> int:
        if text.isdecimal() and least <= int(text) <= most:
            return int(text)
        raise argparse.ArgumentTypeError(f"{one_line(text)} is not an integer from {least} to {most}")

    return parsed


def number_of(name: str) -> Callable[[str], float]:
    """The type of the argument for a number of `RunOptions`."""
    option = OPTIONS[name]
    if isinstance(getattr(DEFAULT_OPTIONS, name), int):
        return integer(int(option.least), int(option.most))

    def parsed(text: str) -> float:
        try:
            found = float(text)
        except ValueError:
            found = option.least - 1
        if not option.least <= found <= option.most:
            raise argparse.ArgumentTypeError(
                f"{one_line(text)} is not a number from {option.least:g} to {option.most:g}"
            )
        return found

    return parsed


def seconds(text: str) -> float:
    """A timeout in seconds."""
    from ..runner.session import parse_seconds

    try:
        return parse_seconds(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
