"""Known divergences: what a gate expects of one implementation, and how a run compares with it. Pure.

A known-divergence file has `divergences`, a list of entries that share a reason, each with the cases that it explains and
their signatures; and `unsupported`, a reason for each operation or case that the implementation cannot be asked.
docs/known-divergences.md is its page for readers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum

from harness.corpus.entries import Entry, described
from harness.corpus.strict_yaml import Mapping as YamlMapping
from harness.corpus.strict_yaml import Sequence as YamlSequence
from harness.errors import Problem, one_line
from harness.model import FAILING, Json, Verdict

TODO = "TODO"
"""The reason that `--write-known` leaves for the user to replace; a gate refuses it."""

_SIGNATURE = re.compile(r"[0-9a-f]{12}")
_FILE_KEYS = frozenset({"divergences", "unsupported"})
_ENTRY_KEYS = frozenset({"reason", "link", "owner", "since", "expires", "cases"})


class Status(StrEnum):
    """How a result, or an entry, stands to what was expected. All but `known` fail a gate."""

    KNOWN = "known"
    NEW = "new"
    STALE = "stale"
    UNMATCHED = "unmatched"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """One reason and the cases that it explains: full name → the signatures seen of it."""

    reason: str
    cases: Mapping[str, tuple[str, ...]]
    link: str = ""
    owner: str = ""
    since: str = ""
    expires: str = ""
    at: str = ""
    lines: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Known:
    """A whole file. `unsupported` maps an operation or a full case name to its reason."""

    entries: tuple[Explanation, ...] = ()
    unsupported: Mapping[str, str] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)
    shown: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """One result, as far as a gate looks at it."""

    case: str
    operation: str
    verdict: Verdict
    signature: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that fails a gate: what it is about, how it stands, and a sentence with the remedy."""

    status: Status
    name: str
    place: str
    sentence: str


def read_known(value: Json, shown: str) -> tuple[Known, list[Problem]]:
    """A known-divergence file's value, and every problem in it."""
    problems: list[Problem] = []
    if value is None:
        return Known(shown=shown), problems
    if not isinstance(value, YamlMapping):
        place = f"{shown}:1"
        return Known(), [
            Problem(place, f"The file holds {described(value)}.", "Write `divergences:` and `unsupported:`.")
        ]
    head = Entry(value, shown, problems)
    head.refuse_unknown(_FILE_KEYS, "a known-divergence file")
    listed = value.get("divergences", YamlSequence())
    if not isinstance(listed, YamlSequence):
        head.problem("divergences", f"divergences is {described(listed)}, not a list.", "Write `- reason: …` below it.")
        listed = YamlSequence()
    entries = []
    for item, line in zip(listed, listed.item_lines, strict=True):
        if isinstance(item, YamlMapping):
            entries.append(_read_entry(Entry(item, shown, problems, line=line)))
        else:
            message = f"An entry is {described(item)}, not a mapping."
            problems.append(Problem(f"{shown}:{line}", message, "Write `- reason: …`."))
    unsupported = head.object("unsupported", required=False)
    inner = head.inner(unsupported) if unsupported is not None else None
    reasons = {name: _reason(inner, name) for name in inner.mapping} if inner is not None else {}
    lines = dict(inner.mapping.key_lines) if inner is not None else {}
    _check_twice(entries, shown, problems)
    return Known(tuple(entries), reasons, lines, shown), problems


def _reason(entry: Entry, key: str) -> str:
    reason = entry.text(key)
    if reason.strip().upper() == TODO:
        entry.problem(key, "The reason is still TODO.", "Say in a sentence why this is expected.")
    return reason


def _read_entry(entry: Entry) -> Explanation:
    entry.refuse_unknown(_ENTRY_KEYS, "an entry")
    cases = entry.object("cases")
    inner = entry.inner(cases) if cases is not None else None
    dates = {key: _date(entry, key) for key in ("since", "expires")}
    return Explanation(
        reason=_reason(entry, "reason"),
        cases={name: _signatures(inner, name) for name in inner.mapping} if inner is not None else {},
        link=entry.text("link", required=False),
        owner=entry.text("owner", required=False),
        at=f"{entry.shown}:{entry.line}",
        lines=dict(inner.mapping.key_lines) if inner is not None else {},
        **dates,
    )


def _date(entry: Entry, key: str) -> str:
    text = entry.text(key, required=False)
    try:
        if text:
            date.fromisoformat(text)
    except ValueError:
        entry.problem(key, f"{key} is {one_line(text, 40)}, not a date.", "Write YYYY-MM-DD.")
        return ""
    return text


def _signatures(entry: Entry, name: str) -> tuple[str, ...]:
    value = entry.mapping[name]
    listed = value if isinstance(value, list) else [value]
    found = tuple(item for item in listed if isinstance(item, str) and _SIGNATURE.fullmatch(item))
    if not listed or len(found) != len(listed):
        entry.problem(
            name, f"{one_line(name, 80)} has no signature of 12 hex digits.", "Quote it, as the gate printed it."
        )
    return found


def _check_twice(entries: Sequence[Explanation], shown: str, problems: list[Problem]) -> None:
    first: dict[str, str] = {}
    for entry in entries:
        for name, line in entry.lines.items():
            place = f"{shown}:{line}"
            if name in first:
                problems.append(Problem(place, f"{name} is explained at {first[name]} too.", "Keep it in one entry."))
            first.setdefault(name, place)


