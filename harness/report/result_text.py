"""One result, failure group or incident as text, for a reader at a terminal."""

from __future__ import annotations

import re
import shlex
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import fill

from ..base.text_limits import MAX_NAME, MAX_STATEMENT, MAX_TEXT, MAX_VALUE
from ..compare.canonical import compact
from ..compare.causes import verdict_text
from ..compare.edits import Edit
from ..compare.error_text import breaks_text, incident_text, outcome_text
from ..errors import one_line, plural, printable
from ..model import (
    Answered,
    Case,
    ErrorKind,
    Incident,
    JsonObject,
    NotTested,
    RecordedImplementation,
    RecordedResult,
    Requirement,
    Response,
    Result,
    Ruling,
    RunOptions,
    RunRecord,
    Status,
    Verdict,
    option_words,
    replace,
    response_of,
    where,
)
from ..plan.commands import probe_command
from ..scaffolding.sdk_tests import has_templates
from ..transport.adapter_spec import adapter_of
from .cause_text import explained_by_text
from .difference_text import NARROWEST, WIDTH, describe_difference, describe_edit, difference_line, quoted
from .documented import notes
from .failure_groups import FailureGroup
from .failure_spans import edits_of, group_parts, is_one_of_several
from .output_text import BAR, HOME_HINT, barred, needs_home, spaced, stack_trace
from .phrases import and_more, charge_text, listing_text, verb

GROUP_DEPTH = 4
"""Steps to the right of what stands below the head of a failure group."""

_MAX_DIFFERENCES = 6


def describe(
    result: RecordedResult, record: RunRecord, width: int = WIDTH, *, is_repeatable: bool = True
) -> Iterator[str]:
    """One failing case: its place, differences and requirements; if it can be repeated, the request and the command too."""
    metadata = record.metadata
    yield one_line(f"{result.at}  {result.case.rsplit('/', 1)[-1]}  ({result.implementation})", MAX_TEXT)
    if is_repeatable:
        yield f"  {request_text(result)}"
    yield from describe_failure(result, edits_of(result, record), metadata.rulings, _MAX_DIFFERENCES, width)
    yield from describe_background(result, result, metadata.requirements, metadata.rulings)
    for note in notes(result, record):
        yield f"  {one_line(note, MAX_NAME)}"
    if result.expectation is not None:
        yield f"  {one_line(result.expectation.status)}: {one_line(listing_text(result), MAX_STATEMENT)}"
    if stderr := result.stderr.strip():
        yield f"  standard error: {one_line(stderr[-MAX_NAME:], MAX_NAME)}"
    if is_repeatable:
        for label, command in rerun_commands(record, result).items():
            yield f"  {label + ':':<8}{command}"


def request_text(result: RecordedResult) -> str:
    """`request {"query": "a b"}`: JSON to paste, unless it is too long for a line."""
    return f"request {quoted(result.request, MAX_NAME)}"


def describe_briefly(result: RecordedResult, record: RunRecord, width: int = WIDTH) -> Iterator[str]:
    """The place of a failing case, its error or its first difference, and the explanation."""
    yield one_line(f"{result.implementation}: {result.at}  {result.case.rsplit('/', 1)[-1]}", MAX_TEXT)
    yield from describe_failure(result, edits_of(result, record), record.metadata.rulings, 1, width, is_brief=True)
    if stderr := result.stderr.strip():
        yield from folded(f"  standard error: {one_line(stderr[-MAX_VALUE:])}", width)


def describe_failure(
    result: RecordedResult | Result,
    edits: Sequence[Edit],
    rulings: Mapping[str, Ruling],
    most: int,
    width: int = WIDTH,
    *,
    is_brief: bool = False,
) -> Iterator[str]:
    """What is wrong: the error, the first `most` edits, the explanation and the stack trace."""
    if result.verdict is Verdict.ERROR:
        yield f"  {verdict_text(result)}: {one_line(outcome_text(result.outcome), MAX_NAME)}"
    yield from (f"  {line}" for line in describe_findings(result, edits, most, width - 2))
    if explanation := explained_by_text(result, rulings):
        yield from wrapped(explanation, width) if is_brief else [f"  {explanation}"]
    yield from stack_trace(result, 2, 3) if is_brief else stack_trace(result)


