"""The BM25 queries of Python 22a586e."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from adapters.ts.model.queries import SeveralQueries, four_texts
from reference_impl.jeffs_brain.aliases import AliasTable
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

    def texts(self, text: str, *, is_rung: bool) -> Sequence[str]:
        """The texts, with one space for every run of white space."""
        return [*dict.fromkeys(" ".join(one.split()) for one in four_texts(self.with_dates(text), text))]

    def sent(self, matches: Sequence[str]) -> Sequence[str]:
        """The expressions of all texts."""
        return matches

    def search_raw(self, request: SearchRequest) -> SearchResponse:
        """The row of several queries has their texts before they are compiled, with ` || ` between them."""
        response = super().search_raw(request)
        rows = tuple(self._joined(request, row) for row in response.trace.attempts)
        return replace(response, trace=replace(response.trace, attempts=rows))

    def _joined(self, request: SearchRequest, row: RetryAttempt) -> RetryAttempt:
        if row.strategy == "trigram_fuzzy":
            return row
        asked = replace(self, request=request)
        texts = asked.texts(
            request.query if row.strategy == "initial" else row.query, is_rung=row.strategy != "initial"
        )
        return replace(row, query=" || ".join(texts)) if len(texts) > 1 else row
