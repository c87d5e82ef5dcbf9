"""Adopting readings in the files of a corpus: the text of a file → the text with other letters and answers. What changes
keeps its style, and every other line stays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct

from ..base.json_path import Step, follow, path_steps, put
from ..compare.canonical import equality_text
from ..compare.json_diff import differences
from ..compare.proposal import ChangedAnswer
from ..model import Absent, Answered, Case, Choice, Json, Readings, Response, replace
from .strict_yaml import parse_yaml
from .yaml_places import PlacedCases, PlacedValue, TextEdit, composed, edited, node_at, without_member, yaml_value

UNCONFIRMED = "unconfirmed"
"""The first word of the comment on a line with a computed answer. `tests/test_corpus_lint.py` refuses it."""


class ComputedAnswer(Struct, frozen=True):
    """An answer that changes and that no reading of the case records. `steps` lead to it in the entry of the case. `why`
    it cannot be written into the file; empty if it is."""

    change: ChangedAnswer
    steps: tuple[str, ...]
    why: str = ""


class ListedAnswer(Struct, frozen=True):
    """A recorded answer of a case, and the choice that gives its new one."""

    case: Case
    steps: tuple[str, ...]
    recorded: Response
    choice: Choice


class _ValueEdit(Struct, frozen=True):
    """Another value in one place of a file."""

    place: PlacedValue
    value: Json
    is_computed: bool = False


class _NotWritten(Exception):
    """Why an answer cannot be written into its file."""


def edited_rulings(text: str, proposed: Mapping[str, str]) -> str:
    """The rulings with the proposed readings adopted. What excluded these readings goes."""
    edits: list[_ValueEdit] = []
    removals: dict[tuple[Step, ...], TextEdit] = {}
    for at, entry in enumerate(node_at(composed(text), ["rulings"]).value):
        if (id_ := node_at(entry, ["id"]).value) in proposed:
            adopted = PlacedValue(("rulings", at, "adopted"), node_at(entry, ["adopted"]))
            edits.append(_ValueEdit(adopted, proposed[id_]))
            if edit := without_member(entry, "excludes"):
                removals["rulings", at, "excludes"] = edit
    return _applied(text, edits, "", removals)


def edited_file(
    text: str, switched: Sequence[Case], changes: Sequence[tuple[ListedAnswer, ChangedAnswer]], readings: Readings
) -> tuple[str, list[ComputedAnswer]]:
    """A file with the adopted letters and the computed answers, as far as they can be written."""
    placed = PlacedCases(text)
    letters = dict(readings)
    adopted = [
        _ValueEdit(place, letters[case.ruling])
        for case in switched
        if (place := placed.value(case.name, ["disputed", "adopted"]))
    ]
    computed: list[ComputedAnswer] = []
    edits: list[_ValueEdit] = []
    for target, change in changes:
        why = ""
        try:
            edits += _answer_edits(placed, target, change)
        except _NotWritten as not_written:
            why = str(not_written)
        computed.append(ComputedAnswer(change, target.steps, why))
    names = ", ".join(f"{ruling}={reading}" for ruling, reading in readings)
    mark = f"  # {UNCONFIRMED}: by the reference under {names}"
    try:
        return _applied(text, [*adopted, *edits], mark), computed
    except _NotWritten as not_written:
        why = str(not_written)
        return _applied(text, adopted, mark), [replace(each, why=each.why or why) for each in computed]


def _answer_edits(placed: PlacedCases, target: ListedAnswer, change: ChangedAnswer) -> list[_ValueEdit]:
    """The edits of one answer: of the smallest places that have another value. Raises `_NotWritten`."""
    recorded, proposed = target.recorded, change.proposed
    if not (isinstance(recorded, Answered) and isinstance(proposed, Answered)):
        raise _NotWritten("an error takes the place of an answer")
    if recorded.free or recorded.contains:
        raise _NotWritten("its reading allows several answers")
    edits: dict[tuple[Step, ...], _ValueEdit] = {}
    for part in differences(recorded.value, proposed.value):
        steps = path_steps(part.path)
        if isinstance(part.wanted, Absent) or isinstance(part.got, Absent):
            steps = steps[:-1]
        place = placed.value(target.case.name, [*target.steps, *steps])
        while place is None and steps:
            steps = steps[:-1]
            place = placed.value(target.case.name, [*target.steps, *steps])
        if place is None:
            raise _NotWritten("several columns of its table make up this answer")
        if place.is_shared:
            raise _NotWritten("other cases of its file share this answer")
        edits[place.steps] = edit = _ValueEdit(place, follow(proposed.value, steps), is_computed=True)
        if parse_yaml(yaml_value(edit.value), "")[1]:
            raise _NotWritten("a case file cannot hold a lone surrogate")
    return [edit for steps, edit in edits.items() if not any(steps[:length] in edits for length in range(len(steps)))]


def _applied(
    text: str,
    edits: Sequence[_ValueEdit],
    mark: str,
    removals: Mapping[tuple[Step, ...], TextEdit] = MappingProxyType({}),
) -> str:
    """The text after the edits and the removals of members, with the mark at the end of each line of a computed answer.
    Raises `_NotWritten` if a reader would find other values than these in it."""
    changed, _ = parse_yaml(text, "")
    made = list(removals.values())
    for steps in removals:
        members = follow(changed, steps[:-1])
        changed = put(changed, steps[:-1], {key: value for key, value in members.items() if key != steps[-1]})
    for edit in edits:
        changed = put(changed, edit.place.steps, edit.value)
        made.append(edit.place.edit(edit.value, text))
        if edit.is_computed:
            end = text.find("\n", made[-1].end)
            end = len(text) if end < 0 else end - (text[end - 1] == "\r")
            made.append(TextEdit(end, end, mark))
    written = edited(text, made)
    found, problems = parse_yaml(written, "")
    if problems or equality_text(found) != equality_text(changed):
        raise _NotWritten("other values of its file depend on this place")
    return written
