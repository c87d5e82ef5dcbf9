"""Values → the lines of a record."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import assert_never

from .. import VERSION
from ..compare.canonical import compact
from ..corpus.loader import Corpus
from ..corpus.sharding import Part
from ..model import (
    Absent,
    Answered,
    Breach,
    BreakContext,
    Case,
    Cause,
    Choice,
    Crash,
    Difference,
    EarlierStartFailure,
    EngineRefusal,
    ErrorCause,
    Errored,
    Failed,
    GateExpectation,
    GateFile,
    ImplementationError,
    Incident,
    JsonObject,
    NothingObservable,
    NotOffered,
    Outcome,
    OutOfReach,
    Passed,
    RecordedImplementation,
    Requirement,
    Response,
    Result,
    Ruling,
    RunMetadata,
    RunOptions,
    SdkState,
    StartFailure,
    TimedOut,
    Unavailable,
    Unsupported,
    UnsupportedReason,
    Variant,
    response_of,
)
from ..report.error_text import incident_text, outcome_text

RECORD_VERSION = 1


@dataclass(frozen=True, slots=True)
class Run:
    """The parts of a record's header that are known before a run starts.

    `cases` are the selected ones; a shard runs its `part` of them. `adapters` gives for an implementation the `--adapter`
    that names it again; `unavailable` the reason why an adapter could not be built.
    """

    corpus: Corpus
    cases: Sequence[Case]
    selection: Sequence[str]
    names: Sequence[str]
    skipped: Sequence[tuple[str, str]]
    adapters: Mapping[str, str] = field(default_factory=dict)
    options: RunOptions = field(default_factory=RunOptions)
    unavailable: Mapping[str, Unavailable] = field(default_factory=dict)
    part: Part | None = None
    sdks: Mapping[str, SdkState] = field(default_factory=dict)
    causes: Mapping[str, Sequence[Cause]] = field(default_factory=dict)
    gate: GateFile | None = None

    def cases_digest(self) -> str:
        """SHA-256 over the names of the selected cases, a line each."""
        return hashlib.sha256("".join(f"{case.name}\n" for case in self.cases).encode()).hexdigest()


def now() -> str:
    """The time, to the second, in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def metadata(run: Run, implementations: Sequence[RecordedImplementation], started_at: str) -> RunMetadata:
    """The metadata of a run whose implementations are known."""
    corpus = run.corpus
    cited = {id_ for case in run.cases for id_ in case.requirements}
    systems = {case.system for case in run.cases}
    return RunMetadata(
        harness_version=VERSION,
        started_at=started_at,
        corpus_digest=corpus.digest,
        cases=len(run.cases),
        cases_digest=run.cases_digest(),
        revisions=tuple(sorted({case.revision for case in run.cases})),
        selection=tuple(run.selection),
        shard=(run.part.index, run.part.of) if run.part else None,
        options=run.options,
        gate=run.gate,
        implementations=tuple(implementations),
        skipped=tuple(run.skipped),
        requirements={
            id_: found
            for id_, found in corpus.requirements.items()
            if id_ in cited or (found.unobservable and found.system in systems)
        },
        rulings={id_: found for id_, found in corpus.rulings.items() if _systems(found, corpus) & systems},
        fixtures={fixture.digest: fixture for case in run.cases for fixture in case.fixtures},
    )


def _systems(ruling: Ruling, corpus: Corpus) -> set[str]:
    """The systems of a ruling's requirements: an answer can follow its reading in any case of these."""
    return {corpus.requirements[id_].system for id_ in ruling.requirements if id_ in corpus.requirements}


def header(run: RunMetadata) -> JsonObject:
    """The first line."""
    return {
        "type": "header",
        "recordVersion": RECORD_VERSION,
        "harness": {"name": "parity", "version": run.harness_version},
        "startedAt": run.started_at,
        "corpus": {
            "digest": run.corpus_digest,
            "cases": run.cases,
            "casesDigest": run.cases_digest,
            "revisions": list(run.revisions),
        },
        "selection": list(run.selection),
        **({"shard": {"index": run.shard[0], "of": run.shard[1]}} if run.shard else {}),
        "options": _options(run.options),
        **({} if run.gate is None else {"gate": _gate(run.gate)}),
        "implementations": [implementation(one) for one in run.implementations],
        "skipped": [{"implementation": name, "reason": reason} for name, reason in run.skipped],
        "requirements": {id_: _requirement(found) for id_, found in run.requirements.items()},
        "rulings": {id_: _ruling(found) for id_, found in run.rulings.items()},
        "fixtures": {digest: {"name": found.name, "value": found.value} for digest, found in run.fixtures.items()},
    }


