"""Shards: every case is in exactly one, and slow operations are spread over all."""

from __future__ import annotations

from collections import Counter

import pytest

from harness.corpus.loader import Corpus
from harness.corpus.sharding import Shard, shard_of
from harness.errors import UsageError
from harness.model import Answered, Case, CaseBody, Json

OPERATIONS = ["quick", "slow", "quick", "quick", "slow", "quick", "quick"]


def case(number: int, operation: str) -> Case:
    return Case(
        name=f"s/c/{number}",
        at="",
        operation=operation,
        requirements=(),
        origin="spec-text",
        revision="1.0",
        body=CaseBody(recorded_request={}, expected=Answered({})),
    )


CASES = [case(number, operation) for number, operation in enumerate(OPERATIONS)]


@pytest.mark.parametrize("of", range(1, len(CASES) + 1))
def test_every_case_is_in_one_shard(of: int) -> None:
    """The shards together have every case once, `size` is correct, and no shard is empty."""
    shards = [Shard(index, of).deal(CASES) for index in range(1, of + 1)]
    assert sorted(one.name for shard in shards for one in shard) == [one.name for one in CASES]
    assert [len(shard) for shard in shards] == [Shard(index, of).size(len(CASES)) for index in range(1, of + 1)]
    assert all(shards)


def test_a_shard_keeps_the_order_of_the_corpus() -> None:
    """The cases of a shard are in corpus order."""
    for index in (1, 2, 3):
        names = [one.name for one in Shard(index, 3).deal(CASES)]
        assert names == sorted(names)


@pytest.mark.parametrize("of", [2, 3, 8])
def test_every_operation_is_spread_over_the_shards(of: int, shipped_corpus: Corpus) -> None:
    """For each operation of the shipped corpus, the sizes of two shards differ by at most one case."""
    cases = shipped_corpus.cases
    counts = [Counter(one.operation for one in Shard(index, of).deal(cases)) for index in range(1, of + 1)]
    for operation in {one.operation for one in cases}:
        numbers = [count[operation] for count in counts]
        assert max(numbers) - min(numbers) <= 1, operation


def test_more_shards_than_cases_are_refused() -> None:
    """A shard without a case would always be green, so it is an error."""
    with pytest.raises(UsageError, match="7 selected cases make at most 7 shards"):
        Shard(1, 8).deal(CASES)
    with pytest.raises(UsageError, match="1,400 selected cases make at most 1,400 shards"):
        Shard(1, 1401).deal(CASES * 200)


def test_a_header_names_the_part() -> None:
    """A header names a part by its index and number; another value is no part."""
    assert shard_of({"index": 2, "of": 3}) == Shard(2, 3)
    values: list[Json] = [None, {}, {"index": 0, "of": 2}, {"index": 3, "of": 2}]
    assert [shard_of(value) for value in values] == [None] * 4
