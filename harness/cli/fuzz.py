"""Generates requests, sends them to the implementations, and reports the differences that nobody knows yet, each with the
simplest request that shows it."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from .. import VERSION
from ..compare.error_text import error_text
from ..corpus.loader import Corpus
from ..corpus.paths import cache, default_record, shipped
from ..errors import AdapterUnavailable, ParityError, UsageError, one_line, printable
from ..extras import require_extra
from ..model import REFERENCE, Implementation, NotOffered, Result, RunOptions, Unavailable, Unsupported, replace
from ..records import Recorder
from ..transport.connect import ProcessConnection
from .fuzz_jobs import local_pool
from .fuzz_unit import CampaignPlan, connect_reference, run_unit
from .interrupts import defer_interrupts, raise_pending_interrupt
from .options import ADAPTERS, add_options, options_of, path_argument
from .run_setup import RunSetup, prepare
from .single_case import repeat_options
from .streams import notice

if TYPE_CHECKING:
    from ..fuzz.findings import Report
    from ..fuzz.units import Pool, Unit

DEFAULT_SECONDS = 60.0

RULING_SAMPLE = 60
"""Requests of each operation that are searched for points of decision; each takes about 10 ms."""

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
    parser.add_argument("--examples", type=positive, metavar="N", help="stop after N requests")
    parser.add_argument("--max-findings", type=positive, metavar="N", help="stop after N new findings")
    parser.add_argument(
        "--seed", type=natural, metavar="N", help="the same seed and version give the same requests (default: 0)"
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


def natural(text: str) -> int:
    """A whole number from 0."""
    if text.isdecimal() and len(text) < 19:
        return int(text)
    raise argparse.ArgumentTypeError(f"{one_line(text)} is not a whole number from 0")


def positive(text: str) -> int:
    """A whole number from 1."""
    if found := natural(text):
        return found
    raise argparse.ArgumentTypeError("0 is not a whole number from 1")


def run(arguments: argparse.Namespace) -> int:
    require_extra("fuzz", "hypothesis", "parity fuzz needs Hypothesis")
    if arguments.scheduler:
        require_extra("cluster", "distributed", "--scheduler needs Dask")
    if arguments.coverage:
        require_extra("fuzz", "coverage", "--coverage needs coverage.py")
    path = (arguments.save or default_record().parent) / "fuzz.jsonl"
    state = _State.read(path) if arguments.resume else _State(arguments.seed or 0)
    if arguments.seed not in (None, state.seed):
        raise UsageError(f"--resume: the campaign in {path.parent} has the seed {state.seed}. Leave --seed out.")
    setup = prepare(options_of(arguments))
    with setup, defer_interrupts():
        connect_reference(setup)
        return _campaign(setup, arguments, path, state)


def _campaign(setup: RunSetup, arguments: argparse.Namespace, path: Path, state: _State) -> int:
    from hypothesis.configuration import set_hypothesis_home_dir

    from ..fuzz.exchange import introduce

    set_hypothesis_home_dir(cache() / "hypothesis")  # in place of the current folder
    implementations, failed = introduce(setup.connections, setup.timeouts)
    for name, cause in failed.items():
        why = cause.reason if isinstance(cause, Unavailable) else error_text(cause)
        notice(f"parity: {name} cannot run: {one_line(why, 400)}")
    if not implementations or set(implementations) == {REFERENCE} != set(setup.connections):
        raise AdapterUnavailable("No implementation started, so nothing was sent.")
    operations = _operations(setup.corpus, arguments.operation, setup.options.systems, implementations)
    report = _executed(setup, arguments, CampaignPlan(operations, implementations, state.seed), state.round)
    _record(setup, path, report, implementations)
    state.write(path, report.tally.rounds)
    sys.stdout.write(printable(_text(report, path, setup.options)))
    if arguments.coverage and not report.interrupted:
        _print_reached(setup, report)
    if report.interrupted:
        raise KeyboardInterrupt(f"The findings so far are in {path}. `parity fuzz --resume` goes on.")
    is_unstarted = failed or any(one.is_error for one in setup.skipped)
    return AdapterUnavailable.exit_status if is_unstarted else int(bool(report.findings))


def _operations(
    corpus: Corpus, globs: Sequence[str], systems: Sequence[str], implementations: dict[str, Implementation]
) -> list[str]:
    """The operations to fuzz, by system and name: the chosen ones that at least two implementations offer, or the only
    one. Raises `UsageError` if none is left."""
    for glob in globs:
        if not any(fnmatchcase(name, glob) for name in corpus.operations):
            raise UsageError(f"--operation: no operation is called {one_line(glob)}. `parity coverage` lists them.")
    chosen = [
        name
        for name, one in sorted(corpus.operations.items(), key=lambda item: (item[1].system, item[0]))
        if (not systems or one.system in systems) and (not globs or any(fnmatchcase(name, glob) for glob in globs))
    ]
    least = min(2, len(implementations))
    found = [name for name in chosen if sum(name in one.operations for one in implementations.values()) >= least]
    if not found:
        raise UsageError("The implementations offer none of the chosen operations together; nothing was sent.")
    return found


def _executed(setup: RunSetup, arguments: argparse.Namespace, plan: CampaignPlan, first_round: int) -> Report:
    """Runs the campaign here, or in units by workers of this machine or of a cluster. Raises `ParityError` if no unit came
    to its end."""
    from ..fuzz.findings import Limits, merged
    from ..fuzz.store import ExampleStore
    from ..fuzz.units import UnitPlan, run_units, whole_campaign

    seconds = arguments.duration or (None if arguments.examples else DEFAULT_SECONDS)
    limits = Limits(arguments.examples, seconds, arguments.max_findings)
    if setup.options.jobs == 1 and not arguments.scheduler:
        return run_unit(setup, plan, whole_campaign(limits, first_round), with_progress=True)
    units = UnitPlan(len(plan.operations), limits, first_round)
    with _pool(setup, arguments, plan) as pool:
        is_whole = run_units(units, pool, raise_pending_interrupt, _give_up)
    if not units.reports:
        if not is_whole:
            raise KeyboardInterrupt
        raise ParityError("No worker of the campaign came to its end. Run again with fewer workers.")
    report = merged(units.reports)
    if arguments.scheduler:  # a worker keeps its examples on its own machine
        store = ExampleStore(cache() / "fuzz")
        for one in report.findings:
            store.save(one.group.implementation, one.group.operation, one.case.request)
    return report if is_whole else replace(report, interrupted=True)


def _pool(setup: RunSetup, arguments: argparse.Namespace, plan: CampaignPlan) -> AbstractContextManager[Pool]:
    if not arguments.scheduler:
        return local_pool(partial(run_unit, setup, plan), setup.options.jobs)
    from .fuzz_cluster import cluster_pool

    return cluster_pool(setup, arguments.scheduler, plan)


def _give_up(unit: Unit) -> None:
    notice(f"parity: the rounds from {unit.rounds.start} are missing, because their workers ended unexpectedly.")


def _record(setup: RunSetup, path: Path, report: Report, implementations: dict[str, Implementation]) -> None:
    """Writes the record of the findings: each case with the result of every implementation."""
    exchanges = list(report.exchanges())
    recorder = Recorder(path, replace(setup.header(), cases=[case for case, _ in exchanges]))
    complete = False
    try:
        recorder.write(implementations.values())
        for case, results in exchanges:
            given = {one.implementation: one for one in results}
            missing = {name: Result(case, name, Unsupported(NotOffered(""))) for name in implementations}
            recorder.write(replace(one, case=case) for one in {**missing, **given}.values())
        complete = True
    finally:
        recorder.close(complete=complete)


def _print_reached(setup: RunSetup, report: Report) -> None:
    from ..fuzz.exchange import generated_case
    from ..fuzz.reached import reached, reached_rulings
    from ..fuzz.text import reached_text, rulings_text

    connection = setup.connections.get(REFERENCE)
    found = reached(connection, shipped(), report.sample) if isinstance(connection, ProcessConnection) else None
    if found is None:
        notice("parity: the coverage of the reference cannot be measured.")
        return
    sys.stdout.write(printable(reached_text(found)))
    operations = setup.corpus.operations
    cases = [
        generated_case(operations[name], json.loads(text))
        for name, texts in report.sample.items()
        for text in texts[-RULING_SAMPLE:]
    ]
    cited = {case.ruling for case in setup.corpus.cases if case.operation in report.sample}
    rulings = {name: one for name, one in setup.corpus.rulings.items() if name in cited}
    with setup.alternatives() as source:
        if source is not None and rulings and (of_rulings := reached_rulings(source, cases, rulings)):
            sys.stdout.write(printable(rulings_text(of_rulings)))


def _text(report: Report, path: Path, options: RunOptions) -> str:
    from ..fuzz.text import render

    return render(report, str(path), repeat_options(options)) + f"record: {path}\n"


class _State:
    """The place of a campaign in its sequence of rounds, kept beside its record for `--resume`."""

    def __init__(self, seed: int, round_: int = 0) -> None:
        self.seed = seed
        self.round = round_

    @classmethod
    def read(cls, record: Path) -> _State:
        """The state beside a record. Raises `UsageError` if there is none of this version."""
        file = _state_file(record)
        try:
            values = json.loads(file.read_text("utf-8"))
            if values["version"] != VERSION:
                raise UsageError(f"--resume: {file} is of version {values['version']}, this is {VERSION}. Start anew.")
            return cls(int(values["seed"]), int(values["round"]))
        except (OSError, ValueError, KeyError, TypeError):
            raise UsageError(f"--resume: {file} is missing or broken. Start a campaign without --resume.") from None

    def write(self, record: Path, round_: int) -> None:
        """Keeps the state; raises `ParityError` if the file cannot be written."""
        file = _state_file(record)
        values = {"version": VERSION, "seed": self.seed, "round": max(round_, self.round)}
        try:
            file.write_text(f"{json.dumps(values)}\n", "utf-8")
        except OSError as error:
            raise ParityError(f"{file}: the state of the campaign cannot be written: {error.strerror}.") from None


def _state_file(record: Path) -> Path:
    return record.with_name("fuzz.state.json")