def describe_background(
    result: RecordedResult | Result,
    case: RecordedResult | Case,
    requirements: Mapping[str, Requirement],
    rulings: Mapping[str, Ruling],
) -> Iterator[str]:
    """The requirements that a failure charges, the rulings about its case with their titles, and the note of the case."""
    for id_ in result.charged:
        statement = requirements[id_].statement if id_ in requirements else ""
        yield f"  {charge_text(result, one_line(id_), one_line(statement, MAX_STATEMENT))}"
    for id_ in filter(None, (case.ruling, *case.cited_by_rulings)):
        ruling = rulings.get(id_)
        disputed = f"disputed, adopted reading {ruling.adopted if ruling else '?'}"
        relation = disputed if id_ == case.ruling else "cites it"
        yield f"  {one_line(id_)}  {relation}: {one_line(ruling.title if ruling else '')}"
    if case.note:
        yield f"  note: {one_line(' '.join(case.note.split()), MAX_NAME)}"


def wrapped(text: str, width: int) -> list[str]:
    """A sentence below the head of a case, on as many lines as it needs."""
    return fill(text, width, initial_indent="  ", subsequent_indent="    ").splitlines()


def folded(text: str, width: int) -> list[str]:
    """A line with foreign text on as many lines as it needs, each behind a bar, as in `barred`."""
    return fill(text, width, subsequent_indent=BAR, break_on_hyphens=False).splitlines()


def describe_implementations(record: RunRecord) -> Iterator[str]:
    """Each implementation with its version, then each working copy."""
    for entry in record.metadata.implementations:
        if entry.identity is not None:
            yield one_line(f"{entry.name}: {entry.description}")
    yield from describe_working_copies(record)


def describe_working_copies(record: RunRecord) -> Iterator[str]:
    """Each working copy that was tested, and its state."""
    for entry in record.metadata.implementations:
        if sdk := entry.sdk:
            state = f"files {sdk.digest[:12]}"
            if sdk.revision:
                state = f"revision {sdk.revision[:12]}{' with changes' if sdk.changed else ''}, {state}"
            folder = sdk_folder(entry, record.metadata.options)
            yield one_line(f"{entry.name}: a working copy: {folder} ({state})", MAX_NAME)


def describe_not_tested(record: RunRecord) -> Iterator[str]:
    """Each implementation that could not be built and fails nothing, with the reason."""
    return map(describe_skipped, record.skipped)


def describe_skipped(entry: NotTested) -> str:
    """`go is not tested: go is not on PATH.`"""
    return f"{one_line(entry.name)} is not tested: {one_line(entry.reason, MAX_NAME)}"


def describe_unsent(record: RunRecord) -> Iterator[str]:
    """`ts: 582 cases not sent after 10 timeouts in a row (query.parse)`, by implementation, kind and number."""
    found: dict[tuple[str, ErrorKind, int], list[str]] = defaultdict(list)
    for result in record.results:
        if result.kind is not None and result.unsent_after:
            found[result.implementation, result.kind, result.unsent_after].append(result.operation)
    for (name, kind, breaks), operations in found.items():
        of = f" ({one_line(operations[0])})" if len({*operations}) == 1 else ""
        cases = plural(len(operations), "case")
        yield one_line(f"{name}: {cases} not sent after {breaks_text(kind, breaks)} in a row{of}")


def sdk_folder(entry: RecordedImplementation, options: RunOptions) -> str:
    """The folder of a working copy: behind `=` in its `--adapter` option, else that of `--sdk`. A record of several runs
    with different folders has none."""
    return entry.adapter.partition("=")[2] or options.sdk or "DIR"


def describe_findings(
    found: RecordedResult | Result, edits: Sequence[Edit], most: int, width: int = WIDTH
) -> Iterator[str]:
    """The first stage that differs, the first `most` edits, and the expressions that an engine rejects."""
    if found.stage:
        yield stage_text(found.stage, found.recovered)
    for edit in edits[:most]:
        yield from describe_edit(edit, width)
    if more := and_more(len(edits) - most, "difference"):
        yield f"… {more}"
    for refusal in found.engine:
        yield f"the engine rejects {quoted(refusal.match)}: {one_line(refusal.message)}"


