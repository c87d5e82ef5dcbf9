"""Case files → `Case` values: reads the head of a file, then each entry as one case or as a table of cases."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct, field

from ..errors import Problem, one_line, plural
from ..model import Case, Json, replace
from .cited_names import CorpusNames
from .entries import Entry, folded, item_not_a_mapping, not_a_mapping
from .expectations import read_expectation
from .fixtures import recorded
from .located import Mapping, Sequence
from .provenance import REPOSITORY
from .tables import rows

ORIGINS = ("spec-example", "spec-text", "spec-fixture", REPOSITORY, "regression", "fuzz")
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


class _File(Struct):
    """State of one case file: `seen` maps a case name to its line, `without_operation` lists cases that name none."""

    suite: str
    system: str
    operation: str
    revision: str
    names: CorpusNames
    seen: dict[str, int] = field(default_factory=dict)
    without_operation: list[Entry] = field(default_factory=list)


def read_case_file(value: Json, shown: str, suite: str, names: CorpusNames, problems: list[Problem]) -> list[Case]:
    """Reads the cases of one file. `shown` is the path that problems show, `suite` the name derived from the path."""
    if not isinstance(value, Mapping):
        problems.append(not_a_mapping(value, f"{shown}:1", "a suite", "Write `suite:`, `operation:` and `cases:`."))
        return []
    head = Entry(value, shown, problems)
    head.refuse_unknown(FILE_KEYS, "a case file")
    if "description" in value:
        head.text("description")
    named = head.text("suite")
    if named and named != suite:
        message = f"suite is {one_line(named)}; the path of the file requires {suite}."
        head.problem("suite", "wrong-suite", message, f"Write `suite: {suite}`, or move the file.")
    file = _File(
        suite=suite,
        system=suite.split("/")[0],
        operation=head.text("operation", required=False),
        revision=head.text("revision", required=False, default=DEFAULT_REVISION),
        names=names,
    )
    entries = value.get("cases")
    if not isinstance(entries, Sequence) or not entries:
        remedy = "Write `cases:` with at least one case below it."
        head.problem("cases", "no-cases", "The suite has no list of cases.", remedy)
        return []
    before = len(problems)
    cases = [case for entry in _entries(entries, head) for case in _cases(entry, file)]
    if file.without_operation:
        first, *others = file.without_operation
        more = f" The same holds for {plural(len(others), 'more case')}." if others else ""
        message = f"The case has no operation, and its file has none.{more}"
        first.problem("operation", "no-operation", message, "Add `operation: area.verb` to the file, or to the case.")
    elif len(problems) == before and not any(case.requirements for case in cases):
        message = "No case of this suite cites a requirement."
        head.problem("suite", "no-requirement-cited", message, "Add `requirements: [ID]` to its cases.")
    return cases


def _entries(entries: Sequence, head: Entry) -> Iterator[Entry]:
    for item, line in zip(entries, entries.item_lines, strict=True):
        if isinstance(item, Mapping):
            yield Entry(item, head.shown, head.problems, line=line)
        else:
            head.problems.append(item_not_a_mapping(item, f"{head.shown}:{line}", "A case"))


def _cases(entry: Entry, file: _File) -> list[Case]:
    """The case of an entry, or one case for each row of its table. A mistake that all rows share is one problem."""
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
    """Sets the label of a case or a row to its full name, `before` plus its id. Notes what is wrong with the id."""
    entry.label = f"{before}?"
    identifier = entry.text("id")
    if not identifier:
        return
    if not _ID.fullmatch(identifier):
        message = f"The id {one_line(identifier, 80)} has characters other than a-z, 0-9 and -."
        entry.problem("id", "bad-id", message, "Rename it.")
        return
    entry.label = f"{before}{identifier}"
    if entry.label in file.seen:
        message = f"The name {entry.label} is already used on line {file.seen[entry.label]}."
        entry.problem("id", "duplicate-id", message, "Give each case its own id.")
    file.seen.setdefault(entry.label, entry.line)


def _case(entry: Entry, file: _File) -> Case:
    """The case of an entry. A part that cannot be read has a problem and a placeholder; such a corpus is never run."""
    operation = _operation(entry, file)
    origin, evidence = _origin(entry)
    requirements = _cited(entry, file)
    request, used = recorded(entry.object("request") or Mapping(entry.line), entry, file.names)
    ruling, body = read_expectation(entry, operation, request, file.names)
    return Case(
        name=entry.label,
        at=entry.at,
        operation=operation,
        requirements=requirements,
        demands=tuple(id_ for id_ in requirements if not _is_fact(id_, file)),
        origin=origin,
        revision=entry.text("revision", required=False, default=file.revision),
        tags=entry.texts("tags"),
        ruling=ruling,
        environment=_environment(entry),
        fixtures=used,
        cited_by_rulings=tuple(id_ for id_ in file.names.citing.get(entry.label, ()) if id_ != ruling),
        body=replace(body, negative=entry.flag("negative"), note=entry.text("note", required=False), evidence=evidence),
    )


def _operation(entry: Entry, file: _File) -> str:
    operation = entry.text("operation", required=False) or file.operation
    names = file.names.operations
    if not operation and not entry.mapping.incomplete:
        file.without_operation.append(entry)
    elif operation in names.broken:
        pass  # its schema has a problem of its own
    elif operation in names.found and names.found[operation].system != file.system:
        message = f"The operation {operation} belongs to the system {names.found[operation].system}."
        entry.problem("operation", "operation-of-other-system", message, f"Use an operation of {file.system}.")
    elif operation and names.lacks(operation):
        shown = one_line(operation, 60)
        place = entry.place("operation") if "operation" in entry.mapping else entry.at
        remedy = f"Correct the name, or add schemas/{file.system}/{shown}.json."
        file.names.missing.note(entry, place, "unknown-operation", f"The operation {shown} has no schema.", remedy)
    return operation


def _cited(entry: Entry, file: _File) -> tuple[str, ...]:
    requirements = entry.texts("requirements")
    for index, requirement in enumerate(requirements):
        if file.names.requirements.lacks(requirement):
            shown = one_line(requirement, 60)
            message = f"The requirement {shown} is not in cases/{file.system}/requirements.yaml."
            place = entry.place("requirements", index)
            remedy = "Cite a requirement of that file, or add this one."
            file.names.missing.note(entry, place, "unknown-requirement", message, remedy)
    return requirements


def _is_fact(id_: str, file: _File) -> bool:
    requirement = file.names.requirements.found.get(id_)
    return requirement is not None and requirement.is_fact


def _origin(entry: Entry) -> tuple[str, str]:
    """The source of the expectation, and the command that computes it again."""
    origin = entry.text("origin")
    if origin and origin not in ORIGINS and not _ORACLE.fullmatch(origin):
        remedy = f"Use {', '.join(ORIGINS)} or oracle:<engine>."
        entry.problem("origin", "unknown-origin", f"The origin {one_line(origin, 60)} is unknown.", remedy)
    evidence = entry.object("evidence", required=False)
    if evidence is not None:
        inner = entry.inner(evidence, "evidence")
        inner.refuse_unknown({"command"}, "the evidence")
        return origin, inner.text("command")
    if origin.startswith("oracle:") and "evidence" not in entry.mapping and not entry.mapping.incomplete:
        message = f"The origin {one_line(origin, 60)} has no evidence."
        entry.problem("origin", "no-evidence", message, "Add `evidence: {command: …}`: it computes the answer again.")
    return origin, ""


def _environment(entry: Entry) -> tuple[tuple[str, str], ...]:
    mapping = entry.object("environment", required=False)
    if mapping is None:
        return ()
    inner = entry.inner(mapping, "environment")
    inner.refuse_unknown(ENVIRONMENT, "the environment of a case")
    return tuple((name, _zone(inner, name)) for name in mapping if name in ENVIRONMENT)


def _zone(entry: Entry, key: str) -> str:
    """The name of a time zone. A name that the system refuses would keep the adapter from starting, for all its cases."""
    zone = entry.text(key)
    if zone and not _ZONE.fullmatch(zone):
        remedy = "Write a name such as Asia/Tokyo: at most 64 letters, digits and _ + - / : , and ."
        entry.problem(key, "bad-time-zone", f"{key} is {one_line(zone, 60)}, not a time zone.", remedy)
    return zone
