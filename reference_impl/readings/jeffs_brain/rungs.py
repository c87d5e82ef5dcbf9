"""Other readings of the rungs of the retry ladder: their terms, their rows and their end."""

from collections.abc import Sequence

from ...jeffs_brain import retry_ladder
from ...jeffs_brain.candidates import Candidate
from ...switches import Switches

SWITCHES = Switches("retrieval.search")


@SWITCHES.reading("RUL-B54", "b", retry_ladder.term_of_first_rung)
def term_of_the_raw_text(query: str) -> str | None:
    """The term of rung 1 comes from the raw text with its punctuation."""
    text = retry_ladder.lower_case(query)
    words = [
        word
        for word in retry_ladder.words_of(text)
        if retry_ladder.length(word) >= retry_ladder.SHORTEST_TERM and not retry_ladder.is_stop_word(word)
    ]
    term = retry_ladder.longest(words) if words else None
    return None if term == retry_ladder.trimmed(text) else term


@SWITCHES.reading("RUL-B54", "c", retry_ladder.term_of_first_rung)
def term_that_may_equal_the_query(query: str) -> str | None:
    """Rung 1 is skipped only if there is no term."""
    return retry_ladder.strongest_term(query)


@SWITCHES.reading("RUL-B55", "b", retry_ladder.force_refresh_index)
def refresh_with_a_row() -> tuple[retry_ladder.PlannedRung, ...]:
    """The refresh has a row with the strategy force-refresh, an empty query and no hits."""
    return (("force-refresh", "", tuple),)


@SWITCHES.reading("RUL-B56", "b", retry_ladder.term_of_fourth_rung)
def term_unlike_the_sanitised_query(sanitised: str) -> str | None:
    """Rung 4 is also skipped if its term equals the lowered, trimmed sanitised query."""
    term = retry_ladder.strongest_term(sanitised)
    return None if term == retry_ladder.trimmed(retry_ladder.lower_case(sanitised)) else term


@SWITCHES.reading("RUL-B63", "b", retry_ladder.ends_the_ladder)
def no_hit_ends_the_ladder(candidates: Sequence[Candidate]) -> bool:
    """The ladder continues after a rung with hits, and the last rung with hits becomes the leg."""
    del candidates
    return False
