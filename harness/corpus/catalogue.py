"""`requirements.yaml` and `rulings.yaml` of a system → `Requirement` and `Ruling` values."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import TypeVar

from ..errors import Problem, one_line
from ..model import OPEN, Json, Requirement, Ruling, Topic, replace
from .anchors import ANCHOR
from .cited_names import Cited, NameTable
from .entries import Entry, described, documented_of, duplicate_id, item_not_a_mapping, not_a_mapping
from .located import Mapping, Sequence
from .wordings import check_topics, excluded, read_topics, topic_of

LEVELS = ("MUST", "SHOULD", "MAY", "fact")
BASES = ("normative-sentence", "table", "pseudo-code", "worked-example", "prose")
SEVERITIES = ("high", "medium", "low")
ACCEPTED = "accepted"
STATES = (OPEN, "proposed", ACCEPTED)
"""How far the editors of the specification are with a ruling."""

TEXTS = ("decides", "leaves-room", "contradicts-itself")
"""What the specification does at the place of a ruling. docs/writing-cases.md has the rule."""

UNANCHORED = ("consequence",)
"""Why no passage of the text states a requirement: it follows from several."""

_REQUIREMENT_KEYS = frozenset(
    "id level document section statement anchors no-anchor observable negative revision".split()
)
_RULING_KEYS = frozenset(
    (
        "id title requirements question readings adopted text text-note basis why severity evidence wording excludes "
        "better topic documented state accepted-in link revision"
    ).split()
)
_MORE = {"requirements": ("text-folder",), "rulings": ("topics",)}
"""Further members of a file."""

_LINK = re.compile(r"https://[A-Za-z0-9.-]+(?::[0-9]+)?(?:[/?#][A-Za-z0-9._~/?#@!$&*+,;=:%-]*)?")
_ID = re.compile(r"[A-Z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+")

_Item = TypeVar("_Item", Requirement, Ruling)


def read_requirements(value: Json, shown: str, problems: list[Problem]) -> NameTable[Requirement]:
    """Reads the requirements of one file. `shown` is the path that problems show: `cases/<system>/requirements.yaml`."""
    return _read(value, shown, problems, "requirements", _requirement)


def read_text_folder(value: Json, shown: str, problems: list[Problem]) -> str:
    """The folder below the root of an SDK's repository that holds the text of the requirements; empty without one."""
    if not isinstance(value, Mapping):
        return ""
    head = Entry(value, shown, problems)
    folder = PurePosixPath(head.text("text-folder", required=False))
    if folder.is_absolute() or ".." in folder.parts:
        message = f"text-folder is {one_line(str(folder), 60)}, which leads out of a repository."
        head.problem("text-folder", "bad-text-folder", message, "Write a path from the root of the repository.")
        return ""
    return str(folder) if folder.parts else ""


def read_rulings(
    value: Json, shown: str, requirements: NameTable[Requirement], problems: list[Problem]
) -> tuple[NameTable[Ruling], list[Cited]]:
    """Reads the rulings of one file and the cases that they cite as evidence. Cited requirements must be `requirements`."""
    cited: list[Cited] = []
    head = Entry(value, shown, problems) if isinstance(value, Mapping) else None
    topics = read_topics(head) if head else NameTable()
    named = _read(
        value, shown, problems, "rulings", lambda entry, revision: _ruling(entry, revision, requirements, topics, cited)
    )
    if head and named.complete and not named.broken:
        check_topics(head, topics, named.found.values())
    return named, cited


def _read(
    value: Json, shown: str, problems: list[Problem], what: str, read: Callable[[Entry, str], _Item]
) -> NameTable[_Item]:
    named: NameTable[_Item] = NameTable()
    if not isinstance(value, Mapping):
        problems.append(not_a_mapping(value, f"{shown}:1", what, _form(what)))
        named.complete = False
        return named
    head = Entry(value, shown, problems)
    head.refuse_unknown({"system", "revision", what, *_MORE.get(what, ())}, f"a file of {what}")
    _check_system(head, shown.split("/")[1])
    revision = head.text("revision")
    items = value.get(what)
    if not isinstance(items, Sequence) or not items:
        head.problem(what, f"no-{what}", f"The file lists no {what}.", _form(what))
        named.complete = False
        return named
    for item, line in zip(items, items.item_lines, strict=True):
        if not isinstance(item, Mapping):
            problems.append(item_not_a_mapping(item, f"{shown}:{line}", "An item"))
            named.complete = False
            continue
        _take(Entry(item, shown, problems, line=line), named, lambda entry: read(entry, revision))
    return named


def _form(what: str) -> str:
    return f"Write `system:`, `revision:` and `{what}:` with a list below it."


def _check_system(head: Entry, system: str) -> None:
    named = head.text("system")
    if named and named != system:
        message = f"system is {one_line(named, 60)}; the file is in cases/{system}."
        head.problem("system", "wrong-system", message, f"Write `system: {system}`, or move the file.")


def _take(entry: Entry, named: NameTable[_Item], read: Callable[[Entry], _Item]) -> None:
    """Reads one item. The name of a broken item is kept, so that a citation of it is no second problem."""
    before = len(entry.problems)
    item = read(entry)
    if item.id in named.found:
        entry.problem("id", *duplicate_id(item.id, named.found[item.id].at))
        named.complete = False
    elif item.id:
        named.found[item.id] = item
    else:
        named.complete = False
    if item.id and len(entry.problems) > before:
        named.broken.add(item.id)


