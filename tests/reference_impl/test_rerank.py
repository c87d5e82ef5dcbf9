"""The preserved tail of a reranked list."""

from hypothesis import given
from hypothesis import strategies as st

from reference_impl.jeffs_brain.candidates import Candidate, Result
from reference_impl.jeffs_brain.rerank import (
    RankedDocument,
    apply_ranking,
)


def results(length: int) -> list[Result]:
    return [Result(Candidate(str(rank), f"{rank}.md"), 1 / (61 + rank)) for rank in range(length)]


@given(st.permutations(range(5)), st.integers(5, 9))
def test_tail_is_untouched(order: list[int], length: int) -> None:
    """The head is in the reranker's order with its scores added, the tail as it was."""
    fused = results(length)
    final = apply_ranking(fused, 5, [RankedDocument(index, float(place)) for place, index in enumerate(order)])
    assert [int(result.id) for result in final[:5]] == order
    assert [result.rerank_score for result in final[:5]] == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert [result.score for result in final[:5]] == [fused[index].score for index in order]
    assert final[5:] == fused[5:]
