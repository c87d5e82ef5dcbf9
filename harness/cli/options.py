"""Options that several verbs share and that are not those of a whole run."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from harness.corpus.sharding import Part
from harness.errors import one_line
from harness.runner.session import parse_seconds

EVERYBODY = (
    "a shipped adapter by name, or [LABEL=]COMMAND; may be repeated "
    "(default: the reference and every shipped adapter whose toolchain is here)"
)
WHERE = "where the run record is written (default: reports/local/run.jsonl in a checkout, else ./parity-run.jsonl)"


def add_corpus_folder(parser: argparse.ArgumentParser) -> None:
    """`--corpus DIR`."""
    parser.add_argument(
        "--corpus",
        type=corpus_folder,
        metavar="DIR",
        help="a folder with cases/ and schemas/ (default: the shipped corpus)",
    )


def add_adapters(parser: argparse.ArgumentParser, who: str = EVERYBODY) -> None:
    """`--adapter A`."""
    parser.add_argument("--adapter", action="append", default=[], metavar="A", help=who)


def add_sdk(parser: argparse.ArgumentParser) -> None:
    """`--sdk DIR`."""
    parser.add_argument(
        "--sdk", type=place, metavar="DIR", help="judge this working copy in place of the release that --adapter asks"
    )


def add_passed_variables(parser: argparse.ArgumentParser) -> None:
    """`--pass-env NAME`."""
    parser.add_argument(
        "--pass-env",
        type=variable,
        action="append",
        default=[],
        metavar="NAME",
        help="a variable of yours that adapters may see; may be repeated",
    )


def add_timeouts(parser: argparse.ArgumentParser, default: float) -> None:
    """`--timeout S` and `--pass-env NAME`."""
    parser.add_argument(
        "--timeout",
        type=seconds,
        default=default,
        metavar="S",
        help="seconds of silence after which an adapter is given up (default: %(default)g)",
    )
    add_passed_variables(parser)


def probe_command(arguments: argparse.Namespace, option: str) -> str:
    """The command that tells what is wrong with the adapter that this `--adapter` names."""
    corpus = ["--corpus", str(arguments.corpus)] if arguments.corpus else []
    passed = [word for variable in arguments.pass_env for word in ("--pass-env", variable)]
    return shlex.join(["parity", "probe", *corpus, option, *passed])


def place(text: str) -> Path:
    """A path that can be followed to its end, whether or not something lies there."""
    if not text:
        raise argparse.ArgumentTypeError("an empty text is no path")
    try:
        Path(text).resolve()
        Path(text).stat()
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        pass  # whoever goes there says so
    except (OSError, RuntimeError) as error:
        why = "its links go round in a circle" if isinstance(error, RuntimeError) else error.strerror
        raise argparse.ArgumentTypeError(f"{one_line(text)} cannot be followed: {why}") from None
    return Path(text)


def corpus_folder(text: str) -> Path:
    """A path below which can be looked, if something lies there."""
    path = place(text)
    try:
        (path / "cases").stat()
    except PermissionError as error:
        raise argparse.ArgumentTypeError(f"{one_line(text)} cannot be read: {error.strerror}") from None
    except OSError:
        pass  # whoever reads the corpus says so
    return path


def output(text: str) -> str:
    """The same for what is written; `-` is standard output."""
    place(text)
    return text


def variable(text: str) -> str:
    """The name of an environment variable."""
    if text and "=" not in text:
        return text
    raise argparse.ArgumentTypeError(f"{text or 'an empty text'} is no name of a variable; its value is yours to set")


def shard(text: str) -> Part:
    """`I/N`: shard I, counted from 1, of N."""
    index, slash, of = text.partition("/")
    if slash and index.isdecimal() and of.isdecimal() and 1 <= int(index) <= int(of):
        return Part(int(index), int(of))
    raise argparse.ArgumentTypeError(f"{text} is not I/N, such as 1/4 for the first of four shards")


def times(text: str) -> int:
    """How often each case is asked: a whole number from 2."""
    if text.isdecimal() and 2 <= int(text) <= 1000:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text} is not a number of times, from 2 to 1000")


def seconds(text: str) -> float:
    """A timeout in seconds."""
    try:
        return parse_seconds(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
