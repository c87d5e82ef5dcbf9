"""The only code that writes and reads run records: ASCII JSON lines, written as verdicts arrive.

The first line is the header, the last the footer; between them stand results and incidents. A run that was killed leaves
a record without a footer, which holds all verdicts that had arrived.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from harness import VERSION
from harness.canonical import compact
from harness.corpus.loading import Corpus
from harness.errors import RecordError, one_line
from harness.interview import Event
from harness.model import (
    ABSENT,
    Absent,
    Answered,
    Case,
    Difference,
    ErrorKind,
    Implementation,
    Incident,
    Json,
    JsonObject,
    Outcome,
    RecordedResult,
    Result,
    RunRecord,
    Verdict,
)

RECORD_VERSION = 1


@dataclass(frozen=True, slots=True)
class Run:
    """What a record's header says of a run before it starts."""

    corpus: Corpus
    cases: Sequence[Case]
    selection: Sequence[str]
    names: Sequence[str]
    skipped: Sequence[tuple[str, str]]


class Recorder:
    """Writes one run's record. Each call to `write` leaves all that it was given in the file.

    The header names every implementation with what it said of itself, so lines are held back until each of them has
    spoken or failed to start.
    """

    def __init__(self, path: Path, run: Run) -> None:
        self._path = path
        self._run = run
        self._spoken: dict[str, Implementation | None] = {}
        self._held: list[str] | None = []
        self._fixed: dict[str, str] = {}
        self._counts: dict[str, Counter[str]] = {name: Counter() for name in run.names}
        self._incidents = 0
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT, 0o644)
        except OSError as error:
            raise _cannot(path, error) from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._file)
            raise RecordError(
                f"{path}: another run is writing this record. Wait for it, or name another --record."
            ) from None
        os.ftruncate(self._file, 0)

    def write(self, events: Iterable[Event]) -> None:
        """Adds what happened. Raises `RecordError` if the file cannot take it."""
        lines = [line for event in events for line in self._line(event)]
        if self._held is None:
            self._append(lines)
            return
        self._held += lines
        if len(self._spoken) == len(self._run.names):
            self._append([compact(self._header()), *self._held])
            self._held = None

    def close(self, *, complete: bool) -> None:
        """Ends the record; with a footer if the run came to its end."""
        if self._held is not None:
            self._append([compact(self._header()), *self._held])
        if complete:
            self._append([compact(self._footer())])
        os.close(self._file)

    def _line(self, event: Event) -> Iterator[str]:
        match event:
            case Implementation():
                self._spoken[event.name] = event
            case Result():
                self._spoken.setdefault(event.implementation, None)
                self._counts[event.implementation][event.judgement.verdict.value] += 1
                yield self._result(event)
            case Incident():
                self._incidents += 1
                yield compact(_incident(event))

    def _append(self, lines: Sequence[str]) -> None:
        if not lines:
            return
        data = memoryview(("\n".join(lines) + "\n").encode("ascii"))
        try:
            while data:
                data = data[os.write(self._file, data) :]
        except OSError as error:
            raise _cannot(self._path, error) from None

    def _header(self) -> JsonObject:
        run, corpus = self._run, self._run.corpus
        cited = {id_ for case in run.cases for id_ in case.requirements}
        ruled = {case.ruling for case in run.cases if case.ruling}
        fixtures = {fixture.digest: fixture for case in run.cases for fixture in case.fixtures}
        return {
            "type": "header",
            "recordVersion": RECORD_VERSION,
            "harness": {"name": "parity", "version": VERSION},
            "startedAt": _now(),
            "corpus": {
                "digest": corpus.digest,
                "cases": len(run.cases),
                "revisions": sorted({case.revision for case in run.cases}),
            },
            "selection": list(run.selection),
            "implementations": [_implementation(name, self._spoken.get(name)) for name in run.names],
            "skipped": [{"implementation": name, "reason": reason} for name, reason in run.skipped],
            "requirements": {
                id_: {"level": found.level, "section": found.section, "statement": found.statement}
                for id_, found in corpus.requirements.items()
                if id_ in cited
            },
            "rulings": {
                id_: {
                    "title": found.title,
                    "adopted": found.adopted,
                    "readings": dict(found.readings),
                    "why": found.why,
                }
                for id_, found in corpus.rulings.items()
                if id_ in ruled
            },
            "fixtures": {digest: {"name": found.name, "value": found.value} for digest, found in fixtures.items()},
        }

    def _footer(self) -> JsonObject:
        counts: JsonObject = {name: {**count} for name, count in self._counts.items()}
        return {"type": "footer", "finishedAt": _now(), "counts": counts, "incidents": self._incidents}

    def _result(self, result: Result) -> str:
        """One line; the parts that all implementations share are rendered once a case."""
        case, judgement = result.case, result.judgement
        fixed = self._fixed.get(case.name)
        if fixed is None:
            fixed = self._fixed[case.name] = _fixed(case)
        own: JsonObject = {"implementation": result.implementation, "verdict": judgement.verdict.value}
        if judgement.kind:
            own["kind"] = judgement.kind.value
        for key, value in (
            ("reading", judgement.reading),
            ("reason", judgement.reason),
            ("stage", judgement.stage),
            ("signature", judgement.signature),
            ("stderr", result.stderr),
        ):
            if value:
                own[key] = value
        if judgement.healed:
            own["healed"] = True
        if judgement.outcome is not None:
            own["answer"] = shown(judgement.outcome)
        if judgement.difference:
            own["difference"] = [_difference(part) for part in judgement.difference]
        if judgement.engine:
            own["engine"] = list(judgement.engine)
        if result.ms is not None:
            own["ms"] = round(result.ms, 3)
        return f"{fixed}{compact(own)[1:]}"


