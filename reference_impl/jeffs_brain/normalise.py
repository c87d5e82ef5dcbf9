"""Query DSL document, section "Pipeline", step 1: normalise raw input."""

import re
from collections.abc import Callable, Mapping

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


def normalise(query: str) -> str:
    """Applies the five steps in order: NFC, strip, map, collapse, trim. Section "Pipeline"."""
    text = query
    for step, apply in decided(NormaliseDecisions).steps().items():
        text = apply(text)
        observe(SECTION, step, text)
    return text


def _map_no_break_space(text: str) -> str:
    return text.replace("\u00a0", " ")


def _trim(text: str) -> str:
    return text.strip(" ")


class NormaliseDecisions(Decisions):
    """What step 1 of the pipeline leaves open, as adopted: its characters and the order of its steps."""

    def steps(self) -> Mapping[str, Callable[[str], str]]:
        """RUL-B76: the steps run as listed, and the result can be decomposed.

        NFC comes before stripping, so the result may not be in NFC, and a second pass can change it.
        """
        return {
            "NFC": strings.normalise_nfc,
            "strip zero-width": self.strip_zero_width,
            "map no-break space": _map_no_break_space,
            "collapse white space": self.collapse,
            "trim": _trim,
        }

    def strip_zero_width(self, text: str) -> str:
        """RUL-B10: the zero-width characters are the four with ZERO WIDTH in their Unicode name."""
        return ZERO_WIDTH.sub("", text)

    def collapse(self, text: str) -> str:
        """RUL-B09: white space is every character with the Unicode property White_Space, as in the grammar."""
        return _WHITE_SPACE_RUN.sub(" ", text)
