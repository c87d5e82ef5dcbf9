"""One result, difference or incident in words, for a reader at a terminal."""

from __future__ import annotations

import json
import shlex
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from harness.compare.canonical import compact
from harness.errors import one_line, printable
from harness.model import (
    ABSENT,
    Absent,
    Answered,
    Difference,
    Incident,
    Json,
    JsonObject,
    RecordedResult,
    Response,
    Result,
    RunOptions,
    RunRecord,
    SdkState,
    Verdict,
    response_of,
)
from harness.report.error_text import incident_text, outcome_text
from harness.report.failure_groups import FailureGroup
from harness.report.gate_summary import expectation_text
from harness.report.summary import totals

_MAX_DIFFERENCES = 6
_WIDTH = 100
_NARROWEST = 60
_STDERR_KEPT = 2000
_BAR = "    | "


def describe(result: RecordedResult, record: RunRecord, width: int = _WIDTH) -> Iterator[str]:
    """One failing case: place, what was wanted and found, what the specification says, how to repeat it."""
    yield one_line(f"{result.at}  {result.case.rsplit('/', 1)[-1]}  ({result.implementation})", 1000)
    if result.verdict is Verdict.ERROR:
        yield f"  error/{result.kind}: {one_line(outcome_text(result.outcome), 400)}"
    yield from (f"  {line}" for line in describe_findings(result, _MAX_DIFFERENCES, width - 2))
    for requirement in result.requirements:
        yield f"  {one_line(requirement)}  {one_line(requirement_statement(record, requirement), 300)}"
    if result.ruling:
        yield f"  {one_line(result.ruling)}  disputed: {one_line(ruling_title(record, result.ruling))}"
    for ruling in result.cited_by_rulings:
        yield f"  {one_line(ruling)}  discusses it: {one_line(ruling_title(record, ruling))}"
    if result.expectation is not None:
        yield f"  {one_line(result.expectation[0])}: {one_line(expectation_text(result), 300)}"
    if result.stderr:
        yield f"  standard error: {one_line(result.stderr[-400:], 400)}"
    yield f"  again: {again(record, result)}"


def describe_implementations(record: RunRecord) -> Iterator[str]:
    """Who was asked, of which version and of which working copy, and who was left out."""
    for entry in record.metadata.implementations:
        if entry.identity is not None:
            yield one_line(f"{entry.name}: {entry.description}")
            yield from (one_line(f"  {line}", 400) for line in _working_copy(entry.sdk, record.metadata.options))
    for name, reason in record.skipped:
        yield f"{one_line(name)}: left out. {one_line(reason, 400)}"


def _working_copy(sdk: SdkState | None, options: RunOptions) -> Iterator[str]:
    """Which state of which folder was judged in place of the release."""
    if sdk is None:
        return
    state = f"files {sdk.digest[:12]}"
    if sdk.revision:
        state = f"revision {sdk.revision[:12]}{' with changes' if sdk.changed else ''}, {state}"
    yield f"a working copy in place of the release: {options.sdk or None} ({state})"


def describe_findings(found: RecordedResult | Result, most: int, width: int = _WIDTH) -> Iterator[str]:
    """Where an answer parts, the first `most` differences, and what an engine refuses of it."""
    if found.stage:
        recovered = "; the last stage is right all the same" if found.recovered else ""
        yield f"first stage that parts: {one_line(found.stage)}{recovered}"
    for part in found.differences[:most]:
        yield from describe_difference(part, width)
    if len(found.differences) > most:
        yield f"… and {len(found.differences) - most} more differences"
    for refusal in found.engine:
        yield f"the engine refuses {quoted(refusal.match)}: {one_line(refusal.message)}"


def requirement_statement(record: RunRecord, requirement: str) -> str:
    """What a requirement says that the record's cases cite."""
    found = record.metadata.requirements.get(requirement)
    return found.statement if found else ""


def ruling_title(record: RunRecord, ruling: str) -> str:
    """The title of a ruling that the record's cases cite."""
    found = record.metadata.rulings.get(ruling)
    return found.title if found else ""


def again(record: RunRecord, result: RecordedResult) -> str:
    """The command that asks this implementation this case again, to be pasted into a shell."""
    entry, options = record.metadata.implementation(result.implementation), record.metadata.options
    words = ["parity", "run", "--adapter"]
    if entry is not None:
        words += [entry.adapter, *(["--sdk", options.sdk] if entry.sdk else [])]
    if options.corpus:
        words += ["--corpus", options.corpus]
    if options.timeout is not None:
        words += ["--timeout", f"{options.timeout:g}"]
    for name in options.pass_env:
        words += ["--pass-env", name]
    return printable(shlex.join([*words, "--select", result.case]))


def describe_difference(part: Difference, width: int = _WIDTH) -> Iterator[str]:
    """`$.results[2].id   wanted "b"   got "c"`; on three lines, each cut to show where they part, if that is too long."""
    wanted, got = quoted(part.wanted, 10**6), quoted(part.got, 10**6)
    path, parted = one_line(part.path), parting(part.wanted, part.got)
    together = f"{path}   wanted {wanted}   got {got}{f'   {parted}' if parted else ''}"
    if len(together) <= width:
        yield together
        return
    wanted, got = around_the_first_difference(wanted, got, max(width, _NARROWEST) - len("  wanted "))
    yield path
    yield f"  wanted {wanted}"
    yield f"  got    {got}"
    if parted:
        yield f"  {parted}"


