"""Generates requests, sends them to the implementations, and reports the differences that nobody knows yet, each with the
simplest request that shows it."""

from __future__ import annotations

import argparse
import importlib.util
import json
import re
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from .. import VERSION
from ..corpus.loader import Corpus
from ..corpus.paths import cache, default_record, shipped
from ..errors import AdapterUnavailable, ParityError, UsageError, one_line, printable
from ..model import Implementation, NotOffered, Result, Unavailable, Unsupported
from ..records import Recorder
from ..report.error_text import error_text
from ..report.summary import REFERENCE
from ..runner.attribute import Explanations
from ..runner.events import Event
from ..runner.session import Timeouts
from ..transport.adapter_spec import AdapterSpec
from ..transport.connect import ProcessConnection
from ..transport.manifest import shipped_manifests
from .fuzz_jobs import Share, raise_if_stopped, run_shares
from .interrupts import defer_interrupts
from .options import add_adapters, add_corpus_folder, add_passed_variables, add_sdk, path_argument, seconds
from .run_setup import RunSetup, add_adapter, prepare
from .streams import notice

if TYPE_CHECKING:
    from ..fuzz.campaign import Campaign
    from ..fuzz.exchange import Exchanges
    from ..fuzz.findings import Report

DEFAULT_SECONDS = 60.0
_PROGRESS_INTERVAL = 0.2
_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_corpus_folder(parser)
    parser.add_argument(
        "--system", action="append", default=[], metavar="NAME", help="only operations of this system; may be repeated"
    )
    parser.add_argument(
        "--operation", action="append", default=[], metavar="OP", help="only this operation, or a glob; may be repeated"
    )
    add_adapters(parser)
    add_sdk(parser)
    parser.add_argument(
        "--for",
        dest="duration",
        type=duration,
        metavar="TIME",
        help="stop after this time: 60s, 5m, 1h (default: 60s, unless --examples is given)",
    )
    parser.add_argument("--examples", type=positive, metavar="N", help="stop after N requests")
    parser.add_argument(
        "--seed", type=natural, metavar="N", help="the same seed and version give the same requests (default: 0)"
    )
    parser.add_argument(
        "--jobs", type=positive, default=1, metavar="N", help="run N workers, each with its own adapters (default: 1)"
    )
    parser.add_argument(
        "--save",
        type=path_argument,
        metavar="DIR",
        help="write fuzz.jsonl, the record of the findings, to DIR (default: the folder of `parity run`)",
    )
    parser.add_argument(
        "--coverage", action="store_true", help="list the parts of the reference that the requests do not reach"
    )
    parser.add_argument("--resume", action="store_true", help="continue the last campaign in the same folder")
    parser.add_argument(
        "--timeout", type=seconds, metavar="S", help=f"seconds without a reply (default: {Timeouts().reply:g})"
    )
    add_passed_variables(parser)
    parser.set_defaults(select=[], profile=[], shard=None, max_breaks=None, min_answered=None)


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
    require_hypothesis()
    path = (arguments.save or default_record().parent) / "fuzz.jsonl"
    state = _State.read(path) if arguments.resume else _State(arguments.seed or 0)
    if arguments.seed not in (None, state.seed):
        raise UsageError(f"--resume: the campaign in {path.parent} has the seed {state.seed}. Leave --seed out.")
    setup = prepare(arguments)
    with setup, defer_interrupts():
        _connect_reference(setup, arguments)
        return _campaign(setup, arguments, path, state)


def require_hypothesis() -> None:
    """Raises `UsageError` if Hypothesis is not installed."""
    if importlib.util.find_spec("hypothesis") is None:
        raise UsageError("parity fuzz needs Hypothesis, which is not installed. Install it: pip install 'parity[fuzz]'")


def _connect_reference(setup: RunSetup, arguments: argparse.Namespace) -> None:
    """Adds the reference, in front of the others: it gives the expected answers."""
    others = dict(setup.connections)
    if not arguments.adapter and set(others) == {REFERENCE}:
        raise UsageError("No adapter besides the reference can run here. `parity doctor` lists what to install.")
    if REFERENCE not in others and REFERENCE in (manifests := shipped_manifests(shipped())):
        add_adapter(setup, AdapterSpec(REFERENCE), manifests, arguments.pass_env, named=False)
        setup.probes = {**setup.probes, REFERENCE: shlex.join(["parity", "probe", REFERENCE])}
    setup.connections = {
        name: setup.connections[name] for name in sorted(setup.connections, key=lambda name: name != REFERENCE)
    }


def _campaign(setup: RunSetup, arguments: argparse.Namespace, path: Path, state: _State) -> int:
    from hypothesis.configuration import set_hypothesis_home_dir

    from ..fuzz.exchange import introduce
    from ..fuzz.findings import merged

    set_hypothesis_home_dir(cache() / "hypothesis")  # in place of the current folder
    implementations, failed = introduce(setup.connections, setup.timeouts)
    for name, cause in failed.items():
        if name not in setup.unavailable:
            why = cause.reason if isinstance(cause, Unavailable) else error_text(cause)
            notice(f"parity: {name} cannot run: {one_line(why, 400)}")
    if not implementations or set(implementations) == {REFERENCE} != set(setup.connections):
        raise AdapterUnavailable("No implementation started, so nothing was sent.")
    operations = _operations(setup.corpus, arguments, implementations)
    reports = run_shares(
        lambda share: _executed(setup, arguments, implementations, operations, state, share), arguments.jobs
    )
    if not reports:
        raise ParityError("No worker of the campaign came to its end. Run again with fewer --jobs.")
    report = merged(reports)
    _record(setup, path, report, implementations)
    state.write(path, report.tally.rounds)
    sys.stdout.write(printable(_text(report, path, arguments)))
    if arguments.coverage and not report.interrupted:
        _print_reached(setup, report)
    if report.interrupted:
        raise KeyboardInterrupt(f"The findings so far are in {path}. `parity fuzz --resume` goes on.")
    return AdapterUnavailable.exit_status if failed else int(bool(report.findings))


