"""Other readings of the section "The model-free embedder (HRR)"."""

from collections.abc import Callable

from ...javascript import strings
from ...switches import Switches
from ...tideline import hrr, tokens

SWITCHES = Switches("tideline.*")


@SWITCHES.reading("RUL-TIDE-05", "b", hrr.phases, wraps=True)
def one_phase_per_feature(current: Callable[[str], tuple[float, ...]], feature: str) -> tuple[float, ...]:
    """A feature has one phase, the same in every pair. The text defines no phase; this one is the first of the 128."""
    return current(feature)[:1] * hrr.ANGLES


@SWITCHES.reading("RUL-TIDE-06", "b", hrr.features)
def trigrams_of_the_whole_text(text: str) -> list[str]:
    """The trigrams come from the whole lower-cased text, including spaces; they follow the words."""
    words = [f"w:{word}" for word in hrr.embedded_words(text)]
    return words + [f"g:{window}" for window in hrr.windows(strings.to_lower_case(text))]


@SWITCHES.reading("RUL-TIDE-07", "b", hrr.windows)
def windows_of_code_points(text: str) -> list[str]:
    """A trigram is a window of three code points."""
    return [text[start : start + hrr.TRIGRAM] for start in range(len(text) - hrr.TRIGRAM + 1)]


@SWITCHES.reading("RUL-TIDE-08", "b", hrr.embedded_words)
def tokens_of_the_lexical_lane(text: str) -> list[str]:
    """The embedder uses the tokens of the lexical lane, without stopwords."""
    return tokens.tokenize(text)
