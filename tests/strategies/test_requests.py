"""Generated requests are valid, reproducible and rarely trivial, and every operation has a strategy."""

from __future__ import annotations

import json
from functools import cache
from itertools import islice
from typing import Any

import jsonschema_rs
import pytest
from generated import NAMES, OPERATIONS, ROOT, answer, is_trivial, recipes, requests, system_of
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from strategies.common.choices import Choices, Recipe

CONSTANT = {"nexus.constants", "nexus.getSettings", "stopwords.list", "tideline.stopwords", "augur.routerName"}
"""Operations with one or two requests."""

SLOW = {"tideline.autoRecall", "tideline.autoRecallFacts", "tideline.context", "tideline.search"}
"""Operations whose answer takes the reference more than a millisecond."""


@cache
def validator(operation: str) -> jsonschema_rs.Draft202012Validator:
    """The validator of an operation's requests."""
    system = system_of(operation)
    files = sorted((ROOT / "schemas" / system).glob("*.json"))
    found = [(f"file:///schemas/{system}/{file.name}", json.loads(file.read_text("utf-8"))) for file in files]
    registry = jsonschema_rs.Registry(found, draft=jsonschema_rs.Draft202012)
    reference: dict[str, Any] = {"$ref": f"file:///schemas/{system}/{operation}.json#/$defs/request"}
    return jsonschema_rs.Draft202012Validator(reference, registry=registry, offline=True)


def test_every_operation_has_a_strategy() -> None:
    """The tables of the reference and of the strategies have the same operations."""
    assert set(recipes()) == set(OPERATIONS)


@pytest.mark.parametrize("system", NAMES)
def test_a_system_exports_strategies_by_operation(system: str) -> None:
    """`requests` of a system's package has a strategy for each recipe."""
    package = pytest.importorskip(f"strategies.{system}")
    assert set(package.requests) == set(package.RECIPES)
    assert all(isinstance(one, st.SearchStrategy) for one in package.requests.values())


@pytest.mark.parametrize("operation", sorted(OPERATIONS))
def test_requests_are_valid_and_rarely_trivial(operation: str) -> None:
    """Every request satisfies the schema as JSON; under 33 % of 300 answers are trivial (goal: 30 % of 2,000)."""
    found = list(islice(requests(operation), 40 if operation in SLOW else 300))
    for request in found:
        assert json.loads(json.dumps(request, allow_nan=False)) == request
        assert validator(operation).is_valid(request), request
    trivial = sum(is_trivial(operation, answer(operation, request)) for request in found)
    assert trivial < (0.5 if operation in SLOW else 0.33) * len(found)
    assert operation in CONSTANT or len({json.dumps(request) for request in found}) > len(found) // 10


@pytest.mark.parametrize("operation", sorted(OPERATIONS))
def test_no_bytes_give_the_simplest_request(operation: str) -> None:
    """The request of no bytes is valid and equals the request of zeros, so that shrinking ends there."""
    recipe = recipes()[operation]
    simplest = recipe.request(b"")
    assert validator(operation).is_valid(simplest)
    assert simplest == recipe.request(bytes(recipe.size))
    assert operation in CONSTANT or len(json.dumps(simplest)) <= 1000


@pytest.mark.parametrize("operation", sorted(set(OPERATIONS) - CONSTANT))
def test_requests_hold_unicode_scalar_values_only(operation: str) -> None:
    """A request is UTF-8 text: it has no lone surrogate."""
    for request in islice(requests(operation, seed=1), 50):
        json.dumps(request, ensure_ascii=False).encode("utf-8")


class TestChoices:
    """`Choices` reads bytes; after the last byte it gives the simplest choice."""

    def test_bytes_of_zero_are_the_simplest_choice(self) -> None:
        """The first option, no item, the given order, an absent member."""
        choices = Choices(b"")
        assert choices.pick("abc") == "a"
        assert choices.many(Choices.byte, 5) == []
        assert choices.shuffled("abc") == ["a", "b", "c"]
        assert choices.maybe("name", Choices.byte) == {}

    @pytest.mark.parametrize(("count", "size"), [(128, 1), (129, 2), (32768, 2), (32769, 4)])
    def test_a_choice_of_many_reads_more_bytes(self, count: int, size: int) -> None:
        """The number is below the count, and as many bytes are read as it needs."""
        choices = Choices(b"\xff" * size + b"\x07")
        assert 0 <= choices.below(count) < count
        assert choices.byte() == 7

    @given(st.binary(max_size=40))
    def test_items_stay_within_their_limits(self, entropy: bytes) -> None:
        """`many` and `some` give from the least to the most number of items."""
        choices = Choices(entropy)
        assert 2 <= len(choices.many(Choices.byte, 5, 2)) <= 5
        assert 1 <= len(choices.some("ab", 3, 1)) <= 3


def test_hypothesis_shrinks_a_request_to_the_part_that_matters() -> None:
    """A failing query shrinks to few characters around the one that fails."""
    recipe: Recipe = recipes()["query.parse"]
    failing: list[str] = []

    phases = (Phase.generate, Phase.shrink)

    @settings(
        max_examples=3000, database=None, phases=phases, derandomize=True, suppress_health_check=list(HealthCheck)
    )
    @given(recipe.strategy())
    def has_no_prefix_after_an_operator(request: dict[str, Any]) -> None:
        tokens = answer("query.parse", request)["ast"]["tokens"]
        if any(token["kind"] == "prefix" and "operator" in token for token in tokens):
            failing.append(request["query"])
            raise AssertionError

    with pytest.raises(AssertionError):
        has_no_prefix_after_an_operator()
    assert len(failing[-1]) <= 14
