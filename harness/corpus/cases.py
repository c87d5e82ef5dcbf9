"""Case files → `Case` values: the head of a file, and each of its entries as one case or as a table of cases."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from harness.corpus.entries import Entry, described, folded
from harness.corpus.fixtures import expanded, recorded
from harness.corpus.names import CorpusNames
from harness.corpus.outcomes import Expectation, read_expectation
from harness.corpus.strict_yaml import Mapping, Sequence
from harness.corpus.tables import rows
from harness.errors import Problem, one_line
from harness.model import Answered, Case, Json

ORIGINS = ("spec-example", "spec-text", "spec-fixture", "regression", "fuzz")
FILE_KEYS = frozenset({"suite", "operation", "revision", "description", "cases"})
CASE_KEYS = frozenset(
    "id operation requirements origin revision negative tags note evidence environment "
    "request answer error disputed table".split()
)
ENVIRONMENT = frozenset({"TZ"})
DEFAULT_REVISION = "1.0"

_ID = re.compile(r"[a-z0-9-]+")
_ZONE = re.compile(r"[A-Za-z0-9_+\-/:,.]{1,64}")
_ORACLE = re.compile(r"oracle:[a-z0-9][a-z0-9.-]*")


@dataclass(slots=True)
class _File:
    """One case file being read; `seen` has the line of each name, `unasked` the cases without an operation."""

    suite: str
    system: str
    operation: str
    revision: str
    known: CorpusNames
    seen: dict[str, int] = field(default_factory=dict)
    unasked: list[Entry] = field(default_factory=list)


def read_case_file(value: Json, shown: str, suite: str, known: CorpusNames, problems: list[Problem]) -> list[Case]:
    """The cases of one file. `shown` is the file as problems name it, `suite` the name that its place gives it."""
    if not isinstance(value, Mapping):
        found = f"The file holds {described(value)}, not a suite." if value is not None else "The file is empty."
        problems.append(Problem(f"{shown}:1", found, "Write `suite:`, `operation:` and `cases:`."))
        return []
    head = Entry(value, shown, problems)
    head.refuse_unknown(FILE_KEYS, "a case file")
    if "description" in value:
        head.text("description")
    named = head.text("suite")
    if named and named != suite:
        message = f"The suite is called {one_line(named)}, which is not the place of its file."
        head.problem("suite", message, f"Write `suite: {suite}`, or move the file.")
    file = _File(
        suite=suite,
        system=suite.split("/")[0],
        operation=head.text("operation", required=False),
        revision=head.text("revision", required=False, default=DEFAULT_REVISION),
        known=known,
    )
    entries = value.get("cases")
    if not isinstance(entries, Sequence) or not entries:
        head.problem("cases", "The suite has no list of cases.", "Write `cases:` with at least one case below it.")
        return []
    before = len(problems)
    cases = [case for entry in _entries(entries, head) for case in _cases(entry, file)]
    if file.unasked:
        more = f" ({len(file.unasked) - 1} more likewise)" if len(file.unasked) > 1 else ""
        message = f"Neither the case nor its file names an operation{more}."
        file.unasked[0].problem("operation", message, "Add `operation: area.verb` to the file, or to the case.")
    elif len(problems) == before and not any(case.requirements for case in cases):
        head.problem("suite", "No case of this suite cites a requirement.", "Add `requirements: [ID]` to its cases.")
    return cases


def _entries(entries: Sequence, head: Entry) -> Iterator[Entry]:
    for item, line in zip(entries, entries.item_lines, strict=True):
        if isinstance(item, Mapping):
            yield Entry(item, head.shown, head.problems, line=line)
        else:
            found = f"A case is {described(item)}, not a mapping."
            head.problems.append(Problem(f"{head.shown}:{line}", found, "Write `- id: …` with the other keys below."))


def _cases(entry: Entry, file: _File) -> list[Case]:
    """The one case of an entry, or those of its table; a mistake that rows share is noted once."""
    _name(entry, f"{file.suite}/", file)
    entry.refuse_unknown(CASE_KEYS, "a case")
    if "table" not in entry.mapping:
        return [_case(entry, file)]
    before = len(entry.problems)
    cases = [_row(row, file) for row in rows(entry, CASE_KEYS)]
    entry.problems[before:] = folded(entry.problems[before:], rows=len(cases), at=entry.at)
    return cases


def _row(row: Entry, file: _File) -> Case:
    _name(row, f"{row.label}.", file)
    return _case(row, file)


def _name(entry: Entry, before: str, file: _File) -> None:
    """Labels a case or a row with its full name: its id with what stands `before` it. Notes what is wrong with the id."""
    entry.label = f"{before}?"
    identifier = entry.text("id")
    if not identifier:
        return
    if not _ID.fullmatch(identifier):
        message = f"The id {one_line(identifier, 80)} has other characters than a-z, 0-9 and -."
        entry.problem("id", message, "Rename it.")
        return
    entry.label = f"{before}{identifier}"
    if entry.label in file.seen:
        message = f"The name {entry.label} is taken on line {file.seen[entry.label]}."
        entry.problem("id", message, "Give each case an id of its own.")
    file.seen.setdefault(entry.label, entry.line)


def _case(entry: Entry, file: _File) -> Case:
    """The case of an entry; what could not be read has a problem, and then the case never leaves the corpus."""
    operation = _operation(entry, file)
    origin, evidence = _origin(entry)
    given = entry.object("request") or Mapping(entry.line)
    request, used = expanded(given, entry, file.known)
    expectation = read_expectation(entry, operation, file.known) or Expectation(Answered({}))
    return Case(
        name=entry.label,
        suite=file.suite,
        at=entry.at,
        system=file.system,
        operation=operation,
        request=request,
        recorded_request=recorded(given, used),
        expected=expectation.expected,
        requirements=_cited(entry, file),
        origin=origin,
        revision=entry.text("revision", required=False, default=file.revision),
        negative=entry.flag("negative"),
        tags=entry.texts("tags"),
        note=entry.text("note", required=False),
        evidence=evidence,
        environment=_environment(entry),
        ruling=expectation.ruling,
        adopted=expectation.adopted,
        readings=expectation.readings,
        fixtures=used,
    )


def _operation(entry: Entry, file: _File) -> str:
    operation = entry.text("operation", required=False) or file.operation
    known = file.known.operations
    if not operation and not entry.mapping.incomplete:
        file.unasked.append(entry)
    elif operation in known.broken:
        pass  # said of its schema
    elif operation in known.found and known.found[operation].system != file.system:
        message = f"The operation {operation} belongs to the system {known.found[operation].system}."
        entry.problem("operation", message, f"Use an operation of {file.system}.")
    elif operation and known.lacks(operation):
        shown = one_line(operation, 60)
        place = entry.place("operation") if "operation" in entry.mapping else entry.at
        remedy = f"Correct the name, or add schemas/{file.system}/{shown}.json."
        file.known.missing.note(entry, place, f"The operation {shown} has no schema.", remedy)
    return operation


def _cited(entry: Entry, file: _File) -> tuple[str, ...]:
    requirements = entry.texts("requirements")
    for index, requirement in enumerate(requirements):
        if file.known.requirements.lacks(requirement):
            shown = one_line(requirement, 60)
            message = f"The requirement {shown} is not in cases/{file.system}/requirements.yaml."
            place = entry.place("requirements", index)
            file.known.missing.note(entry, place, message, "Cite one that is there, or add it.")
    return requirements


def _origin(entry: Entry) -> tuple[str, str]:
    """Where the expectation comes from, and the command that computes it again."""
    origin = entry.text("origin")
    if origin and origin not in ORIGINS and not _ORACLE.fullmatch(origin):
        remedy = f"Use {', '.join(ORIGINS)} or oracle:<engine>."
        entry.problem("origin", f"The origin {one_line(origin, 60)} is unknown.", remedy)
    evidence = entry.object("evidence", required=False)
    if evidence is not None:
        inner = entry.inner(evidence, "evidence")
        inner.refuse_unknown({"command"}, "the evidence")
        return origin, inner.text("command")
    if origin.startswith("oracle:") and "evidence" not in entry.mapping and not entry.mapping.incomplete:
        message = f"The origin {one_line(origin, 60)} has no evidence."
        entry.problem("origin", message, "Add `evidence: {command: …}` that computes it again.")
    return origin, ""


def _environment(entry: Entry) -> tuple[tuple[str, str], ...]:
    mapping = entry.object("environment", required=False)
    if mapping is None:
        return ()
    inner = entry.inner(mapping, "environment")
    inner.refuse_unknown(ENVIRONMENT, "the environment of a case")
    return tuple((name, _zone(inner, name)) for name in mapping if name in ENVIRONMENT)


def _zone(entry: Entry, key: str) -> str:
    """The name of a time zone; what no process can be started with would give up the cases behind it as well."""
    zone = entry.text(key)
    if zone and not _ZONE.fullmatch(zone):
        remedy = "Write one such as Asia/Tokyo: at most 64 letters, digits and _ + - / : , and ."
        entry.problem(key, f"{key} is {one_line(zone, 60)}, which names no time zone.", remedy)
    return zone
