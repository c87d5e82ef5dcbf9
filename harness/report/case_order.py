"""RunRecord → the same results in the order of the corpus, whatever the order in which they arrived. Pure."""

from __future__ import annotations

from dataclasses import replace

from harness.model import RecordedResult, RunRecord

_MOST_DIGITS = 9


def in_corpus_order(record: RunRecord) -> RunRecord:
    """Suites by name, cases as they stand in their file, implementations as the header names them.

    So the reports of merged shards differ from those of one whole run in times alone.
    """
    place = {name: number for number, name in enumerate(record.implementations)}

    def key(result: RecordedResult) -> tuple[str, int, str, int]:
        return result.suite, _line(result.at), result.case, place[result.implementation]

    return replace(record, results=tuple(sorted(record.results, key=key)))


def _line(at: str) -> int:
    """The line of `file:line`; 0 of what is no such place."""
    line = at.rpartition(":")[2]
    return int(line) if line.isdecimal() and len(line) <= _MOST_DIGITS else 0
