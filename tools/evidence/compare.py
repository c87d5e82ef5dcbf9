"""Printed values of a command against the expected answers of its cases.

A command has one or many cases. If it prints as many rows as it has cases, each row belongs to one case: to the case whose
request it prints, or else to the case at the same place in the command's own list of inputs. Otherwise all rows belong to
all cases. Every printed value has to stand in the outcome or the request of a case that it belongs to, and at least one of
them in the outcome. An outcome of a single value has to be printed, and so has every text and number of an outcome that the
command computes as a whole.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from harness.model import Json

from .engines import Output

TOLERANCE = 1e-9
"""Relative difference below which two numbers are equal; the loosest tolerance of a schema."""

_RANKED = re.compile(r"(\S+) {2}-?\d+\.\d+")
_LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"')
_JSON = tuple('["{')

REFUSED = "(refused)"
"""Stands for an error of the engine, in an output and in an answer."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A case of a command: its request with fixtures expanded, and its outcomes, one for each reading, the adopted first.

    `words` is None for a command that computes a part of the outcome, else the texts that the schema of the answer fixes.
    """

    name: str
    request: Json
    outcomes: Sequence[Json]
    words: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A printed value that no outcome has, or an outcome that is not printed; `found` is what could not be placed."""

    case: str
    found: Json


def leaves(value: Json) -> Iterator[Json]:
    """Every text, number, boolean and null below a value, and `REFUSED` for an answer that is an engine's error."""
    if isinstance(value, Mapping):
        if set(value) == {"error"}:
            yield REFUSED
        for member in value.values():
            yield from leaves(member)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from leaves(item)
    else:
        yield value


def read(value: Json) -> Json:
    """A printed value; a text that is JSON, a list of ids with ranks or a refusal is read as such."""
    if isinstance(value, list | tuple):
        return [read(item) for item in value]
    if not isinstance(value, str):
        return value
    if value.startswith("refused: "):
        return REFUSED
    ranked = [_RANKED.fullmatch(line) for line in value.split("\n")]
    if all(ranked):
        return [int(one[1]) if one[1].isdigit() else one[1] for one in ranked if one]
    try:
        return json.loads(value) if value[:1] in _JSON or value in ("true", "false") else value
    except ValueError:
        return value


