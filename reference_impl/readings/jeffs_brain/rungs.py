"""Other readings of the rungs of the retry ladder: their terms, their rows and their end."""

from collections.abc import Sequence

from ...jeffs_brain import retry_ladder
from ...jeffs_brain.candidates import Candidate
from ...jeffs_brain.retry_ladder import RetryLadderDecisions

ACTS_ON = ("retrieval.search",)


class TermOfTheRawText(RetryLadderDecisions, reading="RUL-B54=b"):
    def term_of_first_rung(self, query: str) -> str | None:
        """The term of rung 1 comes from the raw text with its punctuation."""
        text = self.lower_case(query)
        words = [
            word
            for word in self.words_of(text)
            if self.length(word) >= retry_ladder.SHORTEST_TERM and not self.is_stop_word(word)
        ]
        term = self.longest(words) if words else None
        return None if term == self.trimmed(text) else term


class TermThatMayEqualTheQuery(RetryLadderDecisions, reading="RUL-B54=c"):
    def term_of_first_rung(self, query: str) -> str | None:
        """Rung 1 is skipped only if there is no term."""
        return retry_ladder.strongest_term(query)


class RefreshWithARow(RetryLadderDecisions, reading="RUL-B55=b"):
    def force_refresh_index(self) -> tuple[retry_ladder.PlannedRung, ...]:
        """The refresh has a row with the strategy force-refresh, an empty query and no hits."""
        return (("force-refresh", "", tuple),)


class TermUnlikeTheSanitisedQuery(RetryLadderDecisions, reading="RUL-B56=b"):
    def term_of_fourth_rung(self, sanitised: str) -> str | None:
        """Rung 4 is also skipped if its term equals the lowered, trimmed sanitised query."""
        term = retry_ladder.strongest_term(sanitised)
        return None if term == self.trimmed(self.lower_case(sanitised)) else term


class NoHitEndsTheLadder(RetryLadderDecisions, reading="RUL-B63=b"):
    def ends_the_ladder(self, candidates: Sequence[Candidate]) -> bool:
        """The ladder continues after a rung with hits, and the last rung with hits becomes the leg."""
        return False