def _identifier(entry: Entry) -> str:
    identifier = entry.text("id")
    if identifier and not _ID.fullmatch(identifier):
        message = f"The id {one_line(identifier, 60)} does not have the form AREA-01."
        entry.problem("id", "bad-id", message, "Rename it.")
        return ""
    return identifier


def _choice(entry: Entry, key: str, allowed: tuple[str, ...], *, required: bool = True) -> str:
    chosen = entry.text(key, required=required)
    if chosen and chosen not in allowed:
        message = f"{key} is {one_line(chosen, 60)}, not one of the allowed values."
        entry.problem(key, f"bad-{key}", message, f"Use one of: {', '.join(allowed)}.")
    return chosen


def _requirement(entry: Entry, revision: str) -> Requirement:
    entry.refuse_unknown(_REQUIREMENT_KEYS, "a requirement")
    observable = entry.mapping.get("observable")
    if observable is not True and not (isinstance(observable, str) and observable):
        found = f"observable is {described(observable)}." if "observable" in entry.mapping else "observable is missing."
        remedy = "Write true, or a sentence that explains why it cannot be observed."
        entry.problem("observable", "bad-observable", found, remedy)
    return Requirement(
        id=_identifier(entry),
        level=_choice(entry, "level", LEVELS),
        document=entry.text("document"),
        section=entry.text("section"),
        statement=entry.text("statement"),
        revision=entry.text("revision", required=False, default=revision),
        unobservable=observable if isinstance(observable, str) else "",
        positive_only=entry.text("negative", required=False),
        anchors=_anchors(entry),
        unanchored=_choice(entry, "no-anchor", UNANCHORED, required=False),
        at=entry.at,
    )


def _anchors(entry: Entry) -> tuple[str, ...]:
    anchors = entry.texts("anchors")
    for index, anchor in enumerate(anchors):
        if not ANCHOR.fullmatch(anchor):
            message = (
                f"The anchor {one_line(anchor, 60)} does not have the form DIGEST/LENGTH, such as 0123456789ab/42."
            )
            remedy = "Copy it from the output of: parity coverage --text DIR --anchor REQUIREMENT"
            entry.problems.append(Problem(entry.place("anchors", index), "bad-anchor", message, remedy))
    if anchors and "no-anchor" in entry.mapping:
        message = "The requirement has anchors, and a reason why it has none."
        entry.problem("no-anchor", "anchored-and-not", message, "Keep one of the two.")
    return anchors


def _ruling(
    entry: Entry, revision: str, requirements: NameTable[Requirement], topics: NameTable[Topic], cited: list[Cited]
) -> Ruling:
    entry.refuse_unknown(_RULING_KEYS, "a ruling")
    ruling = Ruling(
        id=_identifier(entry),
        title=entry.text("title"),
        requirements=entry.texts("requirements"),
        question=entry.text("question"),
        readings=_readings(entry),
        adopted=entry.text("adopted"),
        basis=_choice(entry, "basis", BASES),
        why=entry.text("why"),
        severity=_choice(entry, "severity", SEVERITIES),
        evidence=entry.texts("evidence"),
        wording=entry.text("wording"),
        better=entry.text("better", required=False),
        topic=topic_of(entry, topics),
        revision=entry.text("revision", required=False, default=revision),
        documented=documented_of(entry),
        text=_choice(entry, "text", TEXTS, required=False),
        text_note=entry.text("text-note", required=False),
        state=_choice(entry, "state", STATES, required=False) or OPEN,
        accepted_in=entry.text("accepted-in", required=False),
        link=entry.text("link", required=False),
        at=entry.at,
    )
    _check_ruling(entry, ruling, requirements)
    cited += [Cited(entry.place("evidence", index), ruling.id, case) for index, case in enumerate(ruling.evidence)]
    return replace(ruling, excludes=excluded(entry, ruling))


def _readings(entry: Entry) -> dict[str, str]:
    listed = entry.object("readings")
    if listed is None:
        return {}
    inner = entry.inner(listed, "readings")
    if len(listed) < 2:
        entry.problem("readings", "too-few-readings", "A ruling needs at least two readings.", "Add the other one.")
    return {reading: inner.text(reading) for reading in listed}


def _check_ruling(entry: Entry, ruling: Ruling, requirements: NameTable[Requirement]) -> None:
    if ruling.adopted and ruling.readings and ruling.adopted not in ruling.readings:
        message = f"The adopted reading {one_line(ruling.adopted, 60)} is not among the readings."
        entry.problem("adopted", "adopted-not-listed", message, f"Adopt one of: {', '.join(ruling.readings)}.")
    _check_state(entry, ruling)
    for requirement in ruling.requirements:
        if requirements.lacks(requirement):
            message = f"The requirement {one_line(requirement, 60)} is not in requirements.yaml."
            remedy = "Cite a requirement of that file, or add this one."
            entry.problem("requirements", "unknown-requirement", message, remedy)


def _check_state(entry: Entry, ruling: Ruling) -> None:
    is_accepted = ruling.state == ACCEPTED
    if is_accepted != bool(ruling.accepted_in):
        found = f"The ruling is {ruling.state} and has {'no' if is_accepted else 'a'} revision in accepted-in."
        remedy = 'An accepted ruling names the revision that has its text, such as `accepted-in: "1.1"`; no other does.'
        entry.problem("state" if is_accepted else "accepted-in", "bad-accepted-in", found, remedy)
    if ruling.link and not _LINK.fullmatch(ruling.link):
        message = f"The link {one_line(ruling.link, 60)} is no https address."
        entry.problem("link", "bad-link", message, "Write the address of the issue: https://HOST/PATH.")
