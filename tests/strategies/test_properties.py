"""The reference has the properties that the texts imply, and each property names a requirement."""

from __future__ import annotations

from itertools import islice

import pytest
from generated import OPERATIONS, ROOT, answer, properties, recipes, requests, system_of

from strategies.common.property import Property

SLOW = {"tideline.autoRecall", "tideline.search", "tideline.textSimilarity", "tideline.context", "tideline.hrrEmbed"}
"""Operations with slow answers: they get fewer requests."""


def identity(one: Property) -> str:
    return f"{one.operation}-{one.name}"


@pytest.mark.parametrize("one", properties(), ids=identity)
def test_the_reference_has_the_property(one: Property) -> None:
    """The property holds for 100 requests."""
    for request in islice(requests(one.operation, seed=2), 15 if one.operation in SLOW else 100):
        assert one.holds(request, answer(one.operation, request), answer), request


def test_each_property_names_an_operation_and_a_requirement() -> None:
    """Operations are of the reference; requirements are in the file of the system; names are unique in an operation."""
    found = properties()
    assert {one.operation for one in found} <= set(OPERATIONS)
    assert len({(one.operation, one.name) for one in found}) == len(found)
    for one in found:
        path = ROOT / "cases" / system_of(one.operation) / "requirements.yaml"
        assert f"  - id: {one.requirement}\n" in path.read_text("utf-8") or f"id: {one.requirement}," in path.read_text(
            "utf-8"
        ), one


def test_most_operations_have_a_property() -> None:
    """Only operations with a constant answer have none."""
    without = set(recipes()) - {one.operation for one in properties()}
    assert without == {
        "augur.routerName",
        "intent.matches",
        "nexus.constants",
        "nexus.getSettings",
        "stopwords.list",
        "tideline.features",
        "tideline.hrrShape",
        "tideline.stopwords",
    }
