"""Deviations from the query DSL document's section "Grammar"."""

from ...javascript import strings
from ...jeffs_brain import parser
from ...switches import Switches

SWITCHES = Switches("query.*", "retrieval.search")


@SWITCHES.deviation("next-line-stays-in-a-phrase", parser.phrase_text)
def phrase_text_without_white_space_of_ecmascript(quoted: str) -> str:
    """The phrase text is trimmed, and keeps U+0085 at its ends."""
    return strings.trim(quoted)
