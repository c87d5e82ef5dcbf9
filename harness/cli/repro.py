"""Prints a test of an SDK alone, in the SDK's language, that sends the request of a case and asserts the expected answer. It
depends on nothing of parity."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..corpus.loader import load_corpus
from ..corpus.paths import shipped
from ..errors import UsageError
from ..plan.chosen_cases import corpus_folder
from ..plan.setup import named_specs
from ..scaffolding.sdk_tests import render_file, sdk_test
from ..transport.manifest import FILE_NAME, Manifest, read_manifest, shipped_manifests
from ..transport.operation_support import read_declarations
from .find_case import find
from .options import add_options, options_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "case",
        metavar="NAME",
        nargs="+",
        help="the full name of a case, or FILE:LINE as failures print it; several cases are tests of one file",
    )
    add_options(
        parser,
        ["adapters", "corpus"],
        adapters="the shipped adapter of the SDK, or the folder of an adapter with the same files",
    )


def run(arguments: argparse.Namespace) -> int:
    corpus = load_corpus(corpus_folder(options_of(arguments)))
    manifest = _manifest(arguments)
    cases = [find(name, corpus) for name in arguments.case]
    declared = read_declarations(manifest.folder, corpus.operations)
    print(render_file([sdk_test(case, corpus, manifest, declared) for case in cases], manifest), end="")
    return 0


def _manifest(arguments: argparse.Namespace) -> Manifest:
    """The adapter that the one `--adapter` names."""
    if len(arguments.adapter) != 1:
        raise UsageError("repro prints a test for one SDK. Name its adapter: --adapter NAME.")
    if (file := Path(arguments.adapter[0]) / FILE_NAME).is_file():
        return read_manifest(file)
    [spec] = named_specs(options_of(arguments))
    if not spec.is_shipped:
        raise UsageError(
            f"--adapter {arguments.adapter[0]}: expected a shipped adapter or a folder with {FILE_NAME}; a command has no "
            "templates of tests. Correct it."
        )
    return shipped_manifests(shipped())[spec.adapter]
