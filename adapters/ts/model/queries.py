"""Several BM25 queries for one text: ts 0.2.0; the models of Go v0.3.0 and Python 22a586e extend them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Final

from reference_impl.decisions import decided
from reference_impl.javascript import strings
from reference_impl.jeffs_brain.candidates import Candidate
from reference_impl.jeffs_brain.fusion import reciprocal_rank_fusion
from reference_impl.jeffs_brain.retrieval import Retrieval
from reference_impl.jeffs_brain.retry_ladder import RetryLadderDecisions
from reference_impl.jeffs_brain.search import SearchRequest, SearchResponse
from reference_impl.readings.jeffs_brain.metadata import lowered

ACTS_ON = ("retrieval.search",)

_FOUR: Final = 4
_TWO: Final = 2

_MARKS: Final = ".,;:!?\"'()[]{}<>"
_STOP_WORDS: Final = frozenset(
    "the and for with what who when where why how did does was were are you your about this that have has had from into "
    "than then them they their".split()
)
_BOUNDARIES: Final = _STOP_WORDS | frozenset(
    "a an or plus do is am these those i me my we our us it if to of on in at by amount total all list finally decided "
    "decide wondering wonder remembered remember thinking back previous conversation can could would should remind "
    "follow specific exact spent spend bought buy ordered order purchased purchase paid pay submitted submit many much "
    "long last today yesterday tomorrow week month year monday tuesday wednesday thursday friday saturday sunday".split()
)


def phrases_of(text: str) -> list[str]:
    """The first two runs of two or more words between boundaries."""
    runs = [list(run) for is_end, run in groupby(_words_of(text), _is_boundary) if not is_end]
    return [*dict.fromkeys(" ".join(run) for run in runs if len(run) > 1)][:_TWO]


def sub_queries(text: str) -> list[str]:
    """The first two of the phrases and of their longest words that are not the text itself."""
    probes = dict.fromkeys([*phrases_of(text), *_longest_words(" ".join(phrases_of(text)) or text)])
    probes.pop(lowered(text), None)
    return [*probes][:_TWO]


def _longest_words(text: str) -> list[str]:
    """The words of three or more characters without digits that are no stop words, longest first, if there are two."""
    words = [word for word in _words_of(text) if strings.length(word) > 2 and not _has_digit(word)]
    distinct = dict.fromkeys(word for word in words if word not in _STOP_WORDS)
    return sorted(distinct, key=strings.length, reverse=True) if len(distinct) > 1 else []


def _words_of(text: str) -> list[str]:
    """The words in lower case, without marks at their ends."""
    words = decided(RetryLadderDecisions).words_of(strings.to_lower_case(text))
    return [bare for word in words if (bare := word.strip(_MARKS))]


def _is_boundary(word: str) -> bool:
    return word in _BOUNDARIES or strings.length(word) < 2 or _has_digit(word)


def _has_digit(word: str) -> bool:
    return re.search("[0-9]", word) is not None


@dataclass(frozen=True)
class SeveralQueries(Retrieval):
    """The pipeline with several BM25 queries for the request and for each rung, whose hits are fused."""

    request: SearchRequest = field(default=SearchRequest(""), kw_only=True)

    def search_raw(self, request: SearchRequest) -> SearchResponse:
        """The search keeps its request, because a rung asks for its date."""
        return super(SeveralQueries, replace(self, request=request)).search_raw(request)

    def texts(self, text: str, *, is_rung: bool) -> Sequence[str]:
        """The texts that are searched for the request or for a rung, first the one that the trace reports."""
        raise NotImplementedError

    def queries(self, text: str, *, is_rung: bool) -> Sequence[str]:
        """The MATCH expressions of the texts; a phrase is in double quotes."""
        phrases = phrases_of(text)
        quoted = (f'"{one}"' if one in phrases else one for one in self.texts(text, is_rung=is_rung))
        return self.sent([self.compile_query(one, self.aliases) for one in quoted])

    def sent(self, matches: Sequence[str]) -> Sequence[str]:
        """The distinct expressions that are not empty."""
        return [*dict.fromkeys(filter(None, matches))]

    def compile_request(self, request: SearchRequest) -> str:
        """The first query."""
        found = self.queries(request.query, is_rung=False)
        return found[0] if found else super().compile_request(request)

    def initial_hits(self, request: SearchRequest, compiled: str) -> tuple[Candidate, ...]:
        """The fused hits of the queries of the request."""
        return self.hits(self.queries(request.query, is_rung=False), self.bm25_limit(request.candidate_k))

    def search_rung(self, text: str, limit: int) -> tuple[Candidate, ...]:
        """The fused hits of the queries of a rung."""
        return self.hits(self.queries(text, is_rung=True), limit)

    def hits(self, matches: Sequence[str], limit: int) -> tuple[Candidate, ...]:
        """The fused hits of the queries; those of one query keep their order."""
        lists = [found for match in matches if match and (found := self.run_bm25(match, limit))]
        if len(lists) < 2:
            return lists[0] if lists else ()
        fused = enumerate(reciprocal_rank_fusion(lists))
        return tuple(replace(one.candidate, bm25_rank=self.bm25_rank(place)) for place, one in fused)

    def with_dates(self, text: str) -> str:
        """The text, with date tokens if a search appends them to its query."""
        return self.query_to_parse(replace(self.request, query=text))


def four_texts(dated: str, text: str) -> list[str]:
    """At most four texts: phrases first, then the text, the text with dates, and single words."""
    source = decided(RetryLadderDecisions).trimmed(text) or dated
    phrases = [phrase for phrase in phrases_of(source) if phrase != lowered(source)]
    return distinct([*phrases, source, dated, *sub_queries(source)])[:_FOUR]


def distinct(texts: Iterable[str]) -> list[str]:
    """The distinct texts without white space at their ends, without empty ones."""
    return [*dict.fromkeys(filter(None, map(decided(RetryLadderDecisions).trimmed, texts)))]


class FourQueries(SeveralQueries, deviation="up-to-four-bm25-queries"):
    """The BM25 leg and each rung fuse the hits of up to four distinct queries, which are derived from the text; a rung has
    no date tokens.
    """

    def texts(self, text: str, *, is_rung: bool) -> Sequence[str]:
        """Phrases, the text, the text with dates, and single words."""
        return four_texts(text if is_rung else self.with_dates(text), text)
