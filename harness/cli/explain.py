"""Shows one case: the answer of each implementation side by side, with its requirements and rulings. Shows one ruling:
who follows which reading. Shows one requirement: its rulings, and the verdicts on its cases by cause."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import TypeVar

from ..compare.known_divergences import Divergence, KnownDivergences
from ..corpus.case_table import Selectable
from ..corpus.checker import Checker, check_schemas
from ..corpus.known_divergences_file import load_beside, load_known
from ..corpus.loader import Corpus, load_corpus
from ..corpus.paths import shipped
from ..errors import AdapterUnavailable, CorpusError, UsageError, one_line
from ..model import Case, ErrorKind, Implementation, Incident, JsonObject, RecordedResult, Result
from ..protocol import Connection
from ..report.error_text import error_text
from ..report.event_text import Notices, alternatives_text
from ..report.explanation import Explanation, render
from ..report.summary import REFERENCE
from ..runner.attribute import Explanations
from ..runner.execute import RunPlan, batches
from ..runner.session import Timeouts
from ..transport.adapter_spec import AdapterSpec, adapter_of, parse_specs, with_sdk
from ..transport.alternatives import shipped_alternatives
from ..transport.connect import ConnectionAttempt, ProcessConnection, try_connect
from ..transport.manifest import Manifest, shipped_manifests
from ..transport.operation_support import read_declarations
from ..transport.sandbox import Sandbox
from ..transport.sync_client import RequestFailed, SyncClient
from .explain_entry import entry_page
from .interrupts import defer_interrupts, raise_pending_interrupt
from .options import add_adapters, add_corpus_folder, add_sdk, add_timeouts, path_argument, probe_command
from .streams import is_colored, notice, width

_EXPLAIN = "explain"
_MAX_NAMES = 5

_Case = TypeVar("_Case", bound=Selectable)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "case",
        metavar="NAME",
        help="the full name of a case, or FILE:LINE as failures print it; or the id of a ruling or of a requirement",
    )
    parser.add_argument(
        "--record",
        type=path_argument,
        metavar="FILE",
        help="for a ruling or a requirement: the run record that has the answers (default: the record that `parity run` "
        "writes, if it exists); for a finding of `parity fuzz`: its record",
    )
    parser.add_argument(
        "--known",
        type=path_argument,
        metavar="FILE",
        help="for a case, with one --adapter: its known-divergence file (default: the shipped adapter's own)",
    )
    add_adapters(parser)
    add_sdk(parser)
    add_corpus_folder(parser)
    add_timeouts(parser, Timeouts().reply)


def run(arguments: argparse.Namespace) -> int:
    manifests = shipped_manifests(shipped())
    named = parse_specs(arguments.adapter, manifests)
    if arguments.sdk is not None:
        named = with_sdk(named, arguments.sdk)
    specs = named or [AdapterSpec(name) for name in manifests]
    corpus = load_corpus((arguments.corpus or shipped()).resolve())
    names = [one.name for one in named]
    page = entry_page(arguments.case, corpus, arguments.record, names, color=is_colored(), width=width())
    if page is not None:
        sys.stdout.write(page)
        return 0
    generated = _generated(arguments.record, arguments.case) if arguments.record else None
    if arguments.record is not None and not generated:
        raise UsageError(
            "--record is for a ruling, a requirement or a finding of `parity fuzz`. A case of the corpus runs anew: leave "
            "--record out."
        )
    if generated:
        case = generated[0]
    else:
        [case] = corpus.pick([find(arguments.case, corpus.heads, [*corpus.rulings, *corpus.requirements])])
    known = _known_files(arguments.known, specs, manifests, judges_one=len(named) == 1)
    checker = _checked(case, corpus)
    with Sandbox() as sandbox:
        reached = [try_connect(one, manifests, sandbox, arguments.pass_env) for one in specs]
        given = zip(specs, arguments.adapter or manifests, strict=True)
        probes = {spec.name: probe_command(arguments, option, spec.sdk) for spec, option in given}
        models = {name: file.model for name, file in known.items()}
        explanations = Explanations(
            lambda: shipped_alternatives(REFERENCE, manifests, sandbox, lambda cause: notice(alternatives_text(cause))),
            corpus.rulings,
            models,
        )
        explained = _explanation(
            case, corpus, checker, reached, arguments.timeout, _options(arguments), probes, explanations
        )
    explained = replace(
        explained,
        calls=dict(_calls(case, explained, manifests)),
        known=dict(_explaining(case, explained.results, known)),
        known_otherwise=dict(_listed_otherwise(case, explained.results, known)),
        record=str(arguments.record) if generated else "",
    )
    sys.stdout.write(render(explained, color=is_colored(), width=width()))
    return AdapterUnavailable.exit_status if named and _unstarted(explained) else 0


def _generated(record: Path, name: str) -> tuple[Case, Sequence[RecordedResult]] | None:
    """The generated case of this name in a record of `parity fuzz`."""
    from ..records import read_record
    from ..records.cases import recorded_case

    return recorded_case(read_record(record), name)


def _calls(case: Case, explained: Explanation, manifests: Mapping[str, Manifest]) -> Iterator[tuple[str, list[str]]]:
    """The calls that each shipped adapter declares for the case's operation."""
    for result in explained.results:
        if manifest := manifests.get(adapter_of(result.implementation)):
            declared = read_declarations(manifest.folder, [case.operation]).get(case.operation)
            if declared and declared.calls:
                yield result.implementation, declared.calls_for(case.request)


