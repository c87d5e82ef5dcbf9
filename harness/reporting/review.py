"""RunRecord → a report for the editors of the specification, in the order in which they would read it.

Decisions that the text leaves to them, expressions that the engine refuses, requirements that implementations break
although nothing about them is disputed, and what cannot be observed. Each claim leads to a case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from harness.model import RecordedResult, RunRecord, Verdict
from harness.reporting.breaches import Breach, breaches
from harness.reporting.describing import plural, quoted
from harness.reporting.document import (
    Block,
    Bullets,
    Code,
    Heading,
    Link,
    Paragraph,
    Quote,
    Span,
    Spans,
    Strong,
    Table,
    as_html,
    as_markdown,
    prose,
)
from harness.reporting.positions import SEVERITIES, Position, Ruled, rulings
from harness.reporting.summary import REFERENCE, cases, not_started, silences

Target = Callable[[str], str]
"""Gives for `file:line` where a link to it leads; nothing if there is no such place."""

_MOST_LINKS = 3


def render(record: RunRecord, target: Target | None = None, *, html: bool = False) -> str:
    """The report as Markdown or as an HTML page; without `target` cases are named and not linked."""
    blocks = list(_blocks(record, target or _nowhere))
    return as_html(blocks) if html else as_markdown(blocks)


def _nowhere(_: str) -> str:
    return ""


def _blocks(record: RunRecord, target: Target) -> Iterator[Block]:
    ruled = rulings(record)
    sdks = [name for name in record.implementations if name != REFERENCE and name not in not_started(record)]
    corpus: Any = record.header["corpus"]
    yield Heading(1, f"Review of the specification, revision {', '.join(corpus.get('revisions', []))}")
    yield from _asked(record, corpus)
    yield from _decisions(record, ruled, target)
    yield from _refused(record, target)
    yield from _undisputed(record, sdks, target)
    yield from _unobservable(record)


def _asked(record: RunRecord, corpus: Mapping[str, Any]) -> Iterator[Block]:
    """Who was asked what, and who could not be."""
    entries: Any = record.header["implementations"]
    said: list[Spans] = []
    for entry in entries:
        keys = ("implementation", "version", "language", "runtime")
        words = " ".join(str(entry[key]) for key in keys if entry.get(key))
        if entry["started"]:
            said.append([Code(entry["name"]), ": ", Code(words)])
        else:
            reason = str(entry.get("reason", "it was not waited for")).partition("\n")[0]
            said.append([Code(entry["name"]), " ", Strong("could not be asked"), ": ", Code(reason)])
    said += [[Code(name), " ", Strong("was left out"), ": ", Code(reason, 300)] for name, reason in record.skipped]
    yield Paragraph([f"Made from the run of {record.header.get('startedAt')} over {plural(cases(record), 'case')}."])
    yield Bullets(said)
    yield Paragraph(["Corpus ", Code(str(corpus["digest"])), "."])
    yield from (Paragraph([Strong(sentence)]) for sentence in silences(record))


def _decisions(record: RunRecord, ruled: Sequence[Ruled], target: Target) -> Iterator[Block]:
    yield Heading(2, "Decisions")
    if not ruled:
        yield Paragraph(["No case of this run touches a ruling."])
        return
    yield Paragraph(
        [
            "Where the text leaves two honest readings, or contradicts itself or an engine. One reading is adopted so "
            "that cases can be judged: a normative sentence before a table, a table before pseudo-code, that before a "
            "worked example, prose last. Numbers are cases; a case counts for the adopted reading where the readings "
            "that it tells apart do not say otherwise. An answer that parts where the implementation parts in undisputed "
            "cases too hides its reading."
        ]
    )
    for severity in SEVERITIES:
        of_it = [one for one in ruled if one.severity == severity]
        full = [one for one in of_it if one.parted or severity != SEVERITIES[-1]]
        brief = [one for one in of_it if one not in full]
        if of_it:
            yield Heading(3, f"{severity.capitalize()} severity: {plural(len(of_it), 'decision')}")
        for one in full:
            yield from _decision(one, record, target)
        if brief:
            yield Heading(4, "Everybody asked follows the adopted reading")
            yield Bullets([_briefly(one, target) for one in brief])


def _decision(ruled: Ruled, record: RunRecord, target: Target) -> Iterator[Block]:
    text = ruled.text
    yield Heading(4, f"{ruled.id} {text['title']}")
    if "question" in text:
        yield Paragraph(prose(text["question"]))
    yield _positions(ruled, [name for name in record.implementations if name not in not_started(record)])
    basis = f" ({text['basis'].replace('-', ' ')})" if "basis" in text else ""
    yield Paragraph([Strong(f"Why {text['adopted']}"), f"{basis}: ", *prose(text["why"])])
    if "wording" in text:
        yield Quote(["Suggested wording: ", *prose(text["wording"])])
    departing = [one for position in ruled.positions.values() for one in position.otherwise[:1]]
    if departing:
        yield Bullets([_departure(one, target) for one in departing])
    yield Paragraph(["Evidence: ", *_links(ruled, target)])


def _positions(ruled: Ruled, names: Sequence[str]) -> Table:
    """A row a reading, a column an implementation."""
    adopted = ruled.text["adopted"]
    rows: list[Sequence[Spans]] = [
        [
            [Strong(f"{reading}, adopted") if reading == adopted else reading, ": ", *prose(said)],
            *_counts(ruled, names, lambda position, reading=reading: position.readings.get(reading, 0)),  # type: ignore[misc]
        ]
        for reading, said in ruled.text["readings"].items()
    ]
    others: tuple[tuple[str, Callable[[Position], int]], ...] = (
        ("another answer", lambda position: len(position.otherwise)),
        ("hidden behind an undisputed difference", lambda position: position.hidden),
        ("could not be asked", lambda position: position.not_asked),
    )
    for words, count in others:
        if any(count(ruled.positions[name]) for name in names):
            rows.append([[words], *_counts(ruled, names, count)])
    return Table([["reading"], *([Code(name)] for name in names)], rows, numbers=len(names))


def _counts(ruled: Ruled, names: Iterable[str], count: Callable[[Position], int]) -> list[Spans]:
    return [[str(count(ruled.positions[name]) or "·")] for name in names]


def _briefly(ruled: Ruled, target: Target) -> Spans:
    text = ruled.text
    wording = [" Suggested wording: ", *prose(text["wording"])] if "wording" in text else []
    adopted = prose(text["readings"][text["adopted"]])
    return [Strong(f"{ruled.id} {text['title']}"), ": ", *adopted, *wording, " ", *_links(ruled, target)[:1]]


def _links(ruled: Ruled, target: Target) -> list[Span]:
    """The first cases of the evidence, those first that somebody answers otherwise."""
    otherwise = [one for position in ruled.positions.values() for one in position.otherwise]
    places = {one.case: one.at for one in (*otherwise, *ruled.results)}
    links: list[Span] = [_case(case, at, target) for case, at in list(places.items())[:_MOST_LINKS]]
    spans = [span for link in links for span in (link, ", ")][:-1]
    return [*spans, f" and {plural(len(places) - len(links), 'more case')}"] if len(places) > len(links) else spans


def _case(case: str, at: str, target: Target) -> Link:
    return Link(case, target(at))


def _departure(result: RecordedResult, target: Target) -> Spans:
    """What an implementation answers where it follows none of the readings."""
    return [Code(result.implementation), " in ", _case(result.case, result.at, target), ": ", *_answer(result)]


def _answer(result: RecordedResult) -> Spans:
    if result.verdict is Verdict.ERROR:
        kind = result.kind.value if result.kind else "error"
        return [f"error ({kind}) ", Code(result.reason)]
    if not result.difference:
        return ["another answer"]
    part, more = result.difference[0], len(result.difference) - 1
    rest = [f" and {plural(more, 'more difference')}"] if more else []
    return [Code(part.path), " wanted ", Code(quoted(part.wanted)), " got ", Code(quoted(part.got)), *rest]


def _refused(record: RunRecord, target: Target) -> Iterator[Block]:
    """Expressions that the engine refuses, by what it says, with who gave them."""
    found: dict[str, dict[str, RecordedResult]] = {}
    sources: dict[str, set[str]] = {}
    for result in record.results:
        for one in result.engine:
            message = str(one.get("message"))
            found.setdefault(message, {}).setdefault(str(one.get("match")), result)
            who = "the text" if one.get("side") == "wanted" else result.implementation
            sources.setdefault(message, set()).add(who)
    if not found:
        return
    yield Heading(2, "Expressions that the engine refuses")
    yield Paragraph(["What the text asks for, or an implementation compiles, and a real engine cannot execute."])
    rows: list[Sequence[Spans]] = [
        [[Code(message)], [", ".join(sorted(sources[message]))], _examples(matches, target), [str(len(matches))]]
        for message, matches in found.items()
    ]
    yield Table([["the engine says"], ["asked for by"], ["for example"], ["expressions"]], rows, numbers=1)


def _examples(matches: Mapping[str, RecordedResult], target: Target) -> Spans:
    """The shortest expressions, each with a case."""
    shortest = sorted(matches, key=lambda match: (len(match), match))[:_MOST_LINKS]
    spans: list[Span] = []
    for match in shortest:
        spans += ["; " if spans else "", Code(match), " in ", _case(matches[match].case, matches[match].at, target)]
    return spans


def _undisputed(record: RunRecord, sdks: Sequence[str], target: Target) -> Iterator[Block]:
    """Failures in cases that no ruling touches: where SDKs part, and what all of them break."""
    found = breaches(record, sdks)
    split, broken = ([one for one in found if one.by_all is by_all] for by_all in (False, True))
    together = "Cases that first part in one place are one row, under the requirement that fits them best."
    if split:
        yield Heading(2, "Requirements on which implementations split")
        yield Paragraph([f"Nothing about these cases is disputed; some answer them as the text says. {together}"])
        yield _breaches(record, split, sdks, target)
    if broken:
        alone = " Only one could be asked, which is no evidence against the text." if len(sdks) == 1 else ""
        yield Heading(2, "Requirements that every SDK asked breaks")
        yield Paragraph([f"Nothing about these cases is disputed: perhaps the text is wrong.{alone} {together}"])
        yield _breaches(record, broken, sdks, target)


def _breaches(record: RunRecord, found: Sequence[Breach], sdks: Sequence[str], target: Target) -> Table:
    texts: Any = record.header["requirements"]
    rows: list[Sequence[Spans]] = []
    for one in found:
        first, counts = one.results[0], one.counts()
        statement = texts.get(one.requirement, {}).get("statement", "")
        rows.append(
            [
                [Strong(one.requirement), " ", *prose(statement)],
                [Code(one.operation)],
                [_case(first.case, first.at, target), ": ", *_answer(first)],
                *([str(counts.get(name) or "·")] for name in sdks),
            ]
        )
    head: list[Spans] = [["requirement"], ["operation"], ["for example"]]
    return Table([*head, *([Code(name)] for name in sdks)], rows, numbers=len(sdks))


def _unobservable(record: RunRecord) -> Iterator[Block]:
    """Statements that no case can show."""
    texts: Any = record.header["requirements"]
    found = {id_: text for id_, text in texts.items() if text.get("unobservable")}
    if found:
        yield Heading(2, "What cannot be observed")
        yield Bullets([[Strong(id_), f" {text['statement']} ", text["unobservable"]] for id_, text in found.items()])
