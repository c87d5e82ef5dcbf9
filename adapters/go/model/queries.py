"""The BM25 and vector queries of Go v0.3.0."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from adapters.ts.model.queries import Query, SeveralQueries, distinct, distinct_queries, with_dates
from reference_impl.decisions import decided
from reference_impl.jeffs_brain.candidates import Candidate, Chunk
from reference_impl.jeffs_brain.fusion import reciprocal_rank_fusion
from reference_impl.jeffs_brain.retry_ladder import RetryLadderDecisions
from reference_impl.jeffs_brain.search import SearchRequest, VectorHit

from .facets import Facets
from .wide_probes import WideProbes

ACTS_ON = ("retrieval.search",)

_EIGHT: Final = 8
_VECTORS: Final = 3


class WideQueries(SeveralQueries, deviation="up-to-eight-bm25-queries"):
    """The BM25 leg and each rung fuse the hits of up to eight queries, first the text itself; the vector leg those of up to
    three.
    """

    def counts(self, hit: Candidate) -> bool:
        """A hit without an id is never shared."""
        return bool(hit.id)

    def queries(self, text: str, *, is_rung: bool) -> list[Query]:
        """The distinct queries of the text, the text with dates, facets and probes."""
        rule = decided(RetryLadderDecisions)
        phrases = WideProbes().phrase_probes(text)
        return distinct_queries(self.query(one, phrases) for one in self.texts(rule.trimmed(text)))

    def texts(self, text: str) -> Sequence[str]:
        """The texts of the queries; none for an empty text."""
        if not text:
            return []
        derived = Facets()
        priority = derived.priority_queries(text)
        is_dated = bool(derived.action_date_context_probes(text)) and len(priority) >= 2
        rest = derived.filtered_phrase_probes(text) if is_dated else derived.sub_queries(text)
        return distinct([text, self.with_quoted_dates(text), *derived.facets(text), *priority, *rest])[:_EIGHT]

    def with_quoted_dates(self, text: str) -> str:
        """The text, with each date token in double quotes."""
        tokens = with_dates(self, self.request, text)[len(text) :].split()
        return " ".join([text, *(f'"{token}"' for token in tokens)])

    def compile_rung(self, text: str) -> str:
        """The first query of a rung."""
        found = self.queries(text, is_rung=True)
        return found[0].match if found else ""

    def vector_hits(self, request: SearchRequest) -> Sequence[VectorHit]:
        """The fused neighbours of the text and of at most two probes; none for a blank text."""
        assert self.embedder is not None
        source, derived = decided(RetryLadderDecisions).trimmed(request.query), Facets()
        probes = [*derived.type_probes(source), *derived.facets(source), *derived.filtered_phrase_probes(source)]
        texts = distinct([source, *probes])[:_VECTORS] if source else []
        embeddings = filter(None, self.embedder.embed(texts)) if texts else ()
        lists = [found for embedding in embeddings if (found := self.search_vector(embedding, request.candidate_k))]
        return _fused(lists) if len(lists) > 1 else lists[0] if lists else ()


def _fused(lists: Sequence[Sequence[VectorHit]]) -> Sequence[VectorHit]:
    """The fused lists."""
    candidates = [[Candidate.of(hit.chunk, vector_similarity=hit.similarity) for hit in hits] for hits in lists]
    chunks: dict[str, Chunk] = {}
    for hits in lists:
        for hit in hits:
            chunks.setdefault(hit.chunk.id, hit.chunk)
    fused = [one.candidate for one in reciprocal_rank_fusion(candidates)]
    return [
        VectorHit(
            replace(chunks[one.id], title=one.title, summary=one.summary, content=one.content),
            one.vector_similarity or 0.0,
        )
        for one in fused
    ]
