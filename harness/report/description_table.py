"""RunSummary → values of the page's descriptions: the sentence on each SDK, its deviations and its readings, with links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from ..compare.causes import UNDECIDED, UNEXPLAINED
from ..model import RecordedResult, RunRecord
from .description import COMBINED, Description, FailureCause, FollowedRuling, descriptions
from .description_text import description_sentence
from .ruling_adherence import FollowedReading


@dataclass(frozen=True, slots=True)
class ResultCount:
    """A number of results and the filters of their cases."""

    count: int
    query: str


@dataclass(frozen=True, slots=True)
class CauseRow:
    """One deviation, or one reading that the text refutes, with its failures."""

    name: str
    reason: str
    place: str
    is_reading: bool
    failures: ResultCount


@dataclass(frozen=True, slots=True)
class ReadingRow:
    """One followed reading of a ruling. The adopted one has a row only beside others."""

    ruling: str
    title: str
    reading: str
    statement: str
    is_adopted: bool
    is_mixed: bool
    cases: ResultCount
    failing: ResultCount


@dataclass(frozen=True, slots=True)
class DescriptionTable:
    """The description of one SDK as rows."""

    name: str
    sentence: str
    causes: tuple[CauseRow, ...]
    readings: tuple[ReadingRow, ...]
    combined: ResultCount
    unexplained: ResultCount
    undecided: ResultCount


def description_tables(record: RunRecord) -> list[DescriptionTable]:
    """The descriptions of the SDKs with a failure or a variant."""
    return [_table(one) for one in descriptions(record) if not one.is_specification]


def _table(description: Description) -> DescriptionTable:
    name = description.implementation
    return DescriptionTable(
        name,
        description_sentence(description),
        tuple(_cause(name, one) for one in description.causes),
        tuple(_reading(name, ruling, one) for ruling in description.departures for one in ruling.readings),
        _count(name, COMBINED, description.combined),
        _count(name, UNEXPLAINED, description.unexplained),
        _count(name, UNDECIDED, description.undecided),
    )


def _cause(name: str, cause: FailureCause) -> CauseRow:
    return CauseRow(
        cause.name, cause.reason, cause.place, cause.is_reading, _count(name, cause.name, cause.results, "fail,error")
    )


def _reading(name: str, ruling: FollowedRuling, one: FollowedReading) -> ReadingRow:
    part = f"{ruling.id}={one.reading}"
    return ReadingRow(
        ruling.id,
        ruling.title,
        one.reading,
        ruling.text.readings.get(one.reading, "") if ruling.text else "",
        ruling.text is not None and ruling.text.adopted == one.reading,
        ruling.is_mixed,
        _count(name, part, one.results, "pass,variant"),
        _count(name, part, one.failing, "fail,error"),
    )


def _count(name: str, part: str, results: Sequence[RecordedResult], verdict: str = "") -> ResultCount:
    query = {"implementation": name, "verdict": verdict, "part": part}
    return ResultCount(len(results), urlencode({key: text for key, text in query.items() if text}))
