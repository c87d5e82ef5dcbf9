"""Records of different implementations over the same cases → one record for a report on all of them. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import RecordError, one_line
from ..model import RecordedResult, RunRecord, Scope, replace, shared_options
from .run_options import different_texts
from .stored import StoredResults, chained


def combine(records: Sequence[tuple[str, RunRecord]]) -> RunRecord:
    """The results of all records, each given with its name for messages. An implementation that only some records skip
    counts as run. Raises `RecordError` if they do not belong together."""
    (first_name, first), *others = records
    for name, record in others:
        if record.metadata.corpus_digest != first.metadata.corpus_digest:
            raise RecordError(f"{name}: the run used another corpus than {first_name}. Run the same corpus again.")
        if record.metadata.cases_digest != first.metadata.cases_digest:
            raise RecordError(f"{name}: the run selected other cases than {first_name}. Run the same cases again.")
        for _, then, now in different_texts(first.metadata.options, record.metadata.options, Scope.ALL_RUNS):
            raise RecordError(f"{name}: it was run {now}, and {first_name} {then}. Run one of them again.")
    seen: dict[str, str] = {}
    for name, record in records:
        if not record.complete:
            raise RecordError(f"{name}: this record has no footer: its run did not end. Run it again.")
        for implementation in record.implementations:
            if implementation in seen:
                raise RecordError(
                    f"{one_line(implementation)} is in {seen[implementation]} and in {name}. Leave one of the two out."
                )
            seen[implementation] = name
    every = [record for _, record in records]
    skipped = {one.name: one for record in every for one in record.metadata.skipped if one.name not in seen}
    metadata = replace(
        first.metadata,
        options=shared_options([record.metadata.options for record in every]),
        started_at=min(record.metadata.started_at for record in every),
        implementations=tuple(one for record in every for one in record.metadata.implementations),
        skipped=tuple(skipped.values()),
        requirements={id_: one for record in every for id_, one in record.metadata.requirements.items()},
        rulings={id_: one for record in every for id_, one in record.metadata.rulings.items()},
        fixtures={id_: one for record in every for id_, one in record.metadata.fixtures.items()},
    )
    return RunRecord(
        metadata=metadata,
        results=_results([record.results for record in every]),
        incidents=tuple(incident for record in every for incident in record.incidents),
        complete=True,
    )


def _results(parts: Sequence[Sequence[RecordedResult]]) -> Sequence[RecordedResult]:
    stored = [part for part in parts if isinstance(part, StoredResults)]
    if len(stored) == len(parts):
        return chained(stored)
    return tuple(result for part in parts for result in part)
