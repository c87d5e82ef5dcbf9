"""Deviations from the algorithms document's section "Trigram fallback details"."""

import re
from collections.abc import Sequence

from reference_impl.jeffs_brain.candidates import Chunk
from reference_impl.jeffs_brain.trigram import TrigramDecisions

ACTS_ON = ("trigram.*", "retrieval.search")


class IsWordCharacter(TrigramDecisions, deviation="low-line-in-slugs"):
    def is_alphanumeric(self, character: str) -> bool:
        r"""The low line is alphanumeric, as in the class ``\w`` of Python."""
        return re.match(r"\w", character) is not None


class InReverse(TrigramDecisions, deviation="equal-hits-in-any-order"):
    def searchable(self, chunks: Sequence[Chunk]) -> Sequence[Chunk]:
        """Hits of equal similarity and path come in any order; here, in the reverse order of the chunks."""
        return super().searchable(chunks)[::-1]
