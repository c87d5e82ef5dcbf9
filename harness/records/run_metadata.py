"""A run that is about to start → the metadata of its record."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from .. import VERSION
from ..corpus.loader import Corpus
from ..corpus.profiles import corpus_profiles, floors_of
from ..model import Case, Ruling, RunMetadata

_LEAST_OF_FLOOR = 5
"""Selected cases of an operation below which a floor says nothing: one constant answer always passes a single case."""


def now() -> str:
    """The time, to the second, in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def run_metadata(corpus: Corpus, cases: Sequence[Case], **given: Any) -> RunMetadata:
    """The metadata of a run of these cases; the members that do not depend on the corpus are given."""
    cited = {id_ for case in cases for id_ in case.requirements}
    cited.update(
        id_ for entry in given.get("implementations", ()) for cause in entry.causes for id_ in cause.requirements
    )
    systems = {case.system for case in cases}
    rulings = {id_: ruling for id_, ruling in corpus.rulings.items() if _systems(ruling, corpus) & systems}
    cited.update(id_ for ruling in rulings.values() for id_ in ruling.requirements)  # a refuted reading breaks them
    return RunMetadata(
        harness_version=VERSION,
        started_at=now(),
        corpus_digest=corpus.digest,
        corpus_date=corpus.date,
        cases=len(cases),
        cases_digest=_digest(cases),
        revisions=tuple(sorted({case.revision for case in cases})),
        profiles=tuple(profile for profile in corpus_profiles(corpus) if profile.system in systems),
        floors=floors_of(cases, _LEAST_OF_FLOOR),
        uses={
            name: operation.uses
            for name, operation in corpus.operations.items()
            if operation.uses and operation.system in systems
        },
        requirements={
            id_: requirement
            for id_, requirement in corpus.requirements.items()
            if id_ in cited or (requirement.unobservable and requirement.system in systems)
        },
        rulings=rulings,
        fixtures={fixture.digest: fixture for case in cases for fixture in case.fixtures},
        **given,
    )


def _digest(cases: Sequence[Case]) -> str:
    """SHA-256 over the names of the cases, a line each."""
    return hashlib.sha256("".join(f"{case.name}\n" for case in cases).encode()).hexdigest()


def _systems(ruling: Ruling, corpus: Corpus) -> set[str]:
    """The systems of a ruling's requirements: an answer can follow its reading in any case of these."""
    return {corpus.requirements[id_].system for id_ in ruling.requirements if id_ in corpus.requirements}
