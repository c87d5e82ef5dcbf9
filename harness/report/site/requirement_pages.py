"""The page of each requirement, and the lists of them: by specification, and by failing cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct

from ...base.text_limits import MAX_STATEMENT
from ...compare.causes import UNEXPLAINED, causes_or_state
from ...errors import one_line
from ...model import FAILING, Requirement, Ruling, where
from ..phrases import and_more
from ..quotation_text import gone_text
from ..requirement_failures import BrokenRequirement, broken_requirements
from ..suite_counts import section_of
from .catalogue_pages import catalogue
from .contents import Site
from .data_files import Row
from .implementation_pages import cause_path
from .layout import Draft, case_pages
from .site_paths import (
    REQUIREMENTS,
    REQUIREMENTS_BY_FAILURES,
    REQUIREMENTS_UNMET,
    Linked,
    requirement_path,
    ruling_path,
)

_MAX_CAUSES = 3
"""Causes of a requirement in the lists."""

_MAX_CHARGED = 8
"""Requirements that a page names as those which failing cases count for."""

_ORDERS = (
    Linked("order of the specification", REQUIREMENTS),
    Linked("most failing cases first", REQUIREMENTS_BY_FAILURES),
    Linked("that no SDK meets", REQUIREMENTS_UNMET),
)

_BY_FAILURES = "Requirements without a failing case are not in this list. The newest version of each SDK counts."
_UNMET = (
    "Each SDK that was tested on these requirements has a failure that is charged to them. The newest version of each SDK "
    "counts."
)


class _Failures(Struct, frozen=True):
    """The failures on the cases of a requirement. `causes` has the failing cases that it explains by cause and column;
    `elsewhere` the other requirements that its further failing cases count for, with these cases."""

    causes: dict[str, Counter[int]]
    charged: Counter[int]
    elsewhere: dict[str, set[str]]

    @property
    def ordered(self) -> list[tuple[str, Counter[int]]]:
        """The causes, the most frequent first."""
        return sorted(self.causes.items(), key=lambda item: (item[0] == UNEXPLAINED, -item[1].total(), item[0]))


def requirement_pages(site: Site) -> Iterator[Draft]:
    """A page for each requirement, and the lists of requirements."""
    about: dict[str, list[Ruling]] = {}
    for ruling in site.rulings.values():
        for id_ in ruling.requirements:
            about.setdefault(id_, []).append(ruling)
    by_section = _failing_by_section(site)
    rows: list[tuple[int, dict[str, Any]]] = []
    for id_, requirement in site.requirements.items():
        cases = site.by_requirement.get(id_, [])
        failures = _failures(site, id_, cases)
        rows.append((sum(failures.charged[number] for number in site.newest), _row(site, id_, requirement, failures)))
        yield from case_pages(
            site,
            requirement_path(id_),
            "requirement",
            cases,
            title=id_,
            crumbs=[Linked("Requirements", REQUIREMENTS)],
            found=requirement,
            gone_text=gone_text,
            quotation=site.quotation(requirement),
            counted=(counted := site.counts(cases)),
            ran=[*site.by_age(number for number, counts in enumerate(counted) if counts)],
            not_run=[column.label for column, counts in zip(site.columns, counted, strict=True) if not counts],
            failures=failures,
            columns=site.columns,
            cause_path=partial(cause_path, site),
            elsewhere=_charged_text(failures.elsewhere),
            related=_charged_text(
                _related(site, cases, by_section) if requirement.positive_only and not failures.charged else {}
            ),
            sections=_sections(cases),
            rulings=[Linked(ruling.id, ruling_path(ruling.id), ruling.title) for ruling in about.get(id_, ())],
        )
    fails = [f"{name} fails" for name in site.newest_names]
    facts = ["level", "cases", *fails]
    listed = {row["id"]: row for _, row in rows}
    broken = [row for count, row in sorted(rows, key=lambda item: -item[0]) if count]
    unmet = [listed[broke.requirement] for broke in _broken(site) if broke.by_all and broke.requirement in listed]
    for path, title, of_page, note in (
        (REQUIREMENTS, "Requirements", [row for _, row in rows], ""),
        (REQUIREMENTS_BY_FAILURES, "Requirements with failing cases", broken, _BY_FAILURES),
        (REQUIREMENTS_UNMET, "Requirements that no SDK meets", unmet, _UNMET),
    ):
        yield from catalogue(path, title, facts, {"": of_page}, note, _ORDERS, ["cases", *fails])


def requirement_rows(site: Site) -> list[Row]:
    """The requirements as data, in the order of the specification."""
    charged = charged_by_requirement(site)
    return [
        {
            "requirement": id_,
            "level": requirement.level,
            "document": requirement.document,
            "section": requirement.section,
            "statement": one_line(requirement.statement, MAX_STATEMENT),
            "cases": len(site.by_requirement.get(id_, ())),
            **{f"{site.columns[number].family} fails": charged.get(id_, Counter())[number] for number in site.newest},
        }
        for id_, requirement in site.requirements.items()
    ]


def charged_by_requirement(site: Site) -> Mapping[str, Counter[int]]:
    """The failing answers that are charged to each requirement, by number of column."""
    charged: dict[str, Counter[int]] = {}
    for case in site.cases.values():
        for number, outcome in case.results.items():
            for id_ in outcome.charged:
                charged.setdefault(id_, Counter())[number] += 1
    return charged


def _broken(site: Site) -> list[BrokenRequirement]:
    """The requirements that answers of the newest versions charge."""
    newest = [site.columns[number] for number in site.newest]
    return broken_requirements({column.label: where(column.record.results, names={column.name}) for column in newest})


def _failures(site: Site, id_: str, cases: Sequence[str]) -> _Failures:
    found = _Failures({}, Counter(), {})
    for name in cases:
        case = site.cases[name]
        for number, outcome in case.results.items():
            if outcome.verdict not in FAILING:
                continue
            if id_ in outcome.charged:
                found.charged[number] += 1
                for cause in causes_or_state(outcome, site.rulings):
                    found.causes.setdefault(cause, Counter())[number] += 1
            else:
                for other in outcome.charged:
                    found.elsewhere.setdefault(other, set()).add(name)
    return found


def _failing_by_section(site: Site) -> dict[str, dict[str, set[str]]]:
    """The failing cases by section, and by the requirements that they count for."""
    found: dict[str, dict[str, set[str]]] = {}
    for case in site.cases.values():
        for outcome in case.results.values():
            for id_ in outcome.charged:
                found.setdefault(section_of(case.suite), {}).setdefault(id_, set()).add(case.name)
    return found


def _sections(cases: Sequence[str]) -> list[str]:
    return sorted({section_of(name.rpartition("/")[0]) for name in cases})


def _related(site: Site, cases: Sequence[str], by_section: dict[str, dict[str, set[str]]]) -> dict[str, set[str]]:
    """The failing cases of the same sections, by the requirements that they count for."""
    found: dict[str, set[str]] = {}
    for section in _sections(cases):
        for id_, names in by_section.get(section, {}).items():
            if id_ in site.requirements:
                found.setdefault(id_, set()).update(names)
    return found


def _charged_text(cases: dict[str, set[str]]) -> dict[str, Any]:
    """The number of failing cases, and the requirements that they count for, the most frequent first."""
    ordered = sorted(cases.items(), key=lambda item: (-len(item[1]), item[0]))
    return {
        "count": len({name for names in cases.values() for name in names}),
        "to": [Linked(id_, requirement_path(id_), f"{len(names):,}") for id_, names in ordered[:_MAX_CHARGED]],
        "more": max(0, len(ordered) - _MAX_CHARGED),
    }


def _row(site: Site, id_: str, found: Requirement, failures: _Failures) -> dict[str, Any]:
    """A requirement in the lists: its failing cases by SDK, and its first causes with the SDKs that have them."""
    causes = [
        (Linked(cause, ruling_path(ruling) if (ruling := cause.partition("=")[0]) in site.rulings else ""), who)
        for cause, counts in failures.ordered
        if (
            who := [
                Linked(site.columns[number].family, cause_path(site, site.columns[number], cause))
                for number in site.newest
                if counts[number]
            ]
        )
    ]
    return {
        "id": id_,
        "path": requirement_path(id_),
        "title": one_line(found.statement, MAX_STATEMENT),
        "facts": [
            found.level,
            len(site.by_requirement.get(id_, ())) or "",
            *(failures.charged[number] or "" for number in site.newest),
        ],
        "causes": causes[:_MAX_CAUSES],
        "more": and_more(len(causes) - _MAX_CAUSES),
    }
