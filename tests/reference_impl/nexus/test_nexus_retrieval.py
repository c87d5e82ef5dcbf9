"""One chat request: what holds of all lists, and its steps."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reference_impl.observer import Step, observing
from reference_impl.wire.nexus.operations import OPERATIONS

IDS = st.lists(st.integers(1, 12), unique=True, max_size=10)


def get_fused(semantic: list[int], keyword: list[int], recent: list[int], limit: int, **more: Any) -> dict[str, Any]:
    request = {"semanticIds": semantic, "ftsIds": keyword, "recentIds": recent, "semanticLimit": limit, "sessionId": 7}
    return OPERATIONS["nexus.getFused"]({**request, **more})


def weights(semantic: float, keyword: float) -> dict[str, Any]:
    return {"settings": {"semanticWeight": semantic, "keywordWeight": keyword}}


@given(IDS, IDS, IDS, st.integers(0, 8))
def test_recent_episodes(semantic: list[int], keyword: list[int], recent: list[int], limit: int) -> None:
    """No recent id is fetched or returned, and what is left fills the limit as far as it goes."""
    answer = get_fused(semantic, keyword, recent, limit, **weights(1, 1))
    left = {*semantic, *keyword[: 2 * limit]} - set(recent)
    assert not {*answer["ids"], *answer["fetchedById"]} & set(recent)
    assert len(answer["ids"]) == min(limit, len(left))
    assert answer["fetchedById"] == [id_ for id_ in semantic if id_ not in recent]


@given(IDS, IDS, IDS, st.integers(0, 8))
def test_keyword_weight_zero(semantic: list[int], keyword: list[int], recent: list[int], limit: int) -> None:
    """Without a keyword weight no request is made, and the semantic list alone decides."""
    answer = get_fused(semantic, keyword, recent, limit)
    assert answer["ftsCall"] is None
    assert answer["ids"] == [id_ for id_ in semantic if id_ not in recent][:limit]


def test_steps() -> None:
    """What was done is shown in the order of the text's sections."""
    steps: list[Step] = []
    request = {"semanticIds": [1], "ftsIds": [2], "recentIds": [], "semanticLimit": 1, "sessionId": 7}
    with observing(steps.append):
        OPERATIONS["nexus.getFused"]({**request, **weights(1, 1)})
    assert [step.step for step in steps] == ["semantic episodes", "keyword episodes", "semantic pass", "keyword pass"]
