"""Values → the first and the last line of a record."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime

from msgspec import structs

from .. import VERSION
from ..corpus.loader import Corpus
from ..corpus.profiles import corpus_floors, corpus_profiles
from ..corpus.sharding import Part
from ..model import (
    Case,
    Cause,
    GateFile,
    JsonObject,
    NotTested,
    RecordedImplementation,
    Requirement,
    Ruling,
    RunMetadata,
    RunOptions,
    SdkState,
)
from .run_options import encode_options

RECORD_VERSION = 1


@dataclass(frozen=True, slots=True)
class Run:
    """The parts of a record's header that are known before a run starts.

    `cases` are the selected ones; a shard runs its `part` of them. `adapters` gives for an implementation the `--adapter`
    that names it again. `causes`, `known_unobservable` and `flaky` (the cases that vary) are those of its known-divergence
    file.
    """

    corpus: Corpus
    cases: Sequence[Case]
    selection: Sequence[str]
    names: Sequence[str]
    skipped: Sequence[NotTested]
    adapters: Mapping[str, str] = field(default_factory=dict)
    options: RunOptions = field(default_factory=RunOptions)
    part: Part | None = None
    sdks: Mapping[str, SdkState] = field(default_factory=dict)
    causes: Mapping[str, Sequence[Cause]] = field(default_factory=dict)
    known_unobservable: Mapping[str, Sequence[str]] = field(default_factory=dict)
    flaky: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
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
    profiles = tuple(one for one in corpus_profiles(corpus) if one.system in systems)
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
        profiles=profiles,
        floors=corpus_floors(corpus, systems),
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
        "options": encode_options(run.options),
        **({} if run.gate is None else {"gate": _gate(run.gate)}),
        "implementations": [implementation(one) for one in run.implementations],
        "skipped": [_not_tested(one) for one in run.skipped],
        "profiles": [
            {"system": one.system, "name": one.name, "title": one.title, "operations": dict(one.operations)}
            for one in run.profiles
        ],
        "floors": dict(run.floors),
        "requirements": {id_: _requirement(found) for id_, found in run.requirements.items()},
        "rulings": {id_: _ruling(found) for id_, found in run.rulings.items()},
        "fixtures": {digest: {"name": found.name, "value": found.value} for digest, found in run.fixtures.items()},
    }


def _not_tested(one: NotTested) -> JsonObject:
    entry: JsonObject = {
        "implementation": one.name,
        "code": one.code.value,
        "reason": one.reason,
        "error": one.is_error,
    }
    return entry | ({"log": one.log} if one.log else {})


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
        **({"documented": structs.asdict(found.documented)} if found.documented else {}),
    }


def implementation(one: RecordedImplementation) -> JsonObject:
    """The header's entry for an implementation."""
    entry: JsonObject = {"name": one.name, "adapter": one.adapter, "started": one.identity is not None}
    for key, text in (("reason", one.reason), ("log", one.log)):
        if text:
            entry[key] = text
    if one.sdk is not None:
        git: JsonObject = {"revision": one.sdk.revision, "changed": one.sdk.changed} if one.sdk.revision else {}
        git |= {key: text for key, text in (("tag", one.sdk.tag), ("manifest", one.sdk.manifest)) if text}
        entry["sdk"] = {"digest": one.sdk.digest, **git}
    if one.causes:
        entry["causes"] = [{key: value for key, value in asdict(cause).items() if value} for cause in one.causes]
    if one.known_unobservable:
        entry["knownUnobservable"] = list(one.known_unobservable)
    if one.flaky:
        entry["flaky"] = {case: list(signatures) for case, signatures in one.flaky.items()}
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
