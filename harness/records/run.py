"""A run that is about to start → the metadata of its record."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from .. import VERSION
from ..corpus.loader import Corpus
from ..corpus.profiles import corpus_profiles, floors_of
from ..corpus.sharding import Shard
from ..model import (
    Case,
    Cause,
    GateFile,
    NotTested,
    RecordedImplementation,
    Ruling,
    RunMetadata,
    RunOptions,
    SdkState,
)


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
    part: Shard | None = None
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
    profiles = tuple(profile for profile in corpus_profiles(corpus) if profile.system in systems)
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
            id_: requirement
            for id_, requirement in corpus.requirements.items()
            if id_ in cited or (requirement.unobservable and requirement.system in systems)
        },
        rulings={id_: ruling for id_, ruling in corpus.rulings.items() if _systems(ruling, corpus) & systems},
        fixtures={fixture.digest: fixture for case in run.cases for fixture in case.fixtures},
        profiles=profiles,
        floors=floors_of(run.cases),
    )


def _systems(ruling: Ruling, corpus: Corpus) -> set[str]:
    """The systems of a ruling's requirements: an answer can follow its reading in any case of these."""
    return {corpus.requirements[id_].system for id_ in ruling.requirements if id_ in corpus.requirements}
