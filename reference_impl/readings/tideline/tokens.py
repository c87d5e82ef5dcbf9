"""Other readings of the section "Two lanes": tokens and stopwords."""

from typing import Final

from ...switches import Switches
from ...tideline import tokens

SWITCHES = Switches("tideline.*")


NEGATIONS: Final = frozenset({"no", "nor", "not"})


@SWITCHES.reading("RUL-TIDE-09", "b", tokens.stopwords)
def stopwords_with_negations() -> frozenset[str]:
    """A longer list that strips negations. The ruling has no list; this one adds the negations of common lists."""
    return tokens.STOPWORDS | NEGATIONS
