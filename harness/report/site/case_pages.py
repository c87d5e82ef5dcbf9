"""A case and its results → its page: request, expected answer, and each other answer beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ...compare.canonical import compact
from ...compare.causes import is_refuted
from ...compare.edits import Marks
from ...errors import one_line
from ...model import Case, Fixture, Json, RecordedResult, Ruling, Verdict
from ..choice_text import readings_text
from ..description import causes_of
from ..documented import notes
from ..page_data import result_entry
from ..ruling_adherence import followed_readings
from ..side_by_side import Line, value_lines
from ..text import response_json
from .contents import Column, Site, SiteCase
from .layout import MAX_PAGE, Crumb, Page, page
from .names import CASES, fixture_path, operation_path, part_path, requirement_path, ruling_path, suite_path

_NOT_COMPARED = ("ms", "stderr", "expectation", "documented", "unobservable", "explainedBy", "parts")
"""Members of a result that differ although the answer is the same."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much of a case a page shows: lines of a value, characters of a text, differences, characters of a side."""

    lines: int
    text: int
    differences: int
    side: int


_SIZES = (Size(400, 4_000, 60, 800), Size(120, 600, 20, 300), Size(40, 160, 6, 120), Size(8, 60, 2, 60))
"""From the largest page to the smallest; the first one below `MAX_PAGE` is taken."""


@dataclass(frozen=True, slots=True)
class Linked:
    """A text and the path of its page, if it has one."""

    text: str
    path: str = ""
    more: str = ""


def case_page(site: Site, case: SiteCase) -> Page:
    """The page of a case, with as much of its values as a page can hold."""
    results = {number: site.result(case, number) for number in sorted(case.results)}
    for size in _SIZES:
        made = _page(site, case, results, size)
        if len(made.text.encode("utf-8", "replace")) <= MAX_PAGE:
            break
    return made


def _page(site: Site, case: SiteCase, results: Mapping[int, RecordedResult], size: Size) -> Page:
    head, newest = case.head, _newest(site, results)
    facts = case.facts
    request = newest.request if newest else head.recorded_request if head else {}
    expected = newest.expected if newest else head.expected if head else None
    answers = _answers(site, results, newest, size)
    same = [one for one in answers if one["same"]]
    others = [one for one in answers if not one["same"]]
    wanted = _joined([one["wanted_marks"] for one in others])
    return page(
        case.path,
        "case",
        title=case.name.rpartition("/")[2],
        crumbs=[Crumb("Cases", CASES), Crumb(case.suite, suite_path(case.suite))],
        name=case.name,
        operation=Linked(facts.operation, operation_path(facts.operation)),
        at=facts.at,
        facts=_facts(head),
        note=case.note,
        evidence=head.evidence.strip() if head else "",
        in_corpus=head is not None or not site.given.corpus_digest,
        changed=bool(head and newest and compact(head.recorded_request) != compact(newest.request)),
        request=value_lines(request, lines=size.lines, text=size.text),
        fixtures=[Linked(one.name, fixture_path(one.digest)) for one in _fixtures(site, request)],
        expected=value_lines(_bare(response_json(expected)), wanted, lines=size.lines, text=size.text)
        if expected
        else [],
        same=same,
        longer=[one for one in same if one["answer"]],
        answers=others,
        requirements=[_requirement(site, id_) for id_ in facts.requirements],
        rulings=_rulings(site, case, results),
        commands=[
            (site.columns[number].label, f"{site.columns[number].command}{case.name}")
            for number in results
            if site.columns[number].command
        ],
    )


def _newest(site: Site, results: Mapping[int, RecordedResult]) -> RecordedResult | None:
    return max(results.items(), key=lambda one: site.columns[one[0]].record.metadata.started_at, default=(0, None))[1]


def _facts(head: Case | None) -> Sequence[tuple[str, str]]:
    """What the corpus has of a case beside its values."""
    if head is None:
        return ()
    shown = {
        "origin": head.origin,
        "revision": head.revision,
        "tags": ", ".join(head.tags),
        "environment": ", ".join(f"{key}={value}" for key, value in head.environment),
        "kind": "a negative case" if head.negative else "",
    }
    return [(key, value) for key, value in shown.items() if value]


