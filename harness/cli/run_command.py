"""The command line of `run` or `gate` with the options of parsed arguments, for a shell or a process."""

from __future__ import annotations

import argparse
import shlex

from ..model import option_words
from .options import run_options


def argument_words(arguments: argparse.Namespace) -> list[str]:
    """The options of `run` and `gate` that were given, except `--max-failures`, `--build` and `--jobs`."""
    given = {name: getattr(arguments, name) for name in ("adapter", "profile", "select")}
    given |= {name: [getattr(arguments, name, None)] for name in ("shard", "record", "known")}
    words = [word for name, values in given.items() for one in values if one for word in (f"--{name}", str(one))]
    return words + option_words(run_options(arguments))


def gate_command(arguments: argparse.Namespace, *more: str) -> str:
    """The `parity gate` command with the options of these arguments and `more`, for a shell."""
    build = ["--build", arguments.build] if arguments.build is not None else []
    return shlex.join(["parity", "gate", *argument_words(arguments), *build, *more])
