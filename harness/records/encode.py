"""Values → the lines of a record."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from harness import VERSION
from harness.compare.canonical import compact
from harness.corpus.loader import Corpus
from harness.corpus.sharding import Part
from harness.model import (
    Absent,
    Answered,
    Case,
    Difference,
    Implementation,
    Incident,
    JsonObject,
    Judgement,
    Outcome,
    Requirement,
    Result,
    Ruling,
)

RECORD_VERSION = 1


@dataclass(frozen=True, slots=True)
class Run:
    """What a record's header says of a run before it starts.

    `cases` are those selected; a shard asks its `part` of them.
    `adapters` gives for an implementation the `--adapter` that names it again; `options` holds the other options that
    decide what is asked, as they were given; `unavailable` says why an adapter could not be built; `gate` what a gate
    finds amiss in its known-divergence file whatever the answers are.
    """

    corpus: Corpus
    cases: Sequence[Case]
    selection: Sequence[str]
    names: Sequence[str]
    skipped: Sequence[tuple[str, str]]
    adapters: Mapping[str, str] = field(default_factory=dict)
    options: JsonObject = field(default_factory=dict)
    unavailable: Mapping[str, str] = field(default_factory=dict)
    part: Part | None = None
    sdks: Mapping[str, JsonObject] = field(default_factory=dict)
    gate: JsonObject | None = None

    def cases_digest(self) -> str:
        """SHA-256 over the names of the selected cases, a line each."""
        return hashlib.sha256("".join(f"{case.name}\n" for case in self.cases).encode()).hexdigest()


def now() -> str:
    """The time, to the second, in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def header(run: Run, implementations: Sequence[JsonObject], started_at: str) -> JsonObject:
    """The header; `implementations` are the entries that `spoken` and `silent` make."""
    corpus = run.corpus
    cited = {id_ for case in run.cases for id_ in case.requirements}
    ruled = {id_ for case in run.cases for id_ in (case.ruling, *case.cited_by_rulings) if id_}
    systems = {case.system for case in run.cases}
    fixtures = {fixture.digest: fixture for case in run.cases for fixture in case.fixtures}
    return {
        "type": "header",
        "recordVersion": RECORD_VERSION,
        "harness": {"name": "parity", "version": VERSION},
        "startedAt": started_at,
        "corpus": {
            "digest": corpus.digest,
            "cases": len(run.cases),
            "casesDigest": run.cases_digest(),
            "revisions": [*sorted({case.revision for case in run.cases})],
        },
        "selection": list(run.selection),
        **({"shard": run.part.as_json()} if run.part else {}),
        "options": run.options,
        **({} if run.gate is None else {"gate": run.gate}),
        "implementations": list(implementations),
        "skipped": [{"implementation": name, "reason": reason} for name, reason in run.skipped],
        "requirements": {
            id_: _requirement(found)
            for id_, found in corpus.requirements.items()
            if id_ in cited or (found.unobservable and found.system in systems)
        },
        "rulings": {id_: _ruling(found) for id_, found in corpus.rulings.items() if id_ in ruled},
        "fixtures": {digest: {"name": found.name, "value": found.value} for digest, found in fixtures.items()},
    }


def _requirement(found: Requirement) -> JsonObject:
    return {
        "level": found.level,
        "document": found.document,
        "section": found.section,
        "statement": found.statement,
        **({"unobservable": found.unobservable} if found.unobservable else {}),
    }


def _ruling(found: Ruling) -> JsonObject:
    return {
        "title": found.title,
        "severity": found.severity,
        "question": found.question,
        "readings": dict(found.readings),
        "adopted": found.adopted,
        "basis": found.basis,
        "why": found.why,
        "requirements": list(found.requirements),
        "evidence": list(found.evidence),
        "wording": found.wording,
    }


def spoken(said: Implementation, adapter: str, sdk: JsonObject | None = None) -> JsonObject:
    """The header's entry for an implementation that answered `initialize`; `sdk` is the working copy that it is made of."""
    return {
        "name": said.name,
        "adapter": adapter,
        "started": True,
        **({"sdk": sdk} if sdk else {}),
        "implementation": said.implementation,
        "version": said.version,
        "language": said.language,
        "runtime": said.runtime,
        "source": said.source,
        "versions": dict(said.versions),
        "operations": [*sorted(said.operations)],
        "unsupported": dict(said.unsupported),
        "unobservable": {operation: list(paths) for operation, paths in said.unobservable.items()},
    }


