"""Other readings of the algorithms document's section "Reciprocal Rank Fusion (RRF)"."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence

from ...javascript import strings
from ...jeffs_brain import fusion
from ...jeffs_brain.candidates import Candidate, Result
from ...switches import Switches

SWITCHES = Switches("fusion.rrf", "retrieval.search")

Entries = Iterable[tuple[int, Candidate]]


@SWITCHES.reading("RUL-B43", "b", fusion.total)
def rounded_once(parts: Sequence[float]) -> float:
    """A score is the correctly rounded sum of its contributions."""
    return math.fsum(parts)


@SWITCHES.reading("RUL-B44", "d", fusion.best_first, wraps=True)
def then_by_id(current: Callable[[Result], tuple[object, ...]], result: Result) -> tuple[object, ...]:
    """Equal paths are ordered by id."""
    return *current(result), strings.sort_key(result.id)


@SWITCHES.reading("RUL-B144", "b", fusion.denominator)
def denominator_of_place(k: float, rank: int) -> float:
    """The place, counted from 1, is added to k at once."""
    return k + (rank + 1)


@SWITCHES.reading("RUL-B45", "b", fusion.is_blank)
def zero_is_blank(number: float | None) -> bool:
    """The number 0 is empty too."""
    return not number


@SWITCHES.reading("RUL-B46", "b", fusion.k_in_use)
def whole_k(k: float) -> float:
    """A k that is not a whole number above 0 counts as 60."""
    return float(k) if k > 0 and k == math.floor(k) else fusion.RRF_DEFAULT_K


@SWITCHES.reading("RUL-B46", "d", fusion.contributing, wraps=True)
def each_id_once(current: Callable[[Sequence[Candidate]], Entries], candidates: Sequence[Candidate]) -> Entries:
    """An id counts once in a list, at its first rank; the ranks of other ids stay."""
    return _first_of_each_id(current(candidates))


def _first_of_each_id(entries: Entries) -> Iterator[tuple[int, Candidate]]:
    seen: set[str] = set()
    for rank, candidate in entries:
        if candidate.id not in seen:
            seen.add(candidate.id)
            yield rank, candidate
