"""Algorithms document, sections "Unanimity shortcut" and "Rerank tail preservation"."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..decisions import Decisions, decided
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
    """unanimityShortcut: compares the first three ids by position."""
    rule = decided(RerankDecisions)
    # if len(bm25) < window or len(vector) < window: return null
    if min(len(bm25), len(vector)) < UNANIMITY_WINDOW:
        return None
    head = tuple(bm25[:UNANIMITY_WINDOW])
    # agreements = count positions i in [0, window) where bm25[i].id == vector[i].id
    agreements = sum(rule.agree(left, right) for left, right in zip(head, vector, strict=False))
    # if agreements < agreeMin: return null
    return Shortcut(head, agreements) if rule.are_enough(agreements, agree_min) else None


def rerank_document(candidate: Candidate) -> RerankDocument:
    """The document of a candidate in the payload. Section "Rerank tail preservation"."""
    texts = candidate.title, candidate.summary, candidate.content
    return RerankDocument(candidate.id, decided(RerankDecisions).reference_text(*texts, candidate.path))


def document_text(title: str, summary: str, content: str) -> str:
    """Title and summary, else one of them, else the trimmed content, cut. Section "Rerank tail preservation"."""
    rule = decided(RerankDecisions)
    if title and summary:
        return rule.both_lines(title, summary)
    return title or summary or rule.snippet(rule.trimmed(content))


def apply_ranking(results: Sequence[Result], top_n: int, ranking: Sequence[RankedDocument]) -> list[Result]:
    """The head in the order of the reranker, then the unchanged tail. The fused scores stay."""
    rule = decided(RerankDecisions)
    # head = fused[:rerankTopN]; tail = fused[rerankTopN:]
    head, tail = results[:top_n], results[top_n:]
    # final = reranked ++ tail
    return rule.ranked_head(head, rule.in_order(ranking)) + list(tail)


class RerankDecisions(Decisions):
    """What the two sections leave open, as adopted: agreement, the text of a document, and the order of the head."""

    def agree(self, left: str, right: str) -> bool:
        """RUL-B141: equal ids agree, also empty ones."""
        return left == right

    def are_enough(self, agreements: int, agree_min: int) -> bool:
        """RUL-B53: the comparison has no exception: an agreeMin of 0 or less is always met."""
        return agreements >= agree_min

    def reference_text(self, title: str, summary: str, content: str, path: str = "") -> str:
        """RUL-B103: every SDK sends the text of the document. RUL-B85: title and summary are sent as stored."""
        return document_text(title, summary, content)

    def trimmed(self, content: str) -> str:
        """RUL-B143: the white space at the ends of the content is that of JavaScript's ``trim()``."""
        return strings.trim(content)

    def both_lines(self, title: str, summary: str) -> str:
        """RUL-B85: a newline alone separates title and summary."""
        return f"{title}\n{summary}"

    def snippet(self, text: str) -> str:
        """RUL-B52: the first 280 UTF-16 units, with nothing after them."""
        return strings.slice_units(text, 0, SNIPPET_UNITS)

    def in_order(self, ranking: Sequence[RankedDocument]) -> Sequence[RankedDocument]:
        """RUL-B107: the response keeps its order, regardless of its scores."""
        return ranking

    def ranked_head(self, head: Sequence[Result], ranking: Sequence[RankedDocument]) -> list[Result]:
        """RUL-B50: omitted documents are removed, repeated documents are repeated, and an unknown index is ignored."""
        known = [ranked for ranked in ranking if 0 <= ranked.index < len(head)]
        return [replace(head[ranked.index], rerank_score=ranked.score) for ranked in known]
