r"""Algorithms document, sections "Retry ladder" and "forceRefreshIndex retry ladder"."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from ..javascript import regexps, strings
from ..observer import Observer, Step, silent
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


def sanitise_query(query: str) -> str:
    r"""Replaces ``/[\p{P}\p{S}]+/gu`` by a space, collapses white space and trims. Section "Rungs (ordered)"."""
    return strings.trim(strings.collapse(regexps.replace_runs(query, " ", "P", "S")))


def strongest_term(query: str) -> str | None:
    """The longest searchable word in UTF-16 units, the first of equal ones; None without a word.

    Section "forceRefreshIndex retry ladder".
    """
    return max(_searchable_words(query), key=strings.length, default=None)


def query_tokens(query: str) -> list[str]:
    """The tokens of rung 5: the distinct candidates of strongestTerm, in order. Section "Rungs (ordered)"."""
    return list(dict.fromkeys(_searchable_words(query)))


def force_refresh_index() -> None:
    """Rung 2: does nothing, because FTS5 is a live view. The rung stays so that the ladder has five rungs.

    Section "Rungs (ordered)".
    """


def walk(query: str, run_bm25: SearchText, run_trigram: SearchTokens, *, observe: Observer = silent) -> Iterator[Rung]:
    """Runs the rungs in order up to the first hit; an exception of a search ends the walk. Section "Terminal state"."""
    for strategy, text, search in _rungs(query, run_bm25, run_trigram):
        candidates = tuple(search())
        attempt = RetryAttempt(strategy, text, len(candidates))
        observe(Step(SECTION, strategy, {"query": text, "hits": attempt.hits}))
        yield Rung(attempt, candidates)
        if candidates:
            return


def _rungs(
    query: str, run_bm25: SearchText, run_trigram: SearchTokens
) -> Iterator[tuple[str, str, Callable[[], Sequence[Candidate]]]]:
    """Section "Rungs (ordered)": strategy, query and search of every rung with a non-empty input."""
    strongest = strongest_term(query)
    if strongest is not None and strongest != strings.trim(strings.to_lower_case(query)):
        yield "strongest_term", strongest, partial(run_bm25, strongest)
    force_refresh_index()
    sanitised = sanitise_query(query)
    if sanitised:
        yield "refreshed_sanitised", sanitised, partial(run_bm25, sanitised)
    refreshed = strongest_term(sanitised)
    if refreshed is not None:
        yield "refreshed_strongest", refreshed, partial(run_bm25, refreshed)
    tokens = query_tokens(query)
    if tokens:
        yield "trigram_fuzzy", " ".join(tokens), partial(run_trigram, tokens)


def _searchable_words(query: str) -> list[str]:
    """The words of the sanitised, lower-cased query with at least 3 units that are no stop words of the ladder."""
    words = strings.split_words(strings.to_lower_case(sanitise_query(query)))
    return [word for word in words if strings.length(word) >= SHORTEST_TERM and word not in stopwords.RETRY]
