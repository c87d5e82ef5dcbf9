"""Adopting other readings in a corpus: the edits of its files, and what only a person can do.

A disputed case has the answer of each reading, so its adopted letter changes and nothing else. Where the answer of another
case changes, the text is silent about the new one: a source of answers under readings computes it, and its line is marked
as unconfirmed until a person has derived it from the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from ..compare.alternatives import AlternativeAnswers, choice_of
from ..compare.proposal import ChangedAnswer, changed_answer
from ..model import Case, Choice, Readings, Response, Ruling
from .adopted_files import ComputedAnswer, ListedAnswer, edited_file, edited_rulings
from .loader import Corpus


class UnlistedCase(Struct, frozen=True):
    """A disputed case that lists no answer by the proposed reading. `alike` is the listed reading that gives the same one;
    empty if none does."""

    case: Case
    alike: str


class Adoption(Struct, frozen=True):
    """What it takes to adopt readings. `texts` has the new text of each file that changes, by its path below the root;
    `switched` are the disputed cases with another adopted reading, `unlisted` those that list no answer by it."""

    readings: Readings
    texts: Mapping[str, str]
    switched: tuple[Case, ...]
    unlisted: tuple[UnlistedCase, ...]
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
        texts[name], answers = edited_file(_read(corpus.root / name), cases, own, readings)
        computed += answers
    for name in sorted({corpus.rulings[id_].at.rpartition(":")[0] for id_ in proposed}):
        texts[name] = edited_rulings(_read(corpus.root / name), proposed)
    return Adoption(
        readings=readings,
        texts=texts,
        switched=tuple(switched),
        unlisted=tuple(_unlisted([case for case in disputed if case not in switched], readings, corpus, source)),
        computed=tuple(computed),
    )


def file_of(case: Case) -> str:
    """The path of the case's file below the root of the corpus."""
    return case.at.rpartition(":")[0]


def _read(path: Path) -> str:
    with path.open(encoding="utf-8", newline="") as file:  # line ends stay
        return file.read()


def _changes(
    readings: Readings, corpus: Corpus, source: AlternativeAnswers
) -> Iterator[tuple[ListedAnswer, ChangedAnswer]]:
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


def _unlisted(
    cases: Sequence[Case], readings: Readings, corpus: Corpus, source: AlternativeAnswers
) -> Iterator[UnlistedCase]:
    """Disputed cases without an answer by a proposed reading, each with the listed reading that gives the same answer."""
    answers = source.answers(cases, [_choice(dict(readings), corpus.rulings)] * len(cases))
    for case, answer in zip(cases, answers, strict=True):
        operation = corpus.operations[case.operation]
        alike = (
            reading
            for reading, recorded in _listed(case).items()
            if answer and not changed_answer(case, recorded, answer, operation)
        )
        yield UnlistedCase(case, next(alike, ""))


def _listed(case: Case) -> Mapping[str, Response]:
    """The answers of a disputed case by reading, the adopted one first."""
    return {case.adopted: case.expected, **case.readings}


def _targets(case: Case, readings: Readings, rulings: Mapping[str, Ruling]) -> Iterator[ListedAnswer]:
    """The answers of a case: that of a plain case, or that of each reading."""
    if not case.ruling:
        yield ListedAnswer(case, ("answer",), case.expected, _choice(dict(readings), rulings))
        return
    for reading, recorded in _listed(case).items():
        choice = _choice({**dict(readings), case.ruling: reading}, rulings)
        yield ListedAnswer(case, ("disputed", "readings", reading, "answer"), recorded, choice)


def _choice(readings: Mapping[str, str], rulings: Mapping[str, Ruling]) -> Choice:
    """The readings without those that are adopted today."""
    return choice_of(part for part in readings.items() if part[1] != rulings[part[0]].adopted)
