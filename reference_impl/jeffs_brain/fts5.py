"""Query DSL document, sections "Operator semantics" (compilation) and "FTS5 compilation target"."""

from collections.abc import Iterable, Iterator, Sequence

from ..decisions import Decisions, decided
from ..observer import observe
from .ast import Ast, Kind, Operator, Token


def compile_to_fts(ast: Ast) -> str:
    """The FTS5 MATCH string of an AST; an AST without tokens has an empty one, which means "no FTS leg". Section "FTS5
    compilation target".
    """
    tokens = decided(Fts5Decisions).compiled_tokens(ast.tokens)
    match = " ".join(_rendered(tokens))
    observe("FTS5 compilation target", "match", match)
    return match


def _rendered(tokens: Sequence[Token]) -> Iterator[str]:
    """Renders each token after its connective."""
    rule = decided(Fts5Decisions)
    for place, (token, surface) in enumerate(zip(tokens, rule.surfaces(tokens), strict=True)):
        before = rule.connective(token) if place else rule.first_connective(token)
        yield f"{before} {surface}" if before else surface


def _surface(token: Token) -> str:
    """A plain term, a phrase in quotes, or a prefix with an asterisk."""
    return {Kind.TERM: "{}", Kind.PHRASE: '"{}"', Kind.PREFIX: "{}*"}[token.kind].format(token.text)


class Fts5Decisions(Decisions):
    """What the two sections leave open, as adopted: connectives and groups."""

    def compiled_tokens(self, tokens: Sequence[Token]) -> Sequence[Token]:
        """RUL-B04: a phrase without a word is compiled like any other."""
        return tokens

    def first_connective(self, token: Token) -> str | None:
        """RUL-B05: the first token has none, whichever operator it has, because a connective joins two tokens."""
        return None

    def connective(self, token: Token) -> str:
        """RUL-B01: the operator of the token, else OR; NOT is written ``AND NOT``. Section "Operator semantics"."""
        return "AND NOT" if token.operator is Operator.NOT else (token.operator or Operator.OR).value

    def surfaces(self, tokens: Iterable[Token]) -> list[str]:
        """RUL-B02, RUL-B19: every token is rendered alone; no parentheses group alternatives or words."""
        return [_surface(token) for token in tokens]
