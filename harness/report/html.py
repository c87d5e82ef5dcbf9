"""RunRecord → one HTML page that works from disk and loads nothing.

The template holds all above the list of cases; the cases travel as JSON, and the page's script shows them as text, never
as markup. The page's policy allows that one script and that one style.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from ..compare.run_diff import Comparison
from ..errors import one_line
from ..model import RunRecord, rows
from .description_table import description_tables
from .failure_group_table import MAX_SHOWN, group_tables, page_groups
from .failure_groups import FailureGroup
from .heat_map import heat_map
from .page_data import FLAKY, MARKS, mark, page_cases, page_catalogues
from .phrases import plural
from .run_diff_text import only_in_one_record, tally, unselected_text
from .summary import RunSummary
from .summary_text import answered_texts, missing_texts, profile_texts, rate_texts, title
from .templates import as_script, stream_template, trusted
from .text import describe_flaky, describe_incident

_FOLDER = Path(__file__).with_name("page")
_SCRIPTS = ("text.js", "detail.js", "filters.js", "browse.js")


def render(summary: RunSummary, changes: Comparison | None = None) -> str:
    """The whole page, with the changes since an older record if there is one."""
    return "".join(stream(summary, changes))


def stream(summary: RunSummary, changes: Comparison | None = None) -> Iterator[str]:
    """The page in pieces; its cases are read from the record one after the other."""
    record, gate, groups = summary.record, summary.gate, page_groups(summary)
    headline = one_line(title(summary))
    style = (_FOLDER / "style.css").read_text("utf-8")
    script = '"use strict";\n' + "".join((_FOLDER / name).read_text("utf-8") for name in _SCRIPTS)
    return stream_template(
        "page/page.html.jinja",
        style=trusted(style),
        script=trusted(script),
        policy=trusted(_policy(style, script)),
        title=headline[:1].upper() + headline[1:],
        good=gate.is_green if gate else summary.is_clean,
        started_at=one_line(record.metadata.started_at),
        totals=_totals(summary),
        marks=list(_marks(record)) if gate else [],
        unmatched=[one_line(name) for name in gate.unmatched] if gate else [],
        new_paths=gate.new_paths if gate else (),
        stale_paths=gate.stale_paths if gate else (),
        missing=missing_texts(summary),
        answered=[*answered_texts(summary), *profile_texts(summary), *rate_texts(summary)],
        not_started=list(_not_started(summary)),
        flaky=list(_flaky(summary)),
        incidents=list(_incidents(record)),
        groups=group_tables(summary, groups),
        descriptions=description_tables(record),
        heat=heat_map(summary),
        changes=_changes(changes, record) if changes else None,
        implementations=list(_implementations(record)),
        not_tested=[(one.name, one.reason) for one in record.skipped],
        data=_data(summary, changes, groups[:MAX_SHOWN]),
    )


def _data(summary: RunSummary, changes: Comparison | None, groups: Sequence[FailureGroup]) -> Iterator[str]:
    """The value that the scripts read, as JSON in pieces."""
    yield as_script(page_catalogues(summary, groups))[:-1] + trusted(',"cases":[')
    for number, case in enumerate(page_cases(summary, changes, groups)):
        yield trusted("," if number else "") + as_script(case)
    yield trusted("]}")


def _policy(style: str, script: str) -> str:
    sources = {"script-src": script, "style-src": style}
    allowed = [f"{kind} 'sha256-{_digest(text)}'" for kind, text in sources.items()]
    denied = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'"]
    return "; ".join([*denied, *allowed])


def _digest(text: str) -> str:
    return b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _totals(summary: RunSummary) -> str:
    record = summary.record
    seconds = "" if record.seconds is None else f", {record.seconds:.1f} s"
    return f"{plural(summary.cases, 'case')}, {plural(len(record.implementations), 'implementation')}{seconds}"


def _marks(record: RunRecord) -> Iterator[Mapping[str, Any]]:
    """Each mark that results of a gate have, with their number."""
    counts = Counter(mark(outcome, True) for _, _, outcome in rows(record.results))
    yield from ({"name": one, "count": counts[one], "query": urlencode({"mark": one})} for one in MARKS if counts[one])


def _not_started(summary: RunSummary) -> Iterator[Mapping[str, str]]:
    for name, reason in summary.not_started.items():
        first, _, rest = reason.partition("\n")
        yield {"name": name, "reason": first, "output": rest}


def _flaky(summary: RunSummary) -> Iterator[Mapping[str, str]]:
    for name, found in summary.flaky.items():
        query = urlencode({"implementation": name, "mark": FLAKY})
        yield {"text": describe_flaky(name, len(found)), "query": query}


def _incidents(record: RunRecord) -> Iterator[Mapping[str, str]]:
    for one in record.incidents:
        yield {"text": describe_incident(one), "suspects": "\n".join(one.suspects), "stderr": one.stderr}


def _implementations(record: RunRecord) -> Iterator[Mapping[str, str]]:
    for entry in record.metadata.implementations:
        own = entry.identity
        yield {
            "name": entry.name,
            "implementation": one_line(f"{own.implementation} {own.version}".strip()) if own else "not started",
            "runtime": one_line(" · ".join(filter(None, (own.language, own.runtime, own.source)))) if own else "",
            "versions": one_line(", ".join(f"{key} {value}" for key, value in own.versions.items())) if own else "",
        }


def _changes(changes: Comparison, after: RunRecord) -> Mapping[str, Any]:
    """The number of changes by kind; the filter shows the cases."""
    implementations = []
    for name, changed in changes.changes.items():
        then, now = changes.versions.get(name, ("", ""))
        version = f" (was {then}, is {now})" if then != now else ""
        implementations.append({"name": name, "version": version, "counts": tally(changed)})
    only = only_in_one_record(changes, after)
    return {
        "same_corpus": changes.same_corpus,
        "unselected": unselected_text(changes),
        "implementations": implementations,
        "in_one_record": [{"name": name, "where": where, "reason": why} for name, where, why in only],
    }
