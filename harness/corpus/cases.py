"""Case files → `Case` values: entries, tables, fixtures and disputed answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Mapping as MappingType
from dataclasses import dataclass, field, replace
from typing import cast

from harness.canonical import canonical_text, digest
from harness.corpus.entries import Entry, described
from harness.corpus.strict_yaml import Mapping, Sequence
from harness.errors import Problem, one_line
from harness.model import Answered, Case, Fixture, Json, JsonObject, Operation, Outcome, Raised, Requirement, Ruling

ORIGINS = ("spec-example", "spec-text", "spec-fixture", "regression", "fuzz")
FILE_KEYS = frozenset({"suite", "operation", "revision", "description", "cases"})
CASE_KEYS = frozenset(
    "id operation requirements origin revision negative tags note evidence environment "
    "request answer error disputed table".split()
)
ENVIRONMENT = frozenset({"TZ"})
DEFAULT_REVISION = "1.0"

_ID = re.compile(r"[a-z0-9-]+")
_ORACLE = re.compile(r"oracle:[a-z0-9][a-z0-9.-]*")


@dataclass(frozen=True, slots=True)
class Known:
    """What the rest of the corpus says, against which the cases of one system are read."""

    operations: MappingType[str, Operation]
    requirements: MappingType[str, Requirement]
    rulings: MappingType[str, Ruling]
    fixtures: MappingType[str, Fixture]


@dataclass(slots=True)
class _File:
    """One case file being read."""

    shown: str
    suite: str
    system: str
    operation: str
    revision: str
    known: Known
    problems: list[Problem]
    seen: dict[str, int] = field(default_factory=dict)


def read_case_file(value: Json, shown: str, suite: str, known: Known, problems: list[Problem]) -> list[Case]:
    """The cases of one file. `shown` is the file as problems name it, `suite` the name that its place gives it."""
    if not isinstance(value, Mapping):
        problems.append(
            Problem(f"{shown}:1", f"The file holds {described(value)}, not a suite.", "Write suite, operation, cases.")
        )
        return []
    head = Entry(value, shown, problems)
    head.refuse_unknown(FILE_KEYS, "A case file")
    named = head.text("suite")
    if named and named != suite:
        head.problem(
            "suite", f"The suite is called {one_line(named)} but its file is {shown}.", f"Write `suite: {suite}`."
        )
    file = _File(
        shown=shown,
        suite=suite,
        system=suite.split("/")[0],
        operation=head.text("operation", required=False),
        revision=head.text("revision", required=False, default=DEFAULT_REVISION),
        known=known,
        problems=problems,
    )
    entries = value.get("cases")
    if not isinstance(entries, Sequence) or not entries:
        head.problem("cases", "The suite has no list of cases.", "Write `cases:` with at least one case below it.")
        return []
    before = len(problems)
    cases = [case for entry in _entries(entries, file) for case in _read_entry(entry, file)]
    if cases and len(problems) == before and not any(case.requirements for case in cases):
        head.problem("suite", "No case of this suite cites a requirement.", "Add `requirements: [ID]` to its cases.")
    return cases


def _entries(entries: Sequence, file: _File) -> Iterator[Entry]:
    for item, line in zip(entries, entries.item_lines, strict=True):
        if isinstance(item, Mapping):
            yield Entry(item, file.shown, file.problems, line=line)
        else:
            place = f"{file.shown}:{line}"
            file.problems.append(Problem(place, f"A case is {described(item)}, not a mapping.", "Write `- id: …`."))


def _read_entry(entry: Entry, file: _File) -> Iterator[Case]:
    entry.label = f"{file.suite}/?"
    identifier = entry.text("id")
    entry.label = f"{file.suite}/{one_line(identifier or '?', 80)}"
    if identifier:
        _check_id(entry, identifier, file)
    entry.refuse_unknown(CASE_KEYS, "A case")
    if "table" not in entry.mapping:
        yield from _read_case(entry, f"{file.suite}/{identifier}", file)
        return
    for row in _rows(entry):
        row_id = row.text("id")
        row.label = f"{entry.label}.{one_line(row_id or '?', 80)}"
        if row_id:
            _check_id(row, f"{identifier}.{row_id}", file, row_id)
        yield from _read_case(row, f"{file.suite}/{identifier}.{row_id}", file)


def _check_id(entry: Entry, full: str, file: _File, identifier: str = "") -> None:
    if not _ID.fullmatch(identifier or full):
        entry.problem(
            "id", f"The id {one_line(identifier or full, 80)} has other characters than a-z, 0-9 and -.", "Rename it."
        )
    elif full in file.seen:
        entry.problem("id", f"The id {full} is taken on line {file.seen[full]}.", "Give each case an id of its own.")
    else:
        file.seen[full] = entry.line


def _rows(entry: Entry) -> Iterator[Entry]:
    """Each row of the entry's table as an entry of its own, the row's cells set into a copy of the shared keys."""
    table = entry.object("table")
    if table is None:
        return
    inner = entry.inner(table)
    inner.refuse_unknown({"columns", "rows"}, "A table")
    columns = inner.texts("columns")
    rows = table.get("rows")
    if "id" not in columns:
        inner.problem("columns", "The table has no column id.", "Add a column `id` with a name for each row.")
        return
    if not isinstance(rows, Sequence) or not rows:
        inner.problem("rows", "The table has no rows.", "Write `rows:` with one list a row.")
        return
    for row, line in zip(rows, rows.item_lines, strict=True):
        place = Entry(table, entry.shown, entry.problems, entry.label, line)
        if not isinstance(row, list) or len(row) != len(columns):
            found = f"{len(row)} cells" if isinstance(row, list) else described(row)
            place.problem(
                "", f"The row has {found}; the table has {len(columns)} columns.", "Give it one cell a column."
            )
            continue
        base = _copy(entry.mapping)
        del base["table"]
        base.pop("id", None)
        full = Entry(base, entry.shown, entry.problems, entry.label, line)
        for column, cell in zip(columns, row, strict=True):
            _set(full, column, cell, line)
        full.refuse_unknown(CASE_KEYS, "A case")
        yield full


def _copy(mapping: Mapping) -> Mapping:
    copied = Mapping(mapping.line)
    copied.update(mapping)
    copied.key_lines.update(mapping.key_lines)
    return copied


def _set(entry: Entry, column: str, cell: Json, line: int) -> None:
    """Sets `cell` at the dotted path `column`, copying what lies on the way so that rows share nothing."""
    at = entry.mapping
    *way, last = column.split(".")
    for name in way:
        below = at.get(name)
        if below is not None and not isinstance(below, Mapping):
            entry.problem(
                "", f"The column {one_line(column, 60)} leads through {described(below)}.", "Name a path of mappings."
            )
            return
        step = _copy(below) if isinstance(below, Mapping) else Mapping(line)
        at[name] = step
        at.key_lines[name] = line
        at = step
    at[last] = cell
    at.key_lines[last] = line


def _read_case(entry: Entry, name: str, file: _File) -> Iterator[Case]:
    before = len(entry.problems)
    operation = entry.text("operation", required=False) or file.operation
    _check_operation(entry, operation, file)
    requirements = _cited(entry, file)
    origin, evidence = _origin(entry)
    request = entry.object("request")
    used: dict[str, Fixture] = {}
    case = Case(
        name=name,
        suite=file.suite,
        at=f"{file.shown}:{entry.line}",
        system=file.system,
        operation=operation,
        request=cast("JsonObject", _expand(request or {}, entry, file.known.fixtures, used)),
        recorded_request=cast("JsonObject", _refer(request or {}, used)),
        expected=Answered({}),
        requirements=requirements,
        origin=origin,
        revision=entry.text("revision", required=False, default=file.revision),
        negative=entry.flag("negative"),
        tags=entry.texts("tags"),
        note=entry.text("note", required=False),
        evidence=evidence,
        environment=_environment(entry),
        fixtures=tuple(used.values()),
    )
    complete = _with_expectation(case, entry, file)
    if len(entry.problems) == before:
        yield complete


def _check_operation(entry: Entry, operation: str, file: _File) -> None:
    if not operation:
        entry.problem("operation", "Neither the case nor its file names an operation.", "Add `operation: area.verb`.")
    elif operation not in file.known.operations:
        entry.problem(
            "operation",
            f"The operation {one_line(operation, 60)} has no schema.",
            f"Correct the name, or add schemas/{file.system}/{one_line(operation, 60)}.json.",
        )


def _cited(entry: Entry, file: _File) -> tuple[str, ...]:
    requirements = entry.texts("requirements")
    for requirement in requirements:
        if requirement not in file.known.requirements:
            entry.problem(
                "requirements",
                f"The requirement {one_line(requirement, 60)} is not in cases/{file.system}/requirements.yaml.",
                "Cite one that is there, or add it.",
            )
    return requirements


def _origin(entry: Entry) -> tuple[str, str]:
    origin = entry.text("origin")
    if origin and origin not in ORIGINS and not _ORACLE.fullmatch(origin):
        entry.problem(
            "origin", f"The origin {one_line(origin, 60)} is unknown.", f"Use {', '.join(ORIGINS)} or oracle:<engine>."
        )
    evidence = entry.object("evidence", required=False)
    command = ""
    if evidence is not None:
        inner = entry.inner(evidence)
        inner.refuse_unknown({"command"}, "The evidence")
        command = inner.text("command")
    elif origin.startswith("oracle:"):
        entry.problem(
            "origin", f"The origin {origin} has no evidence.", "Add `evidence: {command: …}` that computes it again."
        )
    return origin, command


def _environment(entry: Entry) -> tuple[tuple[str, str], ...]:
    mapping = entry.object("environment", required=False)
    if mapping is None:
        return ()
    inner = entry.inner(mapping)
    inner.refuse_unknown(ENVIRONMENT, "The environment of a case")
    return tuple((name, inner.text(name)) for name in mapping if name in ENVIRONMENT)


def _with_expectation(case: Case, entry: Entry, file: _File) -> Case:
    given = [key for key in ("answer", "error", "disputed") if key in entry.mapping]
    if len(given) != 1:
        found = " and ".join(given) or "none of them"
        entry.problem(
            given[0] if given else "id", f"A case has one of answer, error and disputed; this has {found}.", "Keep one."
        )
        return case
    if given[0] == "disputed":
        return _with_dispute(case, entry, file)
    outcome = _outcome(entry, file.known.operations.get(case.operation))
    return replace(case, expected=outcome) if outcome else case


def _outcome(entry: Entry, operation: Operation | None) -> Outcome | None:
    """The outcome under `answer` or `error`."""
    if "answer" in entry.mapping:
        answer = entry.object("answer")
        return Answered(answer) if answer is not None else None
    error = entry.object("error")
    if error is None:
        return None
    inner = entry.inner(error)
    inner.refuse_unknown({"type"}, "An expected error")
    kind = inner.text("type")
    if operation and kind and kind not in operation.error_types:
        allowed = ", ".join(sorted(operation.error_types)) or "none"
        inner.problem("type", f"{operation.name} raises no {one_line(kind, 60)}.", f"Its schema lists: {allowed}.")
    return Raised(kind)


def _with_dispute(case: Case, entry: Entry, file: _File) -> Case:
    mapping = entry.object("disputed")
    if mapping is None:
        return case
    inner = entry.inner(mapping)
    inner.refuse_unknown({"ruling", "adopted", "readings"}, "A dispute")
    name, adopted = inner.text("ruling"), inner.text("adopted")
    listed = inner.object("readings")
    if listed is None:
        return case
    readings = _readings(inner.inner(listed), file.known.operations.get(case.operation))
    if adopted and adopted not in listed:
        inner.problem(
            "adopted",
            f"The adopted reading {one_line(adopted, 60)} is not among the readings.",
            "Add it, or adopt another.",
        )
    _check_ruling(inner, name, adopted, listed, file)
    others = {reading: outcome for reading, outcome in readings.items() if reading != adopted}
    if len({canonical_text(_plain(outcome)) for outcome in readings.values()}) < len(readings):
        inner.problem(
            "readings",
            "Two readings have the same outcome, so the case shows nothing of the dispute.",
            "Choose another input.",
        )
    expected = readings.get(adopted, Answered({}))
    return replace(case, expected=expected, readings=others, ruling=name, adopted=adopted)


def _plain(outcome: Outcome) -> Json:
    return {"answer": outcome.value} if isinstance(outcome, Answered) else {"error": outcome.type}


def _readings(inner: Entry, operation: Operation | None) -> dict[str, Outcome]:
    readings: dict[str, Outcome] = {}
    if len(inner.mapping) < 2:
        inner.problem("", "A dispute has at least two readings.", "Add the other reading, or write a plain `answer`.")
    for reading in inner.mapping:
        one = inner.object(reading)
        if one is None:
            continue
        entry = inner.inner(one)
        entry.refuse_unknown({"answer", "error"}, "A reading")
        if len(one) != 1:
            entry.problem("", f"The reading {one_line(reading, 60)} has not one of answer and error.", "Keep one.")
            continue
        outcome = _outcome(entry, operation)
        if outcome is not None:
            readings[reading] = outcome
    return readings


def _check_ruling(inner: Entry, name: str, adopted: str, listed: Mapping, file: _File) -> None:
    ruling = file.known.rulings.get(name)
    if ruling is None:
        if name:
            where = f"cases/{file.system}/rulings.yaml"
            inner.problem(
                "ruling", f"The ruling {one_line(name, 60)} is not in {where}.", "Cite one that is there, or add it."
            )
        return
    for reading in listed:
        if reading not in ruling.readings:
            known = ", ".join(ruling.readings)
            inner.problem("readings", f"{name} has no reading {one_line(reading, 60)}.", f"Use one of: {known}.")
    if adopted and adopted != ruling.adopted:
        inner.problem(
            "adopted",
            f"{name} adopts {ruling.adopted}, not {one_line(adopted, 60)}.",
            f"Write `adopted: {ruling.adopted}`.",
        )


def _expand(value: Json, entry: Entry, fixtures: MappingType[str, Fixture], used: dict[str, Fixture]) -> Json:
    """`value` with every `{$fixture: name}` replaced by the fixture, which is noted in `used`."""
    if isinstance(value, list):
        return [_expand(item, entry, fixtures, used) for item in value]
    if not isinstance(value, dict):
        return value
    if "$fixture" not in value:
        return {key: _expand(item, entry, fixtures, used) for key, item in value.items()}
    name = value["$fixture"]
    if len(value) != 1 or not isinstance(name, str):
        entry.problem("request", "A fixture reference has other members, or no name.", "Write just `{$fixture: name}`.")
        return None
    if name not in fixtures:
        system = entry.shown.split("/")[1] if entry.shown.count("/") else ""
        entry.problem(
            "request",
            f"There is no fixture {one_line(name, 60)}.",
            f"Add cases/{system}/fixtures/{one_line(name, 60)}.yaml.",
        )
        return None
    used[name] = fixtures[name]
    return fixtures[name].value


def _refer(value: Json, used: MappingType[str, Fixture]) -> Json:
    """`value` with every fixture reference completed by the fixture's digest, as the record holds it."""
    if isinstance(value, list):
        return [_refer(item, used) for item in value]
    if not isinstance(value, dict):
        return value
    name = value.get("$fixture")
    if isinstance(name, str) and name in used:
        return {"$fixture": name, "digest": used[name].digest}
    return {key: _refer(item, used) for key, item in value.items()}


def read_fixture(name: str, value: Json) -> Fixture:
    """A fixture of a system, under the digest of its canonical text."""
    return Fixture(name, digest(value), value)
