"""Other readings of the query DSL document's sections "Operator semantics" (compilation) and "FTS5 compilation target"."""

from ...jeffs_brain import fts5
from ...jeffs_brain.ast import Operator, Token
from ...switches import Switches

SWITCHES = Switches("query.*", "retrieval.search")


@SWITCHES.reading("RUL-B01", "b", fts5.connective)
def connective_that_fts5_accepts(token: Token) -> str:
    """The compiler emits an expression that FTS5 can execute: NOT alone."""
    return (token.operator or Operator.OR).value


@SWITCHES.reading("RUL-B05", "b", fts5.first_connective)
def leading_and_or_or(token: Token) -> str | None:
    """Only NOT is dropped; a leading AND or OR is rendered."""
    return None if token.operator in (None, Operator.NOT) else token.operator.value
