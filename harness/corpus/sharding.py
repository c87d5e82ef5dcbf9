"""Split of a selection into shards. Pure: machines with the same corpus compute the same split.

Cases are sorted by operation and dealt round robin. The cost of a case depends mostly on its operation, so every shard
gets its share of the slow cases without any measured times.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ..errors import UsageError, plural
from ..model import Case, Json


class Shard(Struct, frozen=True):
    """Shard `index` (from 1) of `of`."""

    index: int
    of: int

    def __str__(self) -> str:
        return f"{self.index}/{self.of}"

    def size(self, cases: int) -> int:
        """Number of cases in this shard, from `cases` in total."""
        return len(range(self.index - 1, cases, self.of))

    def deal(self, cases: Sequence[Case]) -> Sequence[Case]:
        """The cases of this shard, in corpus order. Raises `UsageError` if some shard would have no case."""
        if self.of > len(cases):
            message = (
                f"--shard {self}: {plural(len(cases), 'selected case')} make at most {plural(len(cases), 'shard')}."
            )
            raise UsageError(f"{message} Use fewer shards.")
        dealt = sorted(range(len(cases)), key=lambda place: cases[place].operation)[self.index - 1 :: self.of]
        return [cases[place] for place in sorted(dealt)]


def shard_of(value: Json) -> Shard | None:
    """The shard that a record header names; None for the record of a whole run."""
    match value:
        case {"index": int(index), "of": int(of)} if 1 <= index <= of:
            return Shard(index, of)
    return None
