"""Section "Two lanes", lexical: Unicode-aware tokens, English stopwords stripped."""

from typing import Final

from reference_impl.javascript import regexps, strings

# The page names no list. This one is the repository's: function words only, negations are no stopwords.
STOPWORDS: Final = frozenset(
    "a an and are as at be by did do does for from had has have how i in is it its me my of on or that the this to was "
    "what when where which who will with you your".split()
)


def words(text: str) -> list[str]:
    """The longest runs of letters and numbers (general categories L and N) of the lower-cased text.

    A mark, an apostrophe or an underscore separates; a script written without spaces gives one long word.
    """
    return regexps.runs_of(strings.to_lower_case(text), "L", "N")


def tokenize(text: str) -> list[str]:
    """The words that are no stopwords."""
    return [word for word in words(text) if word not in STOPWORDS]
