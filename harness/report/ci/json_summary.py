"""RunSummary → a compact summary for programs, and the endpoint JSON of a shields.io badge."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ...compare.causes import UNDECIDED, UNEXPLAINED
from ...compare.run_diff import Change, Comparison
from ...gate.summary import RED_STATUSES, GateSummary
from ...model import Json, JsonObject, RecordedResult, Rounds, RunRecord, Status, Verdict
from ..conformance import AnsweredShare, OperationShare
from ..description import COMBINED, Description, descriptions
from ..documented import documented_at
from ..phrases import listing_text, place_text
from ..run_summary import CountsByName, MissingVerdicts, RunSummary, VerdictCounts
from ..suite_counts import by_section, summed
from ..summary_text import missing_text
from .badge import badge

_SCHEMA_VERSION = 1


def render(summary: RunSummary, changes: Comparison | None = None) -> str:
    """The summary as JSON, with the changes since an older record."""
    return "".join(stream(summary, changes))


def stream(summary: RunSummary, changes: Comparison | None = None) -> Iterator[str]:
    """The same text in pieces."""
    yield from json.JSONEncoder(indent=1).iterencode(as_value(summary, changes))
    yield "\n"


def render_badge(summary: RunSummary) -> str:
    """The badge's endpoint JSON."""
    return json.dumps(badge(summary)) + "\n"


def as_value(summary: RunSummary, changes: Comparison | None = None) -> JsonObject:
    """The summary as a JSON value."""
    record, gate = summary.record, summary.gate
    systems = {system: summed(sections.values()) for system, sections in by_section(summary).items()}
    value: JsonObject = {
        "schemaVersion": _SCHEMA_VERSION,
        "harness": {"version": record.metadata.harness_version},
        "corpus": {"date": record.metadata.corpus_date, "digest": record.metadata.corpus_digest},
        "startedAt": record.metadata.started_at,
        "seconds": record.seconds,
        "complete": record.complete,
        "exitStatus": summary.exit_status,
        "doubts": [doubt.value for doubt in summary.doubts],
        **({"gate": _gate(gate)} if gate else {}),
        "cases": summary.cases,
        "implementations": {name: _implementation(summary, name) for name in record.implementations},
        "notTested": {entry.name: entry.reason for entry in record.metadata.skipped},
        "descriptions": {description.implementation: _description(description) for description in descriptions(record)},
        "systems": {system: _row(row) for system, row in systems.items()},
        "suites": {suite: _row(row) for suite, row in summary.suites.items()},
        "failing": [_failure(result, summary.record) for result in summary.failing],
        "flaky": [_flaky(result) for results in summary.flaky.values() for result in results],
        "incidents": [
            {
                "implementation": incident.implementation,
                "kind": incident.kind.value,
                "suspects": list(incident.suspects),
            }
            for incident in record.incidents
        ],
        "missingVerdicts": [_missing(missing) for missing in summary.missing],
        **({} if summary.is_generated else {"badge": badge(summary)}),
    }
    if changes is not None:
        value["changes"] = {name: _changed(changes, name) for name in changes.changes}
        value["addedImplementations"] = list(changes.added)
        value["removedImplementations"] = list(changes.removed)
    return value


def _gate(gate: GateSummary) -> JsonObject:
    return {
        "verdict": "green" if gate.is_green else "red",
        "known": gate.known,
        "knownUnsupported": gate.known_unsupported,
        "withoutReason": gate.unwritten_reasons,
        "unmatched": list(gate.unmatched),
        "newInCorpus": [*(result.case for result in gate.listed[Status.NEW_IN_CORPUS]), *gate.lost],
        "newUnobservable": list(gate.new_paths),
        "staleUnobservable": list(gate.stale_paths),
        "staleCases": {result.case: listing_text(result) for result in gate.listed[Status.STALE]},
        **{status.value: gate.red[status] for status in RED_STATUSES},
    }


def _implementation(summary: RunSummary, name: str) -> JsonObject:
    return {
        **_identity(summary.record, name),
        "started": name not in summary.not_started,
        "counts": _counts(summary.totals[name]),
        **({"conformance": _conformance(summary, name)} if name in summary.conformance else {}),
    }


def _conformance(summary: RunSummary, name: str) -> JsonObject:
    """The answered share of the systems that it offers, its conformance profiles, and the verdicts of each operation."""
    one = summary.conformance[name]
    profiles: list[Json] = [
        {"system": profile.system, "name": profile.name, "state": part.state.value, **_share(part)}
        for profile, part in one.profiles
    ]
    operations: JsonObject = {
        operation.operation: {
            **_counts(operation.counts),
            **({} if operation.floor is None else {"floor": operation.floor}),
            **_limits(operation),
        }
        for operation in summary.operations[name]
    }
    return {"systems": list(one.systems), **_share(one.share), "profiles": profiles, "operations": operations}


