"""Other readings of the algorithms document's section "Reciprocal Rank Fusion (RRF)"."""

import math
from collections.abc import Iterable, Iterator, Sequence

from ...javascript import strings
from ...jeffs_brain import fusion
from ...jeffs_brain.candidates import Candidate, Result
from ...jeffs_brain.fusion import FusionDecisions

ACTS_ON = ("fusion.rrf", "retrieval.search")

Entries = Iterable[tuple[int, Candidate]]


class RoundedOnce(FusionDecisions, reading="RUL-B43=b"):
    """A score is the correctly rounded sum of its contributions."""

    def total(self, parts: Sequence[float]) -> float:
        return math.fsum(parts)


class ThenById(FusionDecisions, reading="RUL-B44=d"):
    """Equal paths are ordered by id."""

    def best_first(self, result: Result) -> tuple[object, ...]:
        return *super().best_first(result), strings.sort_key(result.id)


class DenominatorOfPlace(FusionDecisions, reading="RUL-B144=b"):
    """The place, counted from 1, is added to k at once."""

    def denominator(self, k: float, rank: int) -> float:
        return k + (rank + 1)


class ZeroIsBlank(FusionDecisions, reading="RUL-B45=b"):
    """The number 0 is empty too."""

    def is_blank(self, number: float | None) -> bool:
        return not number


class WholeK(FusionDecisions, reading="RUL-B46=b"):
    """A k that is not a whole number above 0 counts as 60."""

    def k_in_use(self, k: float) -> float:
        return float(k) if k > 0 and k == math.floor(k) else fusion.RRF_DEFAULT_K


class EachIdOnce(FusionDecisions, reading="RUL-B46=d"):
    """An id counts once in a list, at its first rank; the ranks of other ids stay."""

    def contributing(self, candidates: Sequence[Candidate]) -> Entries:
        return _first_of_each_id(super().contributing(candidates))


def _first_of_each_id(entries: Entries) -> Iterator[tuple[int, Candidate]]:
    seen: set[str] = set()
    for rank, candidate in entries:
        if candidate.id not in seen:
            seen.add(candidate.id)
            yield rank, candidate
