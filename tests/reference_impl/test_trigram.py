"""Slugs, 3-grams, their similarity, and the lazy index over them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_impl.jeffs_brain.candidates import Chunk
from reference_impl.jeffs_brain.trigram import TrigramIndex, grams, jaccard, slug_text

GRAMS = st.frozensets(st.sampled_from(["$ab", "abc", "bc$", "xyz"]))


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("wiki/Go-Kube_Notes.MD", "go kube notes"),
        ("a.md/b.md.md", "b md"),
        ("notes.txt", "notes txt"),
        ("wiki/", ""),
        (".md", ""),
        ("x/_--y.md", " y"),
        ("foo²bar.md", "foo²bar"),
        ("cafe\u0301s.md", "cafe s"),
        ("", ""),
    ],
)
def test_slug(path: str, wanted: str) -> None:
    """A slug is the last segment without .md, lower-cased, with other than letters and numbers as single spaces."""
    assert slug_text(path) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("kube", {"$ku", "kub", "ube", "be$"}),
        ("a", {"$a$"}),
        ("ab a", {"$ab", "ab$", "$a$"}),
        ("", set()),
        ("  ", set()),
        ("𝒜", {"$𝒜", "𝒜$"}),
        ("𝒜b𝒷", {"$𝒜", "𝒜b", "\udc9cb\ud835", "b𝒷", "𝒷$"}),
    ],
)
def test_grams(text: str, wanted: set[str]) -> None:
    """Every word has the 3-grams of itself between two dollars, in UTF-16 units; one letter is enough."""
    assert grams(text) == wanted


def test_short_words_count() -> None:
    """The short words of a slug lower the similarity of its long one."""
    assert jaccard(grams("kube"), grams("go kube a")) == 4 / 7


@given(GRAMS, GRAMS)
def test_jaccard(left: frozenset[str], right: frozenset[str]) -> None:
    """Similarity is symmetric, between 0 and 1, and 1 only for equal sets with something in them."""
    similarity = jaccard(left, right)
    assert similarity == jaccard(right, left)
    assert 0 <= similarity <= 1
    assert (similarity == 1) == (left == right and bool(left))


def found(paths: list[str], tokens: list[str], limit: int = 60) -> list[tuple[str, float]]:
    chunks = [Chunk(str(place), path) for place, path in enumerate(paths)]
    return [(hit.chunk.path, hit.similarity) for hit in TrigramIndex(lambda: chunks).search(tokens, limit)]


def test_threshold_is_inclusive() -> None:
    """A similarity of exactly 0.3 is a hit, and one just below is none."""
    assert found(["abcdef.md"], ["abcdxyz"]) == [("abcdef.md", 0.3)]
    assert found(["abcdef.md"], ["abcdwxyz"]) == []


def test_best_token_counts() -> None:
    """A chunk's similarity is that to the token it is most like."""
    assert found(["zebra.md"], ["zebro", "zebra", "xyz"]) == [("zebra.md", 1.0)]


def test_order_and_limit() -> None:
    """Hits come by similarity, then path, then the order of the chunks, and are cut to the limit."""
    paths = ["z/zebra.md", "zebras.md", "a/zebra.md", "lion.md"]
    assert [path for path, _ in found(paths, ["zebra"])] == ["a/zebra.md", "z/zebra.md", "zebras.md"]
    assert [path for path, _ in found(paths, ["zebra"], limit=2)] == ["a/zebra.md", "z/zebra.md"]
    assert found(paths, []) == []


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


def test_only_the_slug_makes_grams() -> None:
    """Title, summary, content and folders do not help a chunk."""
    chunk = Chunk("a", "zebra/x.md", "zebra", "zebra", "zebra")
    assert TrigramIndex(lambda: [chunk]).search(["zebra"], 1) == []
