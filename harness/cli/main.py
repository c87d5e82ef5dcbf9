"""`parity`: reads the command line, runs one verb, and turns what happened into an exit status.

A verb's module is imported when the verb is chosen, so that `--help` stays quick.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path

from harness import VERSION
from harness.cli.interrupts import defer_interrupts, interruptible
from harness.cli.streams import NO_ROOM, discard, flushed, no_room, open_streams, say
from harness.errors import ParityError, UsageError, one_line

VERBS = {
    "run": "ask implementations the cases, judge the answers, write a record",
    "gate": "the same for CI: only what is not known to diverge fails",
    "report": "HTML, JUnit XML, Markdown, JSON, a badge or a review from a run record",
    "compare": "what changed between two run records",
    "merge": "the records of a run's shards into one",
    "cases": "list and show cases",
    "coverage": "requirements against cases: what is shown, and what is not",
    "explain": "one case: what each implementation answers, what the specification says",
    "probe": "does this command speak the protocol? findings with their remedies",
    "new-adapter": "an adapter to begin with, in a language of yours",
    "doctor": "toolchains, adapters, versions, and what to install",
    "serve": "the reference on standard input and output",
}

_INTERRUPTED = 130
_FAULT = 4


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns the exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    open_streams()
    with interruptible():
        return flushed(_guarded(given))


def _guarded(given: list[str]) -> int:
    """The same; whatever ends the verb becomes a sentence and a status."""
    try:
        return _run(given)
    except SystemExit as end:  # argparse has said why
        return int(end.code or 0)
    except ParityError as error:
        say(f"parity: {error}")
        return error.exit_status
    except KeyboardInterrupt as interrupt:
        say(f"parity: interrupted. {interrupt}".rstrip())
        discard(sys.stdout)  # what nobody has read by now is not waited for
        return _INTERRUPTED
    except OSError as error:
        return no_room(error) if error.errno in NO_ROOM else _fault(error)
    except Exception as error:
        return _fault(error)


def _run(given: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="parity",
        description="Tells, case by case, whether SDKs in different languages implement the same specification.",
        epilog="verbs:\n" + "\n".join(f"  {verb:<13}{help_}" for verb, help_ in VERBS.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"parity {VERSION}")
    parser.add_argument("verb", choices=VERBS, metavar="VERB", help="what to do; `parity VERB --help` tells more")
    verb = parser.parse_args(given[:1]).verb
    _check_folder()
    with defer_interrupts():  # an extension module that is interrupted while it is loaded swallows that, or panics
        module = importlib.import_module(f"harness.cli.{verb.replace('-', '_')}")
    verb_parser = argparse.ArgumentParser(prog=f"parity {verb}", description=module.__doc__)
    module.add_arguments(verb_parser)
    status: int = module.run(verb_parser.parse_args(given[1:]))
    return status


def _check_folder() -> None:
    """Raises `UsageError` if the current folder is gone: what is asked, and where the record lies, hangs on it."""
    try:
        Path.cwd()
    except OSError as error:
        raise UsageError(f"The current folder cannot be used: {error.strerror}. Change to one that is there.") from None


def _fault(error: Exception) -> int:
    """A fault of ours: one sentence, and the traceback in a file, or its end where no file can be written."""
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
    say(f"parity: this is a fault of parity itself ({what}). Please report it with {place}.")
    return _FAULT
