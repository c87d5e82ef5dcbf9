"""Other readings of the query DSL document's section "Pipeline", step 1."""

import re
from typing import Final

from ...javascript import regexps, strings
from ...jeffs_brain import normalise
from ...jeffs_brain.normalise import NormaliseDecisions

ACTS_ON = ("query.*", "retrieval.search")

_PYTHON_WHITE_SPACE = re.compile(f"[{normalise.WHITE_SPACE}\x1c-\x1f]+")

# Unicode's property Prepended_Concatenation_Mark: the format characters with a width.
_VISIBLE_FORMAT: Final = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)


class ComposedResult(NormaliseDecisions, reading="RUL-B76=b"):
    def result(self, text: str) -> str:
        """The result is in NFC."""
        return strings.normalise_nfc(text)


class StripFormatCharacters(NormaliseDecisions, reading="RUL-B10=b"):
    def strip_zero_width(self, text: str) -> str:
        """Every format character without width is stripped."""
        return "".join(c for c in text if c in _VISIBLE_FORMAT or not regexps.has_property(c, "Cf"))


class CollapseJavascriptWhiteSpace(NormaliseDecisions, reading="RUL-B09=b"):
    def collapse(self, text: str) -> str:
        r"""White space is the class \s of ECMAScript, so U+0085 stays in the text."""
        return strings.collapse(text)


class CollapsePythonWhiteSpace(NormaliseDecisions, reading="RUL-B09=c"):
    def collapse(self, text: str) -> str:
        """White space includes U+001C to U+001F, as in Python or Java."""
        return _PYTHON_WHITE_SPACE.sub(" ", text)
