"""Deviations from the algorithms document's section "Trigram fallback details"."""

import re

from ...jeffs_brain import trigram
from ...switches import Switches

SWITCHES = Switches()


@SWITCHES.deviation("low-line-in-slugs", trigram.is_alphanumeric)
def is_word_character(character: str) -> bool:
    r"""The low line is alphanumeric, as in the class ``\w`` of Python."""
    return re.match(r"\w", character) is not None