def _options(options: RunOptions) -> JsonObject:
    given: JsonObject = {
        "corpus": options.corpus,
        "systems": list(options.systems),
        "timeout": options.timeout,
        "passEnv": list(options.pass_env),
        "sdk": options.sdk,
        "repeat": options.repeat,
    }
    unlimited: JsonObject = {} if options.max_breaks is None else {"maxBreaks": options.max_breaks}
    return {name: value for name, value in given.items() if value} | unlimited


def _gate(gate: GateFile) -> JsonObject:
    known: JsonObject = {"known": gate.digest} if gate.digest else {}
    return {**known, "unmatched": list(gate.unmatched), "withoutReason": gate.without_reason}


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
        **({"text": found.text} if found.text else {}),
        "basis": found.basis,
        "why": found.why,
        "requirements": list(found.requirements),
        "evidence": list(found.evidence),
        "wording": found.wording,
        **({"documented": asdict(found.documented)} if found.documented else {}),
    }


def implementation(one: RecordedImplementation) -> JsonObject:
    """The header's entry for an implementation."""
    entry: JsonObject = {"name": one.name, "adapter": one.adapter, "started": one.identity is not None}
    for key, text in (("reason", one.reason), ("log", one.log)):
        if text:
            entry[key] = text
    if one.sdk is not None:
        git: JsonObject = {"revision": one.sdk.revision, "changed": one.sdk.changed} if one.sdk.revision else {}
        if one.sdk.tag:
            git["tag"] = one.sdk.tag
        entry["sdk"] = {"digest": one.sdk.digest, **git}
    if one.causes:
        entry["causes"] = [{key: text for key, text in asdict(cause).items() if text} for cause in one.causes]
    own = one.identity
    if own is not None:
        entry |= {
            "implementation": own.implementation,
            "version": own.version,
            "language": own.language,
            "runtime": own.runtime,
            "source": own.source,
            "versions": dict(own.versions),
            "operations": [*sorted(own.operations)],
            "unsupported": dict(own.unsupported),
            "unobservable": {operation: list(paths) for operation, paths in own.unobservable.items()},
        }
    return entry


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


def case_part(case: Case) -> str:
    """The beginning of every line about a case, up to the comma before the members of one implementation."""
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


def outcome_part(result: Result, stderr: str, expectation: GateExpectation | None) -> str:
    """The end of a line about a case: the outcome for one implementation, and its status in a gate."""
    outcome = result.outcome
    if isinstance(outcome, Passed) and outcome.text and result.ms is not None:
        plain = not (stderr or outcome.readings or outcome.engine or expectation or result.flaky)
        if plain:  # by far the most lines, so they are rendered at once
            return (
                f'"implementation":"{result.implementation}","verdict":"pass",'
                f'"answer":{{"answer":{outcome.text}}},"ms":{round(result.ms, 3)}}}'
            )
    own: JsonObject = {"implementation": result.implementation, **_outcome(outcome)}
    if stderr:
        own["stderr"] = stderr
    if expectation is not None:
        own["expectation"] = _expectation(expectation)
    if result.flaky:
        own["flaky"] = [{"passes": list(one.passes), **_brief(one.outcome)} for one in result.flaky]
    if result.ms is not None:
        own["ms"] = round(result.ms, 3)
    return compact(own)[1:]


def _expectation(found: GateExpectation) -> JsonObject:
    documented: JsonObject = {"documented": asdict(found.documented)} if found.documented else {}
    return {"status": found.status, "reason": found.reason, **documented}


