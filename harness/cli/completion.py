"""Prints a script that completes the verbs and options of parity in a shell."""

from __future__ import annotations

import argparse

import shtab

from .main import VERBS, verb_module
from .options import path_argument


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=["bash", "fish", "zsh"], help="the shell that reads the script")


def run(arguments: argparse.Namespace) -> int:
    parser = argparse.ArgumentParser(prog="parity")
    verbs = parser.add_subparsers()
    for verb, help_ in VERBS.items():
        verb_parser = verbs.add_parser(verb, help=help_)
        verb_module(verb).add_arguments(verb_parser)
        for action in verb_parser._actions:
            if action.type is path_argument or action.metavar in ("DIR", "FILE", "PATH", "RECORD"):
                action.complete = shtab.FILE  # type: ignore[attr-defined]
    print(shtab.complete(parser, arguments.shell))
    return 0
