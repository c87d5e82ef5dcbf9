"""Algorithms document, sections "Unanimity shortcut" and "Rerank tail preservation"."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..javascript import strings
from .candidates import Candidate, Result

UNANIMITY_WINDOW: Final = 3
SNIPPET_UNITS: Final = 280


@dataclass(frozen=True, slots=True)
class Shortcut:
    """Agreement of both legs: the first three ids of BM25, and the number of positions where the vector leg has the same."""

    ids: tuple[str, ...]
    agreements: int


@dataclass(frozen=True, slots=True)
class RerankDocument:
    """One document in the payload of the reranker."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class RankedDocument:
    """One entry of a reranker's answer: the index of a document in the payload, and its new score."""

    index: int
    score: float


def unanimity_shortcut(bm25: Sequence[str], vector: Sequence[str], agree_min: int = 2) -> Shortcut | None:
    """Compares the first three ids by position. Section "Unanimity shortcut".

    None for a list with fewer than three ids, and for too few agreements.
    """
    if min(len(bm25), len(vector)) < UNANIMITY_WINDOW:
        return None
    head = tuple(bm25[:UNANIMITY_WINDOW])
    agreements = sum(left == right for left, right in zip(head, vector, strict=False))
    return None if agreements < agree_min else Shortcut(head, agreements)


def document_text(title: str, summary: str, content: str) -> str:
    """The text of a document for the reranker: title and summary on two lines, one of them, or a snippet of the content.

    The whole snippet has at most 280 UTF-16 units; a cut snippet gets no suffix. Section "Rerank tail preservation".
    """
    if title and summary:
        return f"{title}\n{summary}"
    return title or summary or strings.slice_units(strings.trim(content), 0, SNIPPET_UNITS)


def as_document(candidate: Candidate) -> RerankDocument:
    """The payload document of a candidate. Section "Rerank tail preservation"."""
    return RerankDocument(candidate.id, document_text(candidate.title, candidate.summary, candidate.content))


def apply_ranking(results: Sequence[Result], top_n: int, ranking: Sequence[RankedDocument]) -> list[Result]:
    """The head in the order of the reranker, then the unchanged tail. Section "Rerank tail preservation".

    The fused scores stay. An index outside the head is ignored.
    """
    head, tail = results[:top_n], results[top_n:]
    known = [ranked for ranked in ranking if 0 <= ranked.index < len(head)]
    return [replace(head[ranked.index], rerank_score=ranked.score) for ranked in known] + list(tail)