def _outcome(outcome: Outcome) -> JsonObject:
    """The members of a result that its outcome gives."""
    own = _brief(outcome)
    match outcome:
        case Failed():
            if outcome.stage:
                own["stage"] = outcome.stage
            if outcome.recovered:
                own["recovered"] = True
            own["difference"] = [_difference(part) for part in outcome.differences]
            own["charged"] = list(outcome.charged)
            own |= _explained_by(outcome.explained_by)
        case Errored():
            own |= _explained_by(outcome.explained_by)
        case Variant() if outcome.differences:
            own["difference"] = [_difference(part) for part in outcome.differences]
        case _:
            pass
    if isinstance(outcome, Passed | Variant | Failed) and outcome.engine:
        own["engine"] = [_refusal(one) for one in outcome.engine]
    return own


def _explained_by(choice: Choice) -> JsonObject:
    if not choice:
        return {}
    return {"explainedBy": {"readings": dict(choice.readings), "deviations": list(choice.deviations)}}


def _brief(outcome: Outcome) -> JsonObject:
    """The members that name an outcome, without its differences."""
    own: JsonObject = {"verdict": outcome.verdict.value}
    match outcome:
        case Passed() | Variant():
            if outcome.readings:
                own["readings"] = dict(outcome.readings)
        case Failed():
            own["signature"] = outcome.signature
        case Errored():
            own |= {"kind": outcome.kind.value, "signature": outcome.signature, "error": error(outcome.cause)}
        case Unsupported():
            own["unsupported"] = _unsupported(outcome.reason)
        case _:
            assert_never(outcome)
    if reason := outcome_text(outcome):
        own["reason"] = reason
    if response := response_of(outcome):
        own["answer"] = shown(response)
    return own


def error(cause: ErrorCause) -> JsonObject:
    """The member `error`, from which a cause is read back; the member `kind` is beside it."""
    match cause:
        case Crash():
            own: JsonObject = {} if cause.status is None else {"status": cause.status}
            own |= _given(signal=cause.signal, partialLine=cause.partial_line)
            return own | _context(cause.context)
        case TimedOut():
            return {"seconds": cause.seconds, **_given(method=cause.method), **_context(cause.context)}
        case Breach():
            parts = _given(path=cause.path, expected=cause.expected, found=cause.found, schema=cause.schema)
            return {"code": cause.code.value, **parts, **_context(cause.context)}
        case ImplementationError():
            return {"type": cause.type, **_given(message=cause.message, stack=cause.stack)}
        case StartFailure(Unavailable() as inner):
            return {"start": "unavailable", "message": inner.reason, **_given(adapter=inner.adapter)}
        case StartFailure(EarlierStartFailure() as inner):
            return {"start": "earlier", "implementation": inner.implementation, "case": inner.case}
        case StartFailure(Crash() | TimedOut() | Breach() as inner):
            return {"start": inner.kind.value, **error(inner)}
    raise AssertionError(cause)


def _given(**members: str | int) -> JsonObject:
    return {name: value for name, value in members.items() if value}


def _context(context: BreakContext) -> JsonObject:
    phase = "" if context.phase is BreakContext().phase else context.phase.value
    return _given(
        phase=phase,
        lastAnswered=context.last_answered,
        afterReply=context.after_reply,
        unsentAfter=context.unsent_after,
    )


def _unsupported(reason: UnsupportedReason) -> JsonObject:
    match reason:
        case NotOffered(text):
            return {"cause": "not-offered", **_given(reason=text)}
        case OutOfReach(text):
            return {"cause": "out-of-reach", "reason": text}
        case NothingObservable(paths):
            return {"cause": "nothing-observable", "paths": list(paths)}
        case _:
            assert_never(reason)


def _refusal(one: EngineRefusal) -> JsonObject:
    return asdict(one)


def shown(response: Response) -> JsonObject:
    """A response as a record holds it: `{answer: …}` or `{error: {type, message?, stack?}}`."""
    if isinstance(response, Answered):
        return {"answer": response.value}
    return {"error": {"type": response.type, **_given(message=response.message, stack=response.stack)}}


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
    return _break("incident", happened)


def suspicion(happened: Incident) -> JsonObject:
    """The line about a break that becomes an incident if no suspect's verdict explains it."""
    return _break("suspicion", happened)


def _break(kind: str, happened: Incident) -> JsonObject:
    return {
        "type": kind,
        "implementation": happened.implementation,
        "kind": happened.kind.value,
        "suspects": list(happened.suspects),
        "reason": incident_text(happened.cause),
        "error": error(happened.cause),
        "stderr": happened.stderr,
    }
