"""Algorithms document, sections "Unanimity shortcut" and "Rerank tail preservation"."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from reference_impl.javascript import strings
from reference_impl.jeffs_brain.candidates import Candidate, Result

UNANIMITY_WINDOW: Final = 3
SNIPPET_UNITS: Final = 280


@dataclass(frozen=True, slots=True)
class Shortcut:
    """Both legs agree on the head: BM25's first three ids, and at how many places the vector leg has the same."""

    ids: tuple[str, ...]
    agreements: int


@dataclass(frozen=True, slots=True)
class RerankDocument:
    """One document of the reranker's payload."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class RankedDocument:
    """One entry of a reranker's answer: the place of a document in the payload, and its new score."""

    index: int
    score: float


def unanimity_shortcut(bm25: Sequence[str], vector: Sequence[str], agree_min: int = 2) -> Shortcut | None:
    """Section "Unanimity shortcut": compare the first three ids place by place; None for too short or too different."""
    if min(len(bm25), len(vector)) < UNANIMITY_WINDOW:
        return None
    head = tuple(bm25[:UNANIMITY_WINDOW])
    agreements = sum(left == right for left, right in zip(head, vector, strict=False))
    return None if agreements < agree_min else Shortcut(head, agreements)


def document_text(title: str, summary: str, content: str) -> str:
    """Section "Rerank tail preservation": title and summary on two lines, one of them, or a snippet of the content.

    The cap of 280 UTF-16 units is a cap on the whole snippet: nothing is added to one that was cut.
    """
    if title and summary:
        return f"{title}\n{summary}"
    return title or summary or strings.slice_units(strings.trim(content), 0, SNIPPET_UNITS)


def as_document(candidate: Candidate) -> RerankDocument:
    """A candidate as the reranker gets it."""
    return RerankDocument(candidate.id, document_text(candidate.title, candidate.summary, candidate.content))


def apply_ranking(results: Sequence[Result], top_n: int, ranking: Sequence[RankedDocument]) -> list[Result]:
    """The head as the reranker answered it, then the tail untouched. Section "Rerank tail preservation".

    Scores stay the fused ones. An index that names no document of the head is nothing that could be ranked.
    """
    head, tail = results[:top_n], results[top_n:]
    known = [ranked for ranked in ranking if 0 <= ranked.index < len(head)]
    return [replace(head[ranked.index], rerank_score=ranked.score) for ranked in known] + list(tail)
