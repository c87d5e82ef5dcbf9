"""Other readings of the algorithms document's sections "Unanimity shortcut" and "Rerank tail preservation"."""

from collections.abc import Sequence
from typing import Final

from ...decisions import decided
from ...javascript import strings
from ...jeffs_brain import rerank
from ...jeffs_brain.candidates import Result
from ...jeffs_brain.normalise import WHITE_SPACE
from ...jeffs_brain.rerank import RankedDocument, RerankDecisions, RerankDocument
from ...jeffs_brain.retrieval import Retrieval
from ...jeffs_brain.search import SearchRequest, StageError

ACTS_ON = ("rerank.*", "retrieval.search")


_EXCERPT: Final = 1200


class NeverWithoutAgreement(RerankDecisions, reading="RUL-B53=b"):
    def are_enough(self, agreements: int, agree_min: int) -> bool:
        """An agreeMin below 1 gives no shortcut without agreement."""
        return agreements >= max(agree_min, 1)


class CutByCodePoints(RerankDecisions, reading="RUL-B52=c"):
    def snippet(self, text: str) -> str:
        """The first 280 code points, with nothing after them."""
        return text[: rerank.SNIPPET_UNITS]


class TrimmedInUnicode(RerankDecisions, reading="RUL-B143=b"):
    def trimmed(self, content: str) -> str:
        """White space has U+0085, and lacks U+FEFF."""
        return content.strip(WHITE_SPACE)


class TrimmedInPython(RerankDecisions, reading="RUL-B143=c"):
    def trimmed(self, content: str) -> str:
        """White space is that of the port's own language, here Python."""
        return content.strip()


class CutByBytes(RerankDecisions, reading="RUL-B52=e"):
    def snippet(self, text: str) -> str:
        """280 bytes and three full stops. A part of a character is a lone surrogate for each of its bytes."""
        data = text.encode("utf-8", "surrogatepass")
        if len(data) <= rerank.SNIPPET_UNITS:
            return text
        return data[: rerank.SNIPPET_UNITS].decode("utf-8", "surrogateescape") + "..."


class WithoutOuterSpace(RerankDecisions, reading="RUL-B85=b"):
    def reference_text(self, title: str, summary: str, content: str, path: str = "") -> str:
        """Every field is trimmed, a blank field is missing, and runs of white space in the content become one space."""
        return super().reference_text(self.trimmed(title), self.trimmed(summary), in_one_line(content))


def in_one_line(content: str) -> str:
    """Single spaces separate the words; white space is what is trimmed."""
    spaced = "".join(character if decided(RerankDecisions).trimmed(character) else " " for character in content)
    return " ".join(filter(None, spaced.split(" ")))


class SpacesAroundTheNewline(RerankDecisions, reading="RUL-B85=c"):
    def both_lines(self, title: str, summary: str) -> str:
        """A space, a newline and a space separate title and summary."""
        return f"{title} \n {summary}"


class AnotherText(RerankDecisions, reading=("RUL-B103=b", "RUL-B143=d", "RUL-B52=d", "RUL-B85=d")):
    def reference_text(self, title: str, summary: str, content: str, path: str = "") -> str:
        """An SDK composes another text of the document; here, labelled lines with 1,200 UTF-16 units of the content."""
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


class ByScore(RerankDecisions, reading="RUL-B107=b"):
    def in_order(self, ranking: Sequence[RankedDocument]) -> Sequence[RankedDocument]:
        """The scores of the response define the order; equal scores keep the order of the response."""
        return sorted(ranking, key=lambda ranked: -ranked.score)


class ByScoreAndFusedOrder(RerankDecisions, reading="RUL-B107=c"):
    def in_order(self, ranking: Sequence[RankedDocument]) -> Sequence[RankedDocument]:
        """The scores of the response define the order; equal scores keep the fused order."""
        return sorted(ranking, key=lambda ranked: (-ranked.score, ranked.index))


class EveryDocumentOnce(RerankDecisions, reading="RUL-B50=b"):
    def ranked_head(self, head: Sequence[Result], ranking: Sequence[RankedDocument]) -> list[Result]:
        """Omitted documents follow in fused order, and repeated documents count once."""
        first: dict[int, RankedDocument] = {}
        for ranked in ranking:
            first.setdefault(ranked.index, ranked)
        omitted = [result for index, result in enumerate(head) if index not in first]
        return super().ranked_head(head, list(first.values())) + omitted


class FusedHead(RerankDecisions, reading="RUL-B50=c"):
    def ranked_head(self, head: Sequence[Result], ranking: Sequence[RankedDocument]) -> list[Result]:
        """The head keeps its fused order if the response is not a permutation of it."""
        return super().ranked_head(head, ranking) if _is_permutation(ranking, len(head)) else list(head)


class CheckedRanking(Retrieval, reading="RUL-B50=c"):
    def call_reranker(self, query: str, documents: Sequence[RerankDocument]) -> Sequence[RankedDocument]:
        """A response that is not a permutation of the head counts as a failed reranker."""
        ranking = super().call_reranker(query, documents)
        if not _is_permutation(ranking, len(documents)):
            raise StageError("the response is not a permutation of the documents")
        return ranking


def _is_permutation(ranking: Sequence[RankedDocument], length: int) -> bool:
    return sorted(ranked.index for ranked in ranking) == list(range(length))


class WithoutEmptyHead(Retrieval, reading="RUL-B108=b"):
    def is_reranking_wanted(self, request: SearchRequest) -> bool:
        """The reranker is not called without documents: a rerankTopN of 0 turns the reranking off."""
        return super().is_reranking_wanted(request) and request.rerank_top_n != 0
