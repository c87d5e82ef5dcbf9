"""Other readings of the section "Two lanes": tokens and stopwords."""

from typing import Final

from ...tideline import tokens
from ...tideline.tokens import TokensDecisions

ACTS_ON = ("tideline.*",)


NEGATIONS: Final = frozenset({"no", "nor", "not"})


class StopwordsWithNegations(TokensDecisions, reading="RUL-TIDE-09=b"):
    def stopwords(self) -> frozenset[str]:
        """A longer list that strips negations. The ruling has no list; this one adds the negations of common lists."""
        return tokens.STOPWORDS | NEGATIONS