def silent(name: str, adapter: str, reason: str = "", sdk: JsonObject | None = None) -> JsonObject:
    """The same for one that did not; with no reason if it had not had the time to."""
    told: JsonObject = {**({"reason": reason} if reason else {}), **({"sdk": sdk} if sdk else {})}
    return {"name": name, "adapter": adapter, "started": False, **told}


def footer(counts: Mapping[str, Counter[str]], incidents: int, seconds: float, resumed_at: str) -> JsonObject:
    """The last line; `seconds` is how long the run took, or its last part if it was resumed."""
    return {
        "type": "footer",
        "finishedAt": now(),
        "seconds": round(seconds, 3),
        **({"resumedAt": resumed_at} if resumed_at else {}),
        "counts": {name: {**count} for name, count in counts.items()},
        "incidents": incidents,
    }


def question(case: Case) -> str:
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
    if case.cited_by_rulings:
        values["citedByRulings"] = list(case.cited_by_rulings)
    if case.tags:
        values["tags"] = list(case.tags)
    request = case.request_text if case.request_text and not case.fixtures else compact(case.recorded_request)
    expected = f'{{"answer":{case.expected_text}}}' if case.expected_text else compact(shown(case.expected))
    return f'{compact(values)[:-1]},"request":{request},"expected":{expected},'


def answer(result: Result, stderr: str, expectation: JsonObject | None) -> str:
    """The end of a line about a case: what one implementation gave, and what a gate says to that."""
    judgement = result.judgement
    plain = not (stderr or judgement.reading or judgement.engine or expectation or result.flaky)
    if judgement.text and plain and result.ms is not None:  # by far the most lines, so they are made at once
        return (
            f'"implementation":"{result.implementation}","verdict":"{judgement.verdict.value}",'
            f'"answer":{{"answer":{judgement.text}}},"ms":{round(result.ms, 3)}}}'
        )
    own: JsonObject = {"implementation": result.implementation, "verdict": judgement.verdict.value}
    if judgement.kind:
        own["kind"] = judgement.kind.value
    for key, value in (
        ("reading", judgement.reading),
        ("reason", judgement.reason),
        ("stage", judgement.stage),
        ("signature", judgement.signature),
        ("stderr", stderr),
    ):
        if value:
            own[key] = value
    if judgement.recovered:
        own["recovered"] = True
    if judgement.outcome is not None:
        own["answer"] = shown(judgement.outcome)
    if judgement.difference:
        own["difference"] = [_difference(part) for part in judgement.difference]
    if judgement.engine:
        own["engine"] = list(judgement.engine)
    if expectation is not None:
        own["expectation"] = expectation
    if result.flaky:
        own["flaky"] = [{"passes": list(one.passes), **_brief(one.judgement)} for one in result.flaky]
    if result.ms is not None:
        own["ms"] = round(result.ms, 3)
    return compact(own)[1:]


def _brief(judgement: Judgement) -> JsonObject:
    """What one of several passes gave."""
    told: JsonObject = {"verdict": judgement.verdict.value}
    if judgement.kind:
        told["kind"] = judgement.kind.value
    for key, value in (
        ("reading", judgement.reading),
        ("reason", judgement.reason),
        ("signature", judgement.signature),
    ):
        if value:
            told[key] = value
    if judgement.outcome is not None:
        told["answer"] = shown(judgement.outcome)
    return told


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
    if part.undisputed:
        members["undisputed"] = True
    return members


def incident(happened: Incident) -> JsonObject:
    """The line about an incident."""
    return _misbehaviour("incident", happened)


def suspicion(incident: Incident) -> JsonObject:
    """The line about what will be an incident if no suspect's verdict explains it."""
    return _misbehaviour("suspicion", incident)


def _misbehaviour(kind: str, happened: Incident) -> JsonObject:
    return {
        "type": kind,
        "implementation": happened.implementation,
        "kind": happened.kind.value,
        "suspects": list(happened.suspects),
        "seen": happened.seen,
        "stderr": happened.stderr,
    }
