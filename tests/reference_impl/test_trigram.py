"""The similarity of 3-grams, and the lazy index over them."""

from hypothesis import given
from hypothesis import strategies as st

from reference_impl.jeffs_brain.candidates import Chunk
from reference_impl.jeffs_brain.trigram import TrigramIndex, jaccard

GRAMS = st.frozensets(st.sampled_from(["$ab", "abc", "bc$", "xyz"]))


@given(GRAMS, GRAMS)
def test_jaccard(left: frozenset[str], right: frozenset[str]) -> None:
    """Similarity is symmetric, between 0 and 1, and 1 only for equal sets with something in them."""
    similarity = jaccard(left, right)
    assert similarity == jaccard(right, left)
    assert 0 <= similarity <= 1
    assert (similarity == 1) == (left == right and bool(left))


def test_index_is_lazy() -> None:
    """The chunks are read at the first search and not again."""
    reads: list[str] = []

    def read() -> list[Chunk]:
        reads.append("read")
        return [Chunk("a", "zebra.md")]

    index = TrigramIndex(read)
    assert reads == []
    assert index.search(["zebra"], 1) == index.search(["zebra"], 1)
    assert reads == ["read"]
