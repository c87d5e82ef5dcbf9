"""Runs the reference adapter on standard input and output, for requests by hand."""

from __future__ import annotations

import argparse
import os
import sys

from ..corpus.paths import shipped
from ..report.summary import REFERENCE
from ..transport.manifest import shipped_manifests
from .streams import notice

_EXAMPLE = '{"jsonrpc": "2.0", "id": 1, "method": "query.normalise", "params": {"query": "  two  words "}}'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds an example; the verb has no options."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = f"example:\n  echo '{_EXAMPLE}' | parity serve"


def run(arguments: argparse.Namespace) -> int:  # noqa: ARG001
    if sys.stdin.isatty():
        notice(f"parity: type one request a line; Ctrl-D ends the reference. Example: {_EXAMPLE}")
    manifest = shipped_manifests(shipped())[REFERENCE]
    command = [sys.executable if word == "{python}" else word for word in manifest.command]
    os.chdir(manifest.folder)
    os.execv(command[0], command)
