"""`parity`: reads the command line, runs one verb, and returns the exit status.

The module of a verb is imported when the verb is chosen, so that `--help` stays fast.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import os
import sys

from .interrupts import defer_interrupts, interruptible
from .streams import NO_ROOM, discard, flushed, notice, open_streams, report_no_room

TYPE_CHECKING = False  # `parity --help` imports no module that it does not need
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

VERBS = {
    "run": "run the cases, judge the answers, write a run record",
    "gate": "run the cases for CI: known divergences do not fail",
    "watch": "build and run again whenever a file changes",
    "report": "convert a run record to HTML, JUnit XML, SARIF, CTRF, Markdown, JSON, a badge or a review",
    "site": "write a static site from run records",
    "compare": "list the changes between two run records",
    "impact": "show who gains and who loses if the text adopts a reading",
    "adopt": "adopt another reading of a ruling in the corpus",
    "history": "judge revisions of an SDK one after the other",
    "bisect": "find the commit of an SDK that changed an answer",
    "merge": "merge the records of the shards of a run",
    "cases": "list cases",
    "schema": "list the operations, or print the types of one operation's request and answer",
    "coverage": "list the requirements with and without cases",
    "explain": "explain a case, a ruling, a requirement or a failure group",
    "repro": "print a test of the SDK alone for a case, in the SDK's language",
    "ask": "send one request to the reference and to adapters, and show the answers side by side",
    "export": "write the corpus as plain JSON for other test suites",
    "fuzz": "generate requests and report differences that nobody knows yet",
    "promote": "turn a finding of fuzz into a case, a reading or a deviation",
    "probe": "check whether a command follows the adapter protocol",
    "new-adapter": "create the skeleton of an adapter",
    "docs": "print a page of the documentation, or list the pages",
    "completion": "print a script that completes verbs and options in bash, fish or zsh",
    "doctor": "check toolchains and adapters, and list missing ones",
    "serve": "run the reference implementation on standard input and output",
}

_COLLECTOR = (20_000, 20, 20)
"""Thresholds of the cyclic garbage collector: a command makes many objects and few cycles. Measured in November 2026: a run
of 7,600 cases takes 10 % less time than with the defaults, and the same memory."""

_NO_VERB = 2
_INTERRUPTED = 130
_FAULT = 4


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns the exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    open_streams()
    thresholds = gc.get_threshold()
    gc.set_threshold(*_COLLECTOR)
    try:
        with interruptible():
            return flushed(_guarded(given))
    finally:
        gc.set_threshold(*thresholds)


def _guarded(given: list[str]) -> int:
    """Runs the command line; turns every exception into a message and an exit status."""
    try:
        return _run(given)
    except SystemExit as end:  # argparse has printed the reason
        return int(end.code or 0)
    except KeyboardInterrupt as interrupt:
        notice(f"parity: interrupted. {interrupt}".rstrip())
        discard(sys.stdout)  # do not wait for a reader of the rest
        return _INTERRUPTED
    except OSError as error:
        return report_no_room(error) if error.errno in NO_ROOM else _fault(error)
    except Exception as error:
        return _failed(error)


def _failed(error: Exception) -> int:
    """Reports an error, and returns the exit status."""
    from ..errors import ParityError

    if not isinstance(error, ParityError):
        return _fault(error)
    notice(f"parity: {error}")
    return error.exit_status


def _run(given: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="parity",
        description="Checks, case by case, whether SDKs in different languages implement the same specification.",
        epilog="verbs:\n" + "\n".join(f"  {verb:<13}{help_}" for verb, help_ in VERBS.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version)
    parser.add_argument(
        "verb", choices=VERBS, metavar="VERB", help="the verb to run; `parity VERB --help` lists its options"
    )
    if not given:
        parser.print_help(sys.stderr)
        return _NO_VERB
    verb = parser.parse_args(given[:1]).verb
    _check_folder()
    with defer_interrupts():  # an interrupt during the import of an extension module is lost, or crashes the process
        module = verb_module(verb)
    verb_parser = argparse.ArgumentParser(prog=f"parity {verb}", description=module.__doc__, allow_abbrev=False)
    module.add_arguments(verb_parser)
    is_intermixed = getattr(module, "IS_INTERMIXED", False)
    parse = verb_parser.parse_intermixed_args if is_intermixed else verb_parser.parse_args
    status: int = module.run(parse(given[1:]))
    return status


def verb_module(verb: str) -> ModuleType:
    """The module of a verb, with its `add_arguments` and `run`."""
    return importlib.import_module(f".{verb.replace('-', '_')}", __package__)


class _Version(argparse.Action):
    """Prints the version and the date of the corpus, which take time to find."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help="show program's version number and exit")

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from .. import VERSION
        from ..corpus.corpus_files import read_date
        from ..corpus.paths import shipped

        print(f"parity {VERSION} (corpus {read_date(shipped(), [])})")
        parser.exit()


def _check_folder() -> None:
    """Raises `UsageError` if the current folder does not exist: relative paths depend on it."""
    try:
        os.getcwd()  # noqa: PTH109
    except OSError as error:
        from ..errors import UsageError

        message = f"The current folder cannot be used: {error.strerror}. Change to an existing folder."
        raise UsageError(message) from None


def _fault(error: Exception) -> int:
    """Reports a fault of the harness: one message, and the traceback in a file, or its last line if no file is possible."""
    import tempfile
    import traceback

    from ..errors import one_line

    what = one_line(f"{type(error).__name__}: {error}")
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="parity-fault-", suffix=".txt", delete=False, encoding="utf-8", errors="backslashreplace"
        ) as file:
            traceback.print_exc(file=file)
        place = file.name
    except OSError:
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"this place: {last.filename}:{last.lineno}, {last.name}"
    notice(f"parity: this is a fault of parity itself ({what}). Please report it with {place}.")
    return _FAULT
