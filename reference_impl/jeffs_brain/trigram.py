"""Algorithms document, sections "Retry ladder" (trigram Jaccard) and "Trigram fallback details"."""

from collections.abc import Callable, Collection, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from ..javascript import regexps, strings
from ..observer import Observer, Step, silent
from .candidates import Chunk

SECTION = "Trigram fallback details"

WINDOW: Final = 3
TRIGRAM_JACCARD_THRESHOLD: Final = 0.3

Grams = Set[str]


@dataclass(frozen=True, slots=True)
class TrigramHit:
    """A chunk, and the highest similarity of its slug to a token."""

    chunk: Chunk
    similarity: float


def slug_text(path: str) -> str:
    """The slug of a path: lower-cases it, keeps the last segment, removes ``.md``, replaces other characters by spaces.

    Letters and numbers stay; a run of spaces becomes one space. Section "Trigram fallback details".
    """
    segment = strings.to_lower_case(path).rpartition("/")[2].removesuffix(".md")
    return strings.collapse("".join(c if is_alphanumeric(c) else " " for c in segment))


def is_alphanumeric(character: str) -> bool:
    """RUL-B131: only letters and numbers are alphanumeric; a vowel sign is a mark and separates."""
    return regexps.has_property(character, "L", "N")


def grams(text: str) -> Grams:
    """The 3-grams, in UTF-16 units, of every space-separated word, padded with ``$`` on both sides.

    A padded word with fewer than 3 units has none, which is only the empty word. Section "Trigram fallback details".
    """
    return {gram for word in text.split(" ") for gram in _windows(f"${word}$")}


def jaccard(left: Grams, right: Grams) -> float:
    """Size of the intersection over size of the union; 0 for two empty sets. Section "Retry ladder"."""
    union = len(left | right)
    return len(left & right) / union if union else 0.0


class TrigramIndex:
    """Index of the 3-grams of slugs. The first search builds it; later searches reuse it.

    ``read_chunks`` is called at most once. Section "Trigram fallback details".
    """

    def __init__(self, read_chunks: Callable[[], Sequence[Chunk]]) -> None:
        self._read_chunks = read_chunks

    @cached_property
    def _entries(self) -> list[tuple[Chunk, Grams]]:
        return [(chunk, grams(slug_text(chunk.path))) for chunk in self._read_chunks()]

    def search(self, tokens: Collection[str], limit: int, *, observe: Observer = silent) -> list[TrigramHit]:
        """At most ``limit`` chunks with a similarity of at least 0.3 to a token, best first, then by path.

        Section "Trigram fallback details".
        """
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
