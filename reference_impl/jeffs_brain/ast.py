"""The query AST as the query DSL document's worked examples show it: values, and their JSON form."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    """What a token is."""

    TERM = "term"
    PHRASE = "phrase"
    PREFIX = "prefix"


class Operator(StrEnum):
    """The three operators of the grammar."""

    AND = "AND"
    OR = "OR"
    NOT = "NOT"


@dataclass(frozen=True, slots=True)
class Token:
    """One token: cleaned text, and the explicit operator that was attached to it, if any."""

    kind: Kind
    text: str
    operator: Operator | None = None

    def to_json(self) -> dict[str, Any]:
        """``{kind, text, operator?}``: ``operator`` is present only where there is one."""
        plain = {"kind": self.kind.value, "text": self.text}
        return plain if self.operator is None else {**plain, "operator": self.operator.value}


@dataclass(frozen=True, slots=True)
class Ast:
    """A parsed query: the normalised text, its tokens in order, and whether it held a quote or an operator."""

    raw: str
    tokens: tuple[Token, ...]
    has_operators: bool

    def to_json(self) -> dict[str, Any]:
        """``{raw, tokens, hasOperators}``."""
        tokens = [token.to_json() for token in self.tokens]
        return {"raw": self.raw, "tokens": tokens, "hasOperators": self.has_operators}


def token_from_json(plain: Mapping[str, Any]) -> Token:
    """The token that ``Token.to_json`` wrote."""
    operator = plain.get("operator")
    return Token(Kind(plain["kind"]), plain["text"], None if operator is None else Operator(operator))


def ast_from_json(plain: Mapping[str, Any]) -> Ast:
    """The AST that ``Ast.to_json`` wrote."""
    return Ast(plain["raw"], tuple(token_from_json(token) for token in plain["tokens"]), plain["hasOperators"])
