"""Deviations from the query DSL document's section "Grammar"."""

from reference_impl.javascript import strings
from reference_impl.jeffs_brain.parser import ParserDecisions

ACTS_ON = ("query.*", "retrieval.search")


class PhraseTextWithoutWhiteSpaceOfEcmascript(ParserDecisions, deviation="next-line-stays-in-a-phrase"):
    def phrase_text(self, quoted: str) -> str:
        """The phrase text is trimmed, and keeps U+0085 at its ends."""
        return strings.trim(quoted)
