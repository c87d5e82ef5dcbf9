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
    def total(self, parts: Sequence[float]) -> float:
        """A score is the correctly rounded sum of its contributions."""
        return math.fsum(parts)


class ThenById(FusionDecisions, reading="RUL-B44=d"):
    def best_first(self, result: Result) -> tuple[object, ...]:
        """Equal paths are ordered by id."""
        return *super().best_first(result), strings.sort_key(result.id)


class DenominatorOfPlace(FusionDecisions, reading="RUL-B144=b"):
    def denominator(self, k: float, rank: int) -> float:
        """The place, counted from 1, is added to k at once."""
        return k + (rank + 1)


class ZeroIsBlank(FusionDecisions, reading="RUL-B45=b"):
    def is_blank(self, number: float | None) -> bool:
        """The number 0 is empty too."""
        return not number


class WholeK(FusionDecisions, reading="RUL-B46=b"):
    def k_in_use(self, k: float) -> float:
        """A k that is not a whole number above 0 counts as 60."""
        return float(k) if k > 0 and k == math.floor(k) else fusion.RRF_DEFAULT_K


class EachIdOnce(FusionDecisions, reading="RUL-B46=d"):
    def contributing(self, candidates: Sequence[Candidate]) -> Entries:
        """An id counts once in a list, at its first rank; the ranks of other ids stay."""
        return _first_of_each_id(super().contributing(candidates))


def _first_of_each_id(entries: Entries) -> Iterator[tuple[int, Candidate]]:
    seen: set[str] = set()
    for rank, candidate in entries:
        if candidate.id not in seen:
            seen.add(candidate.id)
            yield rank, candidate
