"""Query DSL document, sections "Operator semantics" (compilation) and "FTS5 compilation target"."""

from collections.abc import Iterator

from reference_impl.jeffs_brain.ast import Ast, Kind, Operator, Token
from reference_impl.observer import Observer, Step, silent


def compile_to_fts(ast: Ast, *, observe: Observer = silent) -> str:
    """The FTS5 MATCH string of an AST; empty for one without tokens, which means "no FTS leg"."""
    match = " ".join(_rendered(ast))
    observe(Step("FTS5 compilation target", "match", match))
    return match


def _rendered(ast: Ast) -> Iterator[str]:
    """Connectives stand between consecutive tokens, so what the first token carries is not rendered."""
    for place, token in enumerate(ast.tokens):
        yield _surface(token) if place == 0 else f"{_connective(token)} {_surface(token)}"


def _connective(token: Token) -> str:
    """OR unless the token says otherwise; NOT is written ``AND NOT``, as the document wants it."""
    return "AND NOT" if token.operator is Operator.NOT else (token.operator or Operator.OR).value


def _surface(token: Token) -> str:
    """A term as it is, a phrase in quotes, a prefix with its asterisk."""
    return {Kind.TERM: "{}", Kind.PHRASE: '"{}"', Kind.PREFIX: "{}*"}[token.kind].format(token.text)