def _fixed(case: Case) -> str:
    """The beginning of every line about a case, up to the comma before what an implementation gave."""
    values: JsonObject = {
        "type": "result",
        "case": case.name,
        "at": case.at,
        "operation": case.operation,
        "requirements": list(case.requirements),
    }
    if case.ruling:
        values["ruling"] = case.ruling
    if case.tags:
        values["tags"] = list(case.tags)
    values["request"] = case.recorded_request
    values["expected"] = shown(case.expected)
    return f"{compact(values)[:-1]},"


def shown(outcome: Outcome) -> JsonObject:
    """An outcome as a record holds it: `{answer: …}` or `{error: {type, message?}}`."""
    if isinstance(outcome, Answered):
        return {"answer": outcome.value}
    return {"error": {"type": outcome.type, **({"message": outcome.message} if outcome.message else {})}}


def _difference(part: Difference) -> JsonObject:
    members: JsonObject = {"path": part.path}
    if not isinstance(part.wanted, Absent):
        members["wanted"] = part.wanted
    if not isinstance(part.got, Absent):
        members["got"] = part.got
    return members


def _implementation(name: str, said: Implementation | None) -> JsonObject:
    if said is None:
        return {"name": name, "started": False}
    return {
        "name": name,
        "started": True,
        "implementation": said.implementation,
        "version": said.version,
        "language": said.language,
        "runtime": said.runtime,
        "source": said.source,
        "facts": dict(said.facts),
        "operations": sorted(said.operations),
        "unsupported": dict(said.unsupported),
        "untold": {operation: list(paths) for operation, paths in said.untold.items()},
    }


def _incident(incident: Incident) -> JsonObject:
    return {
        "type": "incident",
        "implementation": incident.implementation,
        "kind": incident.kind.value,
        "suspects": list(incident.suspects),
        "seen": incident.seen,
        "stderr": incident.stderr,
    }


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _cannot(path: Path, error: OSError) -> RecordError:
    return RecordError(
        f"{path}: the record cannot be written: {error.strerror}. Make room there, or name another --record."
    )


def read_record(path: Path) -> RunRecord:
    """The record in the file at `path`. Raises `RecordError` if it is none; a last line cut short is left out."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RecordError(f"{path}: the record cannot be read: {error.strerror}.") from None
    lines = data.split(b"\n")
    whole = lines[:-1]
    values = [_read_line(path, number, line) for number, line in enumerate(whole, 1)]
    if not values or values[0].get("type") != "header":
        raise RecordError(f"{path}: this is no run record: its first line is no header. `parity run` writes records.")
    header = values[0]
    try:
        return RunRecord(
            header=header,
            implementations=tuple(one["name"] for one in header["implementations"]),
            skipped=tuple((one["implementation"], one["reason"]) for one in header["skipped"]),
            results=tuple(_read_result(value) for value in values if value.get("type") == "result"),
            incidents=tuple(_read_incident(value) for value in values if value.get("type") == "incident"),
            complete=values[-1].get("type") == "footer",
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RecordError(
            f"{path}: the record lacks or misuses {one_line(str(error))}; it was written by another program."
        ) from None


def _read_line(path: Path, number: int, line: bytes) -> dict[str, Any]:
    with contextlib.suppress(ValueError, RecursionError):
        value = json.loads(line)
        if isinstance(value, dict):
            return value
    raise RecordError(f"{path}:{number}: this line of the record is not a JSON object. Run again to make a whole one.")


def _read_result(value: Mapping[str, Any]) -> RecordedResult:
    return RecordedResult(
        case=value["case"],
        at=value["at"],
        operation=value["operation"],
        implementation=value["implementation"],
        verdict=Verdict(value["verdict"]),
        request=value["request"],
        expected=value["expected"],
        requirements=tuple(value["requirements"]),
        ruling=value.get("ruling", ""),
        tags=tuple(value.get("tags", ())),
        kind=ErrorKind(value["kind"]) if "kind" in value else None,
        reading=value.get("reading", ""),
        reason=value.get("reason", ""),
        stage=value.get("stage", ""),
        healed=value.get("healed", False),
        signature=value.get("signature", ""),
        answer=value.get("answer"),
        difference=tuple(_read_difference(part) for part in value.get("difference", ())),
        engine=tuple(value.get("engine", ())),
        stderr=value.get("stderr", ""),
        ms=value.get("ms"),
    )


def _read_difference(part: Mapping[str, Any]) -> Difference:
    wanted: Json | Absent = part.get("wanted", ABSENT)
    got: Json | Absent = part.get("got", ABSENT)
    return Difference(part["path"], wanted, got)


def _read_incident(value: Mapping[str, Any]) -> Incident:
    return Incident(
        implementation=value["implementation"],
        kind=ErrorKind(value["kind"]),
        suspects=tuple(value["suspects"]),
        seen=value["seen"],
        stderr=value["stderr"],
    )
