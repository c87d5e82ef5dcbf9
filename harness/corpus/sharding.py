"""Which cases of a selection one shard asks. Pure: machines that share the corpus and nothing else agree on it.

Cases are dealt out like cards, operation by operation. What a case costs depends mostly on its operation, so every shard
gets its share of the slow ones, and none needs to know how long anything took elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.errors import UsageError
from harness.model import Case, Json, JsonObject


@dataclass(frozen=True, slots=True)
class Part:
    """Shard `index` (from 1) of `of`."""

    index: int
    of: int

    def __str__(self) -> str:
        return f"{self.index}/{self.of}"

    def as_json(self) -> JsonObject:
        """The header's member `shard`."""
        return {"index": self.index, "of": self.of}

    def size(self, cases: int) -> int:
        """How many of `cases` it asks."""
        return len(range(self.index - 1, cases, self.of))

    def deal(self, cases: Sequence[Case]) -> tuple[Case, ...]:
        """The cases that it asks, in their own order. Raises `UsageError` if some shard would have none."""
        if self.of > len(cases):
            raise UsageError(f"--shard {self}: {len(cases)} selected cases make at most {len(cases)} shards.")
        dealt = sorted(cases, key=lambda case: case.operation)[self.index - 1 :: self.of]
        mine = {case.name for case in dealt}
        return tuple(case for case in cases if case.name in mine)


def part_of(value: Json) -> Part | None:
    """The part that a header's `shard` names; None of a whole run."""
    match value:
        case {"index": int(index), "of": int(of)} if 1 <= index <= of:
            return Part(index, of)
    return None
