"""Other readings of the algorithms document's sections "Unanimity shortcut" and "Rerank tail preservation"."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from ...javascript import strings
from ...jeffs_brain import rerank
from ...jeffs_brain.candidates import Candidate, Result
from ...jeffs_brain.normalise import WHITE_SPACE
from ...jeffs_brain.rerank import RankedDocument, RerankDocument
from ...jeffs_brain.retrieval import Retrieval
from ...jeffs_brain.search import Reranker, SearchRequest, SearchResponse, StageError
from ...switches import Switches

SWITCHES = Switches("rerank.*", "retrieval.search")

Search = Callable[..., SearchResponse]
Head = Callable[[Sequence[Result], Sequence[RankedDocument]], list[Result]]
Text = Callable[[str, str, str], str]

_EXCERPT: Final = 1200


@SWITCHES.reading("RUL-B53", "b", rerank.are_enough)
def never_without_agreement(agreements: int, agree_min: int) -> bool:
    """An agreeMin below 1 gives no shortcut without agreement."""
    return agreements >= max(agree_min, 1)


@SWITCHES.reading("RUL-B52", "c", rerank.snippet)
def cut_by_code_points(text: str) -> str:
    """The first 280 code points, with nothing after them."""
    return text[: rerank.SNIPPET_UNITS]


@SWITCHES.reading("RUL-B143", "b", rerank.trimmed)
def trimmed_in_unicode(content: str) -> str:
    """White space has U+0085, and lacks U+FEFF."""
    return content.strip(WHITE_SPACE)


@SWITCHES.reading("RUL-B143", "c", rerank.trimmed)
def trimmed_in_python(content: str) -> str:
    """White space is that of the port's own language, here Python."""
    return content.strip()


@SWITCHES.reading("RUL-B52", "e", rerank.snippet)
def cut_by_bytes(text: str) -> str:
    """280 bytes and three full stops. A part of a character is a lone surrogate for each of its bytes."""
    data = text.encode("utf-8", "surrogatepass")
    if len(data) <= rerank.SNIPPET_UNITS:
        return text
    return data[: rerank.SNIPPET_UNITS].decode("utf-8", "surrogateescape") + "..."


@SWITCHES.reading("RUL-B85", "b", rerank.document_text, wraps=True)
def without_outer_space(current: Text, title: str, summary: str, content: str) -> str:
    """Every field is trimmed, a blank field is missing, and runs of white space in the content become one space."""
    return current(rerank.trimmed(title), rerank.trimmed(summary), in_one_line(content))


def in_one_line(content: str) -> str:
    """Single spaces separate the words; white space is what is trimmed."""
    spaced = "".join(character if rerank.trimmed(character) else " " for character in content)
    return " ".join(filter(None, spaced.split(" ")))


@SWITCHES.reading("RUL-B85", "c", rerank.both_lines)
def spaces_around_the_newline(title: str, summary: str) -> str:
    """A space, a newline and a space separate title and summary."""
    return f"{title} \n {summary}"


@SWITCHES.reading("RUL-B52", "d", rerank.document_text, wraps=True)
@SWITCHES.reading("RUL-B143", "d", rerank.document_text, wraps=True)
@SWITCHES.reading("RUL-B85", "d", rerank.document_text, wraps=True)
@SWITCHES.reading("RUL-B103", "b", rerank.document_text, wraps=True)
def another_text(current: Text, title: str, summary: str, content: str, path: str = "") -> str:
    """An SDK composes another text of the document; here, labelled lines with 1,200 UTF-16 units of the content."""
    del current
    body = strings.trim(strings.collapse(content))
    is_cut = strings.length(body) > _EXCERPT
    excerpt = strings.slice_units(body, 0, _EXCERPT) + "..." if is_cut else body
    lines = (
        f"title: {strings.trim(title) or '(untitled)'}",
        f"    path: {path}",
        f"    summary: {strings.trim(summary) or '(no summary available)'}",
        "",
        f"    content: {excerpt or '(no body excerpt available)'}",
    )
    return "\n".join(lines)


@SWITCHES.reading("RUL-B52", "d", rerank.as_document, wraps=True)
@SWITCHES.reading("RUL-B143", "d", rerank.as_document, wraps=True)
@SWITCHES.reading("RUL-B85", "d", rerank.as_document, wraps=True)
@SWITCHES.reading("RUL-B103", "b", rerank.as_document, wraps=True)
def another_document(current: Callable[[Candidate], RerankDocument], candidate: Candidate) -> RerankDocument:
    """The other text has the path of the candidate too."""
    del current
    texts = candidate.title, candidate.summary, candidate.content
    return RerankDocument(candidate.id, another_text(rerank.document_text, *texts, path=candidate.path))


@SWITCHES.reading("RUL-B107", "b", rerank.in_order)
def by_score(ranking: Sequence[RankedDocument]) -> Sequence[RankedDocument]:
    """The scores of the response define the order; equal scores keep the order of the response."""
    return sorted(ranking, key=lambda ranked: -ranked.score)


@SWITCHES.reading("RUL-B107", "c", rerank.in_order)
def by_score_and_fused_order(ranking: Sequence[RankedDocument]) -> Sequence[RankedDocument]:
    """The scores of the response define the order; equal scores keep the fused order."""
    return sorted(ranking, key=lambda ranked: (-ranked.score, ranked.index))


@SWITCHES.reading("RUL-B50", "b", rerank.ranked_head, wraps=True)
def every_document_once(current: Head, head: Sequence[Result], ranking: Sequence[RankedDocument]) -> list[Result]:
    """Omitted documents follow in fused order, and repeated documents count once."""
    first: dict[int, RankedDocument] = {}
    for ranked in ranking:
        first.setdefault(ranked.index, ranked)
    omitted = [result for index, result in enumerate(head) if index not in first]
    return current(head, list(first.values())) + omitted


@SWITCHES.reading("RUL-B50", "c", rerank.ranked_head, wraps=True)
def fused_head(current: Head, head: Sequence[Result], ranking: Sequence[RankedDocument]) -> list[Result]:
    """The head keeps its fused order if the response is not a permutation of it."""
    return current(head, ranking) if _is_permutation(ranking, len(head)) else list(head)


@SWITCHES.reading("RUL-B50", "c", Retrieval.search_raw, wraps=True)
def with_checked_reranker(
    current: Search, retrieval: Retrieval, request: SearchRequest, **named: Any
) -> SearchResponse:
    """A response that is not a permutation of the head counts as a failed reranker."""
    reranker = retrieval.reranker
    checked = retrieval if reranker is None else replace(retrieval, reranker=_CheckedReranker(reranker))
    return current(checked, request, **named)


@dataclass(frozen=True, slots=True)
class _CheckedReranker:
    reranker: Reranker

    def rerank(self, query: str, documents: Sequence[RerankDocument]) -> Sequence[RankedDocument]:
        ranking = self.reranker.rerank(query, documents)
        if not _is_permutation(ranking, len(documents)):
            raise StageError("the response is not a permutation of the documents")
        return ranking


def _is_permutation(ranking: Sequence[RankedDocument], length: int) -> bool:
    return sorted(ranked.index for ranked in ranking) == list(range(length))


@SWITCHES.reading("RUL-B108", "b", Retrieval.search_raw, wraps=True)
def without_empty_head(current: Search, retrieval: Retrieval, request: SearchRequest, **named: Any) -> SearchResponse:
    """The reranker is not called without documents: a rerankTopN of 0 turns the reranking off."""
    return current(retrieval, replace(request, rerank=request.rerank and request.rerank_top_n != 0), **named)
