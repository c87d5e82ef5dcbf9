"""Query DSL document, sections "Operator semantics" (compilation) and "FTS5 compilation target"."""

from collections.abc import Iterator

from ..observer import Observer, Step, silent
from .ast import Ast, Kind, Operator, Token


def compile_to_fts(ast: Ast, *, observe: Observer = silent) -> str:
    """The FTS5 MATCH string of an AST; an AST without tokens has an empty one, which means "no FTS leg".

    Section "FTS5 compilation target".
    """
    match = " ".join(_rendered(ast))
    observe(Step("FTS5 compilation target", "match", match))
    return match


def _rendered(ast: Ast) -> Iterator[str]:
    """Renders each token with its connective; the first token has none, because connectives are between tokens."""
    for place, token in enumerate(ast.tokens):
        yield _surface(token) if place == 0 else f"{_connective(token)} {_surface(token)}"


def _connective(token: Token) -> str:
    """The operator of the token, else OR; NOT is written ``AND NOT``. Section "Operator semantics"."""
    return "AND NOT" if token.operator is Operator.NOT else (token.operator or Operator.OR).value


def _surface(token: Token) -> str:
    """A plain term, a phrase in quotes, or a prefix with an asterisk."""
    return {Kind.TERM: "{}", Kind.PHRASE: '"{}"', Kind.PREFIX: "{}*"}[token.kind].format(token.text)
