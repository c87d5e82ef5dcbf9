"""One result, difference or incident in words, for a reader at a terminal."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator

from harness.errors import one_line, printable
from harness.model import ABSENT, Absent, Difference, Incident, Json, RecordedResult, RunRecord, Verdict

_MOST_DIFFERENCES = 6
_WIDTH = 100
_NARROWEST = 60


def describe(result: RecordedResult, record: RunRecord, width: int = _WIDTH) -> Iterator[str]:
    """One failing case: place, what was wanted and found, what the specification says, how to repeat it."""
    yield f"{result.at}  {result.case.rsplit('/', 1)[1]}  ({result.implementation})"
    if result.verdict is Verdict.ERROR:
        yield f"  error/{result.kind}: {one_line(result.reason, 400)}"
    if result.stage:
        healed = "; the last one is right all the same" if result.healed else ""
        yield f"  first stage that parts: {one_line(result.stage)}{healed}"
    for part in result.difference[:_MOST_DIFFERENCES]:
        yield from (f"  {line}" for line in describe_difference(part, width - 2))
    if len(result.difference) > _MOST_DIFFERENCES:
        yield f"  … and {len(result.difference) - _MOST_DIFFERENCES} more differences"
    for refusal in result.engine:
        yield f"  the engine refuses {quoted(refusal.get('match'))}: {one_line(str(refusal.get('message')))}"
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
    wanted, got = _around_the_first_difference(wanted, got, max(width, _NARROWEST) - len("  wanted "))
    yield path
    yield f"  wanted {wanted}"
    yield f"  got    {got}"


def _around_the_first_difference(wanted: str, got: str, width: int) -> tuple[str, str]:
    """Both texts cut to `width`; what they have in common at their beginning gives way first."""
    alike = next((at for at, (one, other) in enumerate(zip(wanted, got, strict=False)) if one != other), 0)
    skipped = max(0, alike - width // 3) if max(len(wanted), len(got)) > width else 0
    lead = "…" if skipped else ""
    return one_line(lead + wanted[skipped:], width), one_line(lead + got[skipped:], width)


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