def _operations(corpus: Corpus, arguments: argparse.Namespace, implementations: dict[str, Implementation]) -> list[str]:
    """The operations to fuzz, by system and name: the chosen ones that at least two implementations offer, or the only
    one. Raises `UsageError` if none is left."""
    for glob in arguments.operation:
        if not any(fnmatchcase(name, glob) for name in corpus.operations):
            raise UsageError(f"--operation: no operation is called {one_line(glob)}. `parity coverage` lists them.")
    chosen = [
        name
        for name, one in sorted(corpus.operations.items(), key=lambda item: (item[1].system, item[0]))
        if (not arguments.system or one.system in arguments.system)
        and (not arguments.operation or any(fnmatchcase(name, glob) for glob in arguments.operation))
    ]
    least = min(2, len(implementations))
    found = [name for name in chosen if sum(name in one.operations for one in implementations.values()) >= least]
    if not found:
        raise UsageError("The implementations offer none of the chosen operations together; nothing was sent.")
    return found


def _executed(
    setup: RunSetup,
    arguments: argparse.Namespace,
    implementations: dict[str, Implementation],
    operations: Sequence[str],
    state: _State,
    share: Share,
) -> Report:
    """Runs one share of the campaign."""
    from ..fuzz.campaign import Campaign
    from ..fuzz.classify import Classifier
    from ..fuzz.exchange import Exchanges
    from ..fuzz.findings import Limits
    from ..fuzz.generation import sources
    from ..fuzz.store import ExampleStore

    limit = arguments.duration or (None if arguments.examples else DEFAULT_SECONDS)
    examples = arguments.examples and max(1, arguments.examples // share.of)
    notices = setup.notices()
    campaign: Campaign | None = None

    def listen(event: Event) -> None:
        if not isinstance(event, Implementation):
            notices(event)

    with ExitStack() as stack:
        show = stack.enter_context(_progress(share))

        def beat() -> None:
            raise_if_stopped()
            if campaign is not None:
                show(campaign)

        exchanges: Exchanges = stack.enter_context(
            Exchanges(
                setup.connections,
                implementations,
                setup.corpus.operations,
                setup.checker.answer_error,
                setup.timeouts,
                listen,
                beat,
            )
        )
        classifier = Classifier(
            operations=setup.corpus.operations,
            rulings=setup.corpus.rulings,
            explanations=Explanations(setup.alternatives, setup.corpus.rulings, setup.models),
            source=stack.enter_context(setup.alternatives()),
            implementations=implementations,
            known=setup.known,
            case_operations={case.name: case.operation for case in setup.corpus.cases},
        )
        campaign = Campaign(
            sources(setup.corpus, operations),
            dict(setup.corpus.operations),
            setup.checker,
            exchanges,
            classifier,
            ExampleStore(cache() / "fuzz"),
            state.seed,
        )
        limits, first = Limits(examples, limit), state.round + share.index
        report = campaign.run(limits, first, share.of, with_stored=share.index == 0)
        if not report.interrupted:
            exchanges.close()
    return report


@contextmanager
def _progress(share: Share) -> Iterator[Callable[[Campaign], None]]:
    """Shows the progress of a campaign without workers on one line where standard error is a terminal."""
    from ..fuzz.text import progress_text

    started, shown_at = time.monotonic(), 0.0

    def show(campaign: Campaign) -> None:
        nonlocal shown_at
        now = time.monotonic()
        if now - shown_at > _PROGRESS_INTERVAL:
            shown_at = now
            line = progress_text(campaign.tally, campaign.found, now - started)
            print(f"\r{line}\x1b[K", end="", file=sys.stderr, flush=True)

    if share.of > 1 or not sys.stderr.isatty():
        yield lambda _: None
        return
    yield show
    print("\r\x1b[K", end="", file=sys.stderr, flush=True)


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
    from ..fuzz.reached import reached
    from ..fuzz.text import reached_text

    connection = setup.connections.get(REFERENCE)
    found = reached(connection, shipped(), report.sample) if isinstance(connection, ProcessConnection) else None
    if found is None:
        notice("parity: the coverage of the reference cannot be measured.")
    else:
        sys.stdout.write(printable(reached_text(found)))


def _text(report: Report, path: Path, arguments: argparse.Namespace) -> str:
    from ..fuzz.text import render

    words = [word for option in arguments.adapter for word in ("--adapter", option)]
    if arguments.sdk:
        words += ["--sdk", str(arguments.sdk)]
    if arguments.corpus:
        words += ["--corpus", str(arguments.corpus)]
    return render(report, str(path), words) + f"record: {path}\n"


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
