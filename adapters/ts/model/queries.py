"""Deviations from the algorithms document's section "Hybrid pipeline": several BM25 queries for one text."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from adapters.go.model.facets import Facets
from adapters.go.model.wide_probes import WideProbes
from adapters.ts.model.probes import Probes
from reference_impl.decisions import decided
from reference_impl.jeffs_brain.candidates import Candidate, Chunk
from reference_impl.jeffs_brain.fusion import reciprocal_rank_fusion
from reference_impl.jeffs_brain.retrieval import Retrieval
from reference_impl.jeffs_brain.retry_ladder import RetryAttempt, RetryLadderDecisions
from reference_impl.jeffs_brain.search import SearchRequest, SearchResponse, VectorHit
from reference_impl.readings.jeffs_brain.metadata import lowered

ACTS_ON = ("retrieval.search",)

_FOUR: Final = 4
_EIGHT: Final = 8
_VECTORS: Final = 3
_WINDOW: Final = 10
_SHARED: Final = 2
_WORDS: Final = range(2, 5)
_OPERATORS: Final = ("AND", "OR", "NOT")


@dataclass(frozen=True, slots=True)
class Query:
    """One BM25 query: its text, in double quotes if it is a phrase, and its MATCH expression."""

    text: str
    match: str


@dataclass(frozen=True)
class SeveralQueries(Retrieval):
    """The pipeline with several BM25 queries for the request and for each rung."""

    request: SearchRequest = field(default=SearchRequest(""), kw_only=True)

    def search_raw(self, request: SearchRequest) -> SearchResponse:
        """The search keeps its request, because a rung asks for its date."""
        return super(SeveralQueries, replace(self, request=request)).search_raw(request)

    def queries(self, text: str, *, is_rung: bool) -> list[Query]:
        """The queries of the request or of a rung, first the one that the trace reports."""
        raise NotImplementedError

    def query(self, text: str, phrases: Sequence[str]) -> Query:
        """The query of a text, in double quotes if it is a phrase."""
        quoted = f'"{text}"' if text in phrases and " " in text and '"' not in text else text
        return Query(quoted, self.compile_query(quoted, self.aliases))

    def gate_text(self, query: Query) -> str:
        """The text of a further query that decides whether its hits count."""
        return query.match

    def compile_request(self, request: SearchRequest) -> str:
        """The first query."""
        found = self.queries(request.query, is_rung=False)
        return found[0].match if found else super().compile_request(request)

    def initial_hits(self, request: SearchRequest, compiled: str) -> tuple[Candidate, ...]:
        """The fused hits of the queries of the request."""
        return self.hits(self.queries(request.query, is_rung=False), self.bm25_limit(request.candidate_k))

    def search_rung(self, text: str, limit: int) -> tuple[Candidate, ...]:
        """The fused hits of the queries of a rung."""
        return self.hits(self.queries(text, is_rung=True), limit)

    def hits(self, queries: Sequence[Query], limit: int) -> tuple[Candidate, ...]:
        """The hits of the first query, fused with further queries that share two hits with it or are specific."""
        found = [self.run_query(query, limit) for query in queries]
        lists = [
            hits
            for query, hits in zip(queries, found, strict=True)
            if hits
            and (not found[0] or hits is found[0] or is_specific(self.gate_text(query)) or self.share(found[0], hits))
        ]
        if len(lists) < 2:
            return lists[0] if lists else ()
        fused = enumerate(reciprocal_rank_fusion(lists))
        return tuple(replace(one.candidate, bm25_rank=self.bm25_rank(place)) for place, one in fused)

    def share(self, first: Sequence[Candidate], found: Sequence[Candidate]) -> bool:
        """Whether two of the first ten hits are among the first ten of the first query."""
        known = {hit.id for hit in first[:_WINDOW]}
        return sum(self.counts(hit) and hit.id in known for hit in found[:_WINDOW]) >= _SHARED

    def counts(self, hit: Candidate) -> bool:
        """Whether a hit counts as shared."""
        return True

    def run_query(self, query: Query, limit: int) -> tuple[Candidate, ...]:
        """The hits of one query."""
        return self.run_bm25(query.match, limit) if query.match else ()


def four_texts(dated: str, text: str) -> Sequence[str]:
    """At most four texts: probes first, then the text, the text with dates, and single words."""
    derived, source = Probes(), decided(RetryLadderDecisions).trimmed(text) or dated
    priority = derived.priority_sub_queries(source)
    if len(priority) >= 2 and has_parts(derived, source):
        found = [*priority, *derived.filtered_phrase_probes(source)]
    else:
        found = [*priority, source, dated, *derived.sub_queries(source)]
    return distinct(found)[:_FOUR]


def has_parts(derived: Probes, text: str) -> bool:
    """Whether a question is about the date of an action, or about two phrases that `and` joins."""
    two_phrases = len(derived.filtered_phrase_probes(text)) >= 2 and " and " in lowered(text)
    return two_phrases or bool(derived.action_date_context_probes(text))


def distinct(texts: Iterable[str]) -> list[str]:
    """The distinct texts without white space at their ends, without empty ones."""
    return [*dict.fromkeys(filter(None, map(decided(RetryLadderDecisions).trimmed, texts)))]


def is_specific(text: str) -> bool:
    """Whether a query has a digit or two to four words."""
    words = [word for word in text.split() if word not in _OPERATORS]
    return re.search(r"\d", text) is not None or len(words) in _WORDS


class FourQueries(SeveralQueries, deviation="up-to-four-bm25-queries"):
    """The BM25 leg and each rung fuse the hits of up to four distinct queries, which are derived from the text; a rung has
    no date tokens.
    """

    def queries(self, text: str, *, is_rung: bool) -> list[Query]:
        """The queries of the texts."""
        texts = four_texts(text if is_rung else with_dates(self, self.request, text), text)
        phrases = Probes().phrase_probes(text)
        found = [self.query(one, Probes().phrase_probes(one) if is_rung else phrases) for one in texts]
        return distinct_queries(found)


class DatedQueries(SeveralQueries, deviation="up-to-four-bm25-queries-with-dates-on-rungs"):
    """As `up-to-four-bm25-queries`, with date tokens on the rungs; a query is sent twice if two texts compile to it."""

    def counts(self, hit: Candidate) -> bool:
        """A hit without an id is never shared."""
        return bool(hit.id)

    def queries(self, text: str, *, is_rung: bool) -> list[Query]:
        """The queries of the texts."""
        phrases = Probes().phrase_probes(text)
        return [self.query(one, phrases) for one in texts_of_rows(self, self.request, text)]

    def gate_text(self, query: Query) -> str:
        """The text before it is compiled."""
        return query.text


def distinct_queries(queries: Iterable[Query]) -> list[Query]:
    """The queries with distinct expressions that are not empty."""
    distinct: dict[str, Query] = {}
    for query in queries:
        if query.match:
            distinct.setdefault(query.match, query)
    return [*distinct.values()]


def with_dates(rule: Retrieval, request: SearchRequest, text: str) -> str:
    """The text, with date tokens if a search appends them to its query."""
    return rule.query_to_parse(replace(request, query=text))


def texts_of_rows(rule: Retrieval, request: SearchRequest, text: str) -> Sequence[str]:
    """The texts that are searched for a text, with one space for every run of white space."""
    return [*dict.fromkeys(" ".join(one.split()) for one in four_texts(with_dates(rule, request, text), text))]


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


class RowsWithTexts(Retrieval, deviation="rows-with-the-texts-of-queries"):
    def search_raw(self, request: SearchRequest) -> SearchResponse:
        """The row of several queries has their texts before they are compiled, with ` || ` between them."""
        response = super().search_raw(request)
        rows = tuple(
            row if row.strategy == "trigram_fuzzy" else _with_joined_texts(self, request, row)
            for row in response.trace.attempts
        )
        return replace(response, trace=replace(response.trace, attempts=rows))


def _with_joined_texts(rule: Retrieval, request: SearchRequest, row: RetryAttempt) -> RetryAttempt:
    texts = texts_of_rows(rule, request, request.query if row.strategy == "initial" else row.query)
    return replace(row, query=" || ".join(texts)) if len(texts) > 1 else row
