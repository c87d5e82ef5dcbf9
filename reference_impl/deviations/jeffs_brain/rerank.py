"""Deviations from the algorithms document's section "Rerank tail preservation": the text for the reranker."""

from collections.abc import Callable
from typing import Final

from ...javascript import strings
from ...jeffs_brain import rerank
from ...jeffs_brain.candidates import Candidate
from ...jeffs_brain.rerank import RerankDocument
from ...readings.jeffs_brain.rerank import in_one_line
from ...switches import Switches

SWITCHES = Switches("rerank.*", "retrieval.search")

Text = Callable[[str, str, str], str]

_LABELLED_SNIPPET: Final = 1200


@SWITCHES.deviation("labelled-rerank-text", rerank.document_text)
def labelled_text(title: str, summary: str, content: str, path: str = "") -> str:
    """The text has labelled lines: title, path, summary, and 1,200 UTF-16 units of the content in one line."""
    body = in_one_line(content)
    is_cut = strings.length(body) > _LABELLED_SNIPPET
    excerpt = strings.slice_units(body, 0, _LABELLED_SNIPPET) + "..." if is_cut else body
    return _labelled(rerank.trimmed(title), path, rerank.trimmed(summary), excerpt)


@SWITCHES.deviation("labelled-rerank-text", rerank.as_document)
def as_labelled_document(candidate: Candidate) -> RerankDocument:
    """The text has the path of the candidate."""
    texts = candidate.title, candidate.summary, candidate.content
    return RerankDocument(candidate.id, labelled_text(*texts, path=candidate.path))


@SWITCHES.deviation("labelled-rerank-text-of-code-points", rerank.document_text)
def labelled_text_of_code_points(title: str, summary: str, content: str, path: str = "") -> str:
    """As `labelled-rerank-text`, with 1,200 code points, and with U+001C to U+001F and U+0085 as white space."""
    body = " ".join(content.split())
    excerpt = f"{body[:_LABELLED_SNIPPET]}..." if len(body) > _LABELLED_SNIPPET else body
    return _labelled(title.strip(), path, summary.strip(), excerpt)


@SWITCHES.deviation("labelled-rerank-text-of-code-points", rerank.as_document)
def as_labelled_document_of_code_points(candidate: Candidate) -> RerankDocument:
    """The text has the path of the candidate."""
    texts = candidate.title, candidate.summary, candidate.content
    return RerankDocument(candidate.id, labelled_text_of_code_points(*texts, path=candidate.path))


def _labelled(title: str, path: str, summary: str, excerpt: str) -> str:
    lines = (
        f"title: {title or '(untitled)'}",
        f"    path: {path}",
        f"    summary: {summary or '(no summary available)'}",
        "",
        f"    content: {excerpt or '(no body excerpt available)'}",
    )
    return "\n".join(lines)


class CutCharacterError(ValueError):
    """A cut between the bytes of one character leaves bytes that are no text. ``readable`` has U+FFFD for each of them."""

    def __init__(self, readable: str) -> None:
        super().__init__("the snippet ends within a character")
        self.readable = readable


@SWITCHES.deviation("snippet-of-bytes", rerank.snippet)
def snippet_of_bytes(text: str) -> str:
    """The snippet of a longer text is 280 UTF-8 bytes and three full stops. Raises CutCharacterError."""
    data = text.encode("utf-8", "replace")
    if len(data) <= rerank.SNIPPET_UNITS:
        return text
    whole = data[: rerank.SNIPPET_UNITS].decode("utf-8", "ignore")
    if cut := rerank.SNIPPET_UNITS - len(whole.encode()):
        raise CutCharacterError(whole + "\ufffd" * cut + "...")
    return f"{whole}..."


@SWITCHES.deviation("snippet-of-bytes", rerank.as_document, wraps=True)
def document_with_a_readable_text(
    current: Callable[[Candidate], RerankDocument], candidate: Candidate
) -> RerankDocument:
    """The payload has U+FFFD for each byte of a cut character."""
    try:
        return current(candidate)
    except CutCharacterError as error:
        return RerankDocument(candidate.id, error.readable)