def _answers(
    site: Site, results: Mapping[int, RecordedResult], newest: RecordedResult | None, size: Size
) -> list[dict[str, Any]]:
    """Each different answer once, with the columns that gave it; `same` marks the expected one."""
    groups: dict[str, dict[str, Any]] = {}
    for number, result in results.items():
        column = site.columns[number]
        own = column.entry.identity
        unobservable = own.unobservable.get(result.operation, ()) if own else ()
        entry = result_entry(result, unobservable, column.record.metadata.rulings)
        is_older = newest is not None and result is not newest and _definition(result) != _definition(newest)
        same = result.verdict is Verdict.PASS and not is_older and not result.flaky
        text = json.dumps([is_older, {key: one for key, one in entry.items() if key not in _NOT_COMPARED}])
        group = groups.setdefault(text, {"same": same, "is_older": is_older, "who": []})
        if not group["who"]:
            group |= _answer(entry, result, size)
        group["who"].append(_who(column, result, entry, size))
    return list(groups.values())


def _definition(result: RecordedResult) -> str:
    return compact([result.request, response_json(result.expected)])


def _who(column: Column, result: RecordedResult, entry: Mapping[str, Any], size: Size) -> dict[str, Any]:
    """One column that gave an answer, with the facts that are its own."""
    verdict = f"{result.verdict}/{result.kind}" if result.kind else result.verdict.value
    causes = causes_of(result, column.record.metadata.rulings) if entry.get("explainedBy") else []
    return {
        "label": column.label,
        "path": f"{column.folder}.html",
        "verdict": result.verdict.value,
        "text": verdict,
        "explained": entry.get("explainedBy", ""),
        "causes": [Linked(cause, part_path(column.folder, "cause", cause)) for cause in causes],
        "expectation": entry.get("expectation", ""),
        "documented": notes(result, column.record),
        "unobservable": ", ".join(entry.get("unobservable", ())),
        "stderr": entry.get("stderr", "")[-size.text :],
    }


def _answer(entry: Mapping[str, Any], result: RecordedResult, size: Size) -> dict[str, Any]:
    """What an answer shows: its reason, its readings, its differences and itself, with the marks."""
    marked = entry.get("marks", {})
    wanted, got = (_marks(marked.get(side, {})) for side in ("wanted", "got"))
    cut = entry.get("answerCut")
    answer = value_lines(_bare(entry["answer"]), got, lines=size.lines, text=size.text) if "answer" in entry else []
    if cut:
        answer = [Line(cut["beginning"][: size.text]), Line(f"… {cut['length']:,} characters")]
    shown = entry.get("differences", [])[: size.differences]
    return {
        "reason": one_line(entry.get("reason", ""), size.text),
        "readings": readings_text(result.readings) if result.verdict is Verdict.VARIANT else "",
        "stage": entry.get("stage", ""),
        "recovered": entry.get("recovered", False),
        "flaky": entry.get("flaky", [])[: size.differences],
        "differences": [_difference(one, size) for one in shown],
        "more": entry.get("count", 0) - len(shown),
        "answer": answer,
        "engine": entry.get("engine", ()),
        "stack": entry.get("stack", "")[: size.text],
        "wanted_marks": wanted,
    }


def _marks(found: Mapping[str, Sequence[str]]) -> Marks:
    return Marks(frozenset(found.get("differing", ())), frozenset(found.get("lacking", ())))


def _joined(found: Sequence[Marks]) -> Marks:
    return Marks(
        frozenset(path for one in found for path in one.differing),
        frozenset(path for one in found for path in one.lacking),
    )


