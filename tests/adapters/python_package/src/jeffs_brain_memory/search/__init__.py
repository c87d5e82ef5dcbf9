"""A parser that knows terms alone, stop words that lie beside the package in its checkout, an index of a list."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str
    operator: str = ""


@dataclass(slots=True)
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


def sanitise_query(query: str) -> str:
    return " OR ".join(word for word in query.replace("?", " ").lower().split())


def load_stopwords(locale: str, *, path: Path | None = None) -> frozenset[str]:  # noqa: ARG001
    for parent in Path(__file__).parents:
        if (parent / "spec" / f"{locale}.txt").is_file():
            return frozenset((parent / "spec" / f"{locale}.txt").read_text("utf-8").split())
    raise FileNotFoundError(f"spec/{locale}.txt")


@dataclass(slots=True)
class Chunk:
    id: str
    document_id: str
    path: str
    text: str
    metadata: dict[str, Any] = field(default_factory=dict)
    vector: list[float] | None = None


@dataclass(frozen=True, slots=True)
class BM25Hit:
    path: str
    title: str
    snippet: str
    score: float
    document_id: str
    chunk_id: str = ""
    summary: str = ""
    content: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)


class Index:
    """Takes a query, not a match expression, and compiles it itself."""

    def __init__(self, db_path: Path | str = ":memory:") -> None:
        self.db_path, self.chunks = db_path, list[Chunk]()

    def upsert_chunks(self, chunks: Iterable[Chunk], *, model: str = "") -> int:  # noqa: ARG002
        added = list(chunks)
        self.chunks += added
        return len(added)

    def search_bm25(self, query: str, top_k: int = 20, opts: Any = None) -> list[BM25Hit]:  # noqa: ARG002
        words = sanitise_query(query).split(" OR ")
        found = [chunk for chunk in self.chunks if any(word in str(chunk).lower() for word in words)]
        return [self.hit(chunk) for chunk in found[:top_k]]

    def hit(self, chunk: Chunk) -> BM25Hit:
        rest = {"summary": chunk.metadata["summary"], "content": chunk.text, "metadata": chunk.metadata}
        return BM25Hit(chunk.path, chunk.metadata["title"], "", -1.0, chunk.document_id, chunk.id, **rest)

    def close(self) -> None:
        self.chunks.clear()
