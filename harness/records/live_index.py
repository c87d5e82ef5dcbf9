"""Index of the results of a run while its record is written, so that the record need not be read back."""

from __future__ import annotations

from pathlib import Path

from ..model import CaseEntry, Incident, Listing, Passed, RecordedResult, Result, RunRecord, response_leaves
from . import decode
from .encode_result import separated
from .reader import read_result
from .scan import PASS, outcome_entry
from .source import RecordSource
from .stored import StoredResults
from .table import ResultTable


class LiveIndex:
    """The results of a run, each with the place of its line. Offsets begin behind the header."""

    def __init__(self) -> None:
        self._table = ResultTable(self._read)
        self._cases: dict[str, int] = {}
        self._incidents: list[Incident] = []
        self._size = 0
        self._source: RecordSource | None = None
        self._header_size = 0

    def add_line(self, line: str) -> None:
        """Counts a line without a result."""
        self._size += len(line) + 1

    def add_incident(self, line: str) -> None:
        """Adds an incident as it is read back."""
        self._incidents.append(decode.event(decode.json_object(line.encode("ascii")))[1])
        self.add_line(line)

    def add_result(self, result: Result, expectation: Listing | None, unobserved: int, line: str) -> None:
        """Adds a result and the place of its line."""
        table, outcome = self._table, result.outcome
        number = self._cases.get(result.case.name)
        if number is None:
            number = self._cases[result.case.name] = table.case_number(_entry(result))
        plain = isinstance(outcome, Passed) and not (
            outcome.readings or outcome.engine or result.flaky or expectation or unobserved
        )
        entry = PASS if plain else outcome_entry(result, result.flaky, expectation, unobserved)
        ms = None if result.ms is None else round(result.ms, 3)
        name = table.name_number(result.implementation)
        table.add(number, name, table.outcome_number(entry), ms, self._size, len(line) + 1)
        self.add_line(line)

    def record(self, path: Path, header: str, footer: str) -> RunRecord:
        """The complete record at `path`, which these lines begin and end."""
        self._source, self._header_size = RecordSource(path), len(header) + 1
        return RunRecord(
            metadata=decode.header(decode.json_object(header.encode("ascii"))),
            results=StoredResults(self._table, range(len(self._table))),
            incidents=tuple(self._incidents),
            complete=True,
            seconds=decode.event(decode.json_object(footer.encode("ascii")))[1].seconds,
        )

    def _read(self, offset: int, length: int) -> RecordedResult:
        assert self._source is not None, "the record is not complete"
        return read_result(self._source, self._header_size + offset, length)


def _entry(result: Result) -> CaseEntry:
    case = result.case
    return CaseEntry(
        case=case.name,
        at=case.at,
        operation=case.operation,
        requirements=case.requirements,
        ruling=case.ruling,
        separates=separated(case),
        cited_by_rulings=case.cited_by_rulings,
        tags=case.tags,
        leaves=response_leaves(case.expected),
    )
