"""The command line of `run` or `gate` with the options of parsed arguments, for a shell or a process."""

from __future__ import annotations

import argparse
import shlex


def option_words(arguments: argparse.Namespace) -> list[str]:
    """The options of `run` and `gate` that were given, except `--max-failures`, `--build` and `--jobs`."""
    words: list[str] = []
    single = {"corpus": "--corpus", "sdk": "--sdk", "shard": "--shard", "record": "--record", "known": "--known"}
    repeated = {
        "adapter": "--adapter",
        "system": "--system",
        "profile": "--profile",
        "select": "--select",
        "pass_env": "--pass-env",
    }
    for name, option in repeated.items():
        words += [word for value in getattr(arguments, name) for word in (option, value)]
    for name, option in single.items():
        if (value := getattr(arguments, name, None)) is not None:
            words += [option, str(value)]
    if arguments.timeout is not None:
        words += ["--timeout", f"{arguments.timeout:g}"]
    if arguments.max_breaks is not None:
        words += ["--max-breaks", str(arguments.max_breaks)]
    if arguments.min_answered is not None:
        words += ["--min-answered", f"{arguments.min_answered:g}"]
    return words


def gate_command(arguments: argparse.Namespace, *more: str) -> str:
    """The `parity gate` command with the options of these arguments and `more`, for a shell."""
    build = ["--build", arguments.build] if arguments.build is not None else []
    return shlex.join(["parity", "gate", *option_words(arguments), *build, *more])
