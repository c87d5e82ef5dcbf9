"""One result, difference or incident in words, for a reader at a terminal."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator

from harness.canonical import compact
from harness.errors import one_line, printable
from harness.model import ABSENT, Absent, Difference, Incident, Json, Judgement, RecordedResult, RunRecord, Verdict
from harness.reporting.kinds import Kind

_MOST_DIFFERENCES = 6
_WIDTH = 100
_NARROWEST = 60


def describe(result: RecordedResult, record: RunRecord, width: int = _WIDTH) -> Iterator[str]:
    """One failing case: place, what was wanted and found, what the specification says, how to repeat it."""
    yield f"{result.at}  {result.case.rsplit('/', 1)[1]}  ({result.implementation})"
    if result.verdict is Verdict.ERROR:
        yield f"  error/{result.kind}: {one_line(result.reason, 400)}"
    yield from (f"  {line}" for line in describe_findings(result, _MOST_DIFFERENCES, width - 2))
    for requirement in result.requirements:
        yield f"  {one_line(requirement)}  {one_line(_told(record, 'requirements', requirement, 'statement'), 300)}"
    if result.ruling:
        yield f"  {one_line(result.ruling)}  disputed: {one_line(ruling_title(record, result.ruling))}"
    for ruling in result.discussed:
        yield f"  {one_line(ruling)}  discusses it: {one_line(ruling_title(record, ruling))}"
    if result.expectation is not None:
        status, reason = result.expectation
        yield f"  {one_line(status)}: {one_line(reason, 300)}"
    if result.stderr:
        yield f"  standard error: {one_line(result.stderr[-400:], 400)}"
    yield f"  again: {again(record, result)}"


def describe_findings(found: RecordedResult | Judgement, most: int, width: int = _WIDTH) -> Iterator[str]:
    """Where an answer parts, the first `most` differences, and what an engine refuses of it."""
    if found.stage:
        healed = "; the last one is right all the same" if found.healed else ""
        yield f"first stage that parts: {one_line(found.stage)}{healed}"
    for part in found.difference[:most]:
        yield from describe_difference(part, width)
    if len(found.difference) > most:
        yield f"… and {len(found.difference) - most} more differences"
    for refusal in found.engine:
        yield f"the engine refuses {quoted(refusal.get('match'))}: {one_line(str(refusal.get('message')))}"


def ruling_title(record: RunRecord, ruling: str) -> str:
    """The title of a ruling that the record's cases cite."""
    return _told(record, "rulings", ruling, "title")


def _told(record: RunRecord, catalogue: str, id_: str, key: str) -> str:
    values = record.header.get(catalogue)
    found = values.get(id_) if isinstance(values, dict) else None
    return str(found.get(key, "")) if isinstance(found, dict) else ""


def again(record: RunRecord, result: RecordedResult) -> str:
    """The command that asks this implementation this case again, to be pasted into a shell."""
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


def describe_difference(part: Difference, width: int = _WIDTH) -> Iterator[str]:
    """`$.results[2].id   wanted "b"   got "c"`; on three lines, each cut to show where they part, if that is too long."""
    wanted, got = quoted(part.wanted, 10**6), quoted(part.got, 10**6)
    path = one_line(part.path)
    together = f"{path}   wanted {wanted}   got {got}"
    if len(together) <= width:
        yield together
        return
    wanted, got = around_the_first_difference(wanted, got, max(width, _NARROWEST) - len("  wanted "))
    yield path
    yield f"  wanted {wanted}"
    yield f"  got    {got}"


def around_the_first_difference(wanted: str, got: str, width: int) -> tuple[str, str]:
    """Both texts cut to `width`; what they have in common at their beginning gives way first."""
    alike = next((at for at, (one, other) in enumerate(zip(wanted, got, strict=False)) if one != other), 0)
    skipped = max(0, alike - width // 3) if max(len(wanted), len(got)) > width else 0
    lead = "…" if skipped else ""
    return one_line(lead + wanted[skipped:], width), one_line(lead + got[skipped:], width)


def describe_kind(kind: Kind, width: int = _WIDTH) -> Iterator[str]:
    """`49 × query.parse $.ast.tokens[*].operator   wanted "AND"   got nothing`, on two lines if that is too long."""
    head = f"{len(kind.results):>6} × {one_line(kind.operation)} {one_line(kind.place)}"
    indent = " " * 9
    if kind.difference is None:
        yield one_line(f"{head}   {kind.results[0].reason}", width)
        return
    wanted, got = quoted(kind.difference.wanted, 10**6), quoted(kind.difference.got, 10**6)
    example = "" if kind.uniform() else "e.g. "
    together = f"{head}   {example}wanted {wanted}   got {got}"
    if len(together) <= width:
        yield together
        return
    room = max(width, _NARROWEST) - len(f"{indent}{example}wanted    got ")
    each = max(room // 2, room - min(len(wanted), len(got)))
    wanted, got = around_the_first_difference(wanted, got, each)
    yield head
    yield f"{indent}{example}wanted {wanted}   got {got}"


def describe_unstable(name: str, count: int) -> str:
    """`ts answers 3 cases otherwise when asked again`."""
    return f"{one_line(name)} answers {plural(count, 'case')} otherwise when asked again"


def describe_passes(result: RecordedResult, limit: int = 160) -> Iterator[str]:
    """What came in which passes of a repeated run: `passes 1, 3: fail {"answer": …}`, a line each."""
    for one in result.unstable:
        passes = one["passes"] if isinstance(one["passes"], list) else []
        came = next((f" {compact(one[key])}" for key in ("answer", "reason") if key in one), "")
        which = f"{'pass' if len(passes) == 1 else 'passes'} {', '.join(map(str, passes))}"
        yield one_line(f"{which}: {one['verdict']}{came}", limit)


def describe_incident(incident: Incident) -> str:
    """An incident in words."""
    said = f"incident: {incident.implementation}"
    seen = one_line(incident.seen, 400)
    if not incident.suspects:
        return f"{said}: {seen}"
    return (
        f"{said}, with {plural(len(incident.suspects), 'request')} in flight: {seen} "
        "All of them were answered when asked alone."
    )


def quoted(value: Json | Absent, limit: int = 120) -> str:
    """A value as JSON, cut to `limit` characters, with nothing that could steer a terminal; `nothing` if absent."""
    if value is ABSENT:
        return "nothing"
    return one_line(printable(json.dumps(value, ensure_ascii=False)), limit)


def plural(count: int, noun: str) -> str:
    """`1 case`, `2 cases`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
