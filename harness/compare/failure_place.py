"""A failing result → the place where it fails, by which failures are grouped. Pure.

The place is the path of the first difference in the first stage that differs: later differences may only follow from it.
The place of an error is its kind, with the type of the raised error.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..base.json_path import is_below, pointer_path, without_indices
from ..model import Difference, HasOutcome, Raised, StoredResult, Verdict


def first_difference(result: HasOutcome) -> Difference | None:
    """The first difference in the first stage that differs, or of all without stages; None for an error."""
    if result.verdict is Verdict.ERROR:
        return None
    in_stage = (part for part in result.differences if is_in(part.path, result.stage))
    return next(in_stage, next(iter(result.differences), None))


def first_differing_stage(found: Sequence[Difference], stages: Sequence[str]) -> tuple[str, bool]:
    """The first stage with a difference, and whether the final stage matches."""
    touched = [any(is_in(part.path, stage) for part in found) for stage in stages]
    if True not in touched:
        return "", False
    return stages[touched.index(True)], not touched[-1]


def is_in(path: str, stage: str) -> bool:
    """Whether a path lies in a stage, or the stage in it; in the empty stage lies every path."""
    place = pointer_path(stage)
    return is_below(path, place) or is_below(place, path)


def place_of(result: HasOutcome) -> str:
    """The path of a failing result's first difference, whatever the index, or the kind of its error."""
    if isinstance(result, StoredResult):
        return result.facts.place
    part = first_difference(result)
    if part is not None:
        return without_indices(part.path)
    kind = f"{result.verdict}/{result.kind}" if result.kind else result.verdict
    raised = result.response.type if isinstance(result.response, Raised) else ""
    return " ".join(filter(None, (kind, raised, "(not sent)" if result.unsent_after else "")))
