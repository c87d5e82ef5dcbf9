"""Algorithms document, sections "Retry ladder" (trigram Jaccard) and "Trigram fallback details"."""

from collections.abc import Callable, Collection, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from reference_impl.javascript import regexps, strings
from reference_impl.jeffs_brain.candidates import Chunk
from reference_impl.observer import Observer, Step, silent

SECTION = "Trigram fallback details"

WINDOW: Final = 3
TRIGRAM_JACCARD_THRESHOLD: Final = 0.3

Grams = Set[str]


@dataclass(frozen=True, slots=True)
class TrigramHit:
    """A chunk, and the best similarity of its slug to any of the tokens."""

    chunk: Chunk
    similarity: float


def slug_text(path: str) -> str:
    """Lower-case the path, keep its last segment, strip ``.md``, collapse what is no letter or number to spaces."""
    segment = strings.to_lower_case(path).rpartition("/")[2].removesuffix(".md")
    return strings.collapse("".join(c if regexps.has_property(c, "L", "N") else " " for c in segment))


def grams(text: str) -> Grams:
    """The 3-grams, in UTF-16 units, of every space-separated word between two ``$``.

    A word is dropped if it is shorter than 3 with its padding, so only an empty one is.
    """
    return {gram for word in text.split(" ") for gram in _windows(f"${word}$")}


def jaccard(left: Grams, right: Grams) -> float:
    """Size of the intersection over size of the union; 0 for two empty sets."""
    union = len(left | right)
    return len(left & right) / union if union else 0.0


class TrigramIndex:
    """The slugs' 3-grams of some chunks, made when the first search asks for them and kept for the next.

    ``read_chunks`` is asked once at most.
    """

    def __init__(self, read_chunks: Callable[[], Sequence[Chunk]]) -> None:
        self._read_chunks = read_chunks

    @cached_property
    def _entries(self) -> list[tuple[Chunk, Grams]]:
        return [(chunk, grams(slug_text(chunk.path))) for chunk in self._read_chunks()]

    def search(self, tokens: Collection[str], limit: int, *, observe: Observer = silent) -> list[TrigramHit]:
        """Chunks at least 0.3 similar to any token: best first, then path ascending, at most ``limit``."""
        wanted = [grams(token) for token in tokens]
        hits = [
            TrigramHit(chunk, max((jaccard(token, slug) for token in wanted), default=0.0))
            for chunk, slug in self._entries
        ]
        similar = [hit for hit in hits if hit.similarity >= TRIGRAM_JACCARD_THRESHOLD]
        observe(Step(SECTION, "similar chunks", [[hit.chunk.id, hit.similarity] for hit in similar]))
        return sorted(similar, key=_most_similar_first)[:limit]


def _windows(padded: str) -> list[str]:
    length = strings.length(padded)
    return [strings.slice_units(padded, start, start + WINDOW) for start in range(length - WINDOW + 1)]


def _most_similar_first(hit: TrigramHit) -> tuple[float, bytes]:
    return -hit.similarity, strings.sort_key(hit.chunk.path)
