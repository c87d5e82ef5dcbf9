"""Several BM25 queries for one text: ts 0.2.0; the models of Go v0.3.0 and Python 22a586e extend them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from adapters.ts.model.probes import Probes
from reference_impl.decisions import decided
from reference_impl.jeffs_brain.candidates import Candidate
from reference_impl.jeffs_brain.fusion import reciprocal_rank_fusion
from reference_impl.jeffs_brain.retrieval import Retrieval
from reference_impl.jeffs_brain.retry_ladder import RetryLadderDecisions
from reference_impl.jeffs_brain.search import SearchRequest, SearchResponse
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
