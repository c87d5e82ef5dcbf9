"""One result, failure group or incident as text, for a reader at a terminal."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from harness.compare.alignment import recorded_edits
from harness.compare.canonical import compact
from harness.compare.edits import Edit
from harness.errors import one_line, printable
from harness.model import Incident, Json, Judgement, RecordedResult, RunRecord, Verdict
from harness.report.difference_text import NARROWEST, WIDTH, describe_edit
from harness.report.difference_text import around_the_first_difference as around_the_first_difference
from harness.report.difference_text import describe_difference as describe_difference
from harness.report.difference_text import parting as parting
from harness.report.difference_text import quoted as quoted
from harness.report.failure_groups import FailureGroup
from harness.report.summary import totals

_MAX_DIFFERENCES = 6
_STDERR_KEPT = 2000
_BAR = "    | "


def describe(result: RecordedResult, record: RunRecord, width: int = WIDTH) -> Iterator[str]:
    """One failing case: its place, differences and requirements, and the command that repeats it."""
    yield one_line(f"{result.at}  {result.case.rsplit('/', 1)[-1]}  ({result.implementation})", 1000)
    if result.verdict is Verdict.ERROR:
        yield f"  error/{result.kind}: {one_line(result.reason, 400)}"
    yield from (
        f"  {line}" for line in describe_findings(result, edits_of(result, record), _MAX_DIFFERENCES, width - 2)
    )
    for requirement in result.requirements:
        yield f"  {one_line(requirement)}  {one_line(requirement_statement(record, requirement), 300)}"
    if result.ruling:
        yield f"  {one_line(result.ruling)}  disputed: {one_line(ruling_title(record, result.ruling))}"
    for ruling in result.cited_by_rulings:
        yield f"  {one_line(ruling)}  cites it: {one_line(ruling_title(record, ruling))}"
    if result.expectation is not None:
        status, reason = result.expectation
        yield f"  {one_line(status)}: {one_line(reason, 300)}"
    if result.stderr:
        yield f"  standard error: {one_line(result.stderr[-400:], 400)}"
    yield f"  repeat: {again(record, result)}"


def describe_implementations(record: RunRecord) -> Iterator[str]:
    """Each implementation with its version and working copy, and each skipped one with the reason."""
    entries = record.header["implementations"]
    for entry in entries if isinstance(entries, list) else []:
        if isinstance(entry, dict) and entry["started"]:
            versions = (entry["implementation"], entry["version"], entry["language"], entry["runtime"])
            yield one_line(f"{entry['name']}: {' '.join(str(part) for part in versions if part)}")
            yield from (one_line(f"  {line}", 400) for line in _working_copy(entry.get("sdk"), record))
    for name, reason in record.skipped:
        yield f"{one_line(name)}: skipped. {one_line(reason, 400)}"


def _working_copy(sdk: Json, record: RunRecord) -> Iterator[str]:
    """The folder that was tested in place of the release, and its state."""
    if not isinstance(sdk, dict):
        return
    options = record.header["options"]
    folder = options.get("sdk") if isinstance(options, dict) else None
    state = f"files {str(sdk['digest'])[:12]}"
    if "revision" in sdk:
        state = f"revision {str(sdk['revision'])[:12]}{' with changes' if sdk['changed'] else ''}, {state}"
    yield f"a working copy in place of the release: {folder} ({state})"


def edits_of(result: RecordedResult, record: RunRecord) -> tuple[Edit, ...]:
    """How the answer of a recorded result differs from the expected one."""
    entries: Any = record.header["implementations"]
    own: Any = next((one for one in entries if one["name"] == result.implementation), {})
    return recorded_edits(result, own.get("unobservable", {}).get(result.operation, ()))


def describe_findings(
    found: RecordedResult | Judgement, edits: Sequence[Edit], most: int, width: int = WIDTH
) -> Iterator[str]:
    """The first stage that differs, the first `most` edits, and the expressions that an engine refuses."""
    if found.stage:
        yield stage_text(found.stage, found.recovered)
    for edit in edits[:most]:
        yield from describe_edit(edit, width)
    if len(edits) > most:
        yield f"… and {plural(len(edits) - most, 'more difference')}"
    for refusal in found.engine:
        yield f"the engine refuses {quoted(refusal.get('match'))}: {one_line(str(refusal.get('message')))}"


def stage_text(stage: str, recovered: bool) -> str:
    """`first differs at /tune; the final stage matches (recovered)`."""
    return f"first differs at {one_line(stage)}{'; the final stage matches (recovered)' if recovered else ''}"


def requirement_statement(record: RunRecord, requirement: str) -> str:
    """The statement of a requirement that the record's cases cite."""
    return _catalogue_text(record, "requirements", requirement, "statement")


def ruling_title(record: RunRecord, ruling: str) -> str:
    """The title of a ruling that the record's cases cite."""
    return _catalogue_text(record, "rulings", ruling, "title")


def _catalogue_text(record: RunRecord, catalogue: str, id_: str, key: str) -> str:
    values = record.header.get(catalogue)
    found = values.get(id_) if isinstance(values, dict) else None
    return str(found.get(key, "")) if isinstance(found, dict) else ""