def same(one: Json, other: Json) -> bool:
    """Equal, or two numbers within the tolerance."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return one == other


def within(value: Json, others: Sequence[Json]) -> bool:
    """Whether a value is one of the others or, as a text or a whole number, a part of a text among them."""
    if any(same(value, other) for other in others):
        return True
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        return False
    return any(isinstance(other, str) and str(value).lower() in other.lower() for other in others)


def mismatches(command: str, subjects: Sequence[Subject], output: Output) -> list[Mismatch]:
    """What does not fit; an empty list if the output confirms its part of the outcomes."""
    lines = [read(list(line)) for line in output.printed]
    if output.errors and REFUSED not in leaves(lines):
        return [Mismatch(subjects[0].name, error) for error in output.errors]
    rows = _rows(lines, len(subjects))
    if rows is None:
        parts = [part for leaf in leaves(lines) for part in _parts(leaf)]
        return [*_unplaced(subjects, parts), *(one for subject in subjects for one in _unprinted(subject, parts))]
    attempts = [_by_row(subjects, aligned) for aligned in (_aligned(command, subjects, rows), rows)]
    return min(attempts, key=len)


def _parts(leaf: Json) -> list[Json]:
    """The texts of a joined list; any other value alone."""
    return list(leaf.split(",")) if isinstance(leaf, str) and " " not in leaf else [leaf]


def _by_row(subjects: Sequence[Subject], rows: Sequence[Json]) -> list[Mismatch]:
    found = []
    for subject, row in zip(subjects, rows, strict=True):
        printed = list(leaves(row))
        found += [*_unplaced([subject], printed), *_unprinted(subject, printed)]
        single = [one for one in map(list, map(leaves, subject.outcomes)) if len(one) == 1]
        if single and not any(within(one[0], printed) for one in single):
            found.append(Mismatch(subject.name, single[0][0]))
    return found


def _unplaced(subjects: Sequence[Subject], values: Sequence[Json]) -> list[Mismatch]:
    """The printed values that stand nowhere; none if the outcomes have no score that is not printed."""
    printed = [value for value in values if value != ""]
    outcomes = [leaf for subject in subjects for leaf in leaves(list(subject.outcomes))]
    known = [*outcomes, *(leaf for subject in subjects for leaf in leaves(subject.request))]
    scores = [leaf for leaf in outcomes if isinstance(leaf, float) and not leaf.is_integer()]
    if scores and all(within(score, printed) for score in scores):
        return []
    found = [Mismatch(subjects[0].name, leaf) for leaf in printed if not within(leaf, known)]
    if not found and not any(within(leaf, outcomes) for leaf in printed) and (printed or outcomes):
        found.append(Mismatch(subjects[0].name, printed))
    return found


def _unprinted(subject: Subject, printed: Sequence[Json]) -> list[Mismatch]:
    """The texts and numbers of the adopted outcome that a command for the whole of it neither prints nor has as input.

    A text that contains a printed text counts as printed: the command computes the part that varies.
    """
    outcome = list(leaves(list(subject.outcomes[:1])))
    if subject.words is None or REFUSED in outcome:
        return []
    known = [*printed, *leaves(subject.request)]
    texts = [value for value in printed if isinstance(value, str) and value]
    return [
        Mismatch(subject.name, leaf)
        for leaf in outcome
        if not isinstance(leaf, bool)
        and leaf not in subject.words
        and not within(leaf, known)
        and not (isinstance(leaf, str) and any(text in leaf for text in texts))
    ]


def confirms_some(subjects: Sequence[Subject], output: Output) -> bool:
    """Whether a printed value stands in an outcome."""
    printed = leaves([read(list(line)) for line in output.printed])
    outcomes = [leaf for subject in subjects for leaf in leaves(list(subject.outcomes))]
    return not output.errors and any(within(leaf, outcomes) for leaf in printed)


def _rows(lines: Sequence[Json], cases: int) -> list[Json] | None:
    """One value for each case, or None: the printed lines, or the items of a single printed list or text."""
    if len(lines) == cases:
        return list(lines)
    match lines:
        case [[list() as items]] if len(items) == cases:
            return list(items)
        case [list() as items] if len(items) == cases:
            return list(items)
        case [[str() as text]] if text.count(",") + 1 == cases:
            return [read(item) for item in text.split(",")]
    return None


def _aligned(command: str, subjects: Sequence[Subject], rows: Sequence[Json]) -> list[Json]:
    """The rows in the order of the cases."""
    if len(subjects) == 1:
        return list(rows)
    texts = [[leaf for leaf in leaves(row) if isinstance(leaf, str)] for row in rows]
    left = list(range(len(rows)))
    literals = _literals(command)
    order = sorted(range(len(subjects)), key=lambda place: _place(subjects[place], literals, place))
    chosen: dict[int, int] = {}
    for place in order:
        wanted = [leaf for leaf in leaves(subjects[place].request) if isinstance(leaf, str)]
        echoing = [row for row in left if any(text in wanted for text in texts[row])]
        row = echoing[0] if echoing else left[0]
        chosen[place] = row
        left.remove(row)
    return [rows[chosen[place]] for place in range(len(subjects))]


def _literals(command: str) -> list[str]:
    """The texts in double quotes of a command, in order."""
    found = []
    for literal in _LITERAL.findall(command.replace("'\\''", "'")):
        try:
            found.append(str(json.loads(re.sub(r"\\u\{([0-9a-fA-F]+)\}", _escape, literal))))
        except ValueError:
            found.append(literal)
    return found


def _escape(match: re.Match[str]) -> str:
    return json.dumps(chr(int(match[1], 16)))[1:-1]


def _place(subject: Subject, literals: Sequence[str], place: int) -> tuple[int, int]:
    """The place of a case in the command's inputs: of the last of its texts that the command has, or in its file."""
    places = [literals.index(leaf) for leaf in leaves(subject.request) if isinstance(leaf, str) and leaf in literals]
    return (max(places) if places else len(literals), place)