def stage_text(stage: str, recovered: bool) -> str:
    """`first differs at /tune; every later stage matches`."""
    return f"first differs at {one_line(stage)}{'; every later stage matches' if recovered else ''}"


def requirement_statement(record: RunRecord, requirement: str) -> str:
    """The statement of a requirement that the record's cases cite."""
    found = record.metadata.requirements.get(requirement)
    return found.statement if found else ""


def ruling_title(record: RunRecord, ruling: str) -> str:
    """The title of a ruling that the record's cases cite."""
    found = record.metadata.rulings.get(ruling)
    return found.title if found else ""


def rerun_commands(record: RunRecord, result: RecordedResult) -> dict[str, str]:
    """The shell commands for one case and implementation by label: `repeat` runs it again, `repro` prints a test of the SDK
    alone, if the adapter has templates of tests. Each ends in the name of the case."""
    entry, options = record.metadata.implementation(result.implementation), record.metadata.options
    commands = {"repeat": repeat_command(repeat_words(record, result), result.case)}
    is_shipped = entry is not None and (entry.sdk is not None or "=" not in entry.adapter)
    if is_shipped and has_templates(adapter_of(result.implementation)):
        words = ["--adapter", adapter_of(result.implementation), *option_words(options, ("corpus",))]
        commands["repro"] = repro_command(words, result.case)
    return commands


def repro_command(options: Sequence[str], case: str) -> str:
    """The shell command that prints a test of an SDK alone."""
    return printable(shlex.join(["parity", "repro", *options, case]))


def repeat_command(options: Sequence[str], case: str) -> str:
    """The shell command that runs one case with these options. It replaces no record that other commands read."""
    return printable(shlex.join(["parity", "run", *options, "--record", "repeat.jsonl", "--select", case]))


def repeat_words(record: RunRecord, result: RecordedResult) -> list[str]:
    """The options that run the implementation of a result again, as it ran."""
    entry, options = record.metadata.implementation(result.implementation), record.metadata.options
    words = ["--adapter", entry.adapter] if entry else []
    words += ["--sdk", sdk_folder(entry, options)] if entry and entry.sdk and "=" not in entry.adapter else []
    return [*words, *option_words(options, ("corpus", "timeout", "pass_env"))]


def listing_command(record: RunRecord, name: str, words: Iterable[Verdict | Status], path: str) -> str:
    """The shell command that lists the cases of one implementation with these verdicts, or with these statuses in a gate, in
    the record at `path`; empty if the path has white space, which no expression of `--select` can hold."""
    if path.split() != [path]:
        return ""
    selected = [f"verdict:{word}:{name}@{path}" for word in dict.fromkeys(words)]
    corpus = option_words(record.metadata.options, ("corpus",))
    return shlex.join(
        ["parity", "cases", *corpus, *(word for expression in selected for word in ("--select", expression))]
    )


def describe_group(group: FailureGroup, record: RunRecord, width: int = WIDTH) -> Iterator[str]:
    """`49 × query.parse $.ast.tokens[*].operator   wanted "AND"   got (absent)`, on several lines if that is too long."""
    head = f"{len(group.results):>5,} × {one_line(group.operation)} {one_line(group.place)}"
    indent = " " * 2 * GROUP_DEPTH
    parts = group_parts(group, record)
    lead = "e.g. " if is_one_of_several(group, parts) else ""
    if parts and not parts.what:
        parts = replace(parts, place=head)
        first, *rest = describe_difference(parts, width, (f"{lead}wanted", "got"))
        yield first
        if rest:
            _, *rest = describe_difference(parts, width - len(indent) + 2, (f"{lead}wanted", "got"))
            yield from (f"{indent}{line.removeprefix('  ')}" for line in rest)
        return
    fault = f"{lead}{difference_line(parts)}" if parts else group.fault
    text = one_line(fault, max(width, NARROWEST) - len(indent) if parts else MAX_NAME)
    short = len(head) + 3 + len(text) <= width
    yield from [f"{head}   {text}".rstrip()] if short else [head, f"{indent}{'' if parts else '| '}{text}"]


