"""Readings of the algorithms document about empty ids, in fusion and in the unanimity shortcut."""

from collections.abc import Callable, Iterable, Sequence

from ...jeffs_brain import fusion, rerank
from ...jeffs_brain.candidates import Candidate
from ...switches import Switches

SWITCHES = Switches("fusion.rrf", "rerank.unanimity", "retrieval.search")

Entries = Iterable[tuple[int, Candidate]]


@SWITCHES.reading("RUL-B141", "b", fusion.contributing, wraps=True)
def only_with_an_id(current: Callable[[Sequence[Candidate]], Entries], candidates: Sequence[Candidate]) -> Entries:
    """A candidate with an empty id is skipped; the ranks of other ids stay."""
    return [(rank, candidate) for rank, candidate in current(candidates) if candidate.id]


@SWITCHES.reading("RUL-B141", "b", rerank.agree)
def only_ids_agree(left: str, right: str) -> bool:
    """Two empty ids do not agree."""
    return left == right != ""
