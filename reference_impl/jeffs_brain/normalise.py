"""Query DSL document, section "Pipeline", step 1: normalise raw input."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from ..decisions import Decisions, decided
from ..javascript import strings
from ..observer import observe

SECTION = "Pipeline: Normalise"

# Unicode's property White_Space, for "Unicode whitespace" in the grammar: it includes U+0085 and not U+FEFF.
WHITE_SPACE = (
    "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)

# The characters with ZERO WIDTH in their Unicode name: space, non-joiner, joiner, and no-break space (U+FEFF).
ZERO_WIDTH = re.compile("[\u200b\u200c\u200d\ufeff]")

_WHITE_SPACE_RUN = re.compile(f"[{WHITE_SPACE}]+")


STEPS: Final[tuple[tuple[str, Callable[[NormaliseDecisions, str], str]], ...]] = (
    ("NFC", lambda _, text: strings.normalise_nfc(text)),
    ("strip zero-width", lambda rule, text: rule.strip_zero_width(text)),
    ("map no-break space", lambda _, text: text.replace("\u00a0", " ")),
    ("collapse white space", lambda rule, text: rule.collapse(text)),
    ("trim", lambda _, text: text.strip(" ")),
)


def normalise(query: str) -> str:
    """Applies the five steps in order."""
    rule = decided(NormaliseDecisions)
    text = query
    for step, apply in STEPS:
        text = apply(rule, text)
        observe(SECTION, step, text)
    return rule.result(text)


class NormaliseDecisions(Decisions):
    """What step 1 of the pipeline leaves open, as adopted: its characters, and its result."""

    def strip_zero_width(self, text: str) -> str:
        """RUL-B10: the zero-width characters are the four with ZERO WIDTH in their Unicode name."""
        return ZERO_WIDTH.sub("", text)

    def collapse(self, text: str) -> str:
        """RUL-B09: white space is every character with the Unicode property White_Space, as in the grammar."""
        return _WHITE_SPACE_RUN.sub(" ", text)

    def result(self, text: str) -> str:
        """RUL-B76: the result stays as the steps leave it. NFC comes first, so it may be decomposed, and a second pass can
        change it.
        """
        return text
