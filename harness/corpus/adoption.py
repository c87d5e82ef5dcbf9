"""Adopting other readings in a corpus: the edits of its files, and what only a person can do.

A disputed case has the answer of each reading, so its adopted letter changes and nothing else. Where the answer of another
case changes, the text is silent about the new one: a source of answers under readings computes it, and its line is marked
as unconfirmed until a person has derived it from the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct

from ..base.json_path import Step, follow, path_steps, put
from ..compare.alternatives import AlternativeAnswers, choice_of
from ..compare.canonical import equality_text
from ..compare.json_diff import differences
from ..compare.proposal import ChangedAnswer, changed_answer
from ..model import Absent, Answered, Case, Choice, Json, Readings, Response, Ruling, replace
from .loader import Corpus
from .strict_yaml import parse_yaml
from .yaml_places import PlacedCases, PlacedValue, TextEdit, composed, edited, node_at, without_member

UNCONFIRMED = "unconfirmed"
"""The first word of the comment on a line with a computed answer. `tests/test_corpus_lint.py` refuses it."""


class ComputedAnswer(Struct, frozen=True):
    """An answer that changes and that no reading of the case records. `steps` lead to it in the entry of the case. `why`
    it cannot be written into the file; empty if it is."""

    change: ChangedAnswer
    steps: tuple[str, ...]
    why: str = ""


class Adoption(Struct, frozen=True):
    """What it takes to adopt readings. `texts` has the new text of each file that changes, by its path below the root;
    `switched` are the disputed cases with another adopted reading, `unlisted` those without an answer by it."""

    readings: Readings
    texts: Mapping[str, str]
    switched: tuple[Case, ...]
    unlisted: tuple[Case, ...]
    computed: tuple[ComputedAnswer, ...]


class Mention(Struct, frozen=True):
    """A line beside the corpus that names a ruling: its place, `file:line`, and its text."""

    place: str
    text: str


_BESIDE = ("reference_impl", "oracles", "adapters")
"""Where a checkout has what a ruling decides, besides its cases."""

_TEXTS = frozenset({".py", ".mjs", ".js", ".ts", ".go", ".json", ".yaml", ".md"})


def mentions(root: Path, rulings: Iterable[str]) -> Iterator[Mention]:
    """The lines beside the corpus that name one of these rulings."""
    wanted = re.compile(rf"\b(?:{'|'.join(map(re.escape, rulings))})\b")
    for name in _BESIDE:
        for path in sorted((root / name).rglob("*")):
            shown = path.relative_to(root)
            if path.suffix in _TEXTS and path.is_file() and "node_modules" not in shown.parts:
                for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
                    if wanted.search(line):
                        yield Mention(f"{shown.as_posix()}:{number}", line.strip())


class _Target(Struct, frozen=True):
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


def adopt(readings: Readings, corpus: Corpus, source: AlternativeAnswers) -> Adoption:
    """The edits that adopt these readings, none of which is adopted yet."""
    proposed = dict(readings)
    disputed = [case for case in corpus.cases if case.ruling in proposed]
    switched = [case for case in disputed if proposed[case.ruling] in case.readings]
    changes = list(_changes(readings, corpus, source))
    touched = sorted({file_of(case) for case in (*switched, *(change.case for _, change in changes))})
    texts: dict[str, str] = {}
    computed: list[ComputedAnswer] = []
    for name in touched:
        cases = [case for case in switched if file_of(case) == name]
        own = [(target, change) for target, change in changes if file_of(change.case) == name]
        texts[name], answers = _edited_file(_read(corpus.root / name), cases, own, readings)
        computed += answers
    for name in sorted({corpus.rulings[id_].at.rpartition(":")[0] for id_ in proposed}):
        texts[name] = _edited_rulings(_read(corpus.root / name), proposed)
    return Adoption(
        readings=readings,
        texts=texts,
        switched=tuple(switched),
        unlisted=tuple(case for case in disputed if case not in switched),
        computed=tuple(computed),
    )


def file_of(case: Case) -> str:
    """The path of the case's file below the root of the corpus."""
    return case.at.rpartition(":")[0]


def _read(path: Path) -> str:
    with path.open(encoding="utf-8", newline="") as file:  # line ends stay
        return file.read()


def _changes(readings: Readings, corpus: Corpus, source: AlternativeAnswers) -> Iterator[tuple[_Target, ChangedAnswer]]:
    """The recorded answers that are others under the readings, each with its change."""
    systems = {corpus.rulings[id_].system for id_, _ in readings}
    targets = [
        target for case in corpus.cases if case.system in systems for target in _targets(case, readings, corpus.rulings)
    ]
    answers = source.answers([target.case for target in targets], [target.choice for target in targets])
    for target, answer in zip(targets, answers, strict=True):
        operation = corpus.operations[target.case.operation]
        if answer and (change := changed_answer(target.case, target.recorded, answer, operation)):
            yield target, change


def _targets(case: Case, readings: Readings, rulings: Mapping[str, Ruling]) -> Iterator[_Target]:
    """The answers of a case: that of a plain case, or that of each reading."""
    if not case.ruling:
        yield _Target(case, ("answer",), case.expected, _choice(dict(readings), rulings))
        return
    for reading, recorded in {case.adopted: case.expected, **case.readings}.items():
        choice = _choice({**dict(readings), case.ruling: reading}, rulings)
        yield _Target(case, ("disputed", "readings", reading, "answer"), recorded, choice)


def _choice(readings: Mapping[str, str], rulings: Mapping[str, Ruling]) -> Choice:
    """The readings without those that are adopted today."""
    return choice_of(part for part in readings.items() if part[1] != rulings[part[0]].adopted)


def _edited_rulings(text: str, proposed: Mapping[str, str]) -> str:
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


def _edited_file(
    text: str, switched: Sequence[Case], changes: Sequence[tuple[_Target, ChangedAnswer]], readings: Readings
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


def _answer_edits(placed: PlacedCases, target: _Target, change: ChangedAnswer) -> list[_ValueEdit]:
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
            raise _NotWritten("the rows of its table share this answer")
        edits[place.steps] = _ValueEdit(place, follow(proposed.value, steps), is_computed=True)
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
