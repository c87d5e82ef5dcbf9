"""Deviations from the algorithms document's section "Rerank tail preservation": the text for the reranker."""

from collections.abc import Callable

from ...jeffs_brain import rerank
from ...jeffs_brain.candidates import Candidate
from ...jeffs_brain.rerank import RerankDocument
from ...switches import Switches

SWITCHES = Switches("rerank.*", "retrieval.search")


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
