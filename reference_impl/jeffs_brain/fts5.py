"""Query DSL document, sections "Operator semantics" (compilation) and "FTS5 compilation target"."""

from collections.abc import Iterable, Iterator

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
    """Renders each token after its connective."""
    for place, (token, surface) in enumerate(zip(ast.tokens, surfaces(ast.tokens), strict=True)):
        before = connective(token) if place else first_connective(token)
        yield f"{before} {surface}" if before else surface


def first_connective(token: Token) -> str | None:
    """RUL-B05: the first token has none, whichever operator it has, because a connective joins two tokens."""
    del token
    return None


def connective(token: Token) -> str:
    """RUL-B01: the operator of the token, else OR; NOT is written ``AND NOT``. Section "Operator semantics"."""
    return "AND NOT" if token.operator is Operator.NOT else (token.operator or Operator.OR).value


def surfaces(tokens: Iterable[Token]) -> list[str]:
    """RUL-B02, RUL-B19: every token is rendered alone; no parentheses group alternatives or words."""
    return [_surface(token) for token in tokens]


def _surface(token: Token) -> str:
    """A plain term, a phrase in quotes, or a prefix with an asterisk."""
    return {Kind.TERM: "{}", Kind.PHRASE: '"{}"', Kind.PREFIX: "{}*"}[token.kind].format(token.text)
