"""The line that names the run behind a page."""

from __future__ import annotations

from ..errors import one_line
from ..model import RunRecord
from .phrases import MAX_NAME

NO_RECORD = "Without a run record this page shows no answers. `parity run` writes one; --record FILE names another one."


def record_note(record: RunRecord, is_same_corpus: bool) -> str:
    """`run of 2026-11-22T18:18:34Z: ts, go`, and the doubts about it."""
    note = f"run of {record.metadata.started_at}: {', '.join(record.implementations)}"
    note += "" if record.complete else "; the run did not end"
    note += "" if is_same_corpus else "; the corpus has changed since"
    return one_line(note, MAX_NAME)
