"""The results of one case → its different answers: who gave each, how it differs from the expected one, and the answer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field

from ...compare.alignment import recorded_edits
from ...compare.canonical import compact, equality_text
from ...compare.edits import Marks, common_length, in_order_of, marks, middles
from ...compare.error_text import outcome_text
from ...compare.unobservable import drop_paths
from ...errors import one_line
from ...model import EXPECTED, Answered, EngineRefusal, Json, RecordedResult, Ruling, Verdict
from ..cause_text import readings_text
from ..conformance import hidden_places
from ..difference_text import DifferenceParts, around_the_first_difference, parts_of
from ..output_text import stack_lines
from ..result_text import describe_passes, response_json
from ..side_by_side import Line, value_lines
from .contents import Column, Site, SiteCase, form_of

_LONGEST = 60_000
"""Characters of JSON up to which a value is shown line by line."""

Runs = Sequence[tuple[str, bool]]
"""A value as lines of JSON: each line that differs alone, with True, and the lines between as one text."""


class Size(Struct, frozen=True):
    """How much of a case a page shows: lines of a value, characters of a text, differences, characters of a side; and the
    characters of JSON of a value without differences that stands on one line."""

    lines: int
    text: int
    differences: int
    side: int
    one_line: int = 140


class Witness(Struct, frozen=True):
    """A column that gave an answer, with its result."""

    column: Column
    result: RecordedResult

    @property
    def label(self) -> str:
        """The label of the column."""
        return self.column.label

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        """The rulings of its record."""
        return self.column.record.metadata.rulings

    @property
    def unobservable(self) -> Sequence[str]:
        """The places of the answer that it cannot report."""
        return hidden_places(self.column.record, self.result)


class DifferenceRow(Struct, frozen=True):
    """A difference, and its expected and actual side. A side has three parts, the middle one of which differs; it is None if
    it is absent."""

    parts: DifferenceParts
    sides: Sequence[tuple[str, Sequence[str] | None]]


class Answer(Struct):
    """An answer with the columns that gave it. `is_expected` marks the expected one, `is_older` one to another request or
    with another expected answer. `wanted` are the places of the expected answer that differ."""

    is_expected: bool
    is_older: bool
    reason: str
    readings: str
    stage: str
    recovered: bool
    flaky: Sequence[str]
    differences: Sequence[DifferenceRow]
    more: int
    value: Runs
    engine: Sequence[EngineRefusal]
    stack: str
    wanted: Marks
    who: list[Witness] = field(default_factory=list)

    @property
    def names(self) -> str:
        """The labels of the columns."""
        return ", ".join(witness.label for witness in self.who)


def answers_of(
    site: Site, case: SiteCase, results: Mapping[int, RecordedResult], newest: RecordedResult | None, size: Size
) -> list[Answer]:
    """Each different answer once, with the columns that gave it."""
    found: dict[tuple[object, ...], Answer] = {}
    newest_form = form_of(newest) if newest else ""
    for number, result in results.items():
        witness = Witness(site.columns[number], result)
        is_older = case.has_forms and site.form(case, number) != newest_form
        made = _answer(result, witness.unobservable, size, is_older=is_older)
        key = (is_older, result.verdict, result.kind, made.reason, made.readings, made.stage, made.stack, *made.flaky)
        key = (*key, result.signature, str(made.differences), str(made.value), str(made.engine))
        found.setdefault(key, made).who.append(witness)
    return list(found.values())


def joined(found: Iterable[Marks]) -> Marks:
    """The marks of several answers on the expected one."""
    every = list(found)
    return Marks(
        frozenset(path for result in every for path in result.differing),
        frozenset(path for result in every for path in result.lacking),
    )


def runs(lines: Iterable[Line]) -> Runs:
    """Lines as the runs that a page shows."""
    found: list[tuple[str, bool]] = []
    for line in lines:
        if found and not line.marked and not found[-1][1]:
            found[-1] = (f"{found[-1][0]}\n{line.text}", False)
        else:
            found.append((line.text, line.marked))
    return found


def shown(value: Json, size: Size, marked: Marks | None = None) -> Runs:
    """A value as lines; of a very long one its beginning. An answer begins at `$`, as paths do."""
    bare = value["answer"] if isinstance(value, dict) and value.keys() == {"answer"} else value
    text = compact(bare)
    if len(text) > _LONGEST:
        return [(one_line(text[: size.text], size.text), False), (f"… {len(text):,} characters", False)]
    if len(text) <= size.one_line and not (marked and (marked.differing or marked.lacking)):
        return [(one_line(json.dumps(bare, ensure_ascii=False), size.text), False)]
    return runs(value_lines(bare, marked, lines=size.lines, text=size.text))


def _answer(result: RecordedResult, unobservable: Sequence[str], size: Size, *, is_older: bool) -> Answer:
    edits = recorded_edits(result, unobservable) if result.differences else []
    wanted, got = marks(edits[: size.differences])
    value: Runs = []
    if result.response is not None and not _is_expected(result, unobservable):
        answer = in_order_of(response_json(result.expected), response_json(result.response))
        value = shown(answer, size, got)
    return Answer(
        is_expected=result.verdict in EXPECTED and not is_older and not result.flaky,
        is_older=is_older,
        reason=one_line(outcome_text(result.outcome), size.text),
        readings=readings_text(result.readings) if result.verdict is Verdict.VARIANT else "",
        stage=result.stage,
        recovered=result.recovered,
        flaky=list(describe_passes(result, size.side))[: size.differences],
        differences=[_row(parts_of(edit), size.side) for edit in edits[: size.differences]],
        more=max(0, len(edits) - size.differences),
        value=value,
        engine=result.engine,
        stack="\n".join(stack_lines(result.stack))[: size.text],
        wanted=wanted,
    )


def _is_expected(result: RecordedResult, unobservable: Sequence[str]) -> bool:
    """Whether an answer equals the expected one in all members that the implementation reports."""
    wanted, got = result.expected, result.response
    if result.verdict not in EXPECTED or not isinstance(wanted, Answered) or not isinstance(got, Answered):
        return False
    return wanted == got or equality_text(drop_paths(wanted.value, unobservable)) == equality_text(got.value)


def _row(parts: DifferenceParts, longest: int) -> DifferenceRow:
    """A difference with both sides cut around the first character that differs. Of two texts the middle is marked; any other
    value whole."""
    if not parts.has_sides:
        return DifferenceRow(parts, ())
    wanted, got = parts.wanted, parts.got
    texts = around_the_first_difference(wanted or "", got or "", longest)
    start = end = 0
    if wanted and got and wanted.startswith('"') and got.startswith('"'):
        start = common_length(*texts)
        end = len(texts[0]) - start - len(middles(*texts)[0])
    cut = [(text[:start], text[start : len(text) - end], text[len(text) - end :]) for text in texts]
    return DifferenceRow(
        parts, [("wanted", None if wanted is None else cut[0]), ("got", None if got is None else cut[1])]
    )
