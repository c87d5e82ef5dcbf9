"""RunRecord → one HTML page that works from disk and loads nothing.

What stands above the cases is text of this module, escaped; the cases travel as JSON and are shown by the page's script,
as text and never as markup. The page's policy allows that script and that style alone.
"""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from html import escape
from pathlib import Path
from string import Template
from typing import Any
from urllib.parse import quote_plus, urlencode

from harness.compare.run_diff import Comparison
from harness.errors import one_line, printable
from harness.model import RunRecord
from harness.report.failure_group_table import MAX_SHOWN, group_table, page_groups
from harness.report.heat_map import heat_map
from harness.report.page_data import MARKS, UNSTABLE, mark, page_data
from harness.report.run_diff_text import only_in_one_record, tally
from harness.report.summary import RunSummary
from harness.report.summary_text import missing_texts, title
from harness.report.text import describe_flaky, describe_incident, plural

_PAGE = Path(__file__).with_name("page")
_SCRIPTS = ("text.js", "detail.js", "filters.js", "browse.js")
_IN_JSON = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def render(summary: RunSummary, changes: Comparison | None = None) -> str:
    """The whole page; with what changed if there is an older record to compare with."""
    record, gate, found = summary.record, summary.gate, page_groups(summary)
    style = (_PAGE / "style.css").read_text("utf-8")
    script = '"use strict";\n' + "".join((_PAGE / name).read_text("utf-8") for name in _SCRIPTS)
    return Template((_PAGE / "page.html").read_text("utf-8")).substitute(
        style=style,
        script=script,
        policy=_policy(style, script),
        title=_text(one_line(_capital(title(summary)))),
        verdict_class="good" if (gate.is_green if gate else summary.is_clean) else "bad",
        when=escape(one_line(record.metadata.started_at)),
        sums=escape(_sums(summary)),
        marks=_marks(record) if gate else "",
        alarms="\n".join(_alarms(summary)),
        implementations="\n".join(_implementations(record)),
        kinds="\n".join(group_table(summary, found)),
        changes="\n".join(_changes(changes, record)) if changes else "",
        heat_map="\n".join(heat_map(summary)),
        data=as_script(page_data(summary, changes, found[:MAX_SHOWN])),
    )


def as_script(value: Any) -> str:
    """`value` as ASCII JSON in which no character can end or begin anything in HTML."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False).translate(_IN_JSON)


def _policy(style: str, script: str) -> str:
    sources = {"script-src": script, "style-src": style}
    allowed = [f"{kind} 'sha256-{_digest(text)}'" for kind, text in sources.items()]
    denied = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'"]
    return "; ".join([*denied, *allowed])


def _digest(text: str) -> str:
    return b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _sums(summary: RunSummary) -> str:
    record = summary.record
    took = "" if record.seconds is None else f", {record.seconds:.1f} s"
    return f"{plural(summary.cases, 'case')}, {plural(len(record.implementations), 'implementation')}{took}"


def _marks(record: RunRecord) -> str:
    """Links to what a gate says is new, and so on: how many results of each."""
    counts = Counter(mark(result, True) for result in record.results)
    links = (f'<a href="#?mark={quote_plus(one)}">{counts[one]} {one}</a>' for one in MARKS if counts[one])
    return f"<p>Show what is {', '.join(links)}.</p>"


def _alarms(summary: RunSummary) -> Iterator[str]:
    """What has to be known before any number is believed."""
    gate = summary.gate
    if gate and gate.unmatched:
        names = ", ".join(f"<code>{_text(one_line(name))}</code>" for name in gate.unmatched)
        yield f'<p class="alarm">The known-divergence file names what the corpus does not have: {names}</p>'
    for sentence in missing_texts(summary):
        yield f'<p class="alarm">{_text(sentence)}</p>'
    for name, reason in summary.not_started.items():
        first, _, rest = reason.partition("\n")
        yield f'<div class="alarm"><p><strong>{_text(name)}</strong> could not be built or started: {_text(first)}</p>'
        yield f"{_output(rest, 'What it printed')}</div>"
    for name, found in summary.flaky.items():
        link = escape(urlencode({"implementation": name, "mark": UNSTABLE}))
        told = _text(describe_flaky(name, len(found)))
        yield f'<p class="alarm">{told}: <a href="#?{link}">{plural(len(found), "case")}</a></p>'
    for incident in summary.record.incidents:
        yield f'<div class="alarm"><p>{_text(describe_incident(incident))}</p>'
        yield f"{_output(chr(10).join(incident.suspects), 'What was in flight')}{_output(incident.stderr, 'Standard error')}"
        yield "</div>"


def _output(text: str, summary: str) -> str:
    if not text.strip():
        return ""
    return f'<details><summary>{summary}</summary><pre tabindex="0">{_text(text.strip())}</pre></details>'


def _text(text: str) -> str:
    return escape(printable(text))


def _implementations(record: RunRecord) -> Iterator[str]:
    """A row for everyone who was asked, and for everyone who was left out."""
    for entry in record.metadata.implementations:
        own = entry.identity
        said = " ".join(filter(None, (own.implementation, own.version))) if own else ""
        runs = " · ".join(filter(None, (own.language, own.runtime, own.source))) if own else ""
        versions = ", ".join(f"{key} {value}" for key, value in own.versions.items()) if own else ""
        cells = (said or "not started", runs, versions)
        yield f'<tr><th scope="row">{_text(entry.name)}</th>{"".join(f"<td>{_text(cell)}</td>" for cell in cells)}</tr>'
    for name, reason in record.skipped:
        yield f'<tr class="left-out"><th scope="row">{_text(name)}</th><td colspan="3">Left out: {_text(reason)}</td></tr>'


def _changes(changes: Comparison, after: RunRecord) -> Iterator[str]:
    """How much changed; which cases did is for the filter."""
    yield '<section aria-labelledby="changes-heading"><h2 id="changes-heading">Since the other record</h2>'
    if not changes.same_corpus:
        yield "<p>The two runs asked from different corpora.</p>"
    yield "<ul>"
    for name, changed in changes.changes.items():
        then, now = changes.versions.get(name, ("", ""))
        version = f" (was {then}, is {now})" if then != now else ""
        yield f"<li><strong>{_text(name)}</strong>{_text(version)}: {_text(tally(changed))}</li>"
    for name, where, why in only_in_one_record(changes, after):
        left_out = f" It was left out of the newer run: {_text(why)}" if why else ""
        yield f"<li><strong>{_text(name)}</strong> is in the {where} record alone.{left_out}</li>"
    yield "</ul></section>"
