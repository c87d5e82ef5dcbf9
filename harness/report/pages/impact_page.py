"""The effect of a proposal → the page that `parity impact` prints: first who gains and who loses, then what changes."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from ...base.text_limits import MAX_SIDE, MAX_STATEMENT
from ...compare.causes import names_of
from ...compare.proposal import ChangedAnswer, Effect, Impact, ImplementationImpact
from ...errors import one_line, plural
from ...model import Absent, Difference, JsonObject, Requirement, Ruling, Verdict
from ..difference_text import quoted
from ..document import Block, Code, Heading, Item, Table, first_items, literal, sections
from ..document_terminal import Medium, render_document
from ..phrases import and_more, first_and_more, n_of_m, verb, wording_texts
from .ruling_page import MAX_CASES, MAX_LISTED, ruling_title

_COLUMNS = {
    Effect.GAINED: "gained",
    Effect.LOST: "lost",
    Effect.EXCUSED: "fail to other reading",
    Effect.SAME: "as before",
    Effect.HIDDEN: "not observable",
}

_WORDS = {Verdict.VARIANT: "other reading"}
"""The words for a verdict that has others than its name."""


MAX_ANSWERS = 10
"""Changed answers that are shown."""


class ImpactPage(Struct, frozen=True, kw_only=True):
    """The effect of a proposal, with the texts that it names. `reasons` has what is known of each deviation; `notes` are
    doubts about the records. `corpus` is the folder of another corpus than the shipped one."""

    impact: Impact
    rulings: Mapping[str, Ruling]
    requirements: Mapping[str, Requirement]
    reasons: Mapping[str, str] = {}
    notes: Sequence[str] = ()
    corpus: str = ""


def render(page: ImpactPage, medium: Medium) -> str:
    """The whole page."""
    impact = page.impact
    titled = {
        "": [*_head(page), *_table(impact)],
        "the proposal": _proposal(page),
        "verdicts that change": _changed_verdicts(impact.implementations),
        "answers that change": answer_items([(changed.case.name, changed.first) for changed in impact.changes]),
        "requirements": _requirements(page),
        "rulings that fall away": _settled(page),
        "wordings about the same requirements": _neighbours(page),
        "next": _next(page),
    }
    return render_document(sections(titled.items()), medium)


def as_json(impact: Impact) -> JsonObject:
    """The effect as values."""
    return {
        "readings": dict(impact.proposal.readings),
        "deviations": list(impact.proposal.deviations),
        "cases": impact.asked,
        "implementations": [_implementation_json(each) for each in impact.implementations],
        "changes": [
            {"case": changed.case.name, "path": changed.first.path, **_sides(changed)} for changed in impact.changes
        ],
        "requirements": dict(impact.requirements),
        "settledRulings": list(impact.settled),
        "otherRulings": list(impact.neighbours),
    }


def _sides(changed: ChangedAnswer) -> JsonObject:
    sides = {"expected": changed.first.wanted, "proposed": changed.first.got}
    return {name: side for name, side in sides.items() if not isinstance(side, Absent)}


def _implementation_json(each: ImplementationImpact) -> JsonObject:
    return {
        "name": each.name,
        **{effect.value: each.count(effect) for effect in Effect},
        "verdicts": [
            {"case": again.case, "before": again.before.value, "after": again.after.value, "effect": again.effect.value}
            for again in each.judged
        ],
        "unanswered": list(each.unanswered),
        "outdated": list(each.outdated),
    }


def _head(page: ImpactPage) -> Iterator[Block]:
    impact = page.impact
    yield Heading(2, f"If the specification adopts {', '.join(names_of(impact.proposal))}")
    count = len(impact.changes)
    answers = f"{n_of_m(count, impact.asked, 'expected answer')} {verb(count, 'changes', 'change')}"
    gained, lost = (
        sum(each.count(effect) for each in impact.implementations) for effect in (Effect.GAINED, Effect.LOST)
    )
    yield Item(
        f"{answers}. Of the recorded answers, {gained:,} newly pass and {f'{lost:,}' if lost else 'none'} are lost."
    )
    yield from (Item(note) for note in page.notes)


def _table(impact: Impact) -> Iterator[Block]:
    """A row for each implementation."""
    more = {
        "not answered": [len(each.unanswered) for each in impact.implementations],
        "other corpus": [len(each.outdated) for each in impact.implementations],
    }
    counts = {
        title: [each.count(effect) for each in impact.implementations] for effect, title in _COLUMNS.items()
    } | more
    kept = [title for title in counts if title in ("gained", "lost") or any(counts[title])]
    rows = [
        [each.name, *(f"{counts[title][at]:,}" if counts[title][at] else "·" for title in kept)]
        for at, each in enumerate(impact.implementations)
    ]
    yield Table(["implementation", *kept], rows, numbers=len(kept))
    if "not observable" in kept:
        yield Item(
            "Not observable: the adapter does not report the places that change, so the verdict stays.", tone="dim"
        )


def _proposal(page: ImpactPage) -> Iterator[Block]:
    for id_, reading in page.impact.proposal.readings:
        ruling = page.rulings[id_]
        yield Item(ruling_title(ruling))
        yield Item(f"proposed, {reading}: {ruling.readings[reading]}", 2)
        if reading == ruling.adopted:
            yield Item("This reading is adopted already; the text would leave no other one open.", 2, "dim")
        else:
            yield Item(f"adopted today, {ruling.adopted}: {ruling.readings[ruling.adopted]}", 2, "dim")
    for name in page.impact.proposal.deviations:
        yield Item(f"{name}  {page.reasons.get(name, '')}".rstrip())


def _changed_verdicts(implementations: Sequence[ImplementationImpact]) -> Iterator[Block]:
    """The cases by effect, what is lost first. Implementations with the same cases share one list."""
    for effect in (Effect.LOST, Effect.GAINED, Effect.EXCUSED):
        names: dict[tuple[tuple[Verdict, Verdict], tuple[str, ...]], list[str]] = {}
        for each in implementations:
            for change, cases in each.of(effect).items():
                names.setdefault((change, tuple(cases)), []).append(each.name)
        for ((before, after), cases), whose in names.items():
            verdicts = f"from {_WORDS.get(before, before)} to {_WORDS.get(after, after)}"
            yield Item(f"{', '.join(whose)}  {plural(len(cases), 'case')} {verdicts}")
            yield from first_items(cases, MAX_CASES, "case", 2, "dim")


def answer_items(answers: Sequence[tuple[str, Difference]], depth: int = 0) -> Iterator[Block]:
    """The first answers that change, each with its name and its first difference: `$.text: "HELLO" becomes "hello"`."""
    for name, first in answers[:MAX_ANSWERS]:
        yield literal(name, depth)
        change = f"{first.path}: {quoted(first.wanted, MAX_SIDE)} becomes {quoted(first.got, MAX_SIDE)}"
        yield Item([Code(change, MAX_STATEMENT)], depth + 2, "dim")
    if more := and_more(len(answers) - MAX_ANSWERS, "case"):
        yield Item(f"… {more}", depth)


def _requirements(page: ImpactPage) -> Iterator[Block]:
    """Those of the proposed rulings with their statements, then the others of the changed cases."""
    counts = page.impact.requirements
    own = dict.fromkeys(id_ for ruling, _ in page.impact.proposal.readings for id_ in page.rulings[ruling].requirements)
    for id_ in own:
        yield Item(f"{id_}  {page.requirements[id_].statement} ({plural(counts.get(id_, 0), 'changed case')})")
    others = [f"{id_} ({count:,})" for id_, count in counts.items() if id_ not in own]
    lead = "also in changed cases: " if own else "in changed cases: "
    if others:
        yield Item(lead + ", ".join(first_and_more(others, MAX_LISTED)), tone="dim")


def _settled(page: ImpactPage) -> Iterator[Block]:
    for id_ in page.impact.settled:
        yield Item(f"{id_}  {page.rulings[id_].title}")
    if page.impact.settled:
        yield Item("Under the proposal all their readings give the same answers to their cases.", tone="dim")


def wording_items(ruling: Ruling) -> Iterator[Block]:
    """The texts that a ruling suggests, below its line."""
    for title, text in wording_texts(ruling):
        yield Item(f"{title.lower()}: {one_line(text, MAX_STATEMENT)}", 2, "dim")


def _neighbours(page: ImpactPage) -> Iterator[Block]:
    """The suggested wordings that stand in the same place of the text, those of the proposal first."""
    for id_, reading in page.impact.proposal.readings:
        if reading != page.rulings[id_].adopted:
            yield Item(f"{id_}  its wording states reading {page.rulings[id_].adopted} and must change:")
            yield from wording_items(page.rulings[id_])
    others = page.impact.neighbours
    for id_ in others[:MAX_LISTED]:
        ruling = page.rulings[id_]
        yield Item(f"{id_}  {ruling.title}")
        yield from wording_items(ruling)
    if more := and_more(len(others) - MAX_LISTED, "ruling"):
        yield Item(f"… {more}")


def _next(page: ImpactPage) -> Iterator[Block]:
    if readings := [f"{ruling}={reading}" for ruling, reading in page.impact.proposal.readings]:
        yield literal(shlex.join(["parity", "adopt", *readings, *corpus_words(page.corpus)]))


def corpus_words(folder: str) -> list[str]:
    """`--corpus FOLDER`; nothing for the shipped corpus."""
    return ["--corpus", folder] if folder else []
