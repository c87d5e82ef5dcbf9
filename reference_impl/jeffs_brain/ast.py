"""Query DSL document, section "Worked examples": the query AST, and its JSON form."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    """The kind of a token."""

    TERM = "term"
    PHRASE = "phrase"
    PREFIX = "prefix"


class Operator(StrEnum):
    """The three operators. Section "Grammar"."""

    AND = "AND"
    OR = "OR"
    NOT = "NOT"


@dataclass(frozen=True, slots=True)
class Token:
    """One token: its cleaned text, and its explicit operator, if any."""

    kind: Kind
    text: str
    operator: Operator | None = None

    def to_json(self) -> dict[str, Any]:
        """``{kind, text, operator?}``: a token without an operator has no member ``operator``."""
        plain = {"kind": self.kind.value, "text": self.text}
        return plain if self.operator is None else {**plain, "operator": self.operator.value}


@dataclass(frozen=True, slots=True)
class Ast:
    """A parsed query: the normalised text, its tokens in order, and whether it has a quote or an operator."""

    raw: str
    tokens: tuple[Token, ...]
    has_operators: bool

    def to_json(self) -> dict[str, Any]:
        """``{raw, tokens, hasOperators}``."""
        tokens = [token.to_json() for token in self.tokens]
        return {"raw": self.raw, "tokens": tokens, "hasOperators": self.has_operators}
