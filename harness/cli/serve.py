"""Runs the reference adapter on standard input and output, for requests by hand."""

from __future__ import annotations

import argparse
import os
import sys

from ..corpus.loader import open_corpus
from ..corpus.paths import shipped
from ..corpus.reading_names import check_option
from ..model import REFERENCE
from ..transport.manifest import shipped_manifests
from .streams import notice

_EXAMPLE = '{"jsonrpc": "2.0", "id": 1, "method": "query.normalise", "params": {"query": "  two  words "}}'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the verb."""
    parser.add_argument(
        "--reading",
        action="append",
        default=[],
        metavar="RULING=READING",
        help="follow this reading of a ruling, such as RUL-B47=c; can be repeated",
    )
    parser.add_argument(
        "--deviation",
        action="append",
        default=[],
        metavar="NAME",
        help="follow this deviation of an SDK; can be repeated",
    )
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = f"example:\n  echo '{_EXAMPLE}' | parity serve"


def run(arguments: argparse.Namespace) -> int:
    if sys.stdin.isatty():
        notice(f"parity: type one request a line; Ctrl-D ends the reference. Example: {_EXAMPLE}")
    if arguments.reading:
        rulings = open_corpus(shipped()).rulings
        for reading in arguments.reading:
            check_option(reading, rulings)
    manifest = shipped_manifests(shipped())[REFERENCE]
    command = [sys.executable if word == "{python}" else word for word in manifest.run.command]
    command += [word for reading in arguments.reading for word in ("--reading", reading)]
    command += [word for deviation in arguments.deviation for word in ("--deviation", deviation)]
    os.chdir(manifest.folder)
    os.execv(command[0], command)
