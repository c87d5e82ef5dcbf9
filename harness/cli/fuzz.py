"""Generates requests, sends them to the implementations, and reports the differences that nobody knows yet, each with the
simplest request that shows it."""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..compare.error_text import error_text
from ..corpus.paths import cache, default_record
from ..errors import AdapterUnavailable, UsageError, one_line, printable
from ..extras import require_extra
from ..model import REFERENCE, Unavailable, path_word
from ..plan.setup import RunSetup, prepare
from .interrupts import defer_interrupts, raise_pending_interrupt
from .options import ADAPTERS, add_options, options_of, path_argument
from .single_case import repeat_options
from .streams import notice

if TYPE_CHECKING:
    from ..fuzz.campaign import Campaign
    from ..fuzz.store import State

DEFAULT_SECONDS = 60.0

_PROGRESS_INTERVAL = 0.2

_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    workers = "run N workers, each with its own adapters"
    systems = "only operations of this system; may be repeated"
    add_options(parser, [*ADAPTERS, "systems", "jobs"], jobs=workers, systems=systems)
    parser.add_argument(
        "--operation", action="append", default=[], metavar="OP", help="only this operation, or a glob; may be repeated"
    )
    parser.add_argument(
        "--for",
        dest="duration",
        type=duration,
        metavar="TIME",
        help="stop after this time: 60s, 5m, 1h (default: 60s, unless --examples is given)",
    )
    parser.add_argument("--examples", type=whole_number, metavar="N", help="stop after N requests")
    parser.add_argument("--max-findings", type=whole_number, metavar="N", help="stop after N new findings")
    parser.add_argument(
        "--seed",
        type=partial(whole_number, least=0),
        metavar="N",
        help="the same seed and version give the same requests (default: 0)",
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="run the campaign on the Dask cluster with this scheduler: tcp://HOST:8786",
    )
    parser.add_argument(
        "--save",
        type=path_argument,
        metavar="DIR",
        help="write fuzz.jsonl, the record of the findings, to DIR (default: the folder of `parity run`)",
    )
    parser.add_argument(
        "--coverage", action="store_true", help="list the branches of the reference that the requests do not take"
    )
    parser.add_argument("--resume", action="store_true", help="continue the last campaign in the same folder")


def duration(text: str) -> float:
    """`60s`, `5m`, `1h`, or a number of seconds."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text)
    if match and (found := float(match[1]) * _UNITS[match[2]]) > 0:
        return found
    raise argparse.ArgumentTypeError(f"{one_line(text)} is not a time such as 60s, 5m or 1h")


def whole_number(text: str, least: int = 1) -> int:
    """A whole number of at most 18 digits."""
    if text.isdecimal() and len(text) < 19 and int(text) >= least:
        return int(text)
    raise argparse.ArgumentTypeError(f"{one_line(text)} is not a whole number from {least}")


def run(arguments: argparse.Namespace) -> int:
    require_extra("fuzz", "hypothesis", "parity fuzz needs Hypothesis")
    if arguments.scheduler:
        require_extra("cluster", "distributed", "--scheduler needs Dask")
    if arguments.coverage:
        require_extra("fuzz", "coverage", "--coverage needs coverage.py")
    from hypothesis.configuration import set_hypothesis_home_dir

    from ..fuzz.store import State, read_state
    from ..fuzz.worker import connect_reference

    path = (arguments.save or default_record().parent) / "fuzz.jsonl"
    state = read_state(path) if arguments.resume else State(arguments.seed or 0)
    if arguments.seed not in (None, state.seed):
        raise UsageError(f"--resume: the campaign in {path.parent} has the seed {state.seed}. Leave --seed out.")
    set_hypothesis_home_dir(cache() / "hypothesis")  # in place of the current folder
    setup = prepare(options_of(arguments), notice)
    with setup, defer_interrupts():
        connect_reference(setup)
        return _campaign(setup, arguments, path, state)


def _campaign(setup: RunSetup, arguments: argparse.Namespace, path: Path, state: State) -> int:
    from ..fuzz.campaign_report import Limits
    from ..fuzz.campaign_text import render
    from ..fuzz.exchange import introduce
    from ..fuzz.store import State, write_record, write_state
    from ..fuzz.whole import chosen_operations, reached_texts, run_campaign
    from ..fuzz.worker import CampaignPlan

    implementations, failed = introduce(setup.connections, setup.timeouts)
    for name, cause in failed.items():
        why = cause.reason if isinstance(cause, Unavailable) else error_text(cause)
        notice(f"parity: {name} cannot run: {one_line(why)}")
    if not implementations or set(implementations) == {REFERENCE} != set(setup.connections):
        raise AdapterUnavailable("No implementation started, so nothing was sent.")
    systems = setup.options.systems
    operations = chosen_operations(setup.corpus, arguments.operation, systems, implementations.values())
    seconds = arguments.duration or (None if arguments.examples else DEFAULT_SECONDS)
    limits = Limits(arguments.examples, seconds, arguments.max_findings)
    plan = CampaignPlan(operations, implementations, state.seed)
    with _progress() as show:
        report = run_campaign(setup, plan, limits, state.round, arguments.scheduler, raise_pending_interrupt, show)
    write_record(setup, path, report, implementations)
    write_state(path, State(state.seed, max(report.tally.rounds, state.round)))
    sys.stdout.write(printable(render(report, path_word(str(path)), repeat_options(setup.options))))
    if report.interrupted:
        raise KeyboardInterrupt(f"The findings so far are in {path}. `parity fuzz --resume` goes on.")
    if arguments.coverage:
        for text in reached_texts(setup, report):
            sys.stdout.write(printable(text))
    is_unstarted = failed or any(skipped.is_error for skipped in setup.skipped)
    return AdapterUnavailable.exit_status if is_unstarted else int(bool(report.findings))


@contextmanager
def _progress() -> Iterator[Callable[[Campaign], None]]:
    """Shows the progress of a campaign on one line, where standard error is a terminal."""
    from ..fuzz.campaign_text import progress_text

    started, shown_at = time.monotonic(), 0.0

    def show(campaign: Campaign) -> None:
        nonlocal shown_at
        now = time.monotonic()
        if now - shown_at > _PROGRESS_INTERVAL:
            shown_at = now
            line = progress_text(campaign.tally, campaign.found, now - started)
            print(f"\r{line}\x1b[K", end="", file=sys.stderr, flush=True)

    if not sys.stderr.isatty():
        yield lambda _: None
        return
    yield show
    print("\r\x1b[K", end="", file=sys.stderr, flush=True)
