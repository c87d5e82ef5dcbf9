"""The BM25 queries of Go v0.3.0."""

from collections.abc import Sequence

from adapters.ts.model.queries import SeveralQueries, distinct, sub_queries
from reference_impl.decisions import decided
from reference_impl.jeffs_brain.retry_ladder import RetryLadderDecisions

ACTS_ON = ("retrieval.search",)


class TextFirst(SeveralQueries, deviation="up-to-eight-bm25-queries"):
    """The BM25 leg and each rung fuse the hits of several queries: the text itself, then phrases and single words."""

    def texts(self, text: str, *, is_rung: bool) -> Sequence[str]:
        """The text, phrases and single words; none for an empty text."""
        text = decided(RetryLadderDecisions).trimmed(text)
        return distinct([text, *sub_queries(text)])

    def compile_rung(self, text: str) -> str:
        """The first query of a rung."""
        found = self.queries(text, is_rung=True)
        return found[0] if found else ""