def _difference(one: Mapping[str, Any], size: Size) -> dict[str, Any]:
    """A difference with both sides in three parts: the middle one differs; any value but a text is marked whole."""
    sides = [one.get(side) for side in ("wanted", "got")]
    wanted, got = ("" if side is None else _cut(side, size.side) for side in sides)
    texts = wanted.startswith('"') and got.startswith('"')
    start = end = 0
    if texts:
        least = min(len(wanted), len(got))
        start = next((at for at in range(least) if wanted[at] != got[at]), least)
        end = next((at for at in range(least - start) if wanted[-1 - at] != got[-1 - at]), least - start)
    parted = [[text[:start], text[start : len(text) - end], text[len(text) - end :]] for text in (wanted, got)]
    return {
        "path": one["path"],
        "note": one.get("note", ""),
        "is_note": one["edit"] == "note",
        "sides": [
            (name, None if side is None else part)
            for name, side, part in zip(("wanted", "got"), sides, parted, strict=True)
        ],
    }


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"


def _bare(value: Json) -> Json:
    """The answer itself, because paths begin at the answer; an error keeps its member `error`."""
    return value["answer"] if isinstance(value, dict) and value.keys() == {"answer"} else value


def _fixtures(site: Site, value: Json) -> list[Fixture]:
    """The fixtures that a request refers to, each once."""
    found: dict[str, Fixture] = {}
    pending = [value]
    while pending:
        one = pending.pop()
        if isinstance(one, dict):
            digest = one.get("digest")
            if "$fixture" in one and isinstance(digest, str) and digest in site.fixtures:
                found[digest] = site.fixtures[digest]
            pending.extend(one.values())
        elif isinstance(one, list):
            pending.extend(one)
    return list(found.values())


def _requirement(site: Site, id_: str) -> Linked:
    found = site.requirements.get(id_)
    return Linked(
        id_, requirement_path(id_) if found else "", f"{found.level}: {found.statement.strip()}" if found else ""
    )


def _rulings(site: Site, case: SiteCase, results: Mapping[int, RecordedResult]) -> list[dict[str, Any]]:
    """The ruling that the case is disputed under, then the rulings that cite it, then those of other readings that answers
    follow, each with who follows which reading."""
    found = []
    of_case = (case.facts.ruling, *case.facts.cited_by_rulings)
    others = [id_ for one in results.values() for id_, _ in followed_readings(one)]
    for id_ in dict.fromkeys((*of_case, *others)):
        ruling = site.rulings.get(id_)
        if not ruling:
            continue
        disputed = id_ == case.facts.ruling
        followed = {number: dict(followed_readings(one)).get(id_) for number, one in results.items()}
        readings = [
            {
                "name": name,
                "text": text.strip(),
                "state": reading_state(ruling, name),
                "refuted": is_refuted_by(ruling, name),
                "who": ", ".join(site.columns[number].label for number, one in followed.items() if one == name),
            }
            for name, text in ruling.readings.items()
            if disputed or name == ruling.adopted or name in followed.values()
        ]
        link = asdict(Linked(id_, ruling_path(id_)))
        kind = "disputed" if disputed else "cited" if id_ in of_case else "followed"
        found.append({**link, "title": ruling.title, "kind": kind, "readings": readings})
    return found


def is_refuted_by(ruling: Ruling, reading: str) -> bool:
    """Whether the text refutes a reading of the ruling."""
    return reading != ruling.adopted and is_refuted((ruling.id, reading), {ruling.id: ruling})


def reading_state(ruling: Ruling, reading: str) -> str:
    """`adopted`, `refuted by the text`, or `open`."""
    if reading == ruling.adopted:
        return "adopted"
    return "refuted by the text" if is_refuted_by(ruling, reading) else "open"


def fixture_page(fixture: Fixture) -> Page:
    """The page of a value that requests refer to."""
    for size in _SIZES:
        made = page(
            fixture_path(fixture.digest),
            "fixture",
            title=f"Fixture {fixture.name}",
            crumbs=[Crumb("Cases", CASES)],
            digest=fixture.digest,
            lines=value_lines(fixture.value, lines=10 * size.lines, text=size.text),
        )
        if len(made.text.encode("utf-8", "replace")) <= MAX_PAGE:
            break
    return made
