"""Deviations from the algorithms document's section "Trigram fallback details"."""

import re
from collections.abc import Callable, Sequence

from ...jeffs_brain import trigram
from ...jeffs_brain.candidates import Chunk
from ...switches import Switches

SWITCHES = Switches("trigram.*", "retrieval.search")


@SWITCHES.deviation("low-line-in-slugs", trigram.is_alphanumeric)
def is_word_character(character: str) -> bool:
    r"""The low line is alphanumeric, as in the class ``\w`` of Python."""
    return re.match(r"\w", character) is not None


@SWITCHES.deviation("equal-hits-in-any-order", trigram.searchable, wraps=True)
def in_reverse(current: Callable[[Sequence[Chunk]], Sequence[Chunk]], chunks: Sequence[Chunk]) -> Sequence[Chunk]:
    """Hits of equal similarity and path come in any order; here, in the reverse order of the chunks."""
    return current(chunks)[::-1]
