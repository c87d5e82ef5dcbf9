"""Sends one request to the reference and to all given adapters, and shows the answers side by side. Without a request it
prints the operation's types, and an example to start from."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, nullcontext

from msgspec import Struct

from ..base.text_limits import MAX_TEXT
from ..compare.alternatives import AlternativeAnswers, choice_of
from ..compare.canonical import compact
from ..compare.error_text import outcome_text
from ..corpus.checker import Checker
from ..corpus.loader import Corpus, check_corpus, load_corpus
from ..corpus.paths import shipped
from ..errors import AdapterUnavailable, UsageError, one_line
from ..fuzz.exchange import BLIND, generated_case
from ..model import (
    ADOPTED,
    FAILING,
    REFERENCE,
    UNTESTED,
    Case,
    Json,
    JsonObject,
    RunOptions,
    replace,
)
from ..plan.chosen_cases import corpus_folder
from ..plan.run_plan import explanations_of, reference_answers
from ..plan.setup import named_specs, probes_of
from ..records.lines import outcome_members, shown
from ..report.pages.explanation import Explanation, render
from ..report.pages.schema_page import render_list
from ..transport.adapter_spec import AdapterSpec
from ..transport.connect import ConnectionAttempt, try_connect
from ..transport.manifest import shipped_manifests
from ..transport.sandbox import Sandbox
from .ask_request import example, read_request
from .options import ADAPTERS, add_options, options_of
from .schema import known_operation, listed_operations, operation_page
from .single_case import Executed, execute_case, explanation_of, known_files, repeat_options
from .streams import medium, notice


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "operation",
        nargs="?",
        metavar="OPERATION",
        help="the operation, such as query.parse (default: list all operations)",
    )
    parser.add_argument(
        "request",
        nargs="?",
        metavar="REQUEST",
        help="the request: a JSON object; @FILE with one; @case:NAME for the request of a case; - for standard input "
        "(default: print the types and an example)",
    )
    parser.add_argument(
        "--reading",
        type=_reading,
        action="append",
        default=[],
        metavar="RULING=READING",
        help="the reference follows this reading of a ruling; may be repeated",
    )
    parser.add_argument("--json", action="store_true", help="print the answers as JSON")
    add_options(parser, ADAPTERS)


def _reading(text: str) -> tuple[str, str]:
    """`RULING=READING` as a pair."""
    ruling, sign, reading = text.partition("=")
    if ruling and sign and reading:
        return ruling, reading
    raise argparse.ArgumentTypeError(f"{one_line(text)} is not RULING=READING, such as RUL-B03=b")


def run(arguments: argparse.Namespace) -> int:
    options = options_of(arguments)
    corpus = load_corpus(corpus_folder(options))
    if arguments.operation is None:
        print(render_list(list(listed_operations(corpus)), medium()), end="")
        return 0
    known_operation(arguments.operation, list(corpus.operations))
    readings = _readings(arguments.reading, corpus)
    checker = check_corpus(corpus)
    if arguments.request is None:
        _print_page(arguments.operation, corpus, repeat_options(options))
        return 0
    operation = corpus.operations[arguments.operation]
    request, environment = read_request(arguments.request, operation, corpus, checker)
    case = replace(generated_case(operation, request), environment=environment)
    asked = _ask(case, corpus, checker, readings, options)
    print(_json(asked, readings) if arguments.json else _page(case, asked, arguments), end="")
    return asked.exit_status


class _Asked(Struct, frozen=True):
    """The case with the response of the `baseline` as the expected one, and what the other implementations gave.
    `is_named`: the command line names the adapters, so that one that cannot start is an error."""

    case: Case
    baseline: str
    executed: Executed
    explanation: Explanation
    is_named: bool

    @property
    def exit_status(self) -> int:
        """0 if all agree with the baseline or a reading of it, 1 if one differs or none answers, 3 if one cannot start."""
        if self.is_named and self.executed.is_unstarted:
            return AdapterUnavailable.exit_status
        results = self.executed.results
        is_silent = bool(results) and all(result.verdict in UNTESTED for result in results)
        return int(any(result.verdict in FAILING for result in results) or is_silent or bool(self.executed.incidents))


def _ask(case: Case, corpus: Corpus, checker: Checker, readings: Mapping[str, str], options: RunOptions) -> _Asked:
    """Sends the case to the reference, and with its response to all others."""
    manifests = shipped_manifests(shipped())
    named = named_specs(options)
    specs = named or [AdapterSpec(name) for name in manifests]
    known = known_files(None, specs, manifests, judges_one=False)
    with ExitStack() as stack:
        sandbox = stack.enter_context(Sandbox())
        others = [spec for spec in specs if spec.name != REFERENCE]
        reached = [try_connect(reading, manifests, sandbox, options.pass_env) for reading in others]
        source = stack.enter_context(reference_answers(notice))
        found = _reference_case(case, readings, corpus, source)
        baseline = f"{REFERENCE}{_readings_label(readings)}"
        if found is None:
            if readings:
                raise UsageError(_why_no_answer(case, readings))
            found, baseline = _first_answer(case, corpus, checker, reached, options)
        explanations = replace(explanations_of(corpus, known, notice), alternatives=lambda: nullcontext(source))
        executed = execute_case(
            found,
            corpus,
            checker,
            [attempt for attempt in reached if attempt.name != baseline],
            options,
            probes_of(specs, options),
            None if readings else explanations,
        )
    explanation = replace(explanation_of(found, corpus, executed, known, manifests), baseline=baseline)
    return _Asked(found, baseline, executed, explanation, bool(named))


def _readings(given: Sequence[tuple[str, str]], corpus: Corpus) -> dict[str, str]:
    """The readings by ruling. Raises `UsageError` for a ruling or a reading that the corpus does not have, and for two
    readings of one ruling."""
    for name, reading in given:
        if dict(given)[name] != reading:
            raise UsageError(f"--reading {one_line(name)}: two readings of one ruling are given. Name one of them.")
        ruling = corpus.rulings.get(name)
        if ruling is None:
            raise UsageError(f"--reading {one_line(name)}={one_line(reading)}: the corpus has no such ruling.")
        if reading not in ruling.readings:
            has = ", ".join(ruling.readings)
            raise UsageError(f"--reading {name}={one_line(reading)}: {name} has no such reading. Use one of: {has}.")
    return dict(given)


def _readings_label(readings: Mapping[str, str]) -> str:
    return f" ({', '.join(f'{ruling}={reading}' for ruling, reading in readings.items())})" if readings else ""


def _why_no_answer(case: Case, readings: Mapping[str, str]) -> str:
    chosen = " ".join(f"--reading {ruling}={reading}" for ruling, reading in readings.items())
    return f"{chosen}: the reference gives no answer to {case.operation} under these readings. Leave one out."


def _reference_case(
    case: Case, readings: Mapping[str, str], corpus: Corpus, source: AlternativeAnswers | None
) -> Case | None:
    """The case with the reference's response; None if it gives none. With one reading, the other readings of its ruling
    are the other readings of the case."""
    if source is None or not source.offers(case.operation):
        return None
    switches = [(name, reading) for name, reading in readings.items() if corpus.rulings[name].adopted != reading]
    [response] = source.answers([case], [choice_of(switches)])
    if response is None:
        return None
    case = case.with_body(expected=response)
    if len(readings) != 1:
        return case
    [(name, chosen)] = readings.items()
    others = [reading for reading in corpus.rulings[name].readings if reading != chosen]
    adopted = corpus.rulings[name].adopted
    choices = [ADOPTED if reading == adopted else choice_of([(name, reading)]) for reading in others]
    found = zip(others, source.answers([case] * len(others), choices), strict=True)
    different = {reading: other for reading, other in found if other not in (None, response)}
    return replace(case, ruling=name).with_body(adopted=chosen, readings=different)


def _first_answer(
    case: Case, corpus: Corpus, checker: Checker, reached: Sequence[ConnectionAttempt], options: RunOptions
) -> tuple[Case, str]:
    """The case with the response of the first implementation that gives one, where no reference does."""
    blind = replace(corpus.operations[case.operation], rules=BLIND)
    reasons = []
    for attempt in reached:
        executed = execute_case(case, corpus, checker, [attempt], options, {}, None, blind)
        for result in executed.results:
            if result.response is not None:
                return case.with_body(expected=result.response), attempt.name
            reasons.append(f"{attempt.name}: {outcome_text(result.outcome)}")
        reasons += [f"{name}: {reason}" for name, reason in executed.skipped.items()]
    raise AdapterUnavailable(
        one_line(f"No implementation answered {case.operation}. {' '.join(reasons)}".rstrip(), MAX_TEXT),
        remedy="" if reasons else "Name one with --adapter.",
    )


def _page(case: Case, asked: _Asked, arguments: argparse.Namespace) -> str:
    """The answers side by side, for this terminal."""
    request = compact(case.request) if arguments.request == "-" else arguments.request
    words = ["parity", "ask", case.operation, request]
    words += [word for ruling, reading in arguments.reading for word in ("--reading", f"{ruling}={reading}")]
    explanation = replace(asked.explanation, repeat=shlex.join([*words, *repeat_options(options_of(arguments))]))
    return render(explanation, medium())


def _json(asked: _Asked, readings: Mapping[str, str]) -> str:
    """The answers as JSON, with the members of a run record."""
    case = asked.case
    results: list[Json] = [
        {"implementation": result.implementation, **outcome_members(result.outcome)}
        for result in asked.executed.results
    ]
    skipped: list[Json] = [{"implementation": name, "reason": why} for name, why in asked.executed.skipped.items()]
    value: JsonObject = {
        "operation": case.operation,
        "request": case.request,
        "environment": dict(case.environment),
        "baseline": asked.baseline,
        "readings": dict(readings),
        "expected": shown(case.expected),
        "results": results,
        "skipped": skipped,
    }
    return f"{json.dumps(value, indent=1)}\n"


def _print_page(name: str, corpus: Corpus, options: Sequence[str]) -> None:
    """Prints the types of the operation, and a command with an example."""
    [listed] = [operation for operation in listed_operations(corpus) if operation.name == name]
    commands = []
    if text := example(corpus.operations[name], corpus):
        commands = ["example:", shlex.join(["parity", "ask", name, text, *options])]
    sys.stdout.write(operation_page(listed, corpus, commands))
