"""Requirements and rulings of a system: its normative statements, and the places where its text leaves two readings."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from harness.corpus.entries import Entry, described
from harness.corpus.strict_yaml import Mapping, Sequence
from harness.errors import Problem, one_line
from harness.model import Case, Json, Requirement, Ruling

LEVELS = ("MUST", "SHOULD", "MAY", "fact")
BASES = ("normative-sentence", "table", "pseudo-code", "worked-example", "prose")
SEVERITIES = ("high", "medium", "low")

_REQUIREMENT_KEYS = frozenset("id level document section statement observable revision".split())
_RULING_KEYS = frozenset(
    "id title requirements question readings adopted basis why severity evidence wording revision".split()
)
_ID = re.compile(r"[A-Z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+")

_Item = TypeVar("_Item", Requirement, Ruling)


def read_requirements(value: Json, shown: str, problems: list[Problem]) -> dict[str, Requirement]:
    """The requirements of one file, by id."""
    return _read(value, shown, problems, "requirements", _requirement)


def read_rulings(value: Json, shown: str, known: dict[str, Requirement], problems: list[Problem]) -> dict[str, Ruling]:
    """The rulings of one file, by id; the requirements they cite must be `known`."""
    return _read(value, shown, problems, "rulings", lambda entry, revision: _ruling(entry, revision, known))


def check_evidence(rulings: dict[str, Ruling], cases: dict[str, Case], problems: list[Problem]) -> None:
    """Notes every ruling whose evidence names a case that the corpus does not have."""
    for ruling in rulings.values():
        for name in ruling.evidence:
            if name not in cases:
                problems.append(
                    Problem(
                        ruling.at,
                        f"{ruling.id} cites the case {one_line(name)}, which does not exist.",
                        "Correct the name.",
                    )
                )


def _read(
    value: Json, shown: str, problems: list[Problem], what: str, read: Callable[[Entry, str], _Item]
) -> dict[str, _Item]:
    if not isinstance(value, Mapping):
        problems.append(Problem(f"{shown}:1", f"The file holds {described(value)}, not {what}.", f"Write `{what}:`."))
        return {}
    head = Entry(value, shown, problems)
    head.refuse_unknown({"system", "revision", what}, f"A file of {what}")
    head.text("system")
    revision = head.text("revision")
    items = value.get(what)
    if not isinstance(items, Sequence) or not items:
        head.problem(what, f"The file lists no {what}.", f"Write `{what}:` with a list below it.")
        return {}
    found: dict[str, _Item] = {}
    for item, line in zip(items, items.item_lines, strict=True):
        if not isinstance(item, Mapping):
            problems.append(
                Problem(f"{shown}:{line}", f"An item is {described(item)}, not a mapping.", "Write `- id: …`.")
            )
            continue
        one = read(Entry(item, shown, problems, line=line), revision)
        if one.id in found:
            problems.append(Problem(one.at, f"The id {one.id} is taken at {found[one.id].at}.", "Ids are given once."))
        found.setdefault(one.id, one)
    return found


def _identifier(entry: Entry) -> str:
    identifier = entry.text("id")
    if identifier and not _ID.fullmatch(identifier):
        entry.problem("id", f"The id {one_line(identifier, 60)} has not the form AREA-01.", "Rename it.")
    return identifier


def _choice(entry: Entry, key: str, allowed: tuple[str, ...]) -> str:
    chosen = entry.text(key)
    if chosen and chosen not in allowed:
        entry.problem(key, f"{key} is {one_line(chosen, 60)}.", f"Use one of: {', '.join(allowed)}.")
    return chosen


def _requirement(entry: Entry, revision: str) -> Requirement:
    entry.refuse_unknown(_REQUIREMENT_KEYS, "A requirement")
    observable = entry.mapping.get("observable")
    if observable is not True and not (isinstance(observable, str) and observable):
        entry.problem(
            "observable", f"observable is {described(observable)}.", "Write true, or a sentence that says why not."
        )
    return Requirement(
        id=_identifier(entry),
        level=_choice(entry, "level", LEVELS),
        document=entry.text("document"),
        section=entry.text("section"),
        statement=entry.text("statement"),
        revision=entry.text("revision", required=False, default=revision),
        unobservable=observable if isinstance(observable, str) else "",
        at=f"{entry.shown}:{entry.line}",
    )


def _ruling(entry: Entry, revision: str, known: dict[str, Requirement]) -> Ruling:
    entry.refuse_unknown(_RULING_KEYS, "A ruling")
    cited = entry.texts("requirements")
    for requirement in cited:
        if requirement not in known:
            entry.problem(
                "requirements", f"The requirement {one_line(requirement, 60)} does not exist.", "Cite one that does."
            )
    listed = entry.object("readings") or Mapping(entry.line)
    inner = entry.inner(listed)
    readings = {reading: inner.text(reading) for reading in listed}
    adopted = entry.text("adopted")
    if adopted and readings and adopted not in readings:
        entry.problem("adopted", f"The adopted reading {one_line(adopted, 60)} is not among the readings.", "Add it.")
    return Ruling(
        id=_identifier(entry),
        title=entry.text("title"),
        requirements=cited,
        question=entry.text("question"),
        readings=readings,
        adopted=adopted,
        basis=_choice(entry, "basis", BASES),
        why=entry.text("why"),
        severity=_choice(entry, "severity", SEVERITIES),
        evidence=entry.texts("evidence"),
        wording=entry.text("wording"),
        revision=entry.text("revision", required=False, default=revision),
        at=f"{entry.shown}:{entry.line}",
    )
