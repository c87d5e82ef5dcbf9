"""The unanimity shortcut, the reranker's documents, the preserved tail."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_impl.jeffs_brain.candidates import Candidate, Result
from reference_impl.jeffs_brain.rerank import (
    RankedDocument,
    Shortcut,
    apply_ranking,
    document_text,
    unanimity_shortcut,
)


@pytest.mark.parametrize(
    ("bm25", "vector", "agree_min", "wanted"),
    [
        ("abc", "abc", 2, 3),
        ("abcd", "abxy", 2, 2),
        ("abc", "acb", 2, None),
        ("abc", "bca", 0, 0),
        ("ab", "abc", 0, None),
        ("abc", "ab", 2, None),
        ("abc", "abx", 3, None),
        ("abcd", "xyzd", 1, None),
    ],
)
def test_unanimity(bm25: str, vector: str, agree_min: int, wanted: int | None) -> None:
    """Agreement is counted place by place over the first three ids, and too little of it is no shortcut."""
    got = unanimity_shortcut(list(bm25), list(vector), agree_min)
    assert got == (None if wanted is None else Shortcut(tuple(bm25[:3]), wanted))


def test_empty_ids_agree() -> None:
    """Equal ids agree even when they are empty."""
    assert unanimity_shortcut(["", "", "a"], ["", "", "b"]) == Shortcut(("", "", "a"), 2)


@pytest.mark.parametrize(
    ("title", "summary", "content", "wanted"),
    [
        ("T", "S", "C", "T\nS"),
        ("T", "", "C", "T"),
        ("", "S", "C", "S"),
        ("", "", " \u00a0C  c\ufeff\n", "C  c"),
        ("", "", "", ""),
        ("", "", "x" * 281, "x" * 280),
        ("", "", "x" * 279 + "😀", "x" * 279 + "\ud83d"),
        ("", "", " " + "x" * 280, "x" * 280),
        ("T" * 300, "S", "C", "T" * 300 + "\nS"),
    ],
)
def test_document_text(title: str, summary: str, content: str, wanted: str) -> None:
    """Title and summary on two lines, either alone, or else the trimmed content's first 280 UTF-16 units."""
    assert document_text(title, summary, content) == wanted


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


def test_order_is_the_answers_not_the_scores() -> None:
    """A lower score that comes first stays first."""
    final = apply_ranking(results(3), 3, [RankedDocument(2, 1.0), RankedDocument(0, 9.0), RankedDocument(1, 5.0)])
    assert [result.id for result in final] == ["2", "0", "1"]


def test_strange_answers() -> None:
    """What the reranker leaves out is gone, what it repeats is repeated, what it invents is ignored."""
    ranking = [RankedDocument(1, 3.0), RankedDocument(1, 2.0), RankedDocument(7, 1.0), RankedDocument(-1, 1.0)]
    assert [result.id for result in apply_ranking(results(4), 2, ranking)] == ["1", "1", "2", "3"]
