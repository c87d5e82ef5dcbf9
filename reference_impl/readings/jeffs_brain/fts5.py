"""Other readings of the query DSL document's sections "Operator semantics" (compilation) and "FTS5 compilation target"."""

from ...jeffs_brain.ast import Operator, Token
from ...jeffs_brain.fts5 import Fts5Decisions

ACTS_ON = ("query.*", "retrieval.search")


class ConnectiveThatFts5Accepts(Fts5Decisions, reading="RUL-B01=b"):
    def connective(self, token: Token) -> str:
        """The compiler emits an expression that FTS5 can execute: NOT alone."""
        return (token.operator or Operator.OR).value


class LeadingAndOrOr(Fts5Decisions, reading="RUL-B05=b"):
    def first_connective(self, token: Token) -> str | None:
        """Only NOT is dropped; a leading AND or OR is rendered."""
        return None if token.operator in (None, Operator.NOT) else token.operator.value
