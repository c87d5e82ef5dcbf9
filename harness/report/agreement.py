"""RunRecord → where implementations agree with each other, with the text or without it. Pure.

The reference is left out: it is there to answer as the text says, so agreeing with it says nothing that the verdicts do
not. What remains is evidence of another sort: where all others answer alike against the text, the text may be what has
to be read again; where each goes its own way, it may be unclear.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from harness.errors import one_line
from harness.model import ErrorKind, RecordedResult, RunRecord, Verdict
from harness.report.summary import REFERENCE
from harness.report.text import plural

_TEXT = ("as the text says", "")


@dataclass(frozen=True, slots=True)
class Agreement:
    """How `names` answered the cases that at least two of them answered. Each such case stands in one place.

    `as_written`: all as the text says. `against`: all alike, and not so. `otherwise_read`: all alike, by another reading
    that a ruling records. `parted`: by who keeps to the text, the cases in which others do not. `apart`: nobody keeps to
    the text, and they are not alike.
    """

    names: tuple[str, ...]
    as_written: tuple[str, ...]
    against: tuple[str, ...]
    otherwise_read: tuple[str, ...]
    parted: Mapping[tuple[str, ...], tuple[str, ...]]
    apart: tuple[str, ...]

    @property
    def cases(self) -> int:
        """How many cases it is about."""
        parted = sum(map(len, self.parted.values()))
        return len(self.as_written) + len(self.against) + len(self.otherwise_read) + parted + len(self.apart)


def agreement(record: RunRecord) -> Agreement:
    """The agreement of all implementations of the record but the reference."""
    names = tuple(name for name in record.implementations if name != REFERENCE)
    places: dict[str, list[str]] = defaultdict(list)
    parted: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for case, answers in _answers(record).items():
        if len(answers) < 2:
            continue
        kinds = set(answers.values())
        keeping = tuple(name for name in names if answers.get(name) == _TEXT)
        if keeping and len(kinds) > 1:
            parted[keeping].append(case)
        else:
            places[_place(kinds)].append(case)
    return Agreement(
        names=names,
        as_written=tuple(places["as written"]),
        against=tuple(places["against"]),
        otherwise_read=tuple(places["otherwise read"]),
        parted={who: tuple(cases) for who, cases in parted.items()},
        apart=tuple(places["apart"]),
    )


def _place(kinds: set[tuple[str, str]]) -> str:
    if len(kinds) > 1:
        return "apart"
    (kind,) = kinds
    if kind == _TEXT:
        return "as written"
    return "otherwise read" if kind[0] == Verdict.VARIANT else "against"


def _answers(record: RunRecord) -> Mapping[str, Mapping[str, tuple[str, str]]]:
    """For each case what it was answered with by whom; answers are alike if they part from the text alike."""
    answers: dict[str, dict[str, tuple[str, str]]] = defaultdict(dict)
    for result in record.results:
        if result.implementation != REFERENCE and _answered(result):
            answers[result.case][result.implementation] = _kind(result)
    return answers


def _answered(result: RecordedResult) -> bool:
    return result.verdict in (Verdict.PASS, Verdict.VARIANT, Verdict.FAIL) or result.kind is ErrorKind.IMPLEMENTATION


def _kind(result: RecordedResult) -> tuple[str, str]:
    if result.verdict is Verdict.PASS:
        return _TEXT
    if result.verdict is Verdict.VARIANT:
        return result.verdict, result.reading
    return "otherwise", result.signature


def render(found: Agreement) -> Iterator[str]:
    """Its lines; none if no two implementations answered the same case."""
    if not found.cases:
        return
    cases = plural(found.cases, "case")
    yield f"agreement of {', '.join(map(one_line, found.names))} over {cases} that at least two of them answer:"
    for words, listed in (
        ("all as the text says", found.as_written),
        ("all alike, against the text", found.against),
        ("all alike, by another recorded reading", found.otherwise_read),
        *((f"as the text says {', '.join(map(one_line, who))} alone", cases) for who, cases in found.parted.items()),
        ("none as the text says, and not alike", found.apart),
    ):
        if listed:
            example = "" if listed is found.as_written else f": {one_line(listed[0])}{', …' if listed[1:] else ''}"
            yield f"  {len(listed):>4}  {words}{example}"
