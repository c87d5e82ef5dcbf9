"""The place and the cause of a failure, by which failures are grouped and counted. Pure.

The place is the path of the first difference in the first stage that differs: later differences may only follow from it.
Of two booleans it has both and the suite: a wrong `true` and a wrong `false` seldom have one cause. The place of an error
is its kind, with what distinguishes it from other errors, such as the raised type with its message without variable parts.

A failure can have several causes: the deviations and the refuted readings that explain it. Open readings that go with
them are no cause. A failure that only open readings explain has these readings as its cause.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ..base.json_path import is_below, pointer_path, without_indices
from ..base.text_limits import MAX_STATEMENT
from ..errors import one_line
from ..model import (
    Absent,
    Breach,
    Choice,
    Crash,
    Difference,
    ErrorCause,
    Errored,
    HasOutcome,
    ImplementationError,
    Json,
    RecordedResult,
    Ruling,
    StoredResult,
    Verdict,
    replace,
)
from .alternatives import DECIDES, Alternative
from .canonical import compact
from .error_text import normalised

_MESSAGE_SHOWN = 100

UNEXPLAINED = "unexplained"
"""The name in place of a cause of a failure that nothing explains."""

UNDECIDED = "not decided"
"""The name in place of a cause of a failure whose search for an explanation ended at a bound."""


def names_of(choice: Choice) -> list[str]:
    """The parts of a choice, by name: `deaf`, `RUL-B03=b`."""
    return [*choice.named, *(f"{ruling}={reading}" for ruling, reading in choice.readings)]


def refuted_parts(choice: Choice, rulings: Mapping[str, Ruling]) -> tuple[str, ...]:
    """The causes in an explanation, by name: deviations or a listed cause, and readings that the text refutes."""
    refuted = tuple(reading for reading in choice.readings if is_refuted(reading, rulings))
    return tuple(names_of(replace(choice, readings=refuted)))


def is_refuted(reading: Alternative, rulings: Mapping[str, Ruling]) -> bool:
    """Whether the text refutes a reading: its ruling leaves nothing open."""
    ruling = rulings.get(reading[0])
    return ruling is not None and ruling.text == DECIDES


def causes_of(choice: Choice, rulings: Mapping[str, Ruling]) -> tuple[str, ...]:
    """The names of the causes in an explanation; empty without an explanation."""
    return refuted_parts(choice, rulings) or tuple(names_of(choice))


def causes_or_state(result: HasOutcome, rulings: Mapping[str, Ruling]) -> tuple[str, ...]:
    """The names of the causes of a failure; without one `unexplained` or `not decided`."""
    return causes_of(result.explained_by, rulings) or (UNDECIDED if result.undecided else UNEXPLAINED,)


def cause_name(result: HasOutcome, rulings: Mapping[str, Ruling]) -> str:
    """`deaf`, `deaf and RUL-B01=b`, `unexplained` or `not decided`."""
    return " and ".join(causes_or_state(result, rulings))


def count_by_cause(failing: Iterable[HasOutcome], rulings: Mapping[str, Ruling]) -> Mapping[str, int]:
    """The number of failures by cause, the most frequent first; those without a cause last."""
    counts = Counter(cause_name(result, rulings) for result in failing)
    return dict(sorted(counts.items(), key=lambda item: (item[0] in (UNEXPLAINED, UNDECIDED), -item[1], item[0])))


def group_name(operation: str, place: str) -> str:
    """The name of a failure group, operation and place, in one printable line."""
    return one_line(f"{operation} {place}", MAX_STATEMENT)


def group_of(result: RecordedResult) -> str:
    """The name of the group of a failing result."""
    return group_name(result.operation, place_of(result))


def first_difference(result: HasOutcome) -> Difference | None:
    """The first difference in the first stage that differs, or of all without stages; None for an error."""
    if result.verdict is Verdict.ERROR:
        return None
    in_stage = (part for part in result.differences if is_in(part.path, result.stage))
    return next(in_stage, next(iter(result.differences), None))


def first_differing_stage(found: Sequence[Difference], stages: Sequence[str]) -> tuple[str, bool]:
    """The first stage with a difference, and whether there are later stages and all of them match."""
    touched = [any(is_in(part.path, stage) for part in found) for stage in stages]
    if True not in touched:
        return "", False
    first = touched.index(True)
    return stages[first], first + 1 < len(stages) and True not in touched[first + 1 :]


def is_in(path: str, stage: str) -> bool:
    """Whether a path lies in a stage, or the stage in it; in the empty stage lies every path."""
    place = pointer_path(stage)
    return is_below(path, place) or is_below(place, path)


def verdict_text(result: HasOutcome) -> str:
    """`pass`, `error/crash`."""
    return f"{result.verdict}/{result.kind}" if result.kind else str(result.verdict)


def place_of(result: RecordedResult) -> str:
    """The path of a failing result's first difference, whatever the index, or the kind of its error."""
    if isinstance(result, StoredResult):
        return result.place
    if isinstance(result.outcome, Errored):
        found = "(not sent)" if result.unsent_after else error_place(result.outcome.cause)
        return f"{verdict_text(result)} {found}".rstrip()
    part = first_difference(result)
    if part is None:
        return verdict_text(result)
    place = without_indices(part.path)
    if not (isinstance(part.wanted, bool) and isinstance(part.got, bool)):
        return place
    return f"{place} wanted {compact(part.wanted)} got {compact(part.got)} in {result.suite}"


def change_of(result: RecordedResult) -> str:
    """How a failing result differs at its place: the sorts of both values there, and the number of places that differ. The
    results of one place with the same change probably have one cause."""
    if isinstance(result, StoredResult):
        return result.change
    part = first_difference(result)
    if part is None:
        return ""
    places = {without_indices(other.path) for other in result.differences}
    return f"{_sort(part.wanted)} {_sort(part.got)} {len(places)}"


def _sort(value: Json | Absent) -> str:
    """The sort of a value; nothing, a boolean and an empty text are sorts of their own."""
    if isinstance(value, bool) or value in (None, ""):
        return compact(value)
    return "number" if isinstance(value, int | float) else type(value).__name__


def error_place(cause: ErrorCause) -> str:
    """The parts of an error that distinguish it from others, as its signature has them."""
    match cause:
        case Breach(code=code, path=path):
            return f"{code.value} {without_indices(path)}".rstrip()
        case ImplementationError(type=type_, message=message):
            return f"{type_}: {normalised(message, keep_names=True)[:_MESSAGE_SHOWN].rstrip()}".removesuffix(": ")
        case Crash(signal=signal, status=status):
            return signal or ("closed-output" if status is None else f"status {status}")
    return ""