def _share(part: AnsweredShare) -> JsonObject:
    return {"answered": part.answered, "cases": part.cases, "failing": part.failing, **_limits(part)}


def _limits(one: AnsweredShare | OperationShare) -> JsonObject:
    """The observed ones of the expected leaves, unless it is all, and whether every case is disputed."""
    seen: JsonObject = {"observed": one.observed.observed, "leaves": one.observed.leaves}
    return {**({} if one.observed.is_whole else seen), **({"allDisputed": True} if one.is_disputed else {})}


def _description(description: Description) -> JsonObject:
    """The readings and causes of an SDK; numbers count cases. `failing` are failures by a reading, alone or with others."""
    readings: list[Json] = [
        {
            "ruling": ruling.id,
            "reading": reading.reading,
            "adopted": ruling.text is not None and reading.reading == ruling.text.adopted,
            "cases": reading.cases,
            "failing": len(reading.failing),
        }
        for ruling in description.rulings
        for reading in ruling.readings
    ]
    causes: list[Json] = [
        {"name": cause.name, "reason": cause.reason, "place": place_text(cause.place), "failing": len(cause.results)}
        for cause in description.causes
    ]
    return {
        "readings": readings,
        "mixed": [ruling.id for ruling in description.rulings if ruling.is_mixed],
        "causes": causes,
        "combined": len(description.rest[COMBINED]),
        "unexplained": len(description.rest[UNEXPLAINED]),
        "undecided": len(description.rest[UNDECIDED]),
    }


def _identity(record: RunRecord, name: str) -> JsonObject:
    """What an implementation reports of itself; empty if it did not start."""
    entry = record.metadata.implementation(name)
    own = entry.identity if entry else None
    keys = ("implementation", "version", "language", "runtime") if own else ()
    return {key: getattr(own, key) for key in keys}


def _row(row: CountsByName) -> JsonObject:
    return {name: _counts(counts) for name, counts in row.items() if counts}


def _counts(counts: VerdictCounts) -> JsonObject:
    return {verdict.value: counts[verdict] for verdict in Verdict if counts[verdict]}


def _failure(result: RecordedResult, record: RunRecord) -> JsonObject:
    value: JsonObject = {
        "case": result.case,
        "implementation": result.implementation,
        "verdict": result.verdict.value,
        "requirements": list(result.requirements),
        "charged": list(result.charged),
        "byCause": result.by_cause,
    }
    if kind := result.kind:
        value["kind"] = kind.value
    for key, text in (("signature", result.signature), ("stage", result.stage), ("ruling", result.ruling)):
        if text:
            value[key] = text
    if result.expectation is not None:
        value["expectation"] = {"status": result.expectation.status, "reason": result.expectation.reason}
    if explanation := result.explained_by:
        value["explainedBy"] = {
            "readings": dict(explanation.readings),
            "deviations": list(explanation.deviations),
        }
    if undecided := result.undecided:
        value["undecided"] = {"readings": undecided.readings, "size": undecided.size}
    documented: list[Json] = [{"where": note.where, "says": note.says} for note in documented_at(result, record)]
    if documented:
        value["documented"] = documented
    return value


def _flaky(result: RecordedResult) -> JsonObject:
    """A flaky case: the different outcomes, and the passes of each."""
    answers: list[Json] = [{"passes": list(rounds.rounds), **_outcome(rounds)} for rounds in result.flaky]
    return {"case": result.case, "implementation": result.implementation, "answers": answers}


def _outcome(rounds: Rounds) -> JsonObject:
    """The members that name an outcome."""
    kind = {"kind": rounds.kind.value} if rounds.kind else {}
    signature = {"signature": rounds.signature} if rounds.signature else {}
    readings: JsonObject = {"readings": dict(rounds.readings)} if rounds.readings else {}
    return {"verdict": rounds.verdict.value, **kind, **signature, **readings}


def _missing(missing: MissingVerdicts) -> JsonObject:
    return {
        "code": missing.code.value,
        **({"implementation": missing.implementation} if missing.implementation else {}),
        "found": missing.found,
        "expected": missing.expected,
        "text": missing_text(missing),
    }


def _changed(changes: Comparison, name: str) -> JsonObject:
    """The names of the cases, by the sort of change, and the number of failures by cause."""
    causes = changes.causes[name]
    return {
        **{
            change.value: [edit.result.case for edit in changes.changes[name] if edit.change is change]
            for change in Change
        },
        "causes": {
            "fixed": dict(causes.fixed),
            "new": dict(causes.new),
            "changed": [
                {"before": before, "after": after, "cases": count} for (before, after), count in causes.changed.items()
            ],
        },
    }
