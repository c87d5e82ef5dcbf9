"""Lines of results → rows of a table. A row needs no request and no answer, so most lines are read only in part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from ..model import (
    CaseEntry,
    Errored,
    Failed,
    HasOutcome,
    Listing,
    OutcomeEntry,
    Passes,
    RecordedResult,
    Unsupported,
    Verdict,
)
from ..report.error_text import outcome_text
from ..report.failure_groups import place_of
from . import decode
from .decode_outcome import read_outcome, read_response
from .members import text
from .table import ResultTable

RESULT_BEGINS = b'{"type":"result",'
_OUTCOME_BEGINS = b',"implementation":'
PASS = OutcomeEntry(verdict=Verdict.PASS)
_PASS_MEMBERS = frozenset({"implementation", "verdict", "answer", "ms"})
_OUTCOME_MEMBERS = _PASS_MEMBERS | frozenset(
    "readings signature kind error unsupported reason stage recovered difference charged explainedBy undecided engine "
    "stderr expectation flaky unobserved".split()
)
_MAX_ALIKE = 4096
"""Equal ends of lines, such as those of cases that an adapter does not support, that are kept to be recognised."""


class _UnusualLine(Exception):
    """The line has members that parity writes elsewhere."""


class Scanner:
    """Adds results to `table`. Lines of one case begin alike, up to its implementation: that part is read once."""

    def __init__(self, table: ResultTable) -> None:
        self.table = table
        self._cases: dict[int, int] = {}
        self._alike: dict[bytes, tuple[int, int, float | None]] = {}
        self._pass = table.outcome_number(PASS)

    def add(self, line: bytes, offset: int) -> bool:
        """Adds the result of a line that parity wrote as it always does; False for any other line.

        Raises `KeyError`, `TypeError`, `ValueError` or `AttributeError` as `decode` does.
        """
        cut = line.find(_OUTCOME_BEGINS)
        if cut < 0 or not line.startswith(RESULT_BEGINS):
            return False
        try:
            case = self._case(line[:cut])
            name, outcome, ms = self._outcome(line[cut + 1 :])
        except (
            orjson.JSONDecodeError,
            _UnusualLine,
        ):  # such as a lone surrogate
            return False
        self.table.add(case, name, outcome, ms, offset, len(line))
        return True

    def add_whole(self, result: RecordedResult, offset: int, length: int) -> None:
        """Adds a result that is read already."""
        table = self.table
        case = table.case_number(entry_of(result))
        entry = outcome_entry(result, result.flaky, result.expectation, result.unobserved)
        outcome = table.outcome_number(entry)
        table.add(case, table.name_number(result.implementation), outcome, result.ms, offset, length)

    def _case(self, beginning: bytes) -> int:
        key = hash(beginning)  # 64 bits with a random key: two of a million cases collide once in 10 ** 7 runs
        number = self._cases.get(key)
        if number is None:
            value = orjson.loads(beginning + b"}")
            number = self._cases[key] = self.table.case_number(decode.case_entry(value))
        return number

    def _outcome(self, end: bytes) -> tuple[int, int, float | None]:
        found = self._alike.get(end)
        if found is not None:
            return found
        value = orjson.loads(b"{" + end)
        members = value.keys()
        if not members <= _OUTCOME_MEMBERS:
            raise _UnusualLine
        table = self.table
        name = table.name_number(text(value, "implementation"))
        ms = decode.duration(value)
        if members == _PASS_MEMBERS and value["verdict"] == "pass":
            read_response(value["answer"], "answer")
            return name, self._pass, ms
        found = name, table.outcome_number(_entry(value)), ms
        if ms is None and len(self._alike) < _MAX_ALIKE:
            self._alike[end] = found
        return found


def _entry(value: Mapping[str, Any]) -> OutcomeEntry:
    text(value, "stderr", "")
    outcome = Passes((), read_outcome(value))
    return outcome_entry(outcome, decode.passes(value), decode.expectation(value), decode.unobserved(value))


def outcome_entry(
    result: HasOutcome, flaky: tuple[Passes, ...], expectation: Listing | None, unobserved: int
) -> OutcomeEntry:
    """The short form of an outcome."""
    outcome = result.outcome
    fails = isinstance(outcome, Failed | Errored)
    return OutcomeEntry(
        verdict=outcome.verdict,
        kind=result.kind,
        signature=result.signature,
        readings=result.readings,
        explained_by=result.explained_by,
        undecided=result.undecided,
        named=outcome.charged if isinstance(outcome, Failed) else (),
        stage=result.stage,
        recovered=result.recovered,
        place=place_of(result) if fails else "",
        reason=outcome_text(outcome) if isinstance(outcome, Unsupported) else "",
        unsent_after=result.unsent_after,
        is_flaky=bool(flaky),
        has_refusals=bool(result.engine),
        unobserved=unobserved,
        expectation=expectation,
    )


def entry_of(result: RecordedResult) -> CaseEntry:
    """The short form of the case of a result."""
    return CaseEntry(
        case=result.case,
        at=result.at,
        operation=result.operation,
        requirements=result.requirements,
        ruling=result.ruling,
        separates=result.separates,
        cited_by_rulings=result.cited_by_rulings,
        tags=result.tags,
        leaves=result.leaves,
    )