def _known_files(
    file: Path | None, specs: Sequence[AdapterSpec], manifests: Mapping[str, Manifest], *, judges_one: bool
) -> dict[str, KnownDivergences]:
    """The known-divergence file of each implementation: `file`, else that of the shipped adapter."""
    if file is not None:
        if not judges_one:
            raise UsageError("--known is the file of one implementation. Name it with one --adapter.")
        return {specs[0].name: load_known(file, allow_todo=True)}
    return {one.name: load_beside(manifests[one.adapter].folder) for one in specs if not one.command}


def _explaining(
    case: Case, results: Sequence[Result], known: Mapping[str, KnownDivergences]
) -> Iterator[tuple[str, Divergence]]:
    """The entries that explain exactly these failures."""
    for result in results:
        file = known.get(result.implementation)
        if file is None or not result.signature:
            continue
        divergence = file.divergence(case.name)
        if divergence is None:
            divergence = file.modelled(result.explained_by)
        elif result.signature not in divergence.cases[case.name]:
            divergence = None
        if divergence:
            yield result.implementation, divergence


def _listed_otherwise(
    case: Case, results: Sequence[Result], known: Mapping[str, KnownDivergences]
) -> Iterator[tuple[str, Divergence]]:
    """The entries that list the case of a failure with another signature."""
    for result in results:
        file = known.get(result.implementation)
        divergence = file.divergence(case.name) if file and result.signature else None
        if divergence and result.signature not in divergence.cases[case.name]:
            yield result.implementation, divergence


def _options(arguments: argparse.Namespace) -> list[str]:
    """The options with which `parity run` runs the same case."""
    words = [word for option in arguments.adapter for word in ("--adapter", option)]
    if arguments.sdk:
        words += ["--sdk", str(arguments.sdk)]
    if arguments.corpus:
        words += ["--corpus", str(arguments.corpus)]
    if arguments.timeout != Timeouts().reply:
        words += ["--timeout", f"{arguments.timeout:g}"]
    return words + [word for name in arguments.pass_env for word in ("--pass-env", name)]


def find(name: str, cases: Sequence[_Case], ids: Sequence[str] = ()) -> _Case:
    """The case of this full name or place. Raises `UsageError` that suggests the nearest names, also among the `ids` of
    rulings and requirements."""
    for case in cases:
        if name == case.name or name == case.at or name.endswith(f"/{case.at}"):
            return case
    if placed := _around(name, cases):
        return placed
    shown = one_line(name)
    if following := _first_in_file(name, cases):
        raise UsageError(f"{shown} is above the first case of its file. Name that case: parity explain {following.at}")
    below = sum(case.name.startswith((f"{name.rstrip('/')}/", f"{name}.")) for case in cases)
    if below:
        raise UsageError(f"{shown} is not one case but {below}. `parity cases --select {shown}` lists them.")
    near_ids = _nearest_ids(name, ids)
    near = near_ids or _nearest(name, [case.name for case in cases])
    nothing = f"No {'case, ruling or requirement' if near_ids else 'case'} is called {shown}."
    if len(near) == 1:
        raise UsageError(f"{nothing} Did you mean this one?\n  parity explain {near[0]}")
    listed = "".join(f"\n  {one}" for one in near)
    raise UsageError(f"{nothing} " + (f"The nearest names:{listed}" if near else "`parity cases` lists the names."))


def _around(place: str, cases: Sequence[_Case]) -> _Case | None:
    """The case in which a line of a file lies: the last that begins before it."""
    begins = _by_line(place, cases)
    line = place.rpartition(":")[2]
    begun = [first for first in begins if first <= int(line)]
    return begins[max(begun)] if begun else None


def _first_in_file(place: str, cases: Sequence[_Case]) -> _Case | None:
    """The first case of the file of this place."""
    begins = _by_line(place, cases)
    return begins[min(begins)] if begins else None


def _by_line(place: str, cases: Sequence[_Case]) -> dict[int, _Case]:
    """The cases of the file of this place, by the lines on which they begin; none if it has no line."""
    file, _, line = place.rpartition(":")
    begins: dict[int, _Case] = {}
    if line.isdecimal():
        for case in cases:
            at, _, first = case.at.rpartition(":")
            if file == at or file.endswith(f"/{at}"):
                begins.setdefault(int(first), case)
    return begins