def describe_sum(found: Sequence[FailureGroup], what: str) -> str:
    """`214 failures in 7 groups`: how many results and failure groups there are."""
    return f"{plural(sum(len(group.results) for group in found), what)} in {plural(len(found), 'group')}"


def describe_flaky(name: str, count: int) -> str:
    """`ts: 3 cases are flaky`."""
    return f"{one_line(name)}: {plural(count, 'case')} {verb(count, 'is', 'are')} flaky"


def describe_passes(result: RecordedResult, limit: int = MAX_VALUE) -> Iterator[str]:
    """The outcomes of a repeated run, each with its executions: `executions 1, 3: fail {"answer": …}`."""
    for rounds in result.flaky:
        response, reason = response_of(rounds.outcome), outcome_text(rounds.outcome)
        shown = response_json(response) if response else reason
        which = f"{'execution' if len(rounds.rounds) == 1 else 'executions'} {', '.join(map(str, rounds.rounds))}"
        yield one_line(f"{which}: {rounds.outcome.verdict}{f' {compact(shown)}' if shown else ''}", limit)


def response_json(response: Response) -> JsonObject:
    """A response as a record holds it."""
    if isinstance(response, Answered):
        return {"answer": response.value}
    return {"error": {"type": response.type, **({"message": response.message} if response.message else {})}}


def describe_incident(incident: Incident) -> str:
    """An incident on one line."""
    head = f"incident: {incident.implementation}"
    seen = one_line(incident_text(incident.cause), MAX_NAME)
    if not incident.suspects:
        return f"{head}: {seen}"
    return (
        f"{head}, with {plural(len(incident.suspects), 'request')} in flight: {seen} "
        "Each request got an answer when it was sent alone."
    )


def alike_incidents(incidents: Iterable[Incident]) -> list[tuple[Incident, int]]:
    """The first of the incidents of an implementation that differ in numbers at most, with how many they are."""
    alike: dict[tuple[str, ...], list[Incident]] = {}
    for incident in incidents:
        words = _NUMBER.sub("0", incident_text(incident.cause))
        alike.setdefault((incident.implementation, incident.kind, words), []).append(incident)
    return [(group[0], len(group)) for group in alike.values()]


def alike_unsupported(results: Iterable[RecordedResult]) -> list[tuple[tuple[str, str], int]]:
    """The unsupported ones of these results by operation and reason, the most frequent first."""
    return Counter(
        (result.operation, outcome_text(result.outcome)) for result in results if result.verdict is Verdict.UNSUPPORTED
    ).most_common()


_NUMBER = re.compile(r"\d[\d.,]*")


def describe_incidents(incidents: Iterable[Incident]) -> Iterator[str]:
    """Each incident on one line; those that are alike once, with their number."""
    for incident, count in alike_incidents(incidents):
        yield f"{describe_incident(incident)}{f' ({count:,} times)' if count > 1 else ''}"


def describe_not_started(name: str, reason: str, record: RunRecord, most: int = 6) -> Iterator[str]:
    """Why an adapter could not be built or started, its `most` last lines of output but for the one that the reason quotes,
    and the command that checks it."""
    first, *output = printable(reason).splitlines() or [""]
    yield one_line(f"{name} could not be built or started: {spaced(first)}", MAX_TEXT)
    yield from barred([line for line in output if line.strip() not in first][-most:])
    if needs_home(reason):
        yield f"  {HOME_HINT}"
    entry = record.metadata.implementation(name)
    errors = len(where(record.results, lambda outcome: outcome.verdict is Verdict.ERROR, {name}))
    if errors:
        yield f"  {plural(errors, 'case')} {verb(errors, 'is an error', 'are errors')} (start)."
    option = entry.adapter if entry else name
    if option != name:
        yield f"  diagnose: {printable(probe_command(option, record.metadata.options))}"
