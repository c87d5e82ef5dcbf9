"""The page of agreement: implementations × implementations, how the answers relate, and where and why they differ."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import combinations
from typing import Any, TypeAlias

from msgspec import Struct

from ...compare.causes import UNEXPLAINED, causes_or_state, names_of
from ...model import EXPECTED, REFERENCE, Choice, RecordedResult, Verdict
from ..agreement import Agreement, AgreementKind, GivenAnswer, agreement_of, answer_of, are_same, groups_of
from .case_pages import reading_state
from .contents import Column, Site, SiteCase
from .data_files import Row
from .implementation_pages import cause_path
from .layout import Draft, case_pages, draft
from .site_paths import AGREEMENT, Linked, operation_path, path_of, ruling_path

_GROUPS: Mapping[str, str] = {
    AgreementKind.SAME_DIVERGENCE: "All implementations that answer give the same answer, but not the expected one.",
    AgreementKind.SAME_READING: "All implementations that answer follow the same reading, which is open and not adopted.",
    AgreementKind.ALL_DIFFER: "No implementation gives the expected answer, and their answers differ.",
}
_SOME = "Each other implementation that answers gives another answer than the expected one."
_MAX_CAUSES = 4
"""Causes that the table names for an operation."""


class SiteAgreement(Struct, frozen=True):
    """The answers to each case by number of column, without the reference; `found` is the agreement of the newest versions,
    by their names without versions, and `differing` the cases that these answer differently."""

    columns: Sequence[int]
    newest: Sequence[int]
    answers: Mapping[str, Mapping[int, GivenAnswer]]
    found: Agreement
    differing: Set[str]

    def of_newest(self, case: str) -> Mapping[int, GivenAnswer]:
        """The answers of the newest versions to a case."""
        return {number: answer for number, answer in self.answers[case].items() if number in self.newest}


def site_agreement(site: Site) -> SiteAgreement:
    """The agreement of the versions on the site."""
    columns = [number for number, column in enumerate(site.columns) if column.family != REFERENCE]
    answers = {case.name: _answers(site, case, columns) for case in site.cases.values()}
    newest = site.newest
    names = {number: site.columns[number].family for number in newest}
    by_name = {
        case: {names[number]: answer for number, answer in given.items() if number in names}
        for case, given in answers.items()
    }
    differing = {case for case, given in by_name.items() if not are_same(given.values())}
    return SiteAgreement(columns, newest, answers, agreement_of(by_name.items(), names.values()), differing)


def _answers(site: Site, case: SiteCase, columns: Sequence[int]) -> dict[int, GivenAnswer]:
    """The answers to a case. If runs used different corpora, those to an older form of the case are no answers."""
    numbers = [number for number in columns if number in case.results]
    if len({site.columns[number].record.metadata.corpus_digest for number in numbers}) > 1:
        newest = max(numbers, key=lambda number: site.columns[number].record.metadata.started_at)
        form = site.form(case, newest)
        numbers = [number for number in numbers if site.form(case, number) == form]
    found = {number: answer_of(site.columns[number].record, case.results[number]) for number in numbers}
    return {number: answer for number, answer in found.items() if answer is not None}


PairRow: TypeAlias = "tuple[Column, Sequence[tuple[str, int, int]]]"
"""A column beside the specification and the columns: of each the label, the number of equal answers, and the number of cases
that both answer; it is 0 for the column itself."""


class ParityRow(Struct, frozen=True):
    """Columns by their numbers, the number of cases that all of them answer, and of those to which they give one
    answer. `is_newest`: all are newest versions."""

    columns: tuple[int, ...]
    equal: int
    compared: int
    is_newest: bool


def parity_rows(site: Site, made: SiteAgreement) -> list[ParityRow]:
    """How often the newest versions give one answer, all together and two by two; then the same of each older version with
    the newest ones of the others."""
    groups = _together(made.newest)
    for older in made.columns:
        if older not in made.newest:
            family = site.columns[older].family
            others = [number for number in made.newest if site.columns[number].family != family]
            groups += [group for group in _together([older, *others]) if older in group]
    counted = _counted(made, groups)
    return [ParityRow(group, *counted[group], set(group) <= {*made.newest}) for group in groups]


def parity_data(site: Site, made: SiteAgreement) -> list[Row]:
    """These rows as data."""
    return [
        {
            "versions": " + ".join(site.columns[number].label for number in row.columns),
            "one answer": row.equal,
            "compared": row.compared,
        }
        for row in parity_rows(site, made)
    ]


def _together(columns: Sequence[int]) -> list[tuple[int, ...]]:
    """All of the columns, then each two of them."""
    pairs: list[tuple[int, ...]] = list(combinations(columns, 2))
    return [tuple(columns), *pairs] if len(columns) > 2 else pairs


def _counted(made: SiteAgreement, groups: Sequence[tuple[int, ...]]) -> dict[tuple[int, ...], tuple[int, int]]:
    """For each group of columns the cases with one answer, and the cases that all of them answer."""
    equal: Counter[tuple[int, ...]] = Counter()
    compared: Counter[tuple[int, ...]] = Counter()
    for given in made.answers.values():
        for group in groups:
            if all(number in given for number in group):
                compared[group] += 1
                equal[group] += are_same([given[number] for number in group])
    return {group: (equal[group], compared[group]) for group in groups}


def pair_rows(site: Site, made: SiteAgreement) -> list[PairRow]:
    """The equal answers of each column: with the specification, then with each column."""
    counted = _counted(made, list(combinations(made.columns, 2)))
    counted |= {(number, other): counts for (other, number), counts in counted.items()}
    rows: list[PairRow] = []
    for number in made.columns:
        own = [given[number].matches for given in made.answers.values() if number in given]
        cells = [(site.columns[other].label, *counted.get((number, other), (0, 0))) for other in made.columns]
        rows.append((site.columns[number], [("the specification", sum(own), len(own)), *cells]))
    return rows


def agreement_pages(site: Site, made: SiteAgreement) -> Iterator[Draft]:
    """The page, and a list of cases for each way in which answers differ from each other or from the specification."""
    crumbs = [Linked("Agreement", AGREEMENT)]
    groups = []
    for slug, words, cases in groups_of(made.found):
        path = path_of("agreement", slug) if cases is not made.found.matching else ""
        groups.append({"words": words, "count": len(cases), "path": path})
        if path:
            title = f"{words[0].upper()}{words[1:]}"
            yield from case_pages(site, path, "part", cases, title=title, crumbs=crumbs, text=_GROUPS.get(slug, _SOME))
    yield draft(
        AGREEMENT,
        "agreement",
        title="Agreement",
        labels=[site.columns[number].label for number in made.columns],
        rows=pair_rows(site, made),
        names=made.found.names,
        cases=made.found.cases,
        groups=groups,
        operations=_operations(site, made),
        several=len(made.columns) > len(made.newest),
    )


def _operations(site: Site, made: SiteAgreement) -> list[dict[str, Any]]:
    """The operations with cases that the newest versions answer differently, and the causes; most cases first."""
    compared: Counter[str] = Counter()
    differing: dict[str, list[str]] = defaultdict(list)
    for case in made.answers:
        operation = site.cases[case].facts.operation
        compared[operation] += len(made.of_newest(case)) > 1
        if case in made.differing:
            differing[operation].append(case)
    return [
        {
            "name": name,
            "path": operation_path(name),
            "compared": compared[name],
            "differing": len(cases),
            "causes": _causes(site, made, cases),
        }
        for name, cases in sorted(differing.items(), key=lambda item: -len(item[1]))
    ]


def _causes(site: Site, made: SiteAgreement, cases: Sequence[str]) -> list[dict[str, Any]]:
    """The causes of different answers, the most frequent first, each with the versions and their numbers of cases."""
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    for case in cases:
        for number in made.of_newest(case):
            for name in _names(site.columns[number], site.cases[case].results[number]):
                counts[name][number] += 1
    ordered = sorted(counts.items(), key=lambda item: (item[0] == UNEXPLAINED, -max(item[1].values())))
    return [
        {
            "name": name,
            **_described(site, name, next(iter(who))),
            "who": [
                Linked(f"{site.columns[number].family} {count:,}", cause_path(site, site.columns[number], name))
                for number, count in who.most_common()
            ],
        }
        for name, who in ordered[:_MAX_CAUSES]
    ]


def _names(column: Column, outcome: RecordedResult) -> Sequence[str]:
    """The readings of a variant, the causes of a failure; none for a pass."""
    if outcome.verdict in EXPECTED:
        return ()
    if outcome.verdict is Verdict.VARIANT:
        return names_of(Choice(outcome.readings))
    return causes_or_state(outcome, column.record.metadata.rulings)


def _described(site: Site, name: str, number: int) -> dict[str, str]:
    """The page, the state and the words of a cause: those of the reading, or the reason of the deviation."""
    id_, _, reading = name.partition("=")
    ruling = site.rulings.get(id_)
    if ruling and reading in ruling.readings:
        state = reading_state(ruling, reading)
        words = f"{ruling.title.strip()}: {ruling.readings[reading].strip()}"
        return {"path": ruling_path(id_), "state": state, "text": words}
    described = site.description(site.columns[number])
    reasons = {cause.name: cause.reason for cause in described.causes} if described else {}
    return {"path": "", "state": "", "text": reasons.get(name, "")}
