"""A run record → one HTML file of the site's parts: the run, each implementation, and the cases that someone answers
otherwise. It loads nothing, works from disk, and needs no script to be read.

Links between the parts lead to places of the file. The page's policy allows its one script and its one style.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from msgspec import Struct

from ...compare.causes import verdict_text
from ...compare.run_diff import Comparison
from ...errors import one_line, plural
from ...gate.summary import RED_STATUSES, has_unwritten_reason, status_of
from ...model import RecordedResult, Status, supported
from ..documented import documented_text
from ..failure_spans import short_text
from ..phrases import made_by_text
from ..result_text import describe_flaky, describe_incident, describe_skipped
from ..run_summary import RunSummary, urgency_of
from ..summary_text import gate_defects, missing_texts, title
from ..templates import stream_template, trusted
from ..terminal.run_diff_text import unlike_texts
from .answers import Size, shown
from .case_pages import case_drafts, reading_text, statement
from .contents import Site, SiteCase, SiteInput
from .implementation_pages import changes_of, version_lists, version_page
from .layout import content, draw
from .site_paths import fixture_path, requirement_path, ruling_path
from .suite_pages import section_rows

if TYPE_CHECKING:
    from markupsafe import Markup

_FOLDER = Path(__file__).parent

_MAX_CASES = 2_000
"""Cases in the file, the most urgent first."""

_SIZES = (Size(60, 600, 20, 300), Size(20, 160, 6, 120), Size(8, 60, 2, 60))
_MAX_CASE = 12_000
"""Characters of a case, as far as its smallest form allows."""

_FLAKY, _WAITING = "flaky", "without a reason"
_URGENT = (*RED_STATUSES, _WAITING, _FLAKY)
"""The marks of results that a reader looks at first."""


class _Result(Struct, frozen=True):
    """One result of a case in the list: the column, its verdict, its mark and its change since an older record."""

    label: str
    verdict: str
    text: str
    mark: str
    change: str

    @property
    def filters(self) -> list[str]:
        """The choices of the filter that it meets."""
        changed = f"{self.label} {self.change}" if self.change else ""
        return [one_line(choice) for choice in (f"{self.label} {self.verdict}", self.mark, changed) if choice]


def render(summary: RunSummary, changes: Comparison | None = None) -> str:
    """The whole file, with the changes since an older record if there is one."""
    return "".join(stream(summary, changes))


def stream(summary: RunSummary, changes: Comparison | None = None) -> Iterator[str]:
    """The file in pieces; its cases are read from the record one after the other."""
    headline = one_line(title(summary))
    headline = headline[:1].upper() + headline[1:]
    style = (_FOLDER / "style.css").read_text("utf-8")
    script = "".join((_FOLDER / name).read_text("utf-8") for name in ("site.js", "filter.js"))
    return stream_template(
        "site/base.html.jinja",
        style=trusted(style),
        script=trusted(script),
        policy=trusted(_policy(style, script)),
        title=headline,
        crumbs=(),
        content=_content(summary, changes, headline),
    )


def _policy(style: str, script: str) -> str:
    denied = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'"]
    return "; ".join([*denied, f"script-src 'sha256-{_digest(script)}'", f"style-src 'sha256-{_digest(style)}'"])


def _digest(text: str) -> str:
    return b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _content(summary: RunSummary, changes: Comparison | None, headline: str) -> Iterator[Markup]:
    site = Site(SiteInput(records=[summary.record]), [summary])
    changed = {
        (edit.result.case, name): edit.change.value
        for name, edits in (changes.changes if changes else {}).items()
        for edit in edits
    }
    results = {name: _results(site, case, changed) for name, case in site.cases.items()}
    cases = [case for name, case in site.cases.items() if case.has_page or _is_urgent(results[name])]
    cases.sort(key=lambda case: _order(case, results[case.name]))
    listed = cases[:_MAX_CASES]
    lists = {column.label: [*version_lists(site, column)] for column in site.columns}
    places = {column.path: column.path for column in site.columns}
    places |= {listed.path: listed.path for rows in lists.values() for listed in rows}
    places |= {case.path: case.name for case in listed}

    defined = {ruling_path(id_) for id_ in site.rulings} | {requirement_path(id_) for id_ in site.requirements}
    defined |= {fixture_path(digest) for digest in site.fixtures}
    used: set[str] = set()

    def to(path: str) -> str:
        if path in defined:
            used.add(path)
            return f"#{quote(path)}"
        return f"#{quote(places[path])}" if path in places else ""

    def drawn(template: str, **values: Any) -> Markup:
        return draw(template, to=to, level=1, **values)

    yield drawn(
        "run",
        title=headline,
        good=summary.gate.is_green if summary.gate else summary.is_clean,
        summary=summary,
        record=summary.record,
        defects=gate_defects(summary.gate) if summary.gate else (),
        missing=missing_texts(summary),
        describe_flaky=describe_flaky,
        describe_skipped=describe_skipped,
        describe_incident=describe_incident,
        plural=plural,
        made_by_text=made_by_text,
        families=site.families,
        marks=[
            (mark, [site.link(case.name) for case in found])
            for mark in (*_URGENT, Status.KNOWN)
            if (found := [case for case in listed if any(result.mark == mark for result in results[case.name])])
        ],
        changes=_changes(site, changes, summary) if changes else None,
        labels=[column.label for column in site.columns],
        tables=[rows if any(map(supported, rows[0].counts)) else rows[:1] for rows in section_rows(site)],
    )
    for column in site.columns:
        page = version_page(site, column)
        yield drawn("version", page=page, content=content(page, to, 2), lists=lists[column.label], link=site.link)
    filters = dict.fromkeys(choice for case in listed for result in results[case.name] for choice in result.filters)
    yield drawn("filter", filters=sorted(filters), count=len(listed), more=len(cases) - len(listed))
    for case in listed:
        yield _case(site, case, results[case.name], to)
    yield drawn("glossary", **_glossary(site, used))


def _case(site: Site, case: SiteCase, results: Sequence[_Result], to: Callable[[str], str]) -> Markup:
    """A case of the list: its name, its results and its first difference, and the contents of its page folded below."""
    for draft in case_drafts(site, case, _SIZES):
        made = content(draft, to, 2)
        if len(made) <= _MAX_CASE:
            break
    names = {"name": case.name, "suite": case.suite, "id": case.id}
    told = [answer.who[0] for answer in draft.values["answers"] if answer.differences or answer.reason]
    why = short_text(told[0].result, told[0].column.record) if told else ""
    return draw("folded", **names, results=results, why=why, content=made)


def _glossary(site: Site, used: Set[str]) -> dict[str, Any]:
    """The rulings, the requirements and the fixtures that other parts of the file lead to."""
    return {
        "rulings": [
            {
                "path": ruling_path(id_),
                "id": id_,
                "title": ruling.title,
                "readings": [reading_text(ruling, name) for name in ruling.readings],
                "why": ruling.why.strip(),
                "documented": documented_text(ruling.documented) if ruling.documented else "",
            }
            for id_, ruling in site.rulings.items()
            if ruling_path(id_) in used
        ],
        "requirements": [statement(site, id_) for id_ in site.requirements if requirement_path(id_) in used],
        "fixtures": [
            (fixture_path(digest), fixture.name, shown(fixture.value, _SIZES[0]))
            for digest, fixture in site.fixtures.items()
            if fixture_path(digest) in used
        ],
    }


def _results(site: Site, case: SiteCase, changed: Mapping[tuple[str, str], str]) -> list[_Result]:
    found = []
    for number, outcome in sorted(case.results.items()):
        column = site.columns[number]
        mark = _mark(outcome, column.summary.gate is not None)
        change = changed.get((case.name, column.name), "")
        found.append(_Result(column.label, outcome.verdict.value, verdict_text(outcome), mark, change))
    return found


def _mark(outcome: RecordedResult, in_gate: bool) -> str:
    """The mark of a result beside its verdict: flaky, or its status in a gate."""
    if outcome.is_flaky:
        return _FLAKY
    if has_unwritten_reason(outcome):
        return _WAITING
    return status_of(outcome) or "" if in_gate else ""


def _is_urgent(results: Sequence[_Result]) -> bool:
    return any(result.mark in _URGENT for result in results)


def _order(case: SiteCase, results: Sequence[_Result]) -> tuple[bool, int, int]:
    """New failures of a gate first; then errors, other failures and variants."""
    errors = min(urgency_of(outcome.kind) for outcome in case.results.values())
    return not _is_urgent(results), case.urgency, errors


def _changes(site: Site, changes: Comparison, summary: RunSummary) -> Mapping[str, Any]:
    """The changes since the older record, by implementation."""
    columns = {column.name: column for column in site.columns}
    return {
        "unlike": list(unlike_texts(changes, summary.record)),
        "implementations": [
            (name, changes_of(site, None, columns.get(name), changed)) for name, changed in changes.changes.items()
        ],
    }
