"""Asks implementations the selected cases, judges what they answer, and writes a run record."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from harness.cli.asking import Question, add_asking_arguments, ask, prepare
from harness.places import default_record
from harness.records import read_record
from harness.reporting.console import render, silences
from harness.reporting.summary import exit_status


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_asking_arguments(parser)
    parser.add_argument("--record", type=Path, metavar="FILE", help="where the run record is written")


def run(arguments: argparse.Namespace) -> int:
    question: Question = prepare(arguments)
    path: Path = arguments.record or default_record()
    with question:
        ask(question, path)
    record = read_record(path)
    sys.stdout.write(render(record, color=sys.stdout.isatty()))
    print(f"record: {path}")
    return max(exit_status(record), question.unavailable_status, 1 if silences(record) else 0)
