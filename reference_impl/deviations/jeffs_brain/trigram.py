"""Deviations from the algorithms document's section "Trigram fallback details"."""

import re
from collections.abc import Callable

from ...javascript import strings
from ...jeffs_brain import trigram
from ...jeffs_brain.trigram import TrigramHit
from ...switches import Switches

SWITCHES = Switches()


@SWITCHES.deviation("low-line-in-slugs", trigram.is_alphanumeric)
def is_word_character(character: str) -> bool:
    r"""The low line is alphanumeric, as in the class ``\w`` of Python."""
    return re.match(r"\w", character) is not None


@SWITCHES.deviation("equal-hits-in-any-order", trigram.most_similar_first, wraps=True)
def then_by_last_id(current: Callable[[TrigramHit], tuple[object, ...]], hit: TrigramHit) -> tuple[object, ...]:
    """Hits of equal similarity and path come in any order; here, the last id comes first."""
    return *current(hit), bytes(0xFF - byte for byte in strings.sort_key(hit.chunk.id)) + b"\xff"
