"""Options that several verbs share, and the types of their arguments."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from ..corpus.sharding import Part
from ..errors import one_line

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


def probe_command(arguments: argparse.Namespace, option: str, sdk: Path | None) -> str:
    """The `parity probe` command for the adapter that this `--adapter` names, with its working copy if it has one."""
    corpus = ["--corpus", str(arguments.corpus)] if arguments.corpus else []
    passed = [word for variable in arguments.pass_env for word in ("--pass-env", variable)]
    copy = ["--sdk", str(sdk)] if sdk else []
    return shlex.join(["parity", "probe", *corpus, option, *copy, *passed])


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


def times(text: str) -> int:
    """Number of runs of each case: an integer from 2 to 1000."""
    if text.isdecimal() and 2 <= int(text) <= 1000:
        return int(text)
    raise argparse.ArgumentTypeError(f"{one_line(text)} is not an integer from 2 to 1000")


def breaks(text: str) -> int:
    """Number of breaks in a row: an integer from 0 to 1000000."""
    if text.isdecimal() and int(text) <= 1_000_000:
        return int(text)
    raise argparse.ArgumentTypeError(f"{one_line(text)} is not an integer from 0 to 1000000")


def failures(text: str) -> int:
    """Number of failures: an integer from 1 to 1000000."""
    if text.isdecimal() and 1 <= int(text) <= 1_000_000:
        return int(text)
    raise argparse.ArgumentTypeError(f"{one_line(text)} is not an integer from 1 to 1000000")


def jobs(text: str) -> int:
    """Number of processes of one adapter: an integer from 1 to 256."""
    if text.isdecimal() and 1 <= int(text) <= 256:
        return int(text)
    raise argparse.ArgumentTypeError(f"{one_line(text)} is not an integer from 1 to 256")


def percentage(text: str) -> float:
    """A number from 0 to 100."""
    try:
        found = float(text)
    except ValueError:
        found = -1.0
    if not 0 <= found <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not a percentage. Give a number from 0 to 100.")
    return found


def seconds(text: str) -> float:
    """A timeout in seconds."""
    from ..runner.session import parse_seconds

    try:
        return parse_seconds(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
