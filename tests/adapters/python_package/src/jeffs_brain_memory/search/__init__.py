"""A parser that knows terms alone, and stop words that lie beside the package in its checkout."""

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Token:
    kind: str
    text: str
    operator: str = ""


@dataclass
class QueryAST:
    raw: str
    tokens: list[Token] = field(default_factory=list)
    has_operators: bool = False


class AliasTable:
    def __init__(self, entries: dict[str, list[str]] | None = None) -> None:
        self.entries = entries or {}


def parse(query: str, *, aliases: AliasTable | None = None) -> QueryAST:  # noqa: ARG001
    print("the SDK says something on standard output")
    words = query.split()
    return QueryAST(" ".join(words), [Token("term", word.lower()) for word in words])


def expand_aliases(ast: QueryAST, aliases: AliasTable) -> QueryAST:
    expanded = [Token("term", text) for token in ast.tokens for text in aliases.entries.get(token.text, [token.text])]
    return QueryAST(ast.raw, expanded, ast.has_operators)


def compile(ast: QueryAST) -> str:
    return " OR ".join(token.text for token in ast.tokens)


def load_stopwords(locale: str) -> frozenset[str]:
    for parent in Path(__file__).parents:
        if (parent / "spec" / f"{locale}.txt").is_file():
            return frozenset((parent / "spec" / f"{locale}.txt").read_text("utf-8").split())
    raise FileNotFoundError(f"spec/{locale}.txt")