def again(record: RunRecord, result: RecordedResult) -> str:
    """The shell command that repeats one case with one implementation."""
    entries, options = record.header["implementations"], record.header.get("options")
    given = options if isinstance(options, dict) else {}
    words = ["parity", "run", "--adapter"]
    for entry in entries if isinstance(entries, list) else []:
        if isinstance(entry, dict) and entry["name"] == result.implementation:
            words += [str(entry["adapter"]), *(["--sdk", str(given.get("sdk"))] if "sdk" in entry else [])]
    if "corpus" in given:
        words += ["--corpus", str(given["corpus"])]
    if "timeout" in given:
        words += ["--timeout", f"{given['timeout']:g}"]
    passed = given.get("passEnv")
    for name in passed if isinstance(passed, list) else []:
        words += ["--pass-env", str(name)]
    return printable(shlex.join([*words, "--select", result.case]))


def describe_kind(kind: FailureGroup, width: int = WIDTH) -> Iterator[str]:
    """`49 × query.parse $.ast.tokens[*].operator   wanted "AND"   got (absent)`, on two lines if that is too long."""
    head = f"{len(kind.results):>6} × {one_line(kind.operation)} {one_line(kind.place)}"
    indent = " " * 9
    if kind.difference is None:
        fault = one_line(kind.fault, 400)
        short = len(head) + 3 + len(fault) <= width
        yield from [f"{head}   {fault}".rstrip()] if short else [head, f"{indent}{fault}"]
        return
    wanted, got = quoted(kind.difference.wanted, 10**6), quoted(kind.difference.got, 10**6)
    example = "" if kind.uniform() else "e.g. "
    parted = parting(kind.difference.wanted, kind.difference.got)
    together = f"{head}   {example}wanted {wanted}   got {got}{f'   {parted}' if parted else ''}"
    if len(together) <= width:
        yield together
        return
    room = max(width, NARROWEST) - len(f"{indent}{example}wanted    got ")
    each = max(room // 2, room - min(len(wanted), len(got)))
    wanted, got = around_the_first_difference(wanted, got, each)
    yield head
    yield f"{indent}{example}wanted {wanted}   got {got}"
    if parted:
        yield f"{indent}{parted}"


def describe_sum(found: Sequence[FailureGroup], what: str) -> str:
    """`214 failures of 7 kinds`: how many results and failure groups there are."""
    return f"{plural(sum(len(kind.results) for kind in found), what)} of {plural(len(found), 'kind')}"


def describe_flaky(name: str, count: int) -> str:
    """`ts: 3 cases are flaky`."""
    return f"{one_line(name)}: {plural(count, 'case')} {'is' if count == 1 else 'are'} flaky"


def describe_passes(result: RecordedResult, limit: int = 160) -> Iterator[str]:
    """The outcomes of a repeated run, each with its passes: `passes 1, 3: fail {"answer": …}`."""
    for one in result.flaky:
        passes = one["passes"] if isinstance(one["passes"], list) else []
        outcome = next((f" {compact(one[key])}" for key in ("answer", "reason") if key in one), "")
        which = f"{'pass' if len(passes) == 1 else 'passes'} {', '.join(map(str, passes))}"
        yield one_line(f"{which}: {one['verdict']}{outcome}", limit)


def describe_incident(incident: Incident) -> str:
    """An incident on one line."""
    head = f"incident: {incident.implementation}"
    seen = one_line(incident.seen, 400)
    if not incident.suspects:
        return f"{head}: {seen}"
    return (
        f"{head}, with {plural(len(incident.suspects), 'request')} in flight: {seen} "
        "Each request got an answer when it was sent alone."
    )


def describe_incidents(incidents: Iterable[Incident]) -> Iterator[str]:
    """Each incident on one line; equal lines once, with their number."""
    for line, count in Counter(map(describe_incident, incidents)).items():
        yield f"{line} ({count} times)" if count > 1 else line


def describe_not_started(name: str, reason: str, record: RunRecord, most: int = 6) -> Iterator[str]:
    """Why an adapter could not be built or started, its `most` last lines of output, and the command that checks it."""
    first, *output = printable(reason).splitlines() or [""]
    yield one_line(f"{name} could not be built or started: {_spaced(first.removeprefix(f'{name}: '))}", 1000)
    yield from barred(output[-most:])
    errors = totals(record)[name][Verdict.ERROR]
    yield f"  {plural(errors, 'case')} {'is an error' if errors == 1 else 'are errors'} (start)."
    entries = record.header["implementations"]
    named = [one for one in entries if isinstance(one, dict)] if isinstance(entries, list) else []
    option = next((str(one["adapter"]) for one in named if one["name"] == name), name)
    if option != name:
        command = option.partition("=")[2]
        yield f"  check it with: parity probe {shlex.quote(printable(command))}"


def barred(lines: Iterable[str], limit: int = 200) -> Iterator[str]:
    """Lines of foreign text, each behind a bar, so that none can close a block or be a command of a CI log."""
    yield from (f"{_BAR}{one_line(_spaced(line), limit)}" for line in lines)


def standard_error(text: str) -> Iterator[str]:
    """The end of an adapter's standard error below a title; no line if it is empty."""
    if text.strip():
        yield "  standard error:"
        yield from barred(text[-_STDERR_KEPT:].strip("\n").split("\n"))


def _spaced(text: str) -> str:
    return text.replace("\t", " ")


def plural(count: int, noun: str) -> str:
    """`1 case`, `2 cases`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
