"""Algorithms document, sections "Retry ladder" (trigram Jaccard) and "Trigram fallback details"."""

from collections.abc import Callable, Collection, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from ..decisions import Decisions, decided
from ..javascript import regexps, strings
from ..observer import observe
from .candidates import CandidatesDecisions, Chunk, SortKey
from .retry_ladder import RetryLadderDecisions

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
    """The slug of a path: lower-cases it, keeps the last segment, removes ``.md``, keeps letters and numbers. Section
    "Trigram fallback details".
    """
    segment = decided(RetryLadderDecisions).lower_case(path).rpartition("/")[2].removesuffix(".md")
    return decided(TrigramDecisions).letters_and_numbers(segment)


def grams(text: str) -> Grams:
    """The 3-grams of every space-separated word. Section "Trigram fallback details"."""
    rule = decided(TrigramDecisions)
    return {gram for word in rule.text_to_cut(text).split(" ") for gram in rule.grams_of_word(word)}


def jaccard(left: Grams, right: Grams) -> float:
    """Size of the intersection over size of the union. Section "Retry ladder"."""
    union = len(left | right)
    return len(left & right) / union if union else decided(TrigramDecisions).similarity_without_grams()


class TrigramIndex:
    """Index of the 3-grams of slugs. The first search builds it; later searches reuse it. ``read_chunks`` is called at
    most once. Section "Trigram fallback details".
    """

    def __init__(self, read_chunks: Callable[[], Sequence[Chunk]]) -> None:
        self._read_chunks = read_chunks

    @cached_property
    def _entries(self) -> list[tuple[Chunk, Grams]]:
        rule = decided(TrigramDecisions)
        return [(chunk, rule.grams_of_chunk(chunk)) for chunk in rule.searchable(self._read_chunks())]

    def search(self, tokens: Collection[str], limit: int) -> list[TrigramHit]:
        """At most ``limit`` chunks with a similarity of at least 0.3 to a token, best first, then by path. Section
        "Trigram fallback details".
        """
        rule = decided(TrigramDecisions)
        wanted = [grams(token) for token in tokens]
        hits = [
            TrigramHit(chunk, rule.similarity_of_hit([jaccard(token, found) for token in wanted]))
            for chunk, found in self._entries
        ]
        similar = [hit for hit in hits if hit.similarity >= TRIGRAM_JACCARD_THRESHOLD]
        observe(SECTION, "similar chunks", [[hit.chunk.id, hit.similarity] for hit in similar])
        return sorted(similar, key=rule.most_similar_first)[:limit]


class TrigramDecisions(Decisions):
    """What the two sections leave open, as adopted: slugs, 3-grams and their similarity."""

    def letters_and_numbers(self, text: str) -> str:
        """RUL-B87: every run of other characters becomes one space, also at the ends."""
        return strings.collapse("".join(c if self.is_alphanumeric(c) else " " for c in text))

    def is_alphanumeric(self, character: str) -> bool:
        """RUL-B131: every Unicode letter or number is alphanumeric; a vowel sign is a mark and separates."""
        return regexps.has_property(character, "L", "N")

    def text_to_cut(self, text: str) -> str:
        """RUL-B102: the 3-grams of a token are cut from the token unchanged; only a path becomes slug text."""
        return text

    def grams_of_word(self, word: str) -> Sequence[str]:
        """RUL-B60: a word has ``$`` on both sides before its length counts, so that one letter has a gram."""
        return self.windows(f"${word}$")

    def windows(self, padded: str) -> Sequence[str]:
        """RUL-B62: every 3 neighbouring UTF-16 units of a padded word; none for a padded empty word."""
        length = strings.length(padded)
        return [strings.slice_units(padded, start, start + WINDOW) for start in range(length - WINDOW + 1)]

    def similarity_without_grams(self) -> float:
        """RUL-B88: the similarity of two empty sets is 0."""
        return 0.0

    def grams_of_chunk(self, chunk: Chunk) -> Grams:
        """RUL-B61: the slug of the path alone has 3-grams; title, summary and content have none."""
        return grams(slug_text(chunk.path))

    def searchable(self, chunks: Sequence[Chunk]) -> Sequence[Chunk]:
        """RUL-B89: every chunk can be found, regardless of its id."""
        return chunks

    def similarity_of_hit(self, similarities: Sequence[float]) -> float:
        """RUL-B89: the similarity of a chunk is the highest of its similarities to the tokens, in their order."""
        return max(similarities, default=0.0)

    def most_similar_first(self, hit: TrigramHit) -> tuple[SortKey, ...]:
        """RUL-B89: sort key: similarity descending, then path ascending; equal paths keep the order of the chunks."""
        return -hit.similarity, decided(CandidatesDecisions).path_order(hit.chunk.path)
