"""Shows one case: the answer of each implementation side by side, with its requirements and rulings. Shows one ruling:
who follows which reading. Shows one requirement: its rulings, and the verdicts on its cases by cause. Shows one failure
group of a run: an example, its causes, requirements and cases."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ..compare.error_text import error_text
from ..corpus.checker import Checker
from ..corpus.loader import Corpus, load_corpus
from ..corpus.paths import shipped
from ..corpus.specification_text import SpecificationText
from ..errors import AdapterUnavailable, CorpusError, UsageError, one_line
from ..model import (
    FAILING,
    Case,
    Implementation,
    JsonObject,
    RecordedResult,
    RunOptions,
    RunRecord,
    option_words,
    path_word,
    replace,
)
from ..plan.chosen_cases import corpus_folder
from ..plan.run_plan import explanations_of
from ..plan.setup import named_specs, probes_of
from ..protocol import Connection
from ..report.document_terminal import Medium
from ..report.pages.explanation import render
from ..report.result_text import repro_command
from ..transport.adapter_spec import AdapterSpec, adapter_of
from ..transport.connect import ConnectionAttempt, try_connect
from ..transport.manifest import shipped_manifests
from ..transport.sandbox import Sandbox
from ..transport.sync_client import RequestFailed, SyncClient
from .explain_entry import entry_page, recorded_explanation
from .find_case import find
from .options import ADAPTERS, add_options, options_of
from .single_case import (
    execute_case,
    explanation_of,
    known_files,
    repeat_options,
)
from .streams import medium, notice
from .text_option import FOUND, WORDS, add_text_option, text_of

_EXPLAIN = "explain"
_ADDRESS = re.compile(r"https?://[\w.~%:/@-]+", re.ASCII)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "case",
        metavar="NAME",
        nargs="+",
        help="the full name of a case, or FILE:LINE as failures print it; the id of a ruling or of a requirement; or a "
        "failure group as `parity run` prints it: OPERATION PLACE",
    )
    add_options(
        parser,
        ["record", "known", *ADAPTERS],
        record="for a case: show the answers of this run record, and run nothing; for a ruling, a requirement or a failure "
        "group: the run record that has the answers (default: the record that `parity run` writes, if it exists); for a "
        "finding of `parity fuzz`: its record",
        known="for a case, with one --adapter: its known-divergence file (default: the shipped adapter's own)",
    )
    add_text_option(parser, f"{WORDS}{FOUND}")
    parser.add_argument("--markdown", action="store_true", help="print the page as Markdown, for an issue")
    parser.add_argument(
        "--site",
        type=_address,
        metavar="URL",
        help="for a ruling with --markdown: the address of a site of `parity site`, to which names are linked",
    )


def _address(text: str) -> str:
    """The address of a site, without a slash at its end."""
    if not _ADDRESS.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{one_line(text)} is no address of a site; write https://HOST/FOLDER")
    return text.rstrip("/")


def run(arguments: argparse.Namespace) -> int:
    options = options_of(arguments)
    arguments.case = " ".join(arguments.case)
    manifests = shipped_manifests(shipped())
    named = _named(options, arguments.record)
    specs = named or [AdapterSpec(name) for name in manifests]
    corpus = load_corpus(corpus_folder(options))
    names = [spec.name for spec in named]
    target = Medium(is_markdown=True) if arguments.markdown else medium()

    def text(*records: RunRecord) -> SpecificationText | None:
        return text_of(arguments.specification, corpus, options.sdk, records)

    page = entry_page(arguments.case, corpus, arguments.record, names, target, text, arguments.site or "")
    if page is not None:
        sys.stdout.write(page)
        return 0
    generated = _generated(arguments.record, arguments.case) if arguments.record else None
    if generated:
        case = generated[0]
    else:
        [case] = corpus.tagged([find(arguments.case, corpus)])
        if arguments.record is not None:
            recorded = recorded_explanation(case, corpus, arguments.record, names, arguments.known, manifests, text)
            sys.stdout.write(render(recorded, target))
            return 0
    known = known_files(arguments.known, specs, manifests, judges_one=len(named) == 1)
    checker = _checked(case, corpus)
    with Sandbox() as sandbox:
        reached = [try_connect(spec, manifests, sandbox, options.pass_env) for spec in specs]
        explanations = explanations_of(corpus, known, notice)
        executed = execute_case(case, corpus, checker, reached, options, probes_of(specs, options), explanations)
        steps = dict(_steps(case, reached, executed.implementations, options.timeout))
    explained = replace(
        explanation_of(case, corpus, executed, known, manifests),
        options=repeat_options(options),
        steps=steps,
        text=text(),
        record=path_word(str(arguments.record)) if generated else "",
    )
    if not generated:
        failing = [result.implementation for result in executed.results if result.verdict in FAILING]
        offered = [adapter_of(name) for name in failing if name in explained.calls]
        words = option_words(options, ("corpus",))
        repro = [repro_command(["--adapter", adapter, *words], case.name) for adapter in offered]
        explained = replace(explained, repro=repro)
    sys.stdout.write(render(explained, target))
    return AdapterUnavailable.exit_status if named and executed.is_unstarted else 0


def _named(options: RunOptions, record: Path | None) -> list[AdapterSpec]:
    """The adapters that the options name; with a record also implementations that only the record has."""
    try:
        return named_specs(options)
    except UsageError:
        if record is None:
            raise
        return [AdapterSpec(name, (name,)) for name in options.adapters]


def _generated(record: Path, name: str) -> tuple[Case, Sequence[RecordedResult]] | None:
    """The generated case of this name in a record of `parity fuzz`."""
    from ..records import read_record
    from ..records.generated_cases import recorded_case

    return recorded_case(read_record(record), name)


def _checked(case: Case, corpus: Corpus) -> Checker:
    """The checker. Raises `CorpusError` if this case breaks its schema."""
    checker = Checker(corpus.schemas)
    if corpus.breaches and (problems := checker.check_cases([case], corpus.operations)):
        raise CorpusError(problems)
    return checker


def _steps(
    case: Case,
    reached: Sequence[ConnectionAttempt],
    implementations: Mapping[str, Implementation],
    timeout: float,
) -> Iterator[tuple[str, list[JsonObject]]]:
    """The steps of each implementation with the `explain` capability."""
    for attempt in reached:
        introduced = implementations.get(attempt.name)
        if attempt.connection is None or introduced is None:
            continue
        if _EXPLAIN in introduced.capabilities and case.operation in introduced.operations:
            yield attempt.name, _explained_steps(attempt.connection, case, timeout)


def _explained_steps(connection: Connection, case: Case, timeout: float) -> list[JsonObject]:
    try:
        with SyncClient(connection.start(case.environment)) as client:
            client.initialize("")
            reply = client.call(_EXPLAIN, {"operation": case.operation, "request": case.request}, timeout)
            client.close()
    except (RequestFailed, AdapterUnavailable) as trouble:
        why = error_text(trouble.cause) if isinstance(trouble, RequestFailed) else trouble.text
        return [{"section": "none", "step": "explain gave no steps", "value": why}]
    if reply.refusal is not None:
        return [{"section": "none", "step": "explain was refused", "value": reply.refusal.message}]
    steps = reply.result.get("steps")
    return [step for step in steps if isinstance(step, dict)] if isinstance(steps, list) else []