def expectation(known: Known, seen: Seen, today: date) -> tuple[Status, str] | None:
    """How one result stands to what is known of it, with the reason; nothing for a result that needs no explaining."""
    entry = next((one for one in known.entries if seen.case in one.cases), None)
    if seen.verdict is Verdict.UNSUPPORTED:
        reason = known.unsupported.get(seen.case) or known.unsupported.get(seen.operation)
        return (Status.KNOWN, reason) if reason else (Status.NEW, "unsupported, and not known to be")
    if seen.verdict not in FAILING:
        return (Status.STALE, entry.reason) if entry else None
    if entry is None:
        return Status.NEW, "not known to diverge"
    if seen.signature not in entry.cases[seen.case]:
        return Status.NEW, "known to diverge, but in another way"
    if entry.expires and date.fromisoformat(entry.expires) < today:
        return Status.EXPIRED, entry.reason
    return Status.KNOWN, entry.reason


def findings(known: Known, results: Sequence[Seen], corpus: Iterable[tuple[str, str]], today: date) -> list[Finding]:
    """All that fails the gate. `corpus` is the full name and the operation of every case, selected or not."""
    operation_of = dict(corpus)
    selected = {seen.case: seen for seen in results}
    found = [finding for seen in results if (finding := _result_finding(known, seen, today))]
    for entry in known.entries:
        for name in entry.cases:
            if name not in operation_of:
                found.append(_unmatched(known, name, entry.lines.get(name)))
    return found + list(_unsupported_findings(known, selected, operation_of))


def _result_finding(known: Known, seen: Seen, today: date) -> Finding | None:
    stands = expectation(known, seen, today)
    if stands is None or stands[0] is Status.KNOWN:
        return None
    status, reason = stands
    entry = next((one for one in known.entries if seen.case in one.cases), None)
    place = f"{known.shown}:{entry.lines[seen.case]}" if entry else ""
    sentences = {
        Status.STALE: f"it is {seen.verdict} now: delete this line",
        Status.EXPIRED: f"its entry expired on {entry.expires if entry else ''}: mend it, or set a later date with a reason",
        Status.NEW: f"{seen.verdict}, {reason}" + (f" (signature {seen.signature})" if seen.signature else ""),
    }
    return Finding(status, seen.case, place, sentences[status])


def _unmatched(known: Known, name: str, line: int | None) -> Finding:
    place = f"{known.shown}:{line}" if line else known.shown
    return Finding(
        Status.UNMATCHED, name, place, "no such case or operation in the corpus: correct or delete this line"
    )


def _unsupported_findings(
    known: Known, selected: Mapping[str, Seen], operation_of: Mapping[str, str]
) -> Iterable[Finding]:
    operations = set(operation_of.values())
    for name, line in known.lines.items():
        if name not in operation_of and name not in operations:
            yield _unmatched(known, name, line)
            continue
        about = [seen for seen in selected.values() if name in (seen.case, seen.operation)]
        if about and all(seen.verdict is not Verdict.UNSUPPORTED for seen in about):
            sentence = "it is answered now: delete this line"
            yield Finding(Status.STALE, name, f"{known.shown}:{line}", sentence)


def merged(known: Known, results: Sequence[Seen], corpus: Iterable[tuple[str, str]]) -> Known:
    """The file that explains these results: reasons stay with their cases, what is new comes under `TODO`.

    What was not selected stays as it is; what is stale or unmatched goes.
    """
    operation_of = dict(corpus)
    seen = {one.case: one for one in results}
    entries = [replace(entry, cases=_kept(entry.cases, seen, operation_of)) for entry in known.entries]
    explained = {name for entry in entries for name in entry.cases}
    new = {one.case: (one.signature,) for one in results if one.verdict in FAILING and one.case not in explained}
    if new:
        entries.append(Explanation(reason=TODO, cases=new))
    return Known(tuple(entry for entry in entries if entry.cases), _unsupported(known, results, operation_of))


def _kept(
    cases: Mapping[str, tuple[str, ...]], seen: Mapping[str, Seen], operation_of: Mapping[str, str]
) -> dict[str, tuple[str, ...]]:
    kept = {}
    for name, signatures in cases.items():
        one = seen.get(name)
        if one is None and name in operation_of:
            kept[name] = signatures
        elif one is not None and one.verdict in FAILING:
            kept[name] = signatures if one.signature in signatures else (one.signature,)
    return kept


def _unsupported(known: Known, results: Sequence[Seen], operation_of: Mapping[str, str]) -> dict[str, str]:
    missing = [one for one in results if one.verdict is Verdict.UNSUPPORTED]
    answered = {one.operation for one in results if one.verdict is not Verdict.UNSUPPORTED}
    asked = {one.case for one in results} | {one.operation for one in results}
    needed = {one.operation if one.operation not in answered else one.case: one for one in missing}
    kept = {
        name: reason
        for name, reason in known.unsupported.items()
        if (name not in asked and (name in operation_of or name in operation_of.values()))
        or any(name in (one.case, one.operation) for one in missing)
    }
    fresh = {name: TODO for name, one in needed.items() if one.operation not in kept and one.case not in kept}
    return kept | fresh


def as_value(known: Known) -> dict[str, Json]:
    """The file's value, to be written as YAML."""
    divergences: list[Json] = []
    for entry in known.entries:
        fields = {"link": entry.link, "owner": entry.owner, "since": entry.since, "expires": entry.expires}
        cases: dict[str, Json] = {
            name: one[0] if len(one) == 1 else list(one) for name, one in sorted(entry.cases.items())
        }
        divergences.append(
            {"reason": entry.reason, **{key: text for key, text in fields.items() if text}, "cases": cases}
        )
    return {"divergences": divergences, "unsupported": dict(sorted(known.unsupported.items()))}
