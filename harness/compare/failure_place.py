"""A failing result → the place where it fails, by which failures are grouped. Pure.

The place is the path of the first difference in the first stage that differs: later differences may only follow from it.
The place of an error is its kind, with the type of the raised error.
"""

from __future__ import annotations

from ..base.json_path import without_indices
from ..model import Difference, HasOutcome, Raised, StoredResult, Verdict
from .verdict import first_differing_stage


def first_difference(result: HasOutcome) -> Difference | None:
    """The first difference in the first stage that differs, or of all without stages; None for an error."""
    if result.verdict is Verdict.ERROR:
        return None
    in_stage = (part for part in result.differences if is_in(part.path, result.stage))
    return next(in_stage, next(iter(result.differences), None))


def is_in(path: str, stage: str) -> bool:
    """Whether a path lies in a stage; in the empty stage lies every path."""
    return not stage or bool(first_differing_stage((Difference(path, None, None),), (stage,))[0])


def place_of(result: HasOutcome) -> str:
    """The path of a failing result's first difference, whatever the index, or the kind of its error."""
    if isinstance(result, StoredResult):
        return result.place
    part = first_difference(result)
    if part is not None:
        return without_indices(part.path)
    kind = f"{result.verdict}/{result.kind}" if result.kind else result.verdict
    raised = result.response.type if isinstance(result.response, Raised) else ""
    return " ".join(filter(None, (kind, raised, "(not sent)" if result.unsent_after else "")))
