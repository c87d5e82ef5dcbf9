"""Other readings of the query DSL document's sections "Grammar", "Token stripping" and "Operator semantics"."""

from ...jeffs_brain import parser
from ...jeffs_brain.ast import Operator
from ...switches import Switches

SWITCHES = Switches()


@SWITCHES.reading("RUL-B03", "b", parser.pending_after_dropped_word)
def no_operator_is_left(pending: Operator | None) -> None:
    """The operator is dropped together with the word."""
    del pending