def parting(wanted: object, got: object, seen: int = sys.maxsize) -> str:
    """`They part at character 1: U+03A9 instead of U+2126.`, of two texts that part at a character beyond ASCII, which
    may look like the other, or more than `seen` characters into them; else nothing."""
    if not (isinstance(wanted, str) and isinstance(got, str)) or wanted == got:
        return ""
    pairs = enumerate(zip(wanted, got, strict=False))
    place = next((at for at, (one, other) in pairs if one != other), min(len(wanted), len(got)))
    if place < seen and f"{wanted[place : place + 1]}{got[place : place + 1]}".isascii():
        return ""
    return f"They part at character {place + 1}: {_character(got, place)} instead of {_character(wanted, place)}."


def _character(text: str, place: int) -> str:
    return f"U+{ord(text[place]):04X}" if place < len(text) else "the end"


def around_the_first_difference(wanted: str, got: str, width: int) -> tuple[str, str]:
    """Both texts cut to `width`; what they have in common at their beginning gives way first."""
    alike = next((at for at, (one, other) in enumerate(zip(wanted, got, strict=False)) if one != other), 0)
    skipped = max(0, alike - width // 3) if max(len(wanted), len(got)) > width else 0
    lead = "…" if skipped else ""
    return one_line(lead + wanted[skipped:], width), one_line(lead + got[skipped:], width)


def describe_kind(kind: FailureGroup, width: int = _WIDTH) -> Iterator[str]:
    """`49 × query.parse $.ast.tokens[*].operator   wanted "AND"   got nothing`, on two lines if that is too long."""
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
    room = max(width, _NARROWEST) - len(f"{indent}{example}wanted    got ")
    each = max(room // 2, room - min(len(wanted), len(got)))
    wanted, got = around_the_first_difference(wanted, got, each)
    yield head
    yield f"{indent}{example}wanted {wanted}   got {got}"
    if parted:
        yield f"{indent}{parted}"


def describe_sum(found: Sequence[FailureGroup], what: str) -> str:
    """`214 failures of 7 kinds`."""
    return f"{plural(sum(len(kind.results) for kind in found), what)} of {plural(len(found), 'kind')}"


def describe_flaky(name: str, count: int) -> str:
    """`ts answers 3 cases otherwise when asked again`."""
    return f"{one_line(name)} answers {plural(count, 'case')} otherwise when asked again"


def describe_passes(result: RecordedResult, limit: int = 160) -> Iterator[str]:
    """What came in which passes of a repeated run: `passes 1, 3: fail {"answer": …}`, a line each."""
    for one in result.flaky:
        response, reason = response_of(one.outcome), outcome_text(one.outcome)
        shown = response_json(response) if response else reason
        which = f"{'pass' if len(one.passes) == 1 else 'passes'} {', '.join(map(str, one.passes))}"
        yield one_line(f"{which}: {one.outcome.verdict}{f' {compact(shown)}' if shown else ''}", limit)


def response_json(response: Response) -> JsonObject:
    """A response as a record holds it."""
    if isinstance(response, Answered):
        return {"answer": response.value}
    return {"error": {"type": response.type, **({"message": response.message} if response.message else {})}}


def describe_incident(incident: Incident) -> str:
    """An incident in words."""
    said = f"incident: {incident.implementation}"
    seen = one_line(incident_text(incident.cause), 400)
    if not incident.suspects:
        return f"{said}: {seen}"
    return (
        f"{said}, with {plural(len(incident.suspects), 'request')} in flight: {seen} "
        "All of them were answered when asked alone."
    )


def describe_incidents(incidents: Iterable[Incident]) -> Iterator[str]:
    """Each incident in words; those told in the same words once, with their number."""
    for told, count in Counter(map(describe_incident, incidents)).items():
        yield f"{told} ({count} times)" if count > 1 else told


def describe_not_started(name: str, reason: str, record: RunRecord, most: int = 6) -> Iterator[str]:
    """Why an adapter could not be built or started, the `most` last lines that it printed, and which command tells more."""
    first, *output = printable(reason).splitlines() or [""]
    yield one_line(f"{name} could not be built or started: {_spaced(first)}", 1000)
    yield from barred(output[-most:])
    errors = totals(record)[name][Verdict.ERROR]
    yield f"  Its {plural(errors, 'case')} {'is an error' if errors == 1 else 'are errors'} (start)."
    entry = record.metadata.implementation(name)
    option = entry.adapter if entry else name
    if option != name:
        command = option.partition("=")[2]
        yield f"  What is wrong with it tells: parity probe {shlex.quote(printable(command))}"


def barred(lines: Iterable[str], limit: int = 200) -> Iterator[str]:
    """Lines of somebody else's text, each behind a bar: none of them can close a block or be a command of a CI log."""
    yield from (f"{_BAR}{one_line(_spaced(line), limit)}" for line in lines)


def standard_error(text: str) -> Iterator[str]:
    """The end of what an adapter wrote to standard error, below a title; nothing if it was silent."""
    if text.strip():
        yield "  standard error:"
        yield from barred(text[-_STDERR_KEPT:].strip("\n").split("\n"))


def _spaced(text: str) -> str:
    return text.replace("\t", " ")


def quoted(value: Json | Absent, limit: int = 120) -> str:
    """A value as JSON, cut to `limit` characters, with nothing that could steer a terminal; `nothing` if absent."""
    if value is ABSENT:
        return "nothing"
    return one_line(printable(json.dumps(value, ensure_ascii=False)), limit)


def plural(count: int, noun: str) -> str:
    """`1 case`, `2 cases`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