def _nearest_ids(name: str, ids: Sequence[str]) -> list[str]:
    """Ids that are like what was given, in capitals or not."""
    upper = name.upper()
    return [upper] if upper in ids else get_close_matches(upper, ids, _MAX_NAMES, 0.8)


def _nearest(name: str, names: Sequence[str]) -> list[str]:
    """Names that end in what was given, else those whose last part is like its last part, or that are like it."""
    ends = [one for one in names if one.endswith((f"/{name}", f".{name}"))]
    if ends:
        return ends[:_MAX_NAMES]
    last = name.rsplit("/", 1)[-1]
    by_last: dict[str, list[str]] = {}
    for one in names:
        by_last.setdefault(one.rsplit("/", 1)[-1], []).append(one)
    alike = [one for part in get_close_matches(last, by_last, _MAX_NAMES, 0.75) for one in by_last[part]]
    alike.sort(key=lambda one: one.rpartition("/")[0] != name.rpartition("/")[0])
    return alike[:_MAX_NAMES] or get_close_matches(name, names, _MAX_NAMES, 0.75)


def _checked(case: Case, corpus: Corpus) -> Checker:
    """The checker. Raises `CorpusError` if the schemas or this case break the contract."""
    checker = Checker(corpus.schemas)
    if corpus.is_checked:
        return checker
    problems = check_schemas(corpus.schemas) or checker.check_cases([case], corpus.operations)
    if problems:
        raise CorpusError(problems)
    return checker


def _explanation(
    case: Case,
    corpus: Corpus,
    checker: Checker,
    reached: Sequence[ConnectionAttempt],
    timeout: float,
    options: Sequence[str],
    probes: Mapping[str, str],
    explanations: Explanations,
) -> Explanation:
    """Runs the case on every implementation, and collects the steps that implementations report."""
    connections = {one.name: one.connection for one in reached if one.connection}
    plan = RunPlan(
        cases=[case],
        operations=corpus.operations,
        connections=connections,
        answer_error=checker.answer_error,
        timeouts=Timeouts(reply=timeout),
        max_in_flight=1,
        explanations=explanations,
    )
    notices = Notices(corpus.operations, probes, notice)
    events = []
    with defer_interrupts():
        for batch in batches(plan):
            for event in batch:
                notices(event)
            events += batch
            raise_pending_interrupt()
    implementations = {event.name: event for event in events if isinstance(event, Implementation)}
    results = {event.implementation: event for event in events if isinstance(event, Result)}
    return Explanation(
        case=case,
        operation=corpus.operations[case.operation],
        requirements=[corpus.requirements[id_] for id_ in case.requirements],
        ruling=corpus.rulings.get(case.ruling),
        rulings=corpus.rulings,
        cited_by_rulings=[corpus.rulings[id_] for id_ in case.cited_by_rulings],
        options=options,
        results=[results[name] for name in connections if name in results],
        implementations=implementations,
        incidents=[event for event in events if isinstance(event, Incident)],
        skipped={one.name: one.reason for one in reached if not one.connection},
        steps=dict(_steps(case, connections, implementations, timeout)),
    )


def _steps(
    case: Case,
    connections: Mapping[str, ProcessConnection],
    implementations: Mapping[str, Implementation],
    timeout: float,
) -> Iterator[tuple[str, list[JsonObject]]]:
    """The steps of each implementation with the `explain` capability."""
    for name, implementation in implementations.items():
        if _EXPLAIN in implementation.capabilities and case.operation in implementation.operations:
            yield name, _explained_steps(connections[name], case, timeout)


def _explained_steps(connection: Connection, case: Case, timeout: float) -> list[JsonObject]:
    try:
        with SyncClient(connection.start(case.environment)) as client:
            client.initialize("")
            reply = client.call(_EXPLAIN, {"operation": case.operation, "request": case.request}, timeout)
            client.close()
    except (RequestFailed, AdapterUnavailable) as trouble:
        return [{"section": "none", "step": "explain gave no steps", "value": _trouble(trouble)}]
    if reply.refusal is not None:
        return [{"section": "none", "step": "explain was refused", "value": reply.refusal.message}]
    steps = reply.result.get("steps")
    return [step for step in steps if isinstance(step, dict)] if isinstance(steps, list) else []


def _trouble(trouble: RequestFailed | AdapterUnavailable) -> str:
    return error_text(trouble.cause) if isinstance(trouble, RequestFailed) else trouble.text


def _unstarted(explained: Explanation) -> bool:
    return bool(explained.skipped) or any(result.kind is ErrorKind.START for result in explained.results)
