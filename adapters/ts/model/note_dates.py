"""Deviations from the algorithms document's section "Hybrid pipeline": steps that read the dates of notes."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from reference_impl.decisions import decided
from reference_impl.javascript import regexps, strings
from reference_impl.jeffs_brain import temporal
from reference_impl.jeffs_brain.anchors import AnchorsDecisions
from reference_impl.jeffs_brain.candidates import Candidate, Result
from reference_impl.jeffs_brain.retrieval import FinalOrder, Retrieval
from reference_impl.jeffs_brain.search import SearchRequest
from reference_impl.wire.jeffs_brain.values import AlgorithmWireDecisions
from reference_impl.wire.operations import Json

ACTS_ON = ("retrieval.search",)

_DAY: Final = 86_400_000
_LATEST: Final = regexps.compile_ignoring_case(r"\b(?:most recent|latest|last time|current(?:ly)?|now|newest)\b")
_EARLIEST: Final = regexps.compile_ignoring_case(r"\b(?:earliest|first|initial|original|at first)\b")
_TAG: Final = regexps.compile_ignoring_case(r"\[(?:observed on|date):?\s*([^\]]+)\]")
_KEYS: Final = ("observed_on", "observedOn", "session_date", "sessionDate", "modified")
_LINE: Final = re.compile(
    r"\s*(?:\[observed on[ :]([^\n]*?)\]|\[date:([^\n]*?)\]|(?:event_date|session_date|observed_on|modified):(.*?))\s*",
    re.IGNORECASE,
)
_LINE_KEYS: Final = ("eventDate", "event_date", *_KEYS)
_NEAREST: Final = ((1, 1.35), (7, 1.2), (30, 1.08))

DateOf = Callable[[Candidate], int | None]


@dataclass(frozen=True, slots=True)
class RequestWithDate(SearchRequest):
    """A search request with the date of the question."""

    question_date: str | None = None


class KeepsTheDate(
    AlgorithmWireDecisions, deviation=("later-notes-by-whole-lines-dropped", "ordered-by-dates-of-notes")
):
    def search_request_of(self, plain: Json) -> SearchRequest:
        """The request keeps the date of the question."""
        request = super().search_request_of(plain)
        if hasattr(request, "question_date"):
            return request
        members = {member.name: getattr(request, member.name) for member in fields(request)}
        return RequestWithDate(**members, question_date=plain.get("questionDate"))


def question_date(request: SearchRequest) -> str:
    """The date of the question; empty without one."""
    return getattr(request, "question_date", None) or ""


class FinalOrderByDates(Retrieval, deviation="ordered-by-dates-of-notes"):
    def final_order(self, request: SearchRequest, *arguments: Any) -> FinalOrder:
        """After reranking, `latest`, `first` and dates of the question weigh the notes by their dates and sort again."""
        final = super().final_order(request, *arguments)
        latest = _LATEST.search(request.query) is not None
        earliest = not latest and _EARLIEST.search(request.query) is not None
        hints = temporal.expand_temporal(request.query, question_date(request)).date_hints
        near = [date for hint in hints if (date := decided(AnchorsDecisions).parse_question_date(hint)) is not None]
        results = until(question_date(request), final.results, date_of)
        dates = [date_of(result.candidate) for result in results]
        known = [date for date in dates if date is not None]
        if not known or not (latest or earliest or near):
            return final
        first, span = min(known), max(known) - min(known)

        def factor(date: int | None) -> float:
            if date is None:
                return 0.95 if latest or earliest else 1.0
            share = (date - first) / span if span else 0.0
            by_order = 1 + 0.25 * (share if latest else 1 - share) if span and (latest or earliest) else 1.0
            return (_nearness(date, near) if near else 1.0) * by_order

        weighted = [result.weighted(factor(date)) for result, date in zip(results, dates, strict=True)]
        return replace(final, results=sorted(weighted, key=lambda result: -result.score))


def _nearness(date: int, hints: Sequence[int]) -> float:
    days = min(abs(date - hint) for hint in hints) / _DAY
    return next((factor for limit, factor in _NEAREST if days <= limit), 0.92)


def until(date: str, results: Sequence[Result], date_of_note: DateOf) -> list[Result]:
    """The results without those of a later day than the date of the question."""
    limit = decided(AnchorsDecisions).parse_question_date(date) if strings.trim(date) else None
    dates = [date_of_note(result.candidate) for result in results]
    return [one for one, found in zip(results, dates, strict=True) if limit is None or found is None or found <= limit]


def date_of(note: Candidate) -> int | None:
    """The date of a note: in its metadata, in a tag, or on a line with a key."""
    return _first_date([*_in_metadata(note, _KEYS), *_in_text(note.content)])


def _in_metadata(note: Candidate, keys: Iterable[str]) -> list[str]:
    found = (note.metadata.get(key) for key in keys)
    return [value for value in found if isinstance(value, str)]


def _in_text(text: str) -> Iterator[str]:
    if tag := _TAG.search(text):
        yield tag[1]
    for key in _KEYS:
        if line := re.search(rf"^{key}:\s*(.+)$", text, re.IGNORECASE | re.MULTILINE):
            yield line[1]


def _first_date(texts: Iterable[str]) -> int | None:
    found = (decided(AnchorsDecisions).parse_question_date(text) for text in map(strings.trim, texts) if text)
    return next((date for date in found if date is not None), None)


class FinalOrderUntilTheDate(Retrieval, deviation="later-notes-by-whole-lines-dropped"):
    def final_order(self, request: SearchRequest, *arguments: Any) -> FinalOrder:
        """A search with a question date drops later notes, by their metadata or by a line that is a date tag and no more."""
        final = super().final_order(request, *arguments)
        return replace(final, results=until(question_date(request), final.results, date_of_whole_line))


def date_of_whole_line(note: Candidate) -> int | None:
    """The date of a note: in its metadata, or on a line of its own."""
    lines = (_LINE.fullmatch(line) for line in note.content.split("\n"))
    on_lines = ["".join(filter(None, line.groups())) for line in lines if line]
    return _first_date([*_in_metadata(note, _LINE_KEYS), *on_lines])
