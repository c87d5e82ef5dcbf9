"""The BM25 queries of Python 22a586e."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from adapters.ts.model.probes import Probes
from adapters.ts.model.queries import Query, SeveralQueries, four_texts, with_dates
from reference_impl.jeffs_brain.aliases import AliasTable
from reference_impl.jeffs_brain.candidates import Candidate
from reference_impl.jeffs_brain.parser import parse_query
from reference_impl.jeffs_brain.retrieval import Retrieval
from reference_impl.jeffs_brain.retry_ladder import RetryAttempt
from reference_impl.jeffs_brain.search import SearchRequest, SearchResponse

ACTS_ON = ("retrieval.search",)

_CONTROL_MARKS: Final = re.compile(r'[*():^+"?!,;$#@%=]')


class CompileOrStrip(Retrieval, deviation="empty-query-searched-as-written"):
    def compile_query(self, query: str, aliases: AliasTable | None) -> str:
        """If no token is left, the words of the query are searched as written, without some of the marks."""
        if parse_query(query).tokens:
            return super().compile_query(query, aliases)
        return " ".join(_CONTROL_MARKS.sub("", query).split())


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

    def search_raw(self, request: SearchRequest) -> SearchResponse:
        """The row of several queries has their texts before they are compiled, with ` || ` between them."""
        response = super().search_raw(request)
        rows = tuple(
            row if row.strategy == "trigram_fuzzy" else _with_joined_texts(self, request, row)
            for row in response.trace.attempts
        )
        return replace(response, trace=replace(response.trace, attempts=rows))


def texts_of_rows(rule: Retrieval, request: SearchRequest, text: str) -> Sequence[str]:
    """The texts that are searched for a text, with one space for every run of white space."""
    return [*dict.fromkeys(" ".join(one.split()) for one in four_texts(with_dates(rule, request, text), text))]


def _with_joined_texts(rule: Retrieval, request: SearchRequest, row: RetryAttempt) -> RetryAttempt:
    texts = texts_of_rows(rule, request, request.query if row.strategy == "initial" else row.query)
    return replace(row, query=" || ".join(texts)) if len(texts) > 1 else row
