"""Section "Two lanes", lexical lane: Unicode-aware tokens without English stopwords."""

from typing import Final

from ..decisions import Decisions, decided
from ..javascript import regexps, strings

# The page has no list. This list is from the repository: function words only, no negations.
STOPWORDS: Final = frozenset(
    "a an and are as at be by did do does for from had has have how i in is it its me my of on or that the this to was "
    "what when where which who will with you your".split()
)


def words(text: str) -> list[str]:
    """The longest runs of letters and numbers (general categories L and N) of the lower-cased text. A mark, an
    apostrophe or an underscore separates words; a text in a script without spaces is one long word.
    """
    return regexps.runs_of(strings.to_lower_case(text), "L", "N")


def tokenize(text: str) -> list[str]:
    """The words of a text without stopwords."""
    stripped = decided(TokensDecisions).stopwords()
    return [word for word in words(text) if word not in stripped]


class TokensDecisions(Decisions):
    """What the section leaves open, as adopted."""

    def stopwords(self) -> frozenset[str]:
        """RUL-TIDE-09: the stopwords are the 41 words of the repository, so negations stay."""
        return STOPWORDS
