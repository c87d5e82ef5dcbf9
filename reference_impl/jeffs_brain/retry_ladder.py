r"""Algorithms document, sections "Retry ladder" and "forceRefreshIndex retry ladder"."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from ..decisions import Decisions, decided
from ..javascript import regexps, strings
from ..observer import observe
from . import stopwords
from .candidates import Candidate

SECTION = "forceRefreshIndex retry ladder"

SHORTEST_TERM: Final = 3


@dataclass(frozen=True, slots=True)
class RetryAttempt:
    """One row of the trace: the strategy, its query before compilation, and its number of hits."""

    strategy: str
    query: str
    hits: int


@dataclass(frozen=True, slots=True)
class Rung:
    """A rung that ran: its trace row and its candidates."""

    attempt: RetryAttempt
    candidates: tuple[Candidate, ...]


SearchText = Callable[[str], Sequence[Candidate]]
SearchTokens = Callable[[Sequence[str]], Sequence[Candidate]]


PlannedRung = tuple[str, str, Callable[[], Sequence[Candidate]]]
"""Strategy, text and search of a rung that is not skipped."""


def walk(query: str, run_bm25: SearchText, run_trigram: SearchTokens) -> Iterator[Rung]:
    """Runs the rungs in order up to the first hit; an exception of a search ends the walk. Section "Terminal state"."""
    for strategy, text, search in _rungs(query, run_bm25, run_trigram):
        candidates = tuple(search())
        attempt = RetryAttempt(strategy, text, len(candidates))
        observe(SECTION, strategy, {"query": text, "hits": attempt.hits})
        yield Rung(attempt, candidates)
        if decided(RetryLadderDecisions).ends_the_ladder(candidates):
            return


def _rungs(query: str, run_bm25: SearchText, run_trigram: SearchTokens) -> Iterator[PlannedRung]:
    """Section "Rungs (ordered)": every rung with a non-empty input."""
    rule = decided(RetryLadderDecisions)
    # 1. strongest_term: strongestTerm(req.query); skipped when it equals the lowered, trimmed raw query
    first = rule.term_of_first_rung(query)
    if first is not None:
        yield "strongest_term", first, partial(run_bm25, first)
    # 2. force-refresh: forceRefreshIndex(); no trace row
    yield from rule.force_refresh_index()
    # 3. refreshed_sanitised: runBM25(sanitiseQuery(req.query)); skipped when the sanitised string is empty
    sanitised = sanitise_query(query)
    if sanitised:
        yield "refreshed_sanitised", sanitised, partial(run_bm25, sanitised)
    # 4. refreshed_strongest: runBM25(strongestTerm(sanitiseQuery(req.query))); skipped when no strongest term survives
    fourth = rule.term_of_fourth_rung(sanitised)
    if fourth is not None:
        yield "refreshed_strongest", fourth, partial(run_bm25, fourth)
    # 5. trigram_fuzzy: tokens from queryTokens(req.query)
    tokens = rule.query_tokens(query)
    if tokens:
        yield "trigram_fuzzy", " ".join(tokens), partial(run_trigram, tokens)


def strongest_term(query: str) -> str | None:
    """strongestTerm: the longest searchable word; None without a word."""
    words = _searchable_words(query)
    return decided(RetryLadderDecisions).longest(words) if words else None


def _searchable_words(query: str) -> list[str]:
    """The words of the sanitised, lower-cased query of length 3 or more that are no stop words of the ladder."""
    rule = decided(RetryLadderDecisions)
    words = rule.words_of(rule.lower_case(sanitise_query(query)))
    return [word for word in words if rule.length(word) >= SHORTEST_TERM and not rule.is_stop_word(word)]


def sanitise_query(query: str) -> str:
    """sanitiseQuery: replaces punctuation and symbols by spaces, and collapses white space."""
    rule = decided(RetryLadderDecisions)
    return rule.collapsed(rule.without_marks(query))


class RetryLadderDecisions(Decisions):
    """What the two sections leave open, as adopted: the words of a query, and the terms of the rungs."""

    def without_marks(self, query: str) -> str:
        r"""RUL-B58: ``/[\p{P}\p{S}]+/gu``: a space replaces every run of Unicode punctuation and symbols."""
        return regexps.replace_runs(query, " ", "P", "S")

    def collapsed(self, text: str) -> str:
        r"""RUL-B86: runs of JavaScript's ``\s`` become one space, and the ends are trimmed."""
        return strings.trim(strings.collapse(text))

    def longest(self, words: Sequence[str]) -> str:
        """RUL-B59: the first of the longest words."""
        return max(words, key=self.length)

    def length(self, word: str) -> int:
        """RUL-B59: the length of a word is counted in UTF-16 code units."""
        return strings.length(word)

    def lower_case(self, text: str) -> str:
        """RUL-B152: queries and slugs are lower-cased by the full mapping of ``toLowerCase()``."""
        return strings.to_lower_case(text)

    def is_stop_word(self, word: str) -> bool:
        """RUL-B99: the stop words of the ladder are data of their own, the constant STOP_WORDS."""
        return word in stopwords.RETRY

    def query_tokens(self, query: str) -> list[str]:
        """RUL-B57: the tokens of rung 5 are the distinct candidates of strongestTerm, in order. Section "Rungs
        (ordered)".
        """
        return list(dict.fromkeys(_searchable_words(query)))

    def ends_the_ladder(self, candidates: Sequence[Candidate]) -> bool:
        """RUL-B63: the first rung with hits ends the ladder and becomes the leg."""
        return bool(candidates)

    def term_of_first_rung(self, query: str) -> str | None:
        """RUL-B54: rung 1 takes the strongest term of the sanitised query, and none that equals the lowered, trimmed
        query. Section "Rungs (ordered)".
        """
        term = strongest_term(query)
        return None if term == self.trimmed(self.lower_case(query)) else term

    def trimmed(self, text: str) -> str:
        """RUL-B86: the lowered query loses the white space of JavaScript's ``trim()`` at its ends."""
        return strings.trim(text)

    def force_refresh_index(self) -> tuple[PlannedRung, ...]:
        """RUL-B55: rung 2 has no row. It does nothing, because FTS5 is a live view; it stays so that there are five
        rungs. Section "Rungs (ordered)".
        """
        return ()

    def term_of_fourth_rung(self, sanitised: str) -> str | None:
        """RUL-B56: rung 4 takes the strongest term of the sanitised query, without the comparison of rung 1. Section
        "Rungs (ordered)".
        """
        return strongest_term(sanitised)

    def words_of(self, text: str) -> list[str]:
        r"""RUL-B86: JavaScript's ``\s`` separates words."""
        return strings.split_words(text)
