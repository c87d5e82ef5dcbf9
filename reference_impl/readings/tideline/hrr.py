"""Other readings of the section "The model-free embedder (HRR)"."""

from ...javascript import strings
from ...tideline import hrr, tokens
from ...tideline.hrr import HrrDecisions

ACTS_ON = ("tideline.*",)


class OnePhasePerFeature(HrrDecisions, reading="RUL-TIDE-05=b"):
    def phases(self, feature: str) -> tuple[float, ...]:
        """A feature has one phase, the same in every pair. The text defines no phase; this one is the first of the 128."""
        return super().phases(feature)[:1] * hrr.ANGLES


class TrigramsOfTheWholeText(HrrDecisions, reading="RUL-TIDE-06=b"):
    def features(self, text: str) -> list[str]:
        """The trigrams come from the whole lower-cased text, including spaces; they follow the words."""
        words = [f"w:{word}" for word in self.embedded_words(text)]
        return words + [f"g:{window}" for window in self.windows(strings.to_lower_case(text))]


class WindowsOfCodePoints(HrrDecisions, reading="RUL-TIDE-07=b"):
    def windows(self, text: str) -> list[str]:
        """A trigram is a window of three code points."""
        return [text[start : start + hrr.TRIGRAM] for start in range(len(text) - hrr.TRIGRAM + 1)]


class TokensOfTheLexicalLane(HrrDecisions, reading="RUL-TIDE-08=b"):
    def embedded_words(self, text: str) -> list[str]:
        """The embedder uses the tokens of the lexical lane, without stopwords."""
        return tokens.tokenize(text)
