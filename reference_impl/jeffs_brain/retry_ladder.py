r"""Algorithms document, sections "Retry ladder" and "forceRefreshIndex retry ladder"."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from reference_impl.javascript import regexps, strings
from reference_impl.jeffs_brain import stopwords
from reference_impl.jeffs_brain.candidates import Candidate
from reference_impl.observer import Observer, Step, silent

SECTION = "forceRefreshIndex retry ladder"

SHORTEST_TERM: Final = 3


@dataclass(frozen=True, slots=True)
class RetryAttempt:
    """One row of the trace: the strategy, its query before compilation, and how many hits it had."""

    strategy: str
    query: str
    hits: int


@dataclass(frozen=True, slots=True)
class Rung:
    """A rung that ran: its row, and what it found."""

    attempt: RetryAttempt
    candidates: tuple[Candidate, ...]


SearchText = Callable[[str], Sequence[Candidate]]
SearchTokens = Callable[[Sequence[str]], Sequence[Candidate]]


def sanitise_query(query: str) -> str:
    r"""``/[\p{P}\p{S}]+/gu`` to a space, white space collapsed, the ends trimmed: mere punctuation leaves nothing."""
    return strings.trim(strings.collapse(regexps.replace_runs(query, " ", "P", "S")))


def strongest_term(query: str) -> str | None:
    """The longest searchable word in UTF-16 units, the first of equals; None if there is none."""
    return max(_searchable_words(query), key=strings.length, default=None)


def query_tokens(query: str) -> list[str]:
    """The words that rung 5 looks for: strongestTerm's candidates, each once, in order."""
    return list(dict.fromkeys(_searchable_words(query)))


def force_refresh_index() -> None:
    """Rung 2: nothing to refresh, since FTS5 is a live view; kept so that the ladder has its five rungs."""


def walk(query: str, run_bm25: SearchText, run_trigram: SearchTokens, *, observe: Observer = silent) -> Iterator[Rung]:
    """Run the rungs in order up to the first with a hit. What a search raises ends the walk."""
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
    """Section "Rungs (ordered)": strategy, query and search of every rung whose input is not empty."""
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
    """The words of the sanitised, lower-cased query that are long enough and no stop words of the ladder's own list."""
    words = strings.split_words(strings.to_lower_case(sanitise_query(query)))
    return [word for word in words if strings.length(word) >= SHORTEST_TERM and word not in stopwords.RETRY]
